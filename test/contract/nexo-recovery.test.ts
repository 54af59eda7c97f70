// test/contract/nexo-recovery.test.ts — payments at nexo terminals whose answers are lost, late, wrong or repeated: no payment is
// sent twice, and its outcome becomes known.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import { createExchanges } from '../../src/terminals/nexo/journal.ts'
import { paymentServiceId } from '../../src/terminals/nexo/service-ids.ts'
import { PLACE_OF_END } from '../../src/terminals/nexo/wire/displays.ts'
import { closedAfterEachTest, type NexoPeer, openNexoDriver, startNexoPeer } from '../support/nexo-peer.ts'
import type { Script } from '../support/nexo-script.ts'
import { PocketGateway } from '../support/pocket-gateway.ts'
import { SALE } from '../support/records.ts'
import { keepingLog } from '../support/silent-log.ts'
import { callOf, reported } from './driver-bench.ts'

let peer: NexoPeer
const opened = closedAfterEachTest()
beforeAll(async () => {
  peer = await startNexoPeer()
})
afterAll(() => peer.close())

const APPROVED = { Result: 'Success' }

/** A terminal alone with its driver and a gateway. */
async function openShop(script: Script = {}, given: Parameters<typeof openNexoDriver>[2] = {}, known?: Terminal) {
  const terminal = known ?? (await peer.make('22160001'))
  await peer.script(terminal, script)
  const bench = openNexoDriver(peer, [terminal], given)
  if (given.store === undefined) opened.push(bench)
  const acquirer = { name: 'none' } as never
  const gateway = new PocketGateway({ ...bench, acquirer })
  await bench.driver.listen(gateway.sink)
  const received = async (category: string) =>
    (await peer.received(terminal)).filter(each => each.category === category)
  return { ...bench, terminal, gateway, received }
}
type Shop = Awaited<ReturnType<typeof openShop>>

/** The gateway's next process, with the driver over the same store. */
async function crashed(shop: Shop): Promise<Shop> {
  const { store, clock, terminal } = shop
  await shop.driver.close()
  const next = await openShop({}, { store, clock }, terminal)
  next.gateway.takeUp(shop.gateway)
  return next
}

/** Result and number of payments on the wire. */
async function outcomeOf({ gateway, received }: Shop, id: string) {
  const { result, messages } = gateway.record(id)
  return { result, messages, sent: (await received('Payment')).length, ended: reported(gateway, 'ended') }
}
const ONCE = { result: 'SUCCESSFUL', messages: [], sent: 1, ended: 1 }

test('10: a start that is repeated, under the same effect id or another, is one payment on the wire', async () => {
  const shop = await openShop({ payments: ['wait'] })
  const { driver, terminal, clock, gateway } = shop
  const id = await gateway.start(terminal)
  const call = { ...callOf(terminal, id), transaction: gateway.record(id) }
  await Promise.all([driver.start(call), driver.start({ ...call, effectId: 'other' })])
  await clock.advance(0)
  await peer.finish(terminal, APPROVED)
  await clock.advance(1_000)
  await driver.start(call)
  await clock.advance(1_000)
  deepEqual(await outcomeOf(shop, id), ONCE)
})

test('10: two starts at the same moment are one payment on the wire', async () => {
  const { driver, terminal, clock, received } = await openShop()
  const call = callOf(terminal, 'r1')
  await Promise.all([driver.start(call), driver.start(call), driver.start({ ...call, effectId: 'other' })])
  await clock.advance(0)
  equal((await received('Payment')).length, 1)
})

test('11: a start at a terminal that cannot be reached rejects, and a later one sends once', async () => {
  const { driver, terminal, store, clock, received, gateway } = await openShop()
  await peer.unplug(terminal)
  const call = callOf(terminal, 'r1')
  await rejects(driver.start(call))
  equal((await createExchanges(store, clock).load('demo', 'r1'))?.note.phase, 'intended')
  await peer.plugIn(terminal)
  await driver.start(call)
  await driver.start(call)
  await clock.advance(0)
  deepEqual([(await received('Payment')).length, reported(gateway, 'ended')], [1, 1])
})

