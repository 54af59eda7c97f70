// test/upgrade/maker/unfinished.ts — work that is unfinished when the program is killed.
import type { Question } from '../fixture.ts'
import { type Begun, begin, until } from './counter.ts'
import type { Caller, GatewayProcess, Json } from './gateway.ts'
import { CHALLENGED, type WebShop } from './online.ts'
import { connectTableTill, leaveWithoutTill, upload } from './restaurant.ts'
import type { WebhookReceiver } from './webhook-receiver.ts'
import { eventually } from './webhooks.ts'

const SLOW_MS = 60_000
const MINUTE_MS = 60_000

export interface Shops {
  /** Its clock is ahead of the machine's, frozen meanwhile, and runs at the kill. */
  readonly demo: Caller
  readonly demoShop: WebShop
  /** Its clock stays frozen. */
  readonly euro: Caller
  /** Uses the machine's clock. */
  readonly harbour: Caller
  readonly harbourShop: WebShop
}

/** For requests that are unanswered at the kill. */
function leave(work: Promise<unknown>): void {
  work.catch(() => {})
}

const sale = (amount: number, currency = 'GBP') => ({ transactionType: 'SALE', amount, currency })
const underScenario = (scenario: string) => ({ 'tollgate-scenario': scenario })

async function addTerminal(till: Caller, tid: string, paceMs: number): Promise<void> {
  await till.ask('POST', '/sandbox/terminals', { tid, settings: { paceMs } })
}

/** Advances time in steps until an answer matches. @throws Error when it never does. */
async function stepUntil(till: Caller, path: string, isSo: (json: Json) => boolean, stepMs: number): Promise<void> {
  for (let step = 0; step < 500; step += 1) {
    if (isSo((await till.ask('GET', path)).json)) return
    await till.advance(stepMs)
  }
  throw new Error(`${path} does not become what is waited for`)
}

/** Starts work that the kill interrupts. Returns the requests that continue it afterwards. */
export async function leaveUnfinished(
  shops: Shops,
  gateway: GatewayProcess,
  receiver: WebhookReceiver,
): Promise<readonly Question[]> {
  const { demo, demoShop, euro } = shops
  await setSimulatorUp(demo)
  await loseAnApproval(demo)
  const paused = await beginForSnapshot(demo, demoShop, receiver)
  await demo.ask('POST', '/sandbox/snapshots', { name: 'evening' })
  const { running, signed } = await beginAtCounter(demo)
  await beginOnline(demoShop, receiver)
  await beginAtTables(demo)
  await euro.ask('POST', '/sandbox/snapshots', { name: 'quiet' })
  await begin(euro, '22160003', sale(2_222, 'EUR'))
  const till = await connectTableTill(gateway, euro)
  till.tables.set('Till table 9', { amount: 4_380, paid: 0 })
  await leaveWithoutTill(euro, 'VCMEUROSIP0', 'Till table 9', till)
  await demo.clock({ do: 'release' })
  await beginByTheMachinesClock(shops, receiver)
  return actionsOn({ running, signed, paused })
}

/** Requests of tills and shops right after the next start. */
function actionsOn({
  running,
  signed,
  paused,
}: {
  readonly running: readonly Begun[]
  readonly signed: Begun
  readonly paused: string
}): readonly Question[] {
  const demo = { account: 'demo', by: 'apiKey' } as const
  const start = '/pac/terminals/22160001/transactions'
  const keys = '/sandbox/terminals/22160001/keys'
  const again = (path: string, key: string, body: Json): Question => ({
    ...{ ...demo, method: 'POST', path, body },
    headers: { 'idempotency-key': key },
  })
  return [
    ...running.map(({ path }): Question => ({ ...demo, method: 'GET', path })),
    again(start, 'waits-for-a-card', sale(5_002)),
    // The same key with another body.
    again(start, 'waits-for-a-card', sale(5_999)),
    again('/pac/terminals/22160006/reports', 'running-report', { reportType: 'Z_BALANCE' }),
    { ...demo, method: 'PUT', path: `${signed.path}/signature`, body: { accepted: true } },
    { ...demo, by: 'jwt', method: 'POST', path: `/v1/payments/${paused}/resume` },
    { ...demo, method: 'POST', path: keys, body: { key: 'present_card', card: 'sim-visa-debit', how: 'insert' } },
    { ...demo, method: 'POST', path: keys, body: { key: 'pin', digits: '1234' }, afterMs: 2_000 },
    { ...demo, method: 'POST', path: keys, body: { key: 'remove_card' }, afterMs: 5_000 },
  ]
}

