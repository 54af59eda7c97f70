// test/support/table-till.ts — a till that uploads tables over REST, and a waiter at the scripted terminal.
import { equal, ok } from 'node:assert/strict'
import { openShop, type Shop, type ShopOptions } from './shop.ts'
import type { Reply } from './till.ts'

export const ALL = ['v0', 'v1', 'v2'] as const
export type Version = (typeof ALL)[number]
export type Json = Readonly<Record<string, unknown>>

const PARTNER = { 'software-house-id': 's', 'installer-id': 'i' }
export const accept = (version: Version) => ({ accept: `application/connect.${version}+json`, ...PARTNER })
export const open = (version: Version, options: ShopOptions = {}) => openShop({ headers: accept(version), ...options })

export const BILL = [{ value: '2 x Set menu       54.00', type: 'TEXT' }]
export const WINDOW = { tableName: 'Window 2', amount: 5400, currency: 'GBP', waiterIds: ['7'], receipt: BILL }
export const SEEN = { lastKnownAmount: 5400, lastKnownPaidAmount: 0 }

export const addressOf = (name: string) => `/pat/tables/${encodeURIComponent(name)}`
export const put = (shop: Shop, path: string, body: unknown) => shop.till.ask('PUT', path, { body })
export const change = (shop: Shop, what: string, body: object, name = 'Window 2') =>
  put(shop, `${addressOf(name)}/${what}`, { ...SEEN, ...body })
export const upload = (shop: Shop, changes: object = {}) => put(shop, '/pat/tables', { ...WINDOW, ...changes })
export const remove = (shop: Shop, body: unknown = SEEN, name = 'Window 2') =>
  shop.till.ask('DELETE', addressOf(name), { body })
export const read = (shop: Shop, name = 'Window 2', query = '') => shop.till.ask('GET', `${addressOf(name)}${query}`)
export const list = async (shop: Shop, query = '') =>
  (await shop.till.ask('GET', `/pat/tables${query}`)).json['tables'] as readonly Json[]

export function saysOf(reply: Reply): unknown {
  const { userMessage, messages } = reply.json
  return userMessage ?? (messages as { error: string[] }).error[0]
}

export async function withTable(version: Version, changes: object = {}): Promise<Shop> {
  const shop = await open(version)
  equal((await upload(shop, changes)).status, 201)
  return shop
}

export async function keyOf(shop: Shop, name = 'Window 2') {
  const entry = await shop.gateway.tables.find('demo', name)
  ok(entry !== null)
  return { account: 'demo', tableId: entry.record.tableId }
}

/** Pays a share by card at the scripted terminal. The table is unlocked afterwards. */
export async function payByCard(shop: Shop, share: { amountMinor: number; gratuityMinor: number }, paymentId = 'p1') {
  const key = await keyOf(shop)
  const tid = 'VCMDEMOSIP0'
  ok('record' in (await shop.gateway.tables.lockFor(key, { tid, waiterId: '7' })))
  const taken = await shop.gateway.tables.takePayment(key, { paymentId, tid, ...share })
  ok('requestId' in taken, JSON.stringify(taken))
  await shop.clock.advance(60_000)
  await shop.gateway.tables.unlockFor(key, { tid })
}
