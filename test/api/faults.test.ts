// test/api/faults.test.ts — every fault of the catalogue: what the till is answered, and that verdict and acquirer agree in
// the end.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { TerminalTransaction } from '../../src/domain/counter/transaction.ts'
import type { TransactionResult } from '../../src/domain/counter/transaction-events.ts'
import { totalOf } from '../../src/domain/money.ts'
import { createLedger } from '../../src/simulator/acquirer/ledger.ts'
import { FAULT_NAMES, FAULTS, type FaultName, faultIn, textOf } from '../../src/simulator/faults/catalogue.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { basic, type Started } from '../support/till.ts'

const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }

/** How a sale ends, and whether its money stays. */
interface Row {
  readonly result: TransactionResult
  readonly paid: boolean
  /** A notification that must be among those sent. */
  readonly told?: string
  readonly notTold?: string
  readonly body?: object
  /** What the till does while it runs. */
  readonly act?: (shop: Shop, sale: Started) => Promise<void>
  readonly total?: number
  readonly cashback?: number
  /** Shortest time from start to end, milliseconds. */
  readonly tookMs?: number
  /** Results with which the terminal reports the end, in order. */
  readonly ends?: readonly TransactionResult[]
  /** Number of messages from the terminal. A sale without a fault has 7. */
  readonly reports?: number
}

const PAID: Row = { result: 'SUCCESSFUL', paid: true }
const LOST: Row = { result: 'TIMED_OUT', paid: false }

const ROWS: Readonly<Record<Exclude<FaultName, RequestFault>, Row>> = {
  link_lost_before_authorisation: { ...PAID, tookMs: 30_000 },
  link_lost_during_authorisation: { ...PAID, tookMs: 30_000 },
  link_lost_after_authorisation: { ...PAID, tookMs: 30_000 },
  terminal_restarted: LOST,
  terminal_restarted_after_approval: LOST,
  slow_terminal: { ...PAID, tookMs: 35_000 },
  answer_twice: { ...PAID, ends: ['SUCCESSFUL', 'SUCCESSFUL'], reports: 8 },
  duplicate_reports: { ...PAID, ends: ['SUCCESSFUL', 'SUCCESSFUL'], reports: 14 },
  answer_after_cancel: {
    ...{ result: 'CANCELLED', paid: false, act: cancelAtOnce, told: 'CANCELLED_TRANSACTION' },
    ends: ['CANCELLED', 'SUCCESSFUL'],
  },
  cancel_ignored: { result: 'UNSUCCESSFUL', paid: false, act: cancelAtOnce, told: 'CANCELLING' },
  answer_after_limit: { result: 'TIMED_OUT', paid: true, notTold: 'APPROVED' },
  paper_out: { ...PAID, told: 'REPLACE_PAPER' },
  paper_runs_out: { ...PAID, told: 'REPLACE_PAPER' },
  cashback_refused: { ...PAID, body: { amountCashback: 1000 }, cashback: 0 },
  wrong_amount: { ...PAID, total: 2699 },
  wrong_amount_at_end: { ...PAID, total: 2599 },
  notification_storm: { ...PAID, told: 'RETRYING' },
  slow_acquirer: { ...PAID, tookMs: 20_000 },
  acquirer_silent: LOST,
  approval_unknown: LOST,
  approval_late: LOST,
  reversal_unanswered: PAID,
}
type RequestFault = 'http_429' | 'http_500' | 'http_503' | 'connection_dropped' | 'answer_lost' | 'slow_answer'

async function cancelAtOnce(shop: Shop, sale: Started): Promise<void> {
  await shop.until(sale, 'PRESENT_CARD')
  equal((await shop.till.cancel(sale)).status, 202)
}

async function start(shop: Shop, scenario: string, body: object = {}): Promise<Started> {
  const reply = await shop.till.start({ ...SALE, ...body }, { headers: { 'tollgate-scenario': scenario } })
  equal(reply.status, 201, reply.text)
  return reply.json as unknown as Started
}

/** The transaction after every time-out, retry and reconciliation. */
async function atRest(shop: Shop, { requestId }: Started) {
  await shop.clock.advance(1_500_000)
  const { json } = await shop.till.ask('GET', `/api/transactions/${requestId}`)
  return json as { record: TerminalTransaction; verdict: { final: boolean; moneyTaken: string; safeToRetry: boolean } }
}

