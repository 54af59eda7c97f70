// test/unit/fleet.test.ts — terminals of all makes are found by the name of their driver.
import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'vitest'
import type { TerminalDriver } from '../../src/engine/ports/terminal.ts'
import { createFleet } from '../../src/terminals/fleet.ts'
import { aTerminal, openSimulatedShop } from '../support/simulated-shop.ts'

test('a terminal is reached by the driver it names', async () => {
  const { terminals } = await openSimulatedShop()
  const other: TerminalDriver = { ...terminals.driver, name: 'other', presence: () => ({ paperOut: true }) }
  const fleet = createFleet([terminals.driver, other])
  const terminal = aTerminal('22160001')
  equal(fleet.driverOf(terminal), terminals.driver)
  equal(fleet.driverOf({ ...terminal, driver: 'other' }), other)
  deepEqual(fleet.presence(terminal), { paperOut: false, inUse: false })
  deepEqual(fleet.presence({ ...terminal, driver: 'other' }), { paperOut: true })
})

test('a terminal whose driver is not plugged in is not connected, and cannot be called', () => {
  const fleet = createFleet([])
  equal(fleet.presence(aTerminal('22160001')), null)
  throws(() => fleet.driverOf(aTerminal('22160001')), /no driver named simulated/)
})

test('two drivers cannot share a name', async () => {
  const { terminals } = await openSimulatedShop()
  throws(() => createFleet([terminals.driver, terminals.driver]), /same name/)
})
