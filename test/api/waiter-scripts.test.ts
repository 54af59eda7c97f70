// test/api/waiter-scripts.test.ts — a step of a waiter script that is not possible stops the script before money moves.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { TerminalDriver } from '../../src/engine/ports/terminal.ts'
import { createLedger } from '../../src/simulator/acquirer/ledger.ts'
import { WAITER_SCRIPTS } from '../../src/simulator/terminals/waiter-library.ts'
import { allTransactions } from '../support/invariants.ts'
import { allTables, at } from '../support/restaurant.ts'
import { openShop, type Shop, type ShopOptions } from '../support/shop.ts'

const TID = 'VCMDEMOSIP0'

async function openTable(settings: object = {}, options: ShopOptions = {}): Promise<Shop> {
  const shop = await openShop(options)
  await shop.till.ask('PATCH', `/sandbox/terminals/${TID}/settings`, { body: settings })
  const body = { tableName: 'Window 2', amount: 6_600, currency: 'GBP' }
  equal((await shop.till.ask('PUT', '/pat/tables', { body })).status, 201)
  return shop
}

interface Screen {
  readonly lines: readonly string[]
  readonly scriptStopped?: string
}

async function screenOf(shop: Shop): Promise<Screen> {
  return (await shop.till.ask('GET', `/sandbox/terminals/${TID}`)).json as unknown as Screen
}

/** The step, the settings of the terminal, and what the next step would charge if it were played. */
const IMPOSSIBLE: readonly (readonly [object, object])[] = [
  [{ do: 'split_amounts', amountsMinor: [7_000] }, {}],
  [{ do: 'split_items', guests: 2, items: [[0], [1]] }, {}],
  [{ do: 'split_equally', shares: 2 }, { split: 'never' }],
  [{ do: 'split_amounts', amountsMinor: [100] }, { split: 'never' }],
  [{ do: 'pay', amountMinor: 6_601 }, {}],
  [{ do: 'pay', amountMinor: 100 }, { split: 'never' }],
  [{ do: 'pay' }, { split: 'always' }],
  [{ do: 'pay_rest' }, { split: 'always' }],
  [{ do: 'pay_other', amountMinor: 6_601 }, {}],
]

describe.each([{ do: 'pay' }, { do: 'pay_rest' }, { do: 'pay_other' }])('before %j', next => {
  test.each(IMPOSSIBLE)('%j stops the script with settings %j', async (step, settings) => {
    const shop = await openTable(settings)
    const waiter = at(shop, TID)
    await waiter.play({ name: 'script', steps: [{ do: 'print_bill' }, step, next] })
    await shop.clock.advance(60_000)
    deepEqual(createLedger(shop.memory).list('demo'), [])
    const [table] = await allTables(shop)
    deepEqual([table?.payments, table?.lock, table?.begun], [[], null, []])
    const stopped = `SCRIPT STOPPED: ${JSON.stringify(step)} is not possible.`
    const { scriptStopped, lines } = await screenOf(shop)
    equal(scriptStopped, stopped)
    ok(lines.includes(stopped))
    ok(shop.log.lines.some(line => line.message === 'a waiter script has stopped'))
  })
})

test.each([
  ['a table that is not there', 'Terrace', 'there is no table Terrace.'],
  ['a table that another till holds', 'Window 2', 'locked'],
])('%s stops the script', async (_, table, why) => {
  const shop = await openTable()
  const lock = { lastKnownAmount: 6_600, lastKnownPaidAmount: 0, locked: true, lockedBy: 'Till 1' }
  equal((await shop.till.ask('PUT', '/pat/tables/Window%202/lock', { body: lock })).status, 204)
  await at(shop, TID).play({ name: 'script', table, steps: [{ do: 'pay' }] })
  const { scriptStopped = '' } = await screenOf(shop)
  ok(scriptStopped.startsWith('SCRIPT STOPPED: ') && scriptStopped.includes(why), scriptStopped)
})

test('no table at all stops the script', async () => {
  const shop = await openShop()
  await at(shop, TID).play('pay_in_one')
  equal((await screenOf(shop)).scriptStopped, 'SCRIPT STOPPED: there is no table to choose.')
})

test('the next waiter clears it, and the scripts of the library never stop', async () => {
  for (const { name } of WAITER_SCRIPTS) {
    const shop = await openTable()
    await at(shop, TID).play({ name: 'script', table: 'Terrace', steps: [] })
    ok((await screenOf(shop)).scriptStopped !== undefined)
    await at(shop, TID).play(name)
    equal((await screenOf(shop)).scriptStopped, undefined, name)
  }
})

test('with nothing left to pay, pay_rest is done', async () => {
  const shop = await openShop()
  const body = { tableName: 'Window 2', amount: 0, currency: 'GBP' }
  equal((await shop.till.ask('PUT', '/pat/tables', { body })).status, 201)
  await at(shop, TID).play({ name: 'script', steps: [{ do: 'pay_rest' }, { do: 'leave' }] })
  equal((await screenOf(shop)).scriptStopped, undefined)
})

test('a share whose transaction reaches the terminal late is signed and paid', async () => {
  // The terminal asks for the result of its share before the share has begun on it.
  let toBeLost = 6
  const driver = (real: TerminalDriver): TerminalDriver => ({
    ...real,
    async start(call) {
      toBeLost -= 1
      if (toBeLost >= 0) throw new Error('lost')
      await real.start(call)
    },
  })
  const shop = await openTable({}, { driver })
  await at(shop, TID).play({ name: 'script', steps: [{ do: 'pay', scenario: 'signature' }] })
  const [table] = await allTables(shop)
  deepEqual(
    table?.payments.map(({ amountMinor }) => amountMinor),
    [6_600],
  )
  deepEqual([table?.lock, table?.begun], [null, []])
  const [sale] = await allTransactions(shop.store)
  ok(sale?.notifications.includes('SIGNATURE_VERIFICATION_PROCESS_COMPLETED'))
})