/** The messages from the terminal, as the timeline shows them. */
async function reportsOf(shop: Shop, { requestId }: Started) {
  const { json } = await shop.till.ask('GET', `/api/transactions/${requestId}/timeline`)
  const entries = json['entries'] as { what: string; data: { reports: { ending?: { result: string } }[] } }[]
  return entries.filter(({ what }) => what === 'report').map(({ data }) => data.reports)
}

describe.each(Object.entries(ROWS))('%s', (name, row) => {
  test('ends as expected, and the acquirer has moved what the verdict says', async () => {
    const shop = await openShop()
    const sale = await start(shop, name, row.body)
    await row.act?.(shop, sale)
    const body = await shop.finished(sale)
    equal(body.transactionResult, row.result)
    if (row.told !== undefined) ok(body.notifications.includes(row.told as never), body.notifications.join())
    if (row.notTold !== undefined) ok(!body.notifications.includes(row.notTold as never), body.notifications.join())
    if (row.total !== undefined) equal(body.amountTotal, row.total)
    if (row.cashback !== undefined) equal(body.amountCashback, row.cashback)
    const { record, verdict } = await atRest(shop, sale)
    ok((record.finishedAt ?? 0) - record.startedAt >= (row.tookMs ?? 0))
    const reports = await reportsOf(shop, sale)
    if (row.reports !== undefined) equal(reports.length, row.reports)
    if (row.ends !== undefined)
      deepEqual(
        reports.flat().flatMap(({ ending }) => ending?.result ?? []),
        row.ends,
      )
    deepEqual([verdict.final, verdict.moneyTaken], [true, row.paid ? 'yes' : 'no'])
    const ledger = createLedger(shop.memory)
    const moved = record.authorisationId === null ? 0 : ledger.moneyOf('demo', record.authorisationId)
    equal(moved, row.paid ? totalOf(record.amounts) : 0)
    // The till's answer did not change after the end.
    deepEqual(await shop.till.look(sale), body)
    equal((await shop.till.sale(1)).requestId.length, 36)
  })
})

test.each([
  ['void_unanswered', 'VOID'],
  ['void+reversal_unanswered', 'VOID'],
  ['silent_after_approval+reversal_unanswered', 'TIMED_OUT'],
  ['signature+reversal_unanswered', 'VOID'],
])('%s: the money is unknown until the acquirer answers the reversal, and then reversed', async (scenario, result) => {
  const shop = await openShop()
  const sale = await start(shop, scenario)
  if (scenario.startsWith('signature')) {
    await shop.until(sale, 'SIGNATURE_VERIFICATION')
    equal((await shop.till.sign(sale, false)).status, 202)
  }
  equal((await shop.finished(sale)).transactionResult, result)
  const charged = () =>
    createLedger(shop.memory)
      .list('demo')
      .map(({ state }) => state)
  if (result === 'TIMED_OUT') await shop.clock.advance(5_000)
  deepEqual(charged(), ['charged'])
  const { json } = await shop.till.ask('GET', `/api/transactions/${sale.requestId}`)
  deepEqual(json['verdict'], {
    ...{ final: false, moneyTaken: 'unknown', safeToRetry: false },
    nextStep: 'await_reconciliation',
  })
  const { verdict } = await atRest(shop, sale)
  deepEqual(verdict, { final: true, moneyTaken: 'no', safeToRetry: true, nextStep: 'try_again' })
  deepEqual(charged(), ['reversed'])
})

test('a disconnected terminal is unavailable to tills, and its reports arrive when it reconnects', async () => {
  const shop = await openShop()
  const sale = await start(shop, 'link_lost_after_authorisation:60000')
  await shop.clock.advance(10_000)
  const before = await shop.till.look(sale)
  ok(!before.notifications.includes('APPROVED'))
  const gone = await shop.till.start(SALE)
  equal(gone.status, 404)
  match(String(gone.json['userMessage']), /is unavailable\. Please try again in 10 seconds/)
  await shop.clock.advance(55_000)
  equal((await shop.till.look(sale)).transactionResult, 'SUCCESSFUL')
})

