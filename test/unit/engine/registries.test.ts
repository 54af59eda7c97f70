// test/unit/engine/registries.test.ts — drivers, acquirers and directory servers are found by name.
import { deepEqual, equal, rejects, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { acquirerByAccount } from '../../../src/acquirers/registry.ts'
import { openAcquirers } from '../../../src/cli/acquirers.ts'
import { openDrivers } from '../../../src/cli/drivers.ts'
import { makesOf } from '../../../src/cli/makes.ts'
import { CardNumber } from '../../../src/domain/card-number.ts'
import { money } from '../../../src/domain/money.ts'
import type { Acquirer, AcquirerOrder } from '../../../src/engine/ports/acquirer.ts'
import type { TerminalDriver } from '../../../src/engine/ports/terminal.ts'
import type { AuthenticationOrder } from '../../../src/engine/ports/three-d-secure.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { fixedRing } from '../../../src/platform/vault/key-ring.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { createFleet } from '../../../src/terminals/registry.ts'
import { directoryServerByAccount } from '../../../src/three-d-secure/registry.ts'
import { createMemoryVault } from '../../support/memory-vault.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { openShop } from '../../support/shop.ts'
import { silentLog } from '../../support/silent-log.ts'
import { aTerminal, openSimulatedShop } from '../../support/simulated-shop.ts'
import { TestClock } from '../../support/test-clock.ts'

const fleetOf = (...drivers: TerminalDriver[]) => createFleet(createRegistry('terminal drivers', drivers))

test('a terminal uses the driver that it names', async () => {
  const { terminals } = await openSimulatedShop()
  const other: TerminalDriver = { ...terminals.driver, name: 'other', presence: () => ({ paperOut: true }) }
  const fleet = fleetOf(terminals.driver, other)
  const terminal = aTerminal('22160001')
  equal(fleet.driverOf(terminal), terminals.driver)
  equal(fleet.driverOf({ ...terminal, driver: 'other' }), other)
  deepEqual(fleet.presence(terminal), { paperOut: false, inUse: false })
  deepEqual(fleet.presence({ ...terminal, driver: 'other' }), { paperOut: true })
})

test('a terminal without a registered driver is not connected and cannot be called', () => {
  const fleet = fleetOf()
  equal(fleet.presence(aTerminal('22160001')), null)
  throws(() => fleet.driverOf(aTerminal('22160001')), /no driver named simulated/)
})

test('two drivers cannot have the same name', async () => {
  const { terminals } = await openSimulatedShop()
  throws(() => fleetOf(terminals.driver, terminals.driver), /two of the terminal drivers have the same name/)
})

const ORDER: AcquirerOrder = { orderId: 'o1', account: 'harbour', amount: money(1, 'GBP'), cardToken: 'c' }
const approving = (name: string): Acquirer => {
  const approve = async () => ({ answer: 'approved', authCode: name, reference: '1' }) as const
  return {
    name,
    authorise: approve,
    capture: approve,
    refund: approve,
    verify: approve,
    reverse: async () => 'reversed',
  }
}

test('each order goes to the acquirer of its account, and to the first one when the account names none', async () => {
  const names: Record<string, string | undefined> = { harbour: 'second', mill: undefined, gone: 'third' }
  const acquirers = createRegistry('acquirers', [approving('first'), approving('second')])
  const acquirer = acquirerByAccount(acquirers, async account => names[account])
  const codeFor = async (account: string) => {
    const answer = await acquirer.authorise({ ...ORDER, account }, 'charge')
    return answer.answer === 'approved' && answer.authCode
  }
  deepEqual([await codeFor('harbour'), await codeFor('mill')], ['second', 'first'])
  // Another acquirer would not know the earlier orders.
  await rejects(codeFor('gone'), /acquirer/)
})

const CARD_NUMBER = new CardNumber('4456530000001096', 'VISA')
const AUTHENTICATION: AuthenticationOrder = {
  card: { number: CARD_NUMBER, expiry: { month: 12, year: 2030 }, holder: 'Ann Example' },
  ...{ authenticationId: 'a1', account: 'harbour', amount: money(1, 'GBP'), currencyNumeric: '826', orderId: 'R-1' },
  mustChallenge: false,
}

test('without an acquirer orders reject, and without a directory server authentication is unavailable', async () => {
  const acquirer = acquirerByAccount(createRegistry<Acquirer>('acquirers', []), async () => undefined)
  await rejects(acquirer.authorise(ORDER, 'charge'), /acquirer/)
  await rejects(acquirer.reverse(ORDER), /acquirer/)
  const server = directoryServerByAccount(createRegistry('servers', []), async () => undefined)
  const unavailable = { type: 'authentication_failed', status: 'U', reason: 'unavailable' }
  deepEqual(await server.lookUp(AUTHENTICATION), unavailable)
  deepEqual(await server.resultOf('harbour', 'md'), unavailable)
  equal(await server.deviceData({ account: 'harbour', paymentId: 'p1', number: CARD_NUMBER }), null)
  equal(await server.issuerPost('harbour', 'token'), null)
  await server.deviceDataDone('harbour', 'token', '')
})

test('the command line knows the makes that the wiring registers', async () => {
  const clock = new TestClock()
  const opening = {
    mode: 'sandbox',
    store: openMemoryStore(),
    vault: createMemoryVault(),
    clock,
    random: new SeededRandom(1),
  } as const
  const parts = { ...opening, log: silentLog }
  const { acquirers } = openAcquirers(null, { ...parts, ring: fixedRing([new Uint8Array(32)]) })
  const { gateway } = await openShop({ drivers: openDrivers(parts), acquirers })
  const known = makesOf({ mode: 'sandbox', directoryServers: null })
  for (const kind of ['terminals', 'acquirers', 'directoryServers'] as const)
    deepEqual(
      known[kind].all.map(({ name }) => name),
      gateway.makes[kind].all.map(({ name }) => name),
    )
})

test('accounts and terminals take registered makes only', async () => {
  const { provisioning } = (await openShop()).gateway
  const profile = {
    name: 'Mill',
    address: '',
    merchantNumber: '',
    currency: 'GBP',
    timeZone: 'UTC',
    public: false,
  } as const
  const open = (chosen: object) =>
    provisioning.openAccount({ id: 'mill', profile: { ...profile, ...chosen }, keyLabel: 'first', terminals: [] })
  // Each kind has one make in a sandbox.
  const unknown = (field: string) => ({
    refused: { code: 'field_invalid', field, detail: 'is not known. It must be simulated.' },
  })
  deepEqual(await open({ acquirer: 'other' }), unknown('acquirer'))
  deepEqual(await open({ directoryServer: 'other' }), unknown('directoryServer'))
  const opened = await open({ acquirer: 'simulated' })
  equal('record' in opened && opened.record.acquirer, 'simulated')
  const { settings } = aTerminal('22160001')
  const added = await provisioning.addTerminal({ account: 'mill', tid: '1', driver: 'other', settings })
  deepEqual(added, unknown('driver'))
  const first = await provisioning.addTerminal({ account: 'mill', tid: '1', settings })
  equal('record' in first && first.record.driver, 'simulated')
})
