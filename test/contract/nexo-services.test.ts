// test/contract/nexo-services.test.ts — what nexo terminals do besides payments: duplicates, reports, health, certificates.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import type { ReportType } from '../../src/domain/reports/report.ts'
import { createHttpsCarrier } from '../../src/terminals/nexo/https-carrier.ts'
import { LineError } from '../../src/terminals/nexo/line.ts'
import { closedAfterEachTest, type NexoPeer, openNexoDriver, startNexoPeer } from '../support/nexo-peer.ts'
import type { Script } from '../support/nexo-script.ts'
import { PocketGateway } from '../support/pocket-gateway.ts'
import { keepingLog } from '../support/silent-log.ts'
import { TestClock } from '../support/test-clock.ts'
import { OTHER_CERT } from '../support/tls.ts'
import { callOf, reportCall } from './driver-bench.ts'

let peer: NexoPeer
const opened = closedAfterEachTest()
beforeAll(async () => {
  peer = await startNexoPeer()
})
afterAll(() => peer.close())

async function openShop(script: Script = {}, given: Parameters<typeof openNexoDriver>[2] = {}, known?: Terminal) {
  const terminal = known ?? (await peer.make('22160001'))
  await peer.script(terminal, script)
  const bench = openNexoDriver(peer, [terminal], given)
  opened.push(bench)
  const gateway = new PocketGateway({ ...bench, acquirer: { name: 'none' } as never })
  await bench.driver.listen(gateway.sink)
  const sale = async () => {
    const id = await gateway.start(terminal)
    await bench.clock.advance(1_000)
    return id
  }
  const duplicate = async () => {
    const id = await gateway.start(terminal, { transactionType: 'DUPLICATE' })
    await bench.clock.advance(1_000)
    return gateway.record(id)
  }
  const received = async (category: string) =>
    (await peer.received(terminal)).filter(each => each.category === category)
  return { ...bench, terminal, gateway, sale, duplicate, received }
}

describe('54: a DUPLICATE', () => {
  test('of our payment is named, and its receipts are marked', async () => {
    const { sale, duplicate } = await openShop()
    const id = await sale()
    const { result, repeated, receipts, amounts } = await duplicate()
    deepEqual([result, repeated?.requestId, amounts.baseMinor], ['SUCCESSFUL', id, 2_599])
    match(receipts.CUSTOMER[0]?.value ?? '', /DUPLICATE/)
  })
  test('of a declined payment is declined', async () => {
    const { sale, duplicate } = await openShop({ payments: [{ Result: 'Failure', ErrorCondition: 'Refusal' }] })
    await sale()
    equal((await duplicate()).result, 'DECLINED')
  })
  test('without an earlier payment has nothing to repeat', async () => {
    const { duplicate } = await openShop()
    const { result, messages } = await duplicate()
    deepEqual({ result, messages }, { result: 'UNSUCCESSFUL', messages: ['nothing_to_repeat'] })
  })
  test('of a terminal that cannot be reached ends shortly before its limit, with a word for the cashier', async () => {
    const { gateway, terminal, clock, driver } = await openShop()
    await peer.script(terminal, { questions: Array(100).fill('connection_dropped') })
    const call = callOf(terminal, 'd1', { transactionType: 'DUPLICATE' })
    await rejects(driver.start(call))
    await clock.advance(call.transaction.limits.transactionMs)
    const [report] = gateway.deliveries.flatMap(({ reports }) => reports)
    ok(report?.type === 'ended')
    deepEqual([report.ending.result, report.ending.messages], ['UNSUCCESSFUL', ['not_known_yet']])
  })
  test('of the payment of another till is not named', async () => {
    const first = await openShop()
    await first.sale()
    // Another gateway at the same terminal: it has a store of its own.
    const { duplicate } = await openShop({}, {}, first.terminal)
    const { result, repeated, messages } = await duplicate()
    deepEqual(
      { result, repeated, messages },
      { result: 'UNSUCCESSFUL', repeated: null, messages: ['nothing_to_repeat'] },
    )
  })
  test('of a payment whose outcome is open says so, and then the truth', async () => {
    const { gateway, terminal, clock, duplicate } = await openShop({
      ...{ answers: ['answer_lost'], questions: Array(100).fill('in_progress') },
    })
    const id = await gateway.start(terminal)
    await clock.advance(200_000)
    await gateway.execute(id, { type: 'time_is_up', timer: 'limit' })
    const open = await duplicate()
    deepEqual([open.result, open.repeated?.requestId, open.messages], ['TIMED_OUT', id, ['not_known_yet']])
    await clock.advance(3_600_000)
    const known = await duplicate()
    deepEqual([known.result, known.repeated?.requestId], ['SUCCESSFUL', id])
  })
})

