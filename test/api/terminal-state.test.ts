// test/api/terminal-state.test.ts — a till sees paper and line of a terminal before it starts a sale.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'

const TID = '22160001'

async function press(shop: Shop, key: string): Promise<void> {
  equal((await shop.till.ask('POST', `/sandbox/terminals/${TID}/keys`, { body: { key } })).status, 200)
}

async function stateOf(shop: Shop): Promise<object> {
  const { json } = await shop.till.ask('GET', '/api/terminals')
  const terminals = json['terminals'] as readonly Record<string, unknown>[]
  const { connected, line, paper, transaction } = terminals.find(({ tid }) => tid === TID) ?? {}
  return { connected, line, paper, runs: transaction !== null }
}

test('paper and line are told before a sale, in it, and after it', async () => {
  const shop = await openShop({ terminal: TID })
  const idle = { connected: true, line: 'up', paper: 'in', runs: false }
  deepEqual(await stateOf(shop), idle)
  await press(shop, 'take_paper_out')
  deepEqual(await stateOf(shop), { ...idle, paper: 'out' })
  const sale = await shop.till.sale(2599)
  deepEqual(await stateOf(shop), { ...idle, paper: 'out', runs: true })
  await press(shop, 'unplug')
  deepEqual(await stateOf(shop), { connected: false, line: 'down', paper: 'unknown', runs: true })
  await shop.finished(sale)
  await press(shop, 'plug_in')
  await press(shop, 'put_paper_in')
  deepEqual(await stateOf(shop), idle)
})
