// test/recorded/reworded.ts — texts of version 0.1 that are in plainer words now, one line each.
import type { Difference } from './compare.ts'

type Pair = readonly [recorded: string, now: string]

const REFUSALS: readonly Pair[] = [
  ['There is nothing at this address.', 'No resource exists at this path.'],
  [
    'This address does not take that method.',
    'Method not allowed for this path. The Allow header lists the allowed methods.',
  ],
  ['The address is too long.', 'The URL is too long.'],
  ['Pages of this origin may not connect.', 'Connections from this origin are not allowed.'],
  ['This address takes WebSocket connections.', 'The request must be a WebSocket upgrade.'],
  ['The API key was not found.', 'The key was not found.'],
  ['Requests came faster than this gateway allows. Wait a moment.', 'Too many requests. Wait before you send more.'],
  [
    'holds what may be a card number, which is never kept in clear.',
    'seems to hold a card number, which is never stored in clear.',
  ],
  [
    'The wallet’s provider gave no session for a payment. Nothing was charged.',
    'The wallet provider did not open a payment session. Nothing was charged.',
  ],
  [
    'Only a payment whose acquirer has been asked and does not answer can be closed.',
    'Only a payment with an unanswered acquirer request can be closed.',
  ],
  ['The payment does not wait to be resumed.', 'The payment is not paused.'],
  ['The outcome is not known yet. Ask for the payment.', 'The outcome is not known yet. Read the payment later.'],
  [
    'The account has as many open tables as it may. Delete those that are settled.',
    'The account has reached the limit of open tables. Delete settled ones.',
  ],
  ['There were too many payments for this table.', 'The table has reached the limit of payments.'],
  ['The webhook is being sent or waits for its turn already.', 'The webhook is already queued or being sent.'],
  [
    'The account has as many keys as it may. Revoke one that is no longer used.',
    'The account has reached the limit of keys. Revoke one that is no longer used.',
  ],
  [
    'Too many older secrets are still in force. Wait until one of them has ended.',
    'Too many older secrets are still valid. Wait until one expires.',
  ],
  ['The terminal does not take that key now.', 'The terminal does not accept this now.'],
  ['The gateway has too much to write at once. Nothing was started.', 'The gateway is busy. Nothing was started.'],
  ['The scenario cannot be played. …', 'The simulator rejected the request.'],
  [
    'The scenario cannot be played. There is no scenario named {name} GET /sandbox/scenarios lists those there are, and ' +
      'GET /sandbox/faults what can be added to them.',
    'The simulator rejected the request. There is no scenario named …',
  ],
  [
    'The scenario cannot be played. There is no online scenario "no_such_thing"; GET /sandbox/scenarios lists those there are.',
    'The simulator rejected the request. There is no online scenario "no_such_thing". See online in GET /sandbox/scenarios.',
  ],
  [
    'The scenario cannot be played. There is no fault "declined"; GET /sandbox/faults lists those there are.',
    'The simulator rejected the request. There is no fault "declined". See GET /sandbox/faults.',
  ],
  [
    'The scenario cannot be played. The library has no script no_such.',
    'The simulator rejected the request. There is no waiter script no_such. See GET /sandbox/waiters.',
  ],
  [
    'The scenario cannot be played. name is taken: the library has a scenario named approved; choose another name.',
    'The simulator rejected the request. name is taken by the built-in scenario approved; choose another name.',
  ],
  [
    'The scenario cannot be played. path is missing; it must be a text (Begins with /; `*` stands for a part of the path, ' +
      '`**` for any number of them.).',
    'The simulator rejected the request. path is missing; it must be a text (Begins with /; `*` matches one segment, ' +
      '`**` any number of them).',
  ],
]

const TITLES: readonly Pair[] = [
  ['Approved, whatever the card and the amount say.', 'Approved, whatever the card and the amount.'],
  [
    'The line to the terminal is lost before it asks for the money, and back after a while.',
    'The connection to the terminal is lost before authorisation, for this time.',
  ],
  [
    'The acquirer has answered, and the answer does not reach the terminal for a while.',
    'The connection is lost when the acquirer answers; the terminal gets the answer after this time.',
  ],
  ['Takes the table up, prints the bill, and goes.', 'Opens the table, prints the bill and leaves.'],
  ['One card pays all of it.', 'One card pays the whole bill.'],
]

