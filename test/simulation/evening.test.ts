// test/simulation/evening.test.ts — a busy evening in a restaurant: sixty tables, eight terminals, hundreds of payments;
// first with uploaded tables, then with a POS table provider. At the end acquirer, tables and terminal reports agree on the
// money.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { Report } from '../../src/domain/reports/report.ts'
import { sumsOf } from '../../src/domain/tables/table.ts'
import { decodeRecord } from '../../src/engine/decoding.ts'
import { REPORT, TABLE } from '../../src/engine/machines.ts'
import { freshSettings } from '../../src/services/provisioning/provisioning.ts'
import { repetitions } from '../support/depth.ts'
import { checkTables, sumOf, type TableFigures } from './restaurant/table-checks.ts'
import { createTillWithTables, type TillWithTables } from './restaurant/till-with-tables.ts'
import { installedTerminal } from './restaurant/waiter.ts'
import { openWorld, type World } from './world.ts'

/** `EVENING_PAYMENTS=6000` runs longer; `EVENING_SEED` selects another run. */
const PAYMENTS = repetitions('EVENING_PAYMENTS', { usual: 300, long: 600 })
const SEED = Number(process.env['EVENING_SEED'] ?? 1)
const TABLES = 60
const STEP_MS = 5_000

const NAMES = Array.from({ length: TABLES }, (_, index) => `Table ${index + 1}`)
const TERMINALS = Array.from({ length: 8 }, (_, index) => `VCMEVE${index + 1}SIP0`)
const SCENARIOS = ['approved', 'contactless_approved', 'device_approved', 'declined', 'insufficient_funds', 'signature']

interface Evening {
  readonly world: World
  /** Starts waiters at free terminals, and lets the till act. */
  step(): Promise<void>
}

/** A random waiter script for a table. */
function aScript({ random }: World) {
  const scenario = SCENARIOS[random.integer(SCENARIOS.length)]!
  const shares = 2 + random.integer(5)
  const steps = [
    [{ do: 'print_bill' }, { do: 'pay', gratuityMinor: random.integer(800), scenario }],
    [
      { do: 'split_equally', shares },
      { do: 'pay_rest', scenario },
    ],
    [{ do: 'split_equally', shares }, { do: 'pay', scenario }, { do: 'pay_other' }, { do: 'pay_rest' }],
    [{ do: 'split_amounts', amountsMinor: [100 + random.integer(800)] }, { do: 'pay_rest' }],
    [{ do: 'pay', amountMinor: 100 + random.integer(500), scenario }, { do: 'leave' }],
  ][random.integer(5)]!
  return { name: 'evening', steps }
}

async function sendWaiters(world: World, names: readonly string[]): Promise<void> {
  const { sandbox } = world.gateway
  const waiting = [...names]
  for (const [index, tid] of TERMINALS.entries()) {
    const terminal = await installedTerminal(world.gateway, tid)
    if (sandbox === null || sandbox.screenOf(terminal).waiter !== null || waiting.length === 0) continue
    const [table] = waiting.splice(world.random.integer(waiting.length), 1)
    const order = { script: aScript(world), waiterId: String(index + 1), ...(table === undefined ? {} : { table }) }
    await sandbox.waiters.send(terminal, order)
  }
}

/** The uploading till: opens tables, closes settled ones and opens new ones. Returns the names of unlocked tables. */
async function uploading(world: World): Promise<readonly string[]> {
  const { tables } = world.gateway
  const open = await tables.list('demo')
  for (const table of open) {
    const { open: left, paid, cashback } = sumsOf(table)
    if (left.minor > 0 || table.lock !== null) continue
    const lastKnown = { amountMinor: table.amountMinor, paidMinor: paid.minor + cashback.minor }
    await tables.change('demo', table.name, lastKnown, { type: 'close' })
  }
  const taken = new Set((await tables.list('demo')).map(({ name }) => name))
  for (const name of NAMES.filter(each => !taken.has(each))) {
    const bill = [{ value: 'Menu  30.00', type: 'TEXT' as const }]
    const amountMinor = 1_500 + world.random.integer(15_000)
    await tables.create({ account: 'demo', name, currency: 'GBP', amountMinor, waiterIds: [], bill })
  }
  return (await tables.list('demo')).filter(({ lock }) => lock === null).map(({ name }) => name)
}

