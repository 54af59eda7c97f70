// test/recorded/differences.ts — changes to recorded exchanges that are meant, a line each.
import { ABSENT, type Difference } from './compare.ts'

/** A line that nothing is different by any more fails the replay. `npm run record` makes all of them obsolete. */
export const DIFFERENCES: readonly Difference[] = [
  {
    exchanges: 'pages/the demo shop/*',
    path: 'answer.body.*',
    recorded: '// src/api/demo/shop.ts',
    now: '// src/demo-shop/shop.ts',
    because: 'the page shows the source of its server, which has moved',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/*pac-v1-sale-request.json',
    path: 'answer.body.properties.params.properties.amountCashback.description',
    recorded: 'Only attempted: the result tells what was given.',
    now: 'Minor units. SALE only. Only attempted: the result tells what was given.',
    because: 'REST and the socket describe the fields of a transaction in the same words',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/*pac-v1-sale-request.json',
    path: 'answer.body.properties.params.properties.cardholderNotPresent.description',
    recorded: 'The number is keyed in at the terminal; takes longer than with a card.',
    now: 'Keyed at the terminal without the card, which takes longer. SALE and REFUND only.',
    because: 'REST and the socket describe the fields of a transaction in the same words',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/*pac-v1-sale-request.json',
    path: 'answer.body.properties.params.properties.currency.description',
    recorded: '<absent>',
    now: 'Currency of the terminal.',
    because: 'REST and the socket describe the fields of a transaction in the same words',
  },
  {
    exchanges: 'refusals/addresses in other forms/08 *',
    path: 'answer.status',
    recorded: 405,
    now: 404,
    because: 'a name that is too long names nothing; its method was never the fault',
  },
  {
    exchanges: 'refusals/addresses in other forms/08 *',
    path: 'answer.body.*',
    recorded: 'This address does not take that method.',
    now: 'There is nothing at this address.',
    because: 'the same',
  },
  {
    exchanges: 'refusals/addresses in other forms/08 *',
    path: 'answer.headers.allow',
    recorded: 'GET, HEAD, OPTIONS',
    now: ABSENT,
    because: 'the same',
  },
  {
    exchanges: '*',
    path: 'answer.headers.allow',
    recorded: 'POST, GET, HEAD, OPTIONS',
    now: 'GET, HEAD, POST, OPTIONS',
    because: 'methods are named in one order, whatever the order of the operations',
  },
]
