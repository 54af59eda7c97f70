// test/simulation/tables.test.ts — seeded races at tables: a till that writes, two terminals that take payments, failing
// connections and kills of the gateway; with uploaded tables, and with a POS table provider.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { sumsOf } from '../../src/domain/tables/table.ts'
import type { TillChange } from '../../src/domain/tables/table-decisions.ts'
import type { ScreenKey } from '../../src/simulator/terminals/screens.ts'
import { repetitions } from '../support/depth.ts'
import { checkTables, sumOf, type TableFigures } from './restaurant/table-checks.ts'
import { createTillWithTables, LATEST_MS, type TillTable, type TillWithTables } from './restaurant/till-with-tables.ts'
import { installedTerminal, pressSomething, sendSomebody } from './restaurant/waiter.ts'
import { type Faults, faultsIn, NO_FAULTS, openWorld, type World } from './world.ts'

/** `RACE_SEEDS=2000` runs longer; `RACE_FIRST_SEED=42 RACE_SEEDS=1` repeats one race. */
const SEEDS = repetitions('RACE_SEEDS', { usual: 100, long: 250 })
const FIRST_SEED = Number(process.env['RACE_FIRST_SEED'] ?? 1)
const STEPS = 40

const TERMINALS = ['VCMDEMOSIP0', '22160001'] as const
const NAMES = ['Window 2', 'Bar'] as const

const FAULTS: Faults = {
  crashBeforeCommit: 15,
  crashAfterCommit: 15,
  reportLost: 40,
  reportRepeated: 40,
  receiptLost: 40,
  callLost: 40,
  answerLost: 80,
  orderLost: 80,
}

/** Changes acknowledged to the till that writes over REST. */
interface Written {
  readonly amounts: Set<string>
}

async function openTable(world: World, name: string): Promise<void> {
  const amountMinor = 1_000 + world.random.integer(20_000)
  const bill = [{ value: 'Menu  10.00', type: 'TEXT' as const }]
  const order = { account: 'demo', name, currency: 'GBP' as const, amountMinor, waiterIds: [], bill }
  await world.unlessItDies(world.gateway.tables.create(order))
}

/** The till changes a table with the state it last saw, which may be outdated. */
async function write(world: World, written: Written): Promise<void> {
  const { random, gateway } = world
  const name = NAMES[random.integer(NAMES.length)]!
  const seen = (await gateway.tables.find('demo', name))?.record
  if (seen === undefined) return openTable(world, name)
  const { paid, cashback } = sumsOf(seen)
  const stale = random.integer(10) === 0 ? 1 : 0
  const lastKnown = { amountMinor: seen.amountMinor, paidMinor: paid.minor + cashback.minor + stale }
  const change = aChange(world)
  const work = gateway.tables.change('demo', name, lastKnown, change).then(executed => {
    if (stale > 0) ok('refused' in executed, 'a stale write was taken')
    if (change.type === 'amount' && 'record' in executed && executed.events.length > 0)
      written.amounts.add(`${seen.tableId} ${change.amountMinor}`)
  })
  await world.unlessItDies(work)
}

function aChange({ random }: World): TillChange {
  switch (random.integer(6)) {
    case 0:
    case 1:
      return { type: 'amount', amountMinor: 500 + random.integer(30_000) }
    case 2:
      return { type: 'lock', by: 'Till 1', override: random.integer(3) === 0 }
    case 3:
      return { type: 'bill', bill: [{ value: `Menu  ${random.integer(90) + 10}.00`, type: 'TEXT' }] }
    case 4:
      return { type: 'close' }
    default:
      return { type: 'unlock', by: 'Till 1', override: random.integer(2) === 0 }
  }
}

