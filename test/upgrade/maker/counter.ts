// test/upgrade/maker/counter.ts — counter transactions of each type and result, and reports.
import type { Caller, Heard, Json } from './gateway.ts'

const PARTNER = { 'software-house-id': 'maker', 'installer-id': 'fitter' }

export interface Begun {
  readonly requestId: string
  /** Path of its `location`. */
  readonly path: string
}

/** Starts a transaction or a report. */
export async function begin(
  till: Caller,
  tid: string,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): Promise<Begun> {
  const what = body['reportType'] === undefined ? 'transactions' : 'reports'
  const { json } = await till.ask('POST', `/pac/terminals/${tid}/${what}`, body, { headers })
  return { requestId: String(json['requestId']), path: new URL(String(json['location'])).pathname }
}

const newestOf = ({ json }: Heard) => String((json['notifications'] as readonly string[] | undefined)?.[0])

/** Advances time in steps until the newest notification matches. @throws Error after a time longer than any limit. */
export async function until(till: Caller, { path }: Begun, notification: RegExp, stepMs = 5_000): Promise<Json> {
  for (let step = 0; step < 200; step += 1) {
    const heard = await till.ask('GET', path)
    if (notification.test(newestOf(heard))) return heard.json
    await till.advance(stepMs)
  }
  throw new Error(`no ${notification} at ${path}`)
}

const END = /^(TRANSACTION|REPORT)_FINISHED$/

/** Runs one transaction to its end under a scenario. */
async function take(till: Caller, tid: string, body: Json, scenario: string | null, headers = {}): Promise<Json> {
  const named = scenario === null ? {} : { 'tollgate-scenario': scenario }
  return until(till, await begin(till, tid, body, { ...named, ...headers }), END)
}

/** Scenarios that need no action by the till. */
const ALONE = [
  'approved',
  'contactless_approved',
  'device_approved',
  'declined',
  'referred',
  'declined_by_card',
  'unsuccessful',
  'cancelled',
  'cancelled_at_card',
  'timed_out',
  'void',
  'silent_after_approval',
  'completed_unheard',
  'card_pulled_out',
  'line_fails_once',
  'keyed',
  'removal_prompted',
  'cashback_prompted',
  'bad_swipe',
  'insert_instead',
  'card_expired',
  'card_not_supported',
  'paper_out_at_start',
  'paper_runs_out',
  'approved+acquirer_silent',
  'approved+approval_unknown',
  'approved+approval_late:30000',
  'approved+wrong_amount',
  'approved+wrong_amount_at_end',
  'approved+duplicate_reports',
  'approved+answer_twice',
  'approved+notification_storm:4',
  'approved+terminal_restarted',
  'approved+terminal_restarted_after_approval',
  'approved+link_lost_during_authorisation',
  'approved+link_lost_after_authorisation',
] as const

/** Transactions on a frozen clock. */
export async function playCounter(till: Caller, tid: string, currency: string): Promise<void> {
  const sale = (amount: number, more: Json = {}) => ({ transactionType: 'SALE', amount, currency, ...more })
  for (const [index, scenario] of ALONE.entries())
    await take(till, tid, sale(1_000 + index), scenario, {
      ...(index % 3 === 0 ? PARTNER : {}),
      ...(index % 4 === 0 ? { 'idempotency-key': `counter-${index}` } : {}),
    })
  await take(till, tid, sale(2_000, { amountCashback: 500 }), 'approved')
  await take(till, tid, sale(2_001, { cardholderNotPresent: true }), 'approved')
  // The issuer declines by the amount, with its own response code.
  await take(till, tid, sale(9_000_051), 'approved')
  await take(till, tid, { transactionType: 'REFUND', amount: 300, currency }, 'approved')
  await take(till, tid, { transactionType: 'REFUND', amount: 301, currency }, 'declined')
  await take(till, tid, { transactionType: 'ACCOUNT_VERIFICATION' }, 'approved')
  const held = await take(till, tid, { transactionType: 'PRE_AUTH', amount: 5_000, currency }, 'approved')
  await take(till, tid, { transactionType: 'PRE_AUTH', amount: 700, currency }, 'approved')
  const completion = { transactionType: 'COMPLETION', amount: 5_500, currency, authCode: held['authCode'] }
  await take(till, tid, { ...completion, amountPreAuthorisedTotal: 5_700 }, 'approved')
  await take(till, tid, { ...completion, authCode: '000000' }, 'approved')
  // One stays open, for a completion after the upgrade.
  await take(till, tid, { transactionType: 'PRE_AUTH', amount: 4_100, currency }, 'approved')
  await take(till, tid, { transactionType: 'DUPLICATE' }, null)
  await playSignatures(till, tid, sale)
  await playCancels(till, tid, sale)
}