/** State of the simulator: a scenario of the account's own, a queue of scenarios. */
async function setSimulatorUp(demo: Caller): Promise<void> {
  await demo.ask('POST', '/sandbox/scenarios', {
    name: 'house-special',
    title: 'A phone that is declined late.',
    like: 'device_approved',
    acquirer: { answer: 'declined', reason: 'insufficient_funds', slowMs: 2_000 },
    plans: {
      declined: [
        { do: 'show', notification: 'DECLINED' },
        { do: 'end', result: 'DECLINED' },
      ],
    },
  })
  const queue = { next: ['house-special', { scenario: 'declined', times: 2 }], afterwards: 'approved' }
  await demo.ask('POST', '/sandbox/terminals/VCMDEMODIP0/scenarios', queue)
  await demo.ask('PUT', '/sandbox/online/authentications', { next: [] })
}

/** An approval that does not reach its terminal before the time limit, so the transaction waits for reconciliation. */
async function loseAnApproval(demo: Caller): Promise<void> {
  const scenario = underScenario('approved+link_lost_during_authorisation:3600000')
  const lost = await begin(demo, 'VCMDEMOVIP0', sale(5_001), scenario)
  await until(demo, lost, /^TRANSACTION_FINISHED$/)
}

/** Returns the token of the payment that waits for its shop. */
async function beginForSnapshot(demo: Caller, shop: WebShop, receiver: WebhookReceiver): Promise<string> {
  await demo.ask('POST', '/api/webhook-secret/rotate', { overlapSeconds: 7_200 })
  await shop.token({ orderId: 'not-used-yet', merchantTransactionId: 'MT-open' })
  await shop.pay(await shop.token({ orderId: 'challenged' }), CHALLENGED)
  const first = { cardNumber: '5200000000000007', cV2: '020' }
  await shop.pay(await shop.token({ orderId: 'challenged-in-version-1' }), first)
  const webHookUrl = `${receiver.url}/broken/paused`
  const paused = await shop.token({ orderId: 'paused', waitPreExecute: true, webHookUrl })
  await shop.pay(paused)
  await eventually('the first try of a webhook', () => receiver.calls('/broken/paused') > 0)
  const waiting = await begin(demo, '22160001', sale(5_002), { 'idempotency-key': 'waits-for-a-card' })
  await until(demo, waiting, /PRESENT_CARD/, 500)
  await upload(demo, 'Window 8', 8_000, { receiptLines: [{ value: 'Set menu  80.00' }], waiterIds: ['7'] })
  const steps: readonly Json[] = [{ do: 'print_bill' }, { do: 'wait', ms: 10 * MINUTE_MS }, { do: 'leave' }]
  const order = { script: { name: 'stands_there', steps }, table: 'Window 8', waiterId: '7' }
  await demo.ask('POST', '/sandbox/terminals/VCMDEMOSCD0/waiter', order)
  await demo.advance(2_000)
  return paused
}