test('11: one that never reaches its terminal ends shortly before its limit: nothing was sent', async () => {
  const { driver, terminal, clock, gateway } = await openShop()
  await peer.unplug(terminal)
  const call = callOf(terminal, 'r1')
  await rejects(driver.start(call))
  await clock.advance(call.transaction.limits.transactionMs - 1_000)
  const [report] = gateway.deliveries.flatMap(({ reports }) => reports)
  ok(report?.type === 'ended')
  deepEqual([report.ending.result, report.ending.messages], ['UNSUCCESSFUL', ['forgotten']])
  await peer.plugIn(terminal)
  await driver.start(call)
  await clock.advance(1_000)
  deepEqual(
    (await peer.received(terminal)).filter(({ category }) => category === 'Payment'),
    [],
  )
})

test('11: a start that is repeated after a crash and after its limit sends nothing', async () => {
  const before = await openShop()
  const { terminal, clock } = before
  const call = callOf(terminal, 'r1')
  await peer.unplug(terminal)
  await rejects(before.driver.start(call))
  await before.driver.close()
  await clock.advance(call.transaction.limits.transactionMs)
  await peer.plugIn(terminal)
  const { driver, gateway, received } = await crashed(before)
  await driver.start(call)
  await clock.advance(1_000)
  deepEqual([reported(gateway, 'ended'), (await received('Payment')).length], [1, 0])
})

test('12: what was noted as sent and never left is only asked for after a crash, and ends without a payment', async () => {
  const before = await openShop()
  const { store, clock, terminal } = before
  const serviceId = paymentServiceId('demo', terminal.tid, 'r1')
  const names = { saleId: `Tollgate-${terminal.tid}`, poiId: String(terminal.driverSettings?.['poiId']), serviceId }
  await createExchanges(store, clock).add({
    ...{ account: 'demo', tid: terminal.tid, requestId: 'r1', phase: 'sent', sentAt: clock.now(), sentOver: 'local' },
    asked: { request: SALE, names, number: 1, startedAt: clock.now(), limitAt: clock.now() },
    ...{ end: null, endedAt: null, delivered: false },
  })
  const { gateway, received, driver } = await crashed(before)
  await clock.advance(4_000)
  equal(gateway.deliveries.length, 0)
  await clock.advance(30_000)
  const [report] = gateway.deliveries.flatMap(({ reports }) => reports).slice(-1)
  ok(report?.type === 'ended')
  deepEqual([report.ending.result, report.ending.messages], ['UNSUCCESSFUL', ['forgotten']])
  deepEqual([(await received('Payment')).length, (await received('TransactionStatus')).length], [0, 4])
  await driver.start(callOf(terminal, 'r1'))
  equal((await received('Payment')).length, 0)
})

test('13: a payment that ends while the gateway is down is delivered before listening begins', async () => {
  const before = await openShop({ payments: ['wait'] })
  const { gateway, terminal, clock } = before
  const id = await gateway.start(terminal)
  await clock.advance(0)
  await before.driver.close()
  await peer.finish(terminal, APPROVED)
  const after = await crashed(before)
  // `listen` has delivered it: its gateway has taken up the record only afterwards.
  deepEqual(
    after.gateway.deliveries.map(({ requestId, sequence }) => [requestId, sequence]),
    [[id, PLACE_OF_END]],
  )
  equal(reported(after.gateway, 'ended'), 1)
  equal((await after.received('Payment')).length, 1)
})