async function step(world: World, till: () => Promise<void>): Promise<void> {
  const { random } = world
  const tid = TERMINALS[random.integer(TERMINALS.length)]!
  switch (random.integer(9)) {
    case 0:
    case 1:
      await till()
      return world.settle()
    case 2:
    case 3:
      await world.unlessItDies(sendSomebody(world.gateway, tid, NAMES[random.integer(NAMES.length)]!, random))
      return world.settle()
    case 4:
    case 5:
      for (let keys = 0; keys < 4 && world.alive; keys += 1) {
        await world.unlessItDies(pressSomething(world.gateway, '22160001', random))
        await world.clock.advance(600)
      }
      return
    case 6:
      return world.clock.advance(random.integer(20_000))
    case 7:
      if (random.integer(2) === 0) world.outage.terminalsUntil = world.clock.now() + random.integer(60_000)
      else world.outage.acquirerUntil = world.clock.now() + random.integer(60_000)
      return world.clock.advance(random.integer(60_000))
    case 8:
      if (random.integer(3) === 0) await world.unlessItDies(pullPlug(world, tid))
      return world.settle()
  }
}

async function pullPlug(world: World, tid: string): Promise<void> {
  const { sandbox } = world.gateway
  const terminal = await installedTerminal(world.gateway, tid)
  for (const key of ['unplug', 'plug_in'] as const) await sandbox?.press(terminal, { key })
}

/** Random steps, then enough time for all open work to end. */
async function live(world: World, till: () => Promise<void>, connect: () => void): Promise<void> {
  world.faults = FAULTS
  for (let count = 0; count < STEPS; count += 1) {
    if (!world.alive) await world.revive()
    connect()
    if (world.alive) await step(world, till)
  }
  world.faults = NO_FAULTS
  await world.revive()
  connect()
  for (const tid of TERMINALS)
    await world.gateway.sandbox?.press(await installedTerminal(world.gateway, tid), { key: 'plug_in' })
  for (let minutes = 0; minutes < 25; minutes += 1) await world.clock.advance(60_000)
}

interface Totals {
  crashes: number
  payments: number
  dropped: number
  overpaid: number
}

async function races(run: (seed: number) => Promise<{ readonly world: World; readonly figures: TableFigures }>) {
  const drawn = new Set<string>()
  const totals: Totals = { crashes: 0, payments: 0, dropped: 0, overpaid: 0 }
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    try {
      const { world, figures } = await run(seed)
      totals.crashes += world.crashes
      for (const fault of world.drawn) drawn.add(fault)
      totals.payments += figures.payments.length
      totals.dropped += figures.dropped
      totals.overpaid += figures.tables.filter(table => sumsOf(table).open.minor < 0).length
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error })
    }
  }
  // Races in which little happens prove little.
  if (SEEDS >= 20) {
    deepEqual([...drawn].sort(), faultsIn(FAULTS))
    for (const [what, count] of Object.entries(totals))
      if (what !== 'overpaid') ok(count > SEEDS / 4, `${count} ${what}`)
  }
  return totals
}

test(`${SEEDS} races at tables that the till has uploaded`, { timeout: 600_000 }, async () => {
  const totals = await races(async seed => {
    const world = await openWorld(seed, { cachedRecords: seed % 2 === 0 ? 0 : 1_000 })
    const written: Written = { amounts: new Set() }
    for (const name of NAMES) await openTable(world, name)
    await live(
      world,
      () => write(world, written),
      () => {},
    )
    const figures = await checkTables(world)
    for (const write of written.amounts) ok(await wasWritten(world, write), `a write is lost: ${write}`)
    return { world, figures }
  })
  // Only a till can reduce a bill below what was paid; the table then shows it, and some seeds do so.
  if (SEEDS >= 100) ok(totals.overpaid > 0)
})

async function wasWritten({ store }: World, write: string): Promise<boolean> {
  const [id = '', amount] = write.split(' ')
  const events = await store.eventsOf({ account: 'demo', kind: 'table', id })
  return events.some(({ type, body }) => type === 'amount_changed' && body.includes(`"amountMinor":${amount}`))
}