async function beginAtCounter(demo: Caller): Promise<{ readonly running: readonly Begun[]; readonly signed: Begun }> {
  // One acquirer is slow; one approval cannot be delivered to its terminal.
  const asked = await begin(demo, 'VCMDEMOSIP0', sale(5_003), underScenario('approved+slow_acquirer:45000'))
  const lost = await begin(
    demo,
    'VCMDEMOUIP0',
    sale(5_004),
    underScenario('approved+link_lost_during_authorisation:90000'),
  )
  await demo.advance(8_000)
  for (const each of [asked, lost]) await until(demo, each, /CONNECTION_MADE/, 500)
  const running = [asked, lost]
  // Cancels in progress: one terminal is unreachable, the other is stopping.
  for (const [tid, amount] of [
    ['22160004', 5_005],
    ['22160005', 5_006],
  ] as const) {
    await addTerminal(demo, tid, tid === '22160005' ? SLOW_MS : 100)
    const cancelled = await begin(demo, tid, sale(amount))
    if (tid === '22160004') {
      await until(demo, cancelled, /PRESENT_CARD/, 500)
      await demo.ask('POST', `/sandbox/terminals/${tid}/keys`, { key: 'unplug' })
    }
    await demo.ask('DELETE', cancelled.path)
    running.push(cancelled)
  }
  await addTerminal(demo, '22160006', 10_000)
  const report = { reportType: 'Z_BALANCE' }
  const { requestId } = await begin(demo, '22160006', report, { 'idempotency-key': 'running-report' })
  await stepUntil(demo, `/api/reports/${requestId}`, ({ progress }) => progress === 'running', 500)
  const signed = await begin(demo, 'VCMDEMOSIS0', sale(5_007), { 'idempotency-key': 'to-be-signed' })
  await until(demo, signed, /^SIGNATURE_VERIFICATION$/, 500)
  return { running: [...running, signed], signed }
}

/** One share of a table is paid, and another is in progress on a slow terminal. */
async function beginAtTables(demo: Caller): Promise<void> {
  const tid = 'VCMSLOWSIP0'
  await addTerminal(demo, tid, 1)
  await upload(demo, 'Window 9', 9_000)
  const steps: readonly Json[] = [{ do: 'split_equally', shares: 2 }, { do: 'pay' }, { do: 'pay' }, { do: 'leave' }]
  const order = { script: { name: 'half_way', steps }, table: 'Window 9', waiterId: '9' }
  await demo.ask('POST', `/sandbox/terminals/${tid}/waiter`, order)
  await stepUntil(demo, '/pat/tables/Window%209', ({ amountPaid }) => amountPaid === 4_500, 1)
  const pace = (paceMs: number) => demo.ask('PATCH', `/sandbox/terminals/${tid}/settings`, { paceMs })
  await pace(2_000)
  await stepUntil(demo, `/sandbox/terminals/${tid}`, ({ requestId }) => requestId === null, 100)
  await stepUntil(demo, `/sandbox/terminals/${tid}`, ({ requestId }) => requestId !== null, 100)
  await pace(SLOW_MS)
  await demo.advance(2_500)
}

async function beginOnline(shop: WebShop, receiver: WebhookReceiver): Promise<void> {
  const { caller } = shop
  const crossReference = await shop.paid({ orderId: 'to-be-refunded', amount: '2500' })
  await shop.paid({ orderId: 'held', transactionType: 'PREAUTH', amount: '3500' })
  const refund = await shop.token({ transactionType: 'REFUND', crossReference, orderId: 'refund', amount: '1500' })
  const slow = underScenario('approved+slow_acquirer:30000')
  leave(shop.call('POST', `/v1/cross-reference-payments/${refund}`, { crossReference }, slow))
  const left = await shop.token({ orderId: 'unanswered', webHookUrl: `${receiver.url}/ok` })
  leave(shop.pay(left, {}, 'approval_unknown'))
  await eventually('a submission', async () => (await shop.payment(left))['statusCode'] !== undefined)
  for (const [path, drill] of [
    ['/broken', null],
    ['/ok/held', 'late'],
  ] as const) {
    if (drill !== null) await caller.ask('POST', '/sandbox/webhook-drills', { drill })
    await shop.pay(await shop.token({ orderId: path, webHookUrl: receiver.url + path }))
  }
}

async function beginByTheMachinesClock(
  { harbour, harbourShop, demoShop }: Shops,
  receiver: WebhookReceiver,
): Promise<void> {
  await harbourShop.paid({ orderId: 'harbour' }, { cardNumber: '4976000000003436', cV2: '452' })
  await harbourShop.pay(await harbourShop.token({ orderId: 'harbour-challenged' }), CHALLENGED)
  await begin(harbour, '33160001', sale(5_008), { 'idempotency-key': 'at-the-harbour' })
  await begin(harbour, 'VCMHARBSIS0', sale(5_009))
  // A webhook attempt whose result the program does not see.
  leave(demoShop.pay(await demoShop.token({ orderId: 'silent', webHookUrl: `${receiver.url}/silent` })))
  await eventually('a call that is not answered', () => receiver.calls('/silent') > 0)
}