test('a terminal that is disconnected beyond the limit gives TIMED_OUT, and the verdict is resolved afterwards', async () => {
  const shop = await openShop()
  const paid = await start(shop, 'link_lost_after_authorisation:300000')
  equal((await shop.finished(paid)).transactionResult, 'TIMED_OUT')
  equal((await atRest(shop, paid)).verdict.moneyTaken, 'yes')
  const unpaid = await start(shop, 'link_lost_during_authorisation:300000')
  equal((await shop.finished(unpaid)).transactionResult, 'TIMED_OUT')
  equal((await atRest(shop, unpaid)).verdict.moneyTaken, 'no')
})

test('faults can be combined and take numbers', async () => {
  const shop = await openShop()
  const sale = await start(shop, 'contactless_approved+wrong_amount:1+duplicate_reports+notification_storm:7')
  const body = await shop.finished(sale)
  deepEqual([body.transactionResult, body.amountTotal, body.paymentMethod], ['SUCCESSFUL', 2600, 'CONTACTLESS'])
  equal(body.notifications.filter(each => each === 'RETRYING').length, 4)
  deepEqual(
    FAULT_NAMES.map(name => textOf(faultIn(name) ?? { name: 'http_500', number: -1 })),
    [...FAULT_NAMES],
  )
  for (const text of ['nope', 'answer_twice:3', 'slow_acquirer:x', 'notification_storm:1001', 'slow_acquirer:3600001'])
    equal(faultIn(text), null, text)
  const refused = await shop.till.start(SALE, { headers: { 'tollgate-scenario': 'approved+nope' } })
  equal(refused.status, 422)
})

test('a scenario document can contain faults', async () => {
  const shop = await openShop()
  const body = { name: 'twice', like: 'declined', faults: ['answer_twice', 'slow_acquirer:9000'] }
  equal((await shop.till.ask('POST', '/sandbox/scenarios', { body })).status, 201)
  const sale = await start(shop, 'twice')
  await shop.clock.advance(8_000)
  equal((await shop.till.look(sale)).transactionResult, undefined)
  equal((await shop.finished(sale)).transactionResult, 'DECLINED')
  const wrong = { ...body, faults: ['answer_twice', 'slow'] }
  equal((await shop.till.ask('POST', '/sandbox/scenarios', { body: wrong })).json['field'], 'faults[1]')
})