/** Further titles, in the whole lists that an older data directory is asked for. */
const LISTED_TITLES: readonly Pair[] = [
  ['The line fails: unsuccessful.', 'The terminal cannot connect to the acquirer: UNSUCCESSFUL.'],
  ['Cancelled on the terminal after the PIN.', 'Cancelled on the terminal after PIN entry.'],
  ['The terminal goes silent: timed out at the limit.', 'The terminal stops responding: TIMED_OUT.'],
  ['Approved, and then undone by the terminal.', 'Approved, then voided by the terminal.'],
  [
    'Approved and undone by the terminal; the acquirer reverses it only after a minute.',
    'Approved, then voided by the terminal; the acquirer answers the reversal only after a minute.',
  ],
  ['Contactless card, no check, approved.', 'Contactless card, no cardholder verification, approved.'],
  ['Stripe and signature; the till decides.', 'Magnetic stripe and signature; the till decides.'],
  [
    'The decision comes while the time-out is handled.',
    'The signature decision arrives while its time-out is handled.',
  ],
  ['Declined: not enough money.', 'Declined: insufficient funds.'],
  [
    'Declined: the issuer asks for a call, and the till is told.',
    'Declined with a referral: `userMessage` says that the issuer asks for a call.',
  ],
  ['Cancelled on the terminal before a card.', 'Cancelled on the terminal before a card is presented.'],
  ['Nobody presents a card; keys may still be pressed.', 'No card is presented; the keys can be used.'],
  ['The terminal goes silent after the PIN.', 'The terminal stops responding after PIN entry.'],
  [
    'The card is left in although the prompt asks for it.',
    'The card stays in the reader despite the prompt to remove it.',
  ],
  [
    'Approved, and the terminal hangs before it shows it: the money is given back.',
    'The terminal hangs after the approval, before it shows it: the payment is reversed.',
  ],
  [
    'Approved and shown, and the till never hears of it: the money stays.',
    'Approved and shown, but the final report is lost: the payment stands.',
  ],
  ['The card is pulled out too early.', 'The card is removed too early.'],
  [
    'The line fails once; every stage of it is told.',
    'The first connection to the acquirer fails; each stage is reported.',
  ],
  ['The number is typed in with the card present.', 'The card number is keyed, with the card present.'],
  ['The card is asked for before the end.', 'The terminal prompts for card removal before the end.'],
  ['The terminal asks for cashback.', 'The terminal prompts for cashback.'],
  ['The stripe is not read at first.', 'The first swipe cannot be read.'],
  ['Two cards in the field at first.', 'Two cards are presented at first.'],
  ['Tapped first; the chip has to be used.', 'The card is tapped first and must be inserted.'],
  ['The card has to be tapped again.', 'The card must be tapped again.'],
  ['A scheme that is not taken here.', 'The card scheme is not accepted.'],
  ['The paper roll is empty from the start.', 'The printer has no paper from the start.'],
  ['The paper roll runs out at printing.', 'The paper runs out when printing starts.'],
  ['Declined: the card is not taken.', 'Declined: the card is not accepted.'],
  ['Declined until the payer has been seen by the issuer.', 'Declined until the payer has passed a challenge.'],
  ['The issuer knows its payer without a page.', 'Authenticated without a challenge: status Y.'],
  ['The issuer takes no part; the attempt counts.', 'Authentication attempted, without the issuer: status A.'],
  ['The issuer does not know the payer.', 'Not authenticated: status N.'],
  ['The issuer refuses.', 'Authentication rejected: status R.'],
  ['Nobody can say who the payer is.', 'Authentication unavailable: status U.'],
  ['The issuer wants to see its payer.', 'The issuer requires a challenge: status C.'],
  ["The issuer's page never ends.", 'The challenge page never ends.'],
  ["The issuer's page sends the payer back twice.", 'The challenge page returns the payer twice.'],
  [
    'The issuer tells the directory server ten seconds after the payer.',
    'The directory server gets the result ten seconds after the payer returns.',
  ],
  ['No code is right.', 'The challenge page accepts no code.'],
  ["The issuer's page does not show in a frame.", 'The challenge page refuses to be framed.'],
  ['Three guests pay the same, each by card.', 'Three guests pay equal shares, each by card.'],
  ['Two guests pay the same: one by card, one in cash.', 'Two guests pay equal shares: one by card, one in cash.'],
  ['One card pays all of it, and 5.00 for the waiter.', 'One card pays the whole bill, with a gratuity of 5.00.'],
  [
    'One of two halves is paid; the waiter gives the table back.',
    'One of two halves is paid; the waiter releases the table.',
  ],
  ['The terminal dies while it holds the table.', 'The terminal disconnects while it holds the table.'],
  [
    'One of two halves is paid; then the terminal dies while it holds the table.',
    'One of two halves is paid; then the terminal disconnects while it holds the table.',
  ],
  [
    'The line to the terminal is lost before it asks for the money, and back after a while.',
    'The connection to the terminal is lost before authorisation, for a while.',
  ],
  [
    'The money is taken, and the line is lost before the terminal can say so.',
    'The payment is approved, and the connection is lost before the terminal reports it.',
  ],
  [
    'The acquirer approves, the terminal hangs before it has shown it: the money is given back.',
    'The terminal hangs after the approval, before it shows it: the payment is reversed.',
  ],
]

const TITLE = 'the title is in plain words'

const differenceFor =
  (because: string) =>
  ([recorded, now]: Pair): Difference => ({
    ...{ exchanges: '*', path: '*', recorded, now },
    because,
  })

/** A recorded text as the gateway words it now. */
export function inNewWords(text: string): string {
  return [...REFUSALS, ...TITLES].reduce((now, [recorded, fresh]) => now.replaceAll(recorded, fresh), text)
}

export const REWORDED: readonly Difference[] = [
  ...REFUSALS.map(differenceFor('the refusal is in plain words')),
  ...TITLES.map(differenceFor(TITLE)),
]

export const REWORDED_LISTS: readonly Difference[] = [...TITLES, ...LISTED_TITLES].map(differenceFor(TITLE))