/** The POS table provider: adds to the bills of settled tables. Returns the names of unlocked tables. */
function keeping({ random }: World, till: TillWithTables): readonly string[] {
  for (const table of till.tables)
    if (table.lockedBy === null && till.paidMinor(table) >= table.amountMinor)
      table.amountMinor += 1_500 + random.integer(15_000)
  return till.tables.filter(({ lockedBy }) => lockedBy === null).map(({ name }) => name)
}

async function openEvening(): Promise<Evening & { readonly till: TillWithTables }> {
  const world = await openWorld(SEED, { cachedRecords: 10_000 })
  const settings = { ...freshSettings('GBP'), paceMs: 400 }
  for (const tid of TERMINALS) await world.gateway.provisioning.addTerminal({ account: 'demo', tid, settings })
  const till = createTillWithTables(NAMES, { random: world.random, clock: world.clock, strict: true })
  const isConnected = () => world.gateway.posConnections.of('demo') !== null
  return {
    world,
    till,
    async step() {
      await sendWaiters(world, isConnected() ? keeping(world, till) : await uploading(world))
      await world.clock.advance(STEP_MS)
    },
  }
}

/** Number of shares paid so far. */
async function paidSoFar({ store }: World): Promise<number> {
  const stored = await store.all('table', { limit: 1_000_000 })
  return sumOf(stored, ({ body }) => decodeRecord(TABLE, body).payments.length)
}

async function runReports(world: World): Promise<readonly Report[]> {
  for (const tid of TERMINALS) {
    const terminal = await installedTerminal(world.gateway, tid)
    equal(await world.gateway.sandbox?.press(terminal, { key: 'run_report', reportType: 'END_OF_DAY' }), 'pressed')
  }
  await world.clock.advance(60_000)
  return (await world.store.all(REPORT.kind, { limit: 1_000 })).map(({ body }) => decodeRecord(REPORT, body))
}

test(`${PAYMENTS} payments in one evening: acquirer, tables, till and reports are of one mind`, {
  timeout: 600_000,
}, async () => {
  const { world, till, step } = await openEvening()
  while ((await paidSoFar(world)) < PAYMENTS / 2) await step()
  await world.clock.advance(300_000)
  world.gateway.posConnections.connect('demo', till.line)
  while ((await paidSoFar(world)) < PAYMENTS) await step()
  await world.clock.advance(600_000)

  const figures = await checkTables(world)
  const reports = await runReports(world)
  checkReports(reports, figures)
  const kept = figures.tables.filter(({ host }) => host === 'till')
  equal(
    sumOf(till.tables, table => till.paidMinor(table)),
    sumOf(kept, table => sumsOf(table).paid.minor),
  )
  equal(till.repeated, 0)
  for (const table of figures.tables) ok(sumsOf(table).open.minor >= 0, `${table.name} is overpaid`)
  checkVariety(figures)
  deepEqual(
    world.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
})

/** Each terminal's totals are its payments at tables, in all and by waiter. */
function checkReports(reports: readonly Report[], { payments, cardMinor }: TableFigures): void {
  equal(reports.length, TERMINALS.length)
  equal(
    sumOf(reports, ({ totals }) => totals?.balances?.salesMinor ?? 0),
    cardMinor,
  )
  for (const { tid, totals, result } of reports) {
    equal(result, 'COMPLETE')
    const mine = payments.filter(payment => payment.tid === tid && payment.requestId !== null)
    equal(totals?.balances?.salesCount, mine.length)
    equal(
      totals?.balances?.gratuityMinor,
      sumOf(mine, each => each.gratuityMinor),
    )
    const waiters = Object.entries(totals?.balances?.byWaiter ?? {})
    for (const [waiterId, { salesMinor }] of waiters)
      equal(
        salesMinor,
        sumOf(
          mine.filter(payment => payment.waiterId === waiterId),
          each => each.amountMinor + each.cashbackMinor + each.gratuityMinor,
        ),
      )
    equal(
      sumOf(waiters, ([, { salesCount }]) => salesCount),
      mine.length,
    )
  }
}

/** A run in which little happens proves little. */
function checkVariety({ tables, payments, dropped }: TableFigures): void {
  ok(payments.length >= PAYMENTS)
  ok(dropped > PAYMENTS / 50, `${dropped} dropped`)
  ok(payments.some(({ requestId }) => requestId === null))
  ok(payments.some(({ gratuityMinor }) => gratuityMinor > 0))
  for (const host of ['gateway', 'till']) ok(tables.filter(table => table.host === host).length >= TABLES, host)
}
