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
  type Shop = Awaited<ReturnType<typeof openShop>>
  const read = async (shop: Shop, reportType: ReportType, requestId: string) => {
    const call = reportCall(shop.terminal, `${requestId}.1.terminal.run_report`)
    await shop.driver.runReport({ ...call, report: { ...call.report, reportType, requestId } })
    await shop.clock.advance(60_000)
    const [totals] = shop.gateway.progress
      .filter(each => each.requestId === requestId)
      .flatMap(({ reports }) => reports)
      .slice(-1)
    return totals
  }
  const run = async (...given: Parameters<typeof read>) => {
    const totals = await read(...given)
    return totals?.type === 'totals_read' ? totals.totals.balances?.salesMinor : totals?.type
  }
  /** Sums that only the gateway has, and the rows of the paper that a till looks for. */
  const sums = async (...given: Parameters<typeof read>) => {
    const totals = await read(...given)
    if (totals?.type !== 'totals_read') return totals?.type
    const { salesMinor, cashbackMinor, cashbackCount, gratuityMinor, gratuityCount } = totals.totals.balances ?? {}
    const rows = totals.lines.map(({ value }) => value.replace(/ +/g, ' '))
    return {
      ...{ sales: salesMinor, cashback: [cashbackCount, cashbackMinor], tips: [gratuityCount, gratuityMinor] },
      rows: rows.filter(row => /^(CASHBACK|GRATUITY|DIFFERENCE)/.test(row)),
    }
  }
  /** A shop whose terminal asks for tips. The customers of the first two payments give one. */
  const tippedShop = async (script: Script = {}, always: Script['always'] = {}) => {
    const made = await peer.make('22160001')
    const shop = await openShop(script, {}, { ...made, settings: { ...made.settings, gratuity: true } })
    await peer.script(shop.terminal, { always: { ...always, tip: 150 } })
    await shop.sale()
    await shop.gateway.start(shop.terminal, { cashbackMinor: 1_000 })
    await shop.clock.advance(1_000)
    await peer.script(shop.terminal, { always })
    await shop.sale()
    return shop
  }
  const OF_THREE = {
    ...{ sales: 2_749 + 3_749 + 2_599, cashback: [1, 1_000], tips: [2, 300] },
    rows: ['CASHBACK 1 10.00', 'GRATUITY 2 3.00'],
  }
  const OF_NONE = { sales: 0, cashback: [0, 0], tips: [0, 0], rows: [] }
  test('have the cashback and the tips of their period', async () => {
    const shop = await tippedShop()
    deepEqual(await sums(shop, 'X_BALANCE', 'x'), OF_THREE)
    deepEqual(await sums(shop, 'Z_BALANCE', 'z'), OF_THREE)
    deepEqual(await sums(shop, 'X_BALANCE', 'y'), OF_NONE)
    await peer.script(shop.terminal, { always: { tip: 50 } })
    await shop.sale()
    deepEqual(await sums(shop, 'END_OF_DAY', 'e'), {
      ...{ sales: 2_649, cashback: [0, 0], tips: [1, 50], rows: ['GRATUITY 1 0.50'] },
    })
  })
  test('have them also of a terminal that does not name its periods', async () => {
    const shop = await tippedShop({}, { period_not_named: 0 })
    deepEqual(await sums(shop, 'Z_BALANCE', 'z'), OF_THREE)
    deepEqual(await sums(shop, 'X_BALANCE', 'y'), OF_NONE)
  })
  test('have them when the answer that ended the period was lost', async () => {
    const shop = await tippedShop({ reconciliations: ['answer_lost'] })
    deepEqual(await sums(shop, 'Z_BALANCE', 'z'), OF_THREE)
  })
  test('ask first for a payment whose answer was lost', async () => {
    const shop = await tippedShop()
    await peer.script(shop.terminal, { always: { tip: 25 }, answers: ['answer_lost'] })
    await shop.gateway.start(shop.terminal)
    deepEqual(await sums(shop, 'X_BALANCE', 'x'), {
      ...{ sales: OF_THREE.sales + 2_624, cashback: [1, 1_000], tips: [3, 325] },
      rows: ['CASHBACK 1 10.00', 'GRATUITY 3 3.25'],
    })
  })
  test('say what the terminal has counted for others', async () => {
    const shop = await tippedShop()
    const other = await openShop({}, {}, shop.terminal)
    await other.driver.start(callOf(other.terminal, 'of-another-till'))
    await other.clock.advance(1_000)
    deepEqual(await sums(shop, 'Z_BALANCE', 'z'), {
      ...OF_THREE,
      ...{ sales: OF_THREE.sales + 2_599, rows: [...OF_THREE.rows, 'DIFFERENCE 25.99'] },
    })
  })
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
