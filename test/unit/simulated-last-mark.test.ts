// test/unit/simulated-last-mark.test.ts — what a simulated terminal says of the last transaction that it would repeat, to
// whoever looks at the mark again and again.
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { test } from 'vitest'
import { aTerminal, openSimulatedShop, type SimulatedShop } from '../support/simulated-shop.ts'

const TERMINAL = aTerminal('VCMDEMOSIP0', { printing: false })

const markOf = ({ terminals }: SimulatedShop) => terminals.driver.presence(TERMINAL)?.lastMark

async function opened(): Promise<SimulatedShop> {
  const shop = await openSimulatedShop()
  equal(markOf(shop)?.holds, true)
  return shop
}

test('it holds while nothing happens, and is the same one', async () => {
  const shop = await opened()
  equal(markOf(shop), markOf(shop))
})

test('unplugged it does not hold, and plugged in there is another one', async () => {
  const shop = await opened()
  const mark = markOf(shop)
  await shop.terminals.press(TERMINAL, { key: 'unplug' })
  deepEqual([mark?.holds, markOf(shop)], [false, undefined])
  await shop.terminals.press(TERMINAL, { key: 'plug_in' })
  deepEqual([mark?.holds, markOf(shop)?.holds], [false, true])
})

test('while a scenario is ordered for what comes next, it does not hold', async () => {
  const shop = await opened()
  const mark = markOf(shop)
  shop.terminals.setScenarios(TERMINAL, ['declined'])
  equal(mark?.holds, false)
  shop.terminals.setScenarios(TERMINAL, [])
  equal(mark?.holds, true)
})

test('while it takes a payment it does not hold, and after that there is another one', async () => {
  const shop = await opened()
  const mark = markOf(shop)
  await shop.gateway.start(TERMINAL, { amountMinor: 2599 })
  equal(mark?.holds, false)
  await shop.clock.advance(60_000)
  equal(mark?.holds, false)
  notEqual(markOf(shop), mark)
  equal(markOf(shop)?.holds, true)
})

test('a terminal that was reset has another one, and the old one never holds again', async () => {
  const shop = await opened()
  await shop.gateway.start(TERMINAL, { amountMinor: 2599 })
  await shop.clock.advance(60_000)
  const mark = markOf(shop)
  equal(mark?.holds, true)
  shop.terminals.reset(TERMINAL)
  equal(mark?.holds, false)
  notEqual(markOf(shop), mark)
})

test('a terminal that is taken up from another memory has another one', async () => {
  const shop = await opened()
  const mark = markOf(shop)
  shop.terminals.reload('demo')
  equal(mark?.holds, false)
  notEqual(markOf(shop), mark)
})