type Sale = (amount: number, more?: Json) => Json

async function playSignatures(till: Caller, tid: string, sale: Sale): Promise<void> {
  for (const [amount, accepted] of [
    [3_001, true],
    [3_002, false],
  ] as const) {
    const begun = await begin(till, tid, sale(amount), { 'tollgate-scenario': 'signature' })
    await until(till, begun, /^SIGNATURE_VERIFICATION$/, 1_000)
    await till.ask('PUT', `${begun.path}/signature`, { accepted })
    await until(till, begun, END)
  }
  await take(till, tid, sale(3_003), 'signature')
  await take(till, tid, sale(3_004), 'signature_decision_too_late')
}

async function playCancels(till: Caller, tid: string, sale: Sale): Promise<void> {
  for (const [amount, scenario, when] of [
    [4_001, 'nobody_presents_card', /PRESENT_CARD/],
    [4_002, 'approved', /PLEASE_WAIT|PIN_ENTRY|CONNECTING/],
    [4_003, 'nobody_presents_card+cancel_ignored', /PRESENT_CARD/],
    [4_004, 'nobody_presents_card+answer_after_cancel', /PRESENT_CARD/],
  ] as const) {
    const begun = await begin(till, tid, sale(amount), { 'tollgate-scenario': scenario })
    await until(till, begun, when, 100)
    await till.ask('DELETE', begun.path)
    await until(till, begun, END)
  }
}

/** A person presses the keys of a terminal that waits for a card. */
export async function playByHand(till: Caller, tid: string, currency: string): Promise<void> {
  const press = (key: Json) => till.ask('POST', `/sandbox/terminals/${tid}/keys`, key)
  const begun = await begin(till, tid, { transactionType: 'SALE', amount: 1_234, currency })
  await until(till, begun, /PRESENT_CARD/, 500)
  await press({ key: 'present_card', card: 'sim-mastercard-debit', how: 'insert' })
  await until(till, begun, /PIN_ENTRY/, 500)
  await press({ key: 'pin', digits: '1234' })
  await until(till, begun, /REMOVE_CARD/, 500)
  await press({ key: 'remove_card' })
  await until(till, begun, END)
  // No card is presented, and the time limit ends it.
  await until(till, await begin(till, tid, { transactionType: 'SALE', amount: 1_235, currency }), END)
}

/** Each type of report, and one whose terminal is unplugged meanwhile. */
export async function playReports(till: Caller, tid: string, dying: string): Promise<void> {
  for (const reportType of ['X_BALANCE', 'BANKING', 'Z_BALANCE', 'END_OF_DAY'])
    await until(till, await begin(till, tid, { reportType }, { 'idempotency-key': `report-${reportType}` }), END)
  await till.ask('PATCH', `/sandbox/terminals/${dying}/settings`, { paceMs: 60_000 })
  const begun = await begin(till, dying, { reportType: 'X_BALANCE' })
  await till.ask('POST', `/sandbox/terminals/${dying}/keys`, { key: 'unplug' })
  await until(till, begun, END)
  await till.ask('POST', `/sandbox/terminals/${dying}/keys`, { key: 'plug_in' })
  await till.ask('PATCH', `/sandbox/terminals/${dying}/settings`, { paceMs: null })
}