describe('an answer that does not come, or proves nothing', () => {
  test.each([
    ['14: it is dropped after the approval', 'answer_lost'],
    ['18: the connection breaks in the middle of it', 'half_answer'],
    ['4: it is signed with another key', 'wrong_mac'],
    ['7: it comes in clear text', 'answer_in_clear'],
    ['23: it is one to another request', 'wrong_service_id'],
    ['7: it is an error of the server', 'server_error'],
    ['it comes twice', 'answer_twice'],
  ] as const)('%s: the payment succeeds, once', async (_, answer) => {
    const shop = await openShop({ answers: [answer] })
    const id = await shop.gateway.start(shop.terminal)
    await shop.clock.advance(5_000)
    deepEqual(await outcomeOf(shop, id), ONCE)
    await shop.clock.advance(120_000)
    deepEqual(await outcomeOf(shop, id), ONCE)
  })
})

test('15: while the payment is in progress the till is told nothing', async () => {
  const shop = await openShop({ answers: ['answer_lost'], questions: Array(16).fill('in_progress') })
  const id = await shop.gateway.start(shop.terminal)
  await shop.clock.advance(60_000)
  equal(shop.gateway.record(id).result, null)
  deepEqual(shop.gateway.deliveries, [])
  await shop.clock.advance(60_000)
  deepEqual(await outcomeOf(shop, id), ONCE)
})

test('16: a terminal that denies the payment once, and is busy once, is not believed', async () => {
  const shop = await openShop({
    answers: ['answer_lost'],
    questions: ['not_found', 'busy', 'connection_dropped', 'not_found'],
  })
  const id = await shop.gateway.start(shop.terminal)
  await shop.clock.advance(30_000)
  deepEqual(await outcomeOf(shop, id), ONCE)
})

test('17: a payment that never arrived is denied after 15 s of denials, and never begins later', async () => {
  const shop = await openShop({ answers: ['connection_dropped'] })
  const { gateway, terminal, clock, driver, received } = shop
  const id = await gateway.start(terminal)
  await clock.advance(10_000)
  equal(gateway.record(id).result, null)
  await clock.advance(10_000)
  const { result, messages } = gateway.record(id)
  deepEqual({ result, messages }, { result: 'UNSUCCESSFUL', messages: ['forgotten'] })
  await driver.start(callOf(terminal, id))
  await clock.advance(10_000)
  // The one whose connection broke.
  equal((await received('Payment')).length, 1)
  deepEqual(await driver.lastTransaction(terminal, id), { state: 'ended', successful: false })
})

test('16 of the recovery table: the outcome is delivered when it is known, also after the limit', async () => {
  const shop = await openShop({ answers: ['answer_lost'], questions: Array(200).fill('busy') })
  const { gateway, terminal, clock } = shop
  const id = await gateway.start(terminal)
  await clock.advance(200_000)
  await gateway.execute(id, { type: 'time_is_up', timer: 'limit' })
  equal(gateway.record(id).result, 'TIMED_OUT')
  await clock.advance(3_600_000)
  const [delivery] = gateway.deliveries
  equal(delivery?.sequence, PLACE_OF_END)
  equal(delivery?.reports.at(-1)?.type, 'ended')
})

test('22: a terminal that runs something else has not begun the payment', async () => {
  const busy = { Result: 'Failure', ErrorCondition: 'Busy', AdditionalResponse: 'serviceId=FOREIGN' }
  const shop = await openShop({ payments: [busy] })
  const id = await shop.gateway.start(shop.terminal)
  await shop.clock.advance(1_000)
  deepEqual(await outcomeOf(shop, id), { ...ONCE, result: 'UNSUCCESSFUL' })
})