describe('the next request to an address', () => {
  const arm = async (shop: Shop, body: object) => {
    const reply = await shop.till.ask('POST', '/sandbox/faults', { body })
    equal(reply.status, 201, reply.text)
  }
  const STARTS = { method: 'POST', path: '/pac/terminals/*/transactions' }

  test('is answered with 429, 500 or 503, as often as armed, and nothing is done', async () => {
    const shop = await openShop()
    await arm(shop, { fault: 'http_500', ...STARTS, times: 2 })
    await arm(shop, { fault: 'http_503', method: 'GET', path: '/pac/**' })
    deepEqual([(await shop.till.start(SALE)).status, (await shop.till.start(SALE)).status], [500, 500])
    const busy = await shop.till.ask('GET', '/pac/terminals')
    deepEqual([busy.status, busy.headers['retry-after']], [503, '1'])
    equal((await shop.till.ask('GET', '/pac/terminals')).status, 200)
    await arm(shop, { fault: 'http_429', ...STARTS })
    const fast = await shop.till.start(SALE)
    deepEqual([fast.status, fast.headers['retry-after']], [429, '1'])
    deepEqual((await shop.till.ask('GET', '/api/transactions')).json['transactions'], [])
    equal((await shop.till.start(SALE)).status, 201)
  })

  test('loses its answer: the sale runs, and the same key gets its first answer', async () => {
    const shop = await openShop()
    const { port } = await shop.api.listen({ host: '127.0.0.1', port: 0 })
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/pac/terminals/VCMDEMOSIP0/transactions`, {
        method: 'POST',
        headers: {
          authorization: basic('demo-api-key'),
          'content-type': 'application/json',
          'idempotency-key': 'k1',
        },
        body: JSON.stringify(SALE),
      })
    await arm(shop, { fault: 'connection_dropped', ...STARTS })
    await rejects(ask())
    deepEqual((await shop.till.ask('GET', '/api/transactions')).json['transactions'], [])
    await arm(shop, { fault: 'answer_lost', ...STARTS })
    await rejects(ask())
    const again = await ask()
    deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true'])
    const transactions = (await shop.till.ask('GET', '/api/transactions')).json['transactions'] as unknown[]
    equal(transactions.length, 1)
  })

  test('is answered late', async () => {
    const shop = await openShop()
    await arm(shop, { fault: 'slow_answer:4000', ...STARTS })
    let status = 0
    const answer = shop.till.start(SALE).then(reply => (status = reply.status))
    await shop.clock.advance(3_999)
    equal(status, 0)
    await shop.clock.advance(1)
    equal(await answer, 201)
  })

  test('starts a transaction that goes wrong at the terminal or the acquirer', async () => {
    const shop = await openShop()
    await arm(shop, { fault: 'wrong_amount', ...STARTS })
    await arm(shop, { fault: 'paper_out', ...STARTS })
    const body = await shop.finished(await shop.till.started(SALE))
    deepEqual([body.amountTotal, body.notifications.includes('REPLACE_PAPER')], [2699, true])
    equal((await shop.finished(await shop.till.started(SALE))).amountTotal, 2599)
  })

  test('must be of the same account, and requests under /sandbox are exempt', async () => {
    const shop = await openShop()
    const stranger = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
    await arm(shop, { fault: 'http_500', path: '/**', times: 2 })
    equal((await stranger.ask('GET', '/api/account')).status, 200)
    const waiting = { fault: 'http_500', method: null, path: '/**', times: 2 }
    deepEqual((await shop.till.ask('GET', '/sandbox/faults')).json['armed'], [waiting])
    equal((await shop.till.ask('GET', '/api/account')).status, 500)
    equal((await shop.till.ask('DELETE', '/sandbox/faults')).status, 204)
    equal((await shop.till.ask('GET', '/api/account')).status, 200)
  })

  test('is not armed with an invalid fault, which is refused with its field', async () => {
    const shop = await openShop()
    for (const [body, field] of [
      [{ path: '/pac' }, 'fault'],
      [{ fault: 'nope', path: '/pac' }, 'fault'],
      [{ fault: 'http_500', path: 'pac' }, 'path'],
      [{ fault: 'http_500', path: '/pac', method: 'get' }, 'method'],
      [{ fault: 'http_500', path: '/pac', times: 0 }, 'times'],
      [{ fault: 'http_500', path: '/pac', when: 'now' }, 'when'],
    ] as const) {
      const reply = await shop.till.ask('POST', '/sandbox/faults', { body })
      deepEqual([reply.status, reply.json['field']], [422, field], JSON.stringify(body))
    }
    for (let count = 0; count < 100; count += 1) await arm(shop, { fault: 'http_500', path: '/pat/tables' })
    const tooMany = await shop.till.ask('POST', '/sandbox/faults', { body: { fault: 'http_500', path: '/pac' } })
    deepEqual([tooMany.status, tooMany.json['field']], [422, 'body'])
  })
})

test('a request fault in a scenario applies to the request that starts it, and the scenario counts as played', async () => {
  const shop = await openShop()
  await shop.till.ask('POST', '/sandbox/terminals/VCMDEMOSIP0/scenarios', {
    body: { next: ['approved+http_500', 'declined'] },
  })
  equal((await shop.till.start(SALE)).status, 500)
  equal((await shop.finished(await shop.till.started(SALE))).transactionResult, 'DECLINED')
  const named = await shop.till.start(SALE, { headers: { 'tollgate-scenario': 'http_503' } })
  equal(named.status, 503)
})

test('GET /sandbox/faults lists the catalogue', async () => {
  const shop = await openShop()
  const { faults } = (await shop.till.ask('GET', '/sandbox/faults')).json as { faults: { name: string }[] }
  deepEqual(
    faults.map(({ name }) => name),
    [...FAULT_NAMES],
  )
  deepEqual(faults[0], { name: 'link_lost_before_authorisation', ...FAULTS.link_lost_before_authorisation })
})
