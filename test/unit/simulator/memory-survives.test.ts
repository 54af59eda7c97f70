// test/unit/simulator/memory-survives.test.ts — simulated terminals and acquirer outlive the gateway:
// after a crash each payment ends once.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { oneClock } from '../../../src/engine/clocks.ts'
import { TEST_CARDS } from '../../../src/simulator/cards/test-cards.ts'
import type { SimulatedMemory } from '../../../src/simulator/memory/memory.ts'
import { createProcessMemory } from '../../../src/simulator/memory/process-memory.ts'
import { createSimulatedTerminals } from '../../../src/simulator/terminals/terminals.ts'
import { PocketGateway } from '../../support/pocket-gateway.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { clockOver, MEMORIES } from '../../support/simulated-memories.ts'
import { aTerminal, openSimulatedShop, SHOP } from '../../support/simulated-shop.ts'
import { TestClock } from '../../support/test-clock.ts'

const PACE_MS = 500
const STEPS = [1, 2, 3, 4, 5, 6, 7, 8]

test.each(STEPS)('a payment completes when the gateway is killed after step %i and restarted', async step => {
  for (const { make } of MEMORIES) {
    const kept = make()
    const clock = clockOver(kept)
    const before = await openSimulatedShop({ memory: kept.memory, clock, paceMs: PACE_MS })
    const terminal = aTerminal('VCMDEMOSIP0')
    const requestId = await before.gateway.start(terminal)
    await clock.advance(step * PACE_MS)
    before.gateway.alive = false
    await clock.advance(PACE_MS / 2)
    await before.terminals.driver.close()

    const after = await openSimulatedShop({ memory: kept.afterCrash(), clock, paceMs: PACE_MS })
    after.gateway.takeUp(before.gateway)
    await clock.advance(60_000)
    const { result, authorisationId, notifications } = after.gateway.record(requestId)
    equal(result, 'SUCCESSFUL')
    equal(
      notifications.join(' '),
      'TRANSACTION_STARTED PRESENT_CARD PLEASE_WAIT PIN_ENTRY CONNECTING CONNECTION_MADE APPROVED TRANSACTION_FINISHED',
    )
    equal(after.acquirer.ledger.moneyOf('demo', authorisationId ?? ''), 2599)
    equal(after.acquirer.ledger.list('demo').length, 1)
    await after.terminals.driver.close()
    await kept.close()
  }
})

test('overdue steps run one after the other after a restart', async () => {
  const before = await openSimulatedShop({ paceMs: PACE_MS })
  const requestId = await before.gateway.start(aTerminal('VCMDEMOUIP0'))
  await before.clock.advance(PACE_MS)
  await before.terminals.driver.close()
  await before.clock.advance(3_600_000)
  const after = await openSimulatedShop({ memory: before.memory, clock: before.clock, paceMs: PACE_MS })
  after.gateway.takeUp(before.gateway)
  equal(after.gateway.record(requestId).progress, 'awaiting_card')
  await after.clock.advance(10 * PACE_MS)
  equal(after.gateway.record(requestId).result, 'UNSUCCESSFUL')
})

test('a delivery is retried after 0.1 s, then after twice the wait, up to 5 s', async () => {
  const { gateway, clock } = await openSimulatedShop()
  const tries: number[] = []
  const { report } = gateway.sink
  gateway.sink.report = async () => {
    tries.push(clock.now())
    throw new Error('down')
  }
  const requestId = await gateway.start(aTerminal('22160001'))
  await clock.advance(20_000)
  deepEqual(
    tries.slice(1).map((at, index) => at - tries[index]!),
    [100, 200, 400, 800, 1600, 3200, 5000, 5000],
  )
  gateway.sink.report = report
  await clock.advance(5_000)
  equal(gateway.notifications(requestId), 'TRANSACTION_STARTED PRESENT_CARD')
})

test('a terminal that cannot write its memory reports nothing until it can', async () => {
  const kept = createProcessMemory()
  let broken = false
  const memory: SimulatedMemory = {
    ...kept,
    async written() {
      if (broken) throw new Error('disk full')
    },
  }
  const log = keepingLog()
  const clock = new TestClock()
  const terminals = createSimulatedTerminals({
    memory,
    clocks: oneClock(clock),
    log,
    random: new SeededRandom(1),
    paceMs: PACE_MS,
    profileOf: async () => SHOP,
  })
  const { acquirer } = await openSimulatedShop()
  const gateway = new PocketGateway({ clock, driver: terminals.driver, acquirer })
  await terminals.driver.listen(gateway.sink)
  const requestId = await gateway.start(aTerminal('VCMDEMOSIP0'))
  await clock.advance(PACE_MS)
  broken = true
  await clock.advance(30_000)
  equal(gateway.notifications(requestId), 'TRANSACTION_STARTED PRESENT_CARD')
  ok(log.lines.some(({ level }) => level === 'warn'))
  broken = false
  await clock.advance(30_000)
  equal(gateway.record(requestId).result, 'SUCCESSFUL')
})

test('reports are delivered to a gateway that has lost its records, and the terminal is free again', async () => {
  const before = await openSimulatedShop()
  const requestId = await before.gateway.start(aTerminal('VCMDEMOSIP0'))
  before.gateway.alive = false
  await before.clock.advance(0)
  await before.terminals.driver.close()
  const after = await openSimulatedShop({ memory: before.memory, clock: before.clock })
  await after.clock.advance(0)
  ok(after.gateway.deliveries.some(delivery => delivery.requestId === requestId))
  // The new gateway counts from the beginning. The terminal knows this id and does not run it again.
  equal(await after.gateway.start(aTerminal('VCMDEMOSIP0')), requestId)
  const next = await after.gateway.start(aTerminal('VCMDEMOSIP0'))
  await after.clock.advance(0)
  equal(after.gateway.record(next).result, 'SUCCESSFUL')
})

test('no card number is reported or stored by the simulator', async () => {
  const { gateway, clock, terminals, memory } = await openSimulatedShop()
  const terminal = aTerminal('22160001')
  for (const { token } of TEST_CARDS) {
    await gateway.start(terminal, { amountMinor: 500 })
    await clock.advance(0)
    await terminals.press(terminal, { key: 'present_card', card: token, how: 'keyed' })
    await clock.advance(0)
  }
  const told = JSON.stringify([...gateway.records.values()]) + JSON.stringify(gateway.deliveries)
  const kept = (['device', 'journal', 'order', 'hold'] as const)
    .flatMap(collection => memory.list(collection, { limit: 1000 }))
    .map(({ body, key }) => key + body)
    .join()
  ok(told.includes('************4444') && kept.includes('************'))
  for (const { number } of TEST_CARDS) ok(!told.includes(number) && !kept.includes(number))
})