describe('cancels', () => {
  test('24: before the card the payment is cancelled', async () => {
    const { gateway, terminal, clock } = await openShop({ payments: ['wait'] })
    const id = await gateway.start(terminal)
    await clock.advance(0)
    await gateway.execute(id, { type: 'cancel' })
    await clock.advance(1_000)
    equal(gateway.record(id).result, 'CANCELLED')
    ok(gateway.notifications(id).includes('CANCELLED_TRANSACTION'))
  })

  test('25 and 28: an abort that does nothing decides nothing; the payment succeeds, and the cancel came too late', async () => {
    const { gateway, terminal, clock, received } = await openShop({ payments: ['wait'], aborts: ['ignored'] })
    const id = await gateway.start(terminal)
    await clock.advance(0)
    await gateway.execute(id, { type: 'cancel' })
    await clock.advance(60_000)
    deepEqual([gateway.record(id).result, (await received('Abort')).length], [null, 1])
    await peer.finish(terminal, APPROVED)
    await clock.advance(1_000)
    equal(gateway.record(id).result, 'SUCCESSFUL')
    ok(gateway.notifications(id).includes('UNABLE_TO_CANCEL'))
  })

  test('26: an abort names the payment, while that is asked for too', async () => {
    const { gateway, terminal, clock, received } = await openShop({ payments: ['wait'] })
    const id = await gateway.start(terminal)
    await clock.advance(0)
    await peer.cut(terminal)
    await clock.advance(10_000)
    ok((await received('TransactionStatus')).length > 2)
    await gateway.execute(id, { type: 'cancel' })
    await clock.advance(10_000)
    const [payment] = await received('Payment')
    const [abort] = await received('Abort')
    equal(abort?.about, payment?.serviceId)
    equal(abort?.serviceId === payment?.serviceId, false)
    equal(gateway.record(id).result, 'CANCELLED')
  })

  test('27: an abort that does not get through rejects, and is repeated', async () => {
    const { gateway, terminal, clock, driver } = await openShop({ payments: ['wait'] })
    const id = await gateway.start(terminal)
    await clock.advance(0)
    await peer.unplug(terminal, true)
    const cancel = { ...callOf(terminal, id), effectId: 'c', transaction: gateway.record(id) }
    await rejects(driver.cancel(cancel))
    await peer.plugIn(terminal)
    await driver.cancel(cancel)
    await clock.advance(15_000)
    equal(gateway.record(id).result, 'CANCELLED')
  })

  test('a cancel before anything was sent ends it, and it never begins', async () => {
    const { driver, terminal, clock, gateway, received } = await openShop()
    const call = callOf(terminal, 'r1')
    await driver.cancel({ ...call, effectId: 'c' })
    await driver.start(call)
    await clock.advance(1_000)
    const [report] = gateway.deliveries.flatMap(({ reports }) => reports)
    ok(report?.type === 'ended')
    deepEqual([report.ending.result, (await received('Payment')).length], ['CANCELLED', 0])
  })
})

test('58: a terminal that restarts during a payment is away, is asked first, and reconnects once', async () => {
  const { gateway, terminal, clock, driver } = await openShop({ payments: ['wait'] })
  const id = await gateway.start(terminal)
  await clock.advance(0)
  await peer.unplug(terminal)
  await clock.advance(0)
  equal(driver.presence(terminal), null)
  await peer.plugIn(terminal)
  await clock.advance(60_000)
  ok(driver.presence(terminal) !== null)
  deepEqual(gateway.reconnections, [`demo/${terminal.tid}`])
  // What ran was lost with the power: nothing was paid.
  equal(gateway.record(id).result, 'UNSUCCESSFUL')
})

test('45: a card number that a terminal sends is in no record, no report and no line of the log', async () => {
  const log = keepingLog()
  const { gateway, terminal, clock, store } = await openShop({ always: { card_number_sent: 0 } }, { log })
  const id = await gateway.start(terminal)
  await clock.advance(1_000)
  equal(gateway.record(id).result, 'SUCCESSFUL')
  const notes = await createExchanges(store, clock).latest('demo', terminal.tid)
  const everything = JSON.stringify([log.lines, notes, gateway.deliveries, [...gateway.records.values()]])
  deepEqual([everything.includes('4111111111111111'), everything.includes('30121010')], [false, false])
  ok(log.lines.some(({ level, message }) => level === 'error' && /card data/.test(message)))
  equal(everything.includes('Tollgate-Nexo-Test-1'), false)
})