test(`${SEEDS} races at tables that the till keeps`, { timeout: 600_000 }, async () => {
  const seen = { repeated: 0, late: 0, tooLate: 0, byHand: 0 }
  const totals = await races(async seed => {
    const world = await openWorld(seed, { cachedRecords: seed % 2 === 0 ? 0 : 1_000 })
    const till = createTillWithTables(NAMES, { ...world, strict: seed % 3 !== 0 })
    till.silence = 50
    till.lateness = 300
    let connected: unknown = null
    await live(
      world,
      async () => {
        if (world.random.integer(3) === 0) till.unlockByHand()
        else changeBills(world, till)
      },
      () => {
        // The connection breaks with the gateway, and the till opens another one.
        if (!world.alive || connected === world.gateway) return
        connected = world.gateway
        world.gateway.posConnections.connect('demo', till.line)
      },
    )
    await world.settle()
    const figures = await checkTables(world)
    checkTill(world, till, figures)
    for (const what of ['repeated', 'late', 'tooLate', 'byHand'] as const) seen[what] += till[what]
    return { world, figures }
  })
  equal(totals.overpaid, 0)
  if (SEEDS >= 100) for (const [what, count] of Object.entries(seen)) ok(count > 0, `none ${what}`)
})

/** The till does not change the bill of a locked table, and here it never reduces one. */
function changeBills({ random }: World, till: TillWithTables): void {
  for (const table of till.tables) if (table.lockedBy === null) table.amountMinor += random.integer(5_000)
}

function checkTill(world: World, till: TillWithTables, { tables, payments }: TableFigures): void {
  for (const table of till.tables) {
    const here = tables.filter(({ name }) => name === table.name).flatMap(context => context.payments)
    equal(
      till.paidMinor(table),
      sumOf(here, each => each.amountMinor),
      `${table.name}: what the till knows`,
    )
    ok(till.paidMinor(table) <= table.amountMinor, `${table.name} is overpaid`)
    if (table.lockedBy !== null) ok(diedBeforeItsVisit(world, table, tables), `${table.name} stays locked at the till`)
  }
  equal(
    sumOf(till.tables, ({ payments: known }) => known.size),
    payments.length,
  )
  for (const { host, state, told, payments: paid } of tables) {
    equal(host, 'till')
    equal(state, 'closed')
    equal(told, paid.length)
  }
}

/** The only lock without a table session: the gateway was killed before it could record the session. ADR 16. */
function diedBeforeItsVisit({ deaths }: World, { name, lockedAt }: TillTable, visits: TableFigures['tables']): boolean {
  const noted = visits.some(context => context.name === name && context.createdAt >= lockedAt)
  return !noted && deaths.some(at => at >= lockedAt && at <= lockedAt + LATEST_MS)
}

test('a waiter’s session continues after a restart of the gateway', async () => {
  const world = await openWorld(3, { cachedRecords: 1_000 })
  await openTable(world, 'Bar')
  const press = async (key: ScreenKey) => {
    const { sandbox } = world.gateway
    equal(await sandbox?.press(await installedTerminal(world.gateway, '22160001'), key), 'pressed', key.key)
    await world.settle()
  }
  const screen = async () => world.gateway.sandbox?.screenOf(await installedTerminal(world.gateway, '22160001'))
  await press({ key: 'waiter', waiterId: '7' })
  await press({ key: 'choose_table', table: 'Bar' })
  await press({ key: 'split_equally', shares: 2 })
  await press({ key: 'pay_other' })
  const before = await screen()
  world.faults = { ...NO_FAULTS, crashBeforeCommit: 1_000 }
  await openTable(world, 'Window 2')
  equal(world.alive, false)
  world.faults = NO_FAULTS
  await world.revive()
  deepEqual(await screen(), before)
  await press({ key: 'pay_other' })
  await world.clock.advance(5_000)
  equal((await screen())?.waiter, null)
  const [table] = (await checkTables(world)).tables
  deepEqual([table && sumsOf(table).open.minor, table?.lock, table?.payments.length], [0, null, 2])
})
