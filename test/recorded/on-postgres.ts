// test/recorded/on-postgres.ts — what may differ from the recordings over a store on Postgres: they are made on SQLite.
import { ANYTHING, type Difference } from './compare.ts'

const NUMBERS = 'events, records and effects take their numbers from one sequence (decision 61)'
const ORDER =
  'the gateway tells the till of a payment while the terminal asks for it: whichever message is first is recorded first'

/** Unlike other differences, they need not occur. */
export const DIFFERENCES_ON_POSTGRES: readonly Difference[] = [
  ...['answer.*.cursor', 'answer.body.next', 'answer.events.*.id', 'headers.last-event-id'].map(path => ({
    exchanges: '*',
    ...{ path, recorded: 'a number', now: ANYTHING },
    because: NUMBERS,
  })),
  {
    exchanges: 'table-sockets/a visit from the list to the unlock, *timeline',
    ...{ path: 'answer.body.entries.*', recorded: 'another order', now: ANYTHING },
    because: ORDER,
  },
]