describe('55: reports', () => {
  const run = async (shop: Awaited<ReturnType<typeof openShop>>, reportType: ReportType, requestId: string) => {
    const call = reportCall(shop.terminal, `${requestId}.1.terminal.run_report`)
    await shop.driver.runReport({ ...call, report: { ...call.report, reportType, requestId } })
    await shop.clock.advance(60_000)
    const [totals] = shop.gateway.progress
      .filter(each => each.requestId === requestId)
      .flatMap(({ reports }) => reports)
      .slice(-1)
    return totals?.type === 'totals_read' ? totals.totals.balances?.salesMinor : totals?.type
  }
  test('X reads the period, Z ends it', async () => {
    const shop = await openShop()
    await shop.sale()
    deepEqual(
      [await run(shop, 'X_BALANCE', 'x'), await run(shop, 'Z_BALANCE', 'z'), await run(shop, 'X_BALANCE', 'y')],
      [2_599, 2_599, 0],
    )
    deepEqual(
      (await shop.received('Reconciliation')).map(({ body }) => body['ReconciliationType']),
      ['SaleReconciliation'],
    )
  })
  test.each([
    ['the answer is lost', 'answer_lost', ['SaleReconciliation', 'PreviousReconciliation']],
    ['the request is lost', 'connection_dropped', ['SaleReconciliation', 'SaleReconciliation']],
  ] as const)('a period is ended once when %s', async (_, lost, types) => {
    const shop = await openShop({ reconciliations: [lost] })
    await shop.sale()
    equal(await run(shop, 'END_OF_DAY', 'z'), 2_599)
    deepEqual(
      (await shop.received('Reconciliation')).map(({ body }) => body['ReconciliationType']),
      types,
    )
    equal(await run(shop, 'X_BALANCE', 'x'), 0)
  })
  test('a banking report does not exist: it starts nothing', async () => {
    const shop = await openShop()
    equal(await run(shop, 'BANKING', 'b'), undefined)
    deepEqual(await shop.received('Login'), [])
  })
})

test('57: paper, a busy terminal and maintenance show in its presence', async () => {
  const { driver, terminal, clock } = await openShop()
  const seen: unknown[] = [driver.presence(terminal)]
  for (const status of [
    { GlobalStatus: 'OK', PrinterStatus: 'NoPaper' },
    { GlobalStatus: 'Busy' },
    { GlobalStatus: 'Maintenance' },
    { GlobalStatus: 'OK' },
  ]) {
    await peer.script(terminal, { status })
    await clock.advance(60_000)
    seen.push(driver.presence(terminal))
  }
  deepEqual(seen, [
    ...[{ paperOut: false }, { paperOut: true }, { paperOut: false, inUse: true }, null, { paperOut: false }],
  ])
})

test('what a terminal of this make cannot do ends before anything is sent', async () => {
  const { gateway, terminal, clock, received } = await openShop()
  for (const request of [{ transactionType: 'COMPLETION', authCode: '1' }, { transactionType: 'PRE_AUTH' }] as const) {
    const id = await gateway.start(terminal, request)
    await clock.advance(1_000)
    equal(gateway.record(id).result, 'UNSUCCESSFUL')
  }
  deepEqual(await received('Payment'), [])
})

test('50: a refund is sent as one', async () => {
  const { gateway, terminal, clock, received } = await openShop()
  const id = await gateway.start(terminal, { transactionType: 'REFUND' })
  await clock.advance(1_000)
  equal(gateway.record(id).result, 'SUCCESSFUL')
  deepEqual((await received('Payment'))[0]?.body['PaymentData'], { PaymentType: 'Refund' })
})

test('live mode does not connect to a test terminal', async () => {
  const log = keepingLog()
  const { driver, terminal } = await openShop({}, { mode: 'live', log })
  equal(driver.presence(terminal), null)
  await rejects(
    driver.start({} as never).catch(() => Promise.reject(new Error('refused'))),
    /refused/,
  )
  deepEqual(await peer.received(terminal), [])
  ok(log.lines.some(({ fields }) => /test terminal, which live mode refuses/.test(String(fields['error']))))
})

describe('8: the certificate', () => {
  const connect = async (terminal: Terminal, root?: string) => {
    const { poiId, host, port, rootCertificate } = terminal.driverSettings ?? {}
    const domain = 'test.terminal.adyen.com'
    const address = {
      host: String(host),
      ...{ port: Number(port), path: '/nexo', headers: {} },
      root: root ?? String(rootCertificate),
      commonNames: [`${poiId}.${domain}`, `legacy-terminal-certificate.${domain}`],
    }
    const line = await createHttpsCarrier({ clock: new TestClock() }).open(address, 5_000)
    line.close()
  }
  test('of the terminal, and the one of old terminals, are accepted', async () => {
    await connect(await peer.make('1'))
    await connect(await peer.make('1', { commonName: 'legacy-terminal-certificate.test.terminal.adyen.com' }))
  })
  test.each([
    ['another terminal', { commonName: 'V400m-999999999.test.terminal.adyen.com' }, /issued to V400m-999999999/],
    ['a live terminal', { commonName: 'legacy-terminal-certificate.live.terminal.adyen.com' }, /issued to legacy/],
    ['an earlier time', { isExpired: true }, /CERT_HAS_EXPIRED/],
  ])('of %s is refused', async (_, order, expected) => {
    const terminal = await peer.make('1', order)
    await rejects(connect(terminal), (error: unknown) => {
      ok(error instanceof LineError)
      equal(error.fault, 'certificate')
      match(error.message, expected)
      return true
    })
  })
  test('of another root is refused', async () => {
    await rejects(connect(await peer.make('1'), OTHER_CERT.toString()), /does not lead to the root/)
  })
})
