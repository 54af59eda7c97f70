// test/api/management.test.ts — the management API: transactions, verdicts, terminals and the account.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop } from '../support/shop.ts'
import type { Reply, Till } from '../support/till.ts'

interface Line {
  readonly requestId: string
  readonly tid: string
  readonly verdict: Readonly<Record<string, unknown>>
}

function linesOf(reply: Reply): readonly Line[] {
  equal(reply.status, 200)
  return reply.json['transactions'] as readonly Line[]
}

async function idsAt(till: Till, query: string): Promise<readonly string[]> {
  return linesOf(await till.ask('GET', `/api/transactions${query}`)).map(({ requestId }) => requestId)
}

test('a transaction is shown in full, with its verdict and the answer of the till', async () => {
  const shop = await openShop({ headers: { 'software-house-id': 'house' } })
  const sale = await shop.till.sale(2599)
  const path = `/api/transactions/${sale.requestId}`
  const running = (await shop.till.ask('GET', path)).json
  deepEqual(running['verdict'], { final: false, moneyTaken: 'no', safeToRetry: false, nextStep: 'wait' })
  equal(running['finishedAt'], null)
  const end = await shop.finished(sale)
  const { json } = await shop.till.ask('GET', path)
  deepEqual(json['verdict'], { final: true, moneyTaken: 'yes', safeToRetry: false, nextStep: 'settle_bill' })
  deepEqual(json['connect'], end)
  deepEqual(
    [json['result'], json['progress'], json['authorisation'], json['startedAt']],
    ['SUCCESSFUL', 'finished', 'confirmed', '2026-05-06T13:03:27.000Z'],
  )
  deepEqual(json['partner'], { softwareHouseId: 'house', installerId: null })
  equal((json['record'] as { requestId: string }).requestId, sale.requestId)
})

test('the events of a transaction are listed oldest first, without secrets', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  await shop.finished(sale)
  const reply = await shop.till.ask('GET', `/api/transactions/${sale.requestId}/events`)
  const events = reply.json['events'] as { type: string; version: number; data: object }[]
  equal(events[0]?.type, 'started')
  ok(events.some(({ type }) => type === 'ended'))
  deepEqual(
    events.map(({ version }) => version),
    events.map((_, index) => index + 1),
  )
  ok(!reply.text.includes('cardToken'))
  ok(!reply.text.includes('sim-visa'))
  equal((await shop.till.ask('GET', '/api/transactions/none/events')).status, 404)
})

test('transactions are listed newest first, in pages, by terminal and by whether they run', async () => {
  const shop = await openShop()
  const other = shop.till.at('VCMDEMODIP0')
  const ids: string[] = []
  for (const till of [shop.till, other, shop.till, other, shop.till]) {
    const sale = await till.sale(100)
    await shop.finished(sale)
    ids.unshift(sale.requestId)
  }
  const running = await shop.till.sale(100)
  deepEqual(await idsAt(shop.till, ''), [running.requestId, ...ids])
  deepEqual(await idsAt(shop.till, '?live=true'), [running.requestId])
  deepEqual(await idsAt(shop.till, '?live=false'), ids)
  deepEqual(await idsAt(shop.till, '?terminal=VCMDEMODIP0'), [ids[1], ids[3]])
  deepEqual(await idsAt(shop.till, '?terminal=none'), [])

  const seen: string[] = []
  for (let next: unknown = '', pages = 0; next !== null && pages < 9; pages += 1) {
    const page = await shop.till.ask('GET', `/api/transactions?limit=2${next === '' ? '' : `&before=${next}`}`)
    seen.push(...linesOf(page).map(({ requestId }) => requestId))
    next = page.json['next']
  }
  deepEqual(seen, [running.requestId, ...ids])
})

test('an invalid parameter is refused by its name', async () => {
  const shop = await openShop()
  for (const [query, field] of [
    ['limit=0.5', 'limit'],
    ['limit=201', 'limit'],
    ['limit=x', 'limit'],
    ['before=-1', 'before'],
    ['before=1e30', 'before'],
    ['live=maybe', 'live'],
    ['live=true&live=false', 'live'],
    ['terminal=%00', 'terminal'],
  ] as const) {
    const reply = await shop.till.ask('GET', `/api/transactions?${query}`)
    deepEqual([reply.status, reply.json['field']], [422, field], query)
  }
})

test('the account is shown with the mode of the gateway', async () => {
  const shop = await openShop()
  deepEqual((await shop.till.ask('GET', '/api/account')).json, {
    id: 'demo',
    name: 'Corner Shop',
    merchantHosts: ['shop.example'],
    address: '1 Harbour Street',
    currency: 'GBP',
    timeZone: 'Europe/London',
    public: true,
    createdAt: '2026-05-06T13:03:27.000Z',
    mode: 'sandbox',
  })
})

test('terminals are listed whether connected or not, with their running transaction', async () => {
  const shop = await openShop()
  await shop.till.ask('POST', '/sandbox/terminals/22160001/keys', { body: { key: 'unplug' } })
  const sale = await shop.till.sale(100)
  const reply = await shop.till.ask('GET', '/api/terminals')
  const terminals = reply.json['terminals'] as { tid: string; connected: boolean; transaction: string | null }[]
  equal(terminals.length, 11)
  equal(terminals.find(({ tid }) => tid === '22160001')?.connected, false)
  deepEqual(
    terminals.filter(({ transaction }) => transaction !== null).map(({ tid, transaction }) => [tid, transaction]),
    [['VCMDEMOSIP0', sale.requestId]],
  )
})

test('transactions and events of another account are not visible', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(100)
  const stranger = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  equal((await stranger.ask('GET', `/api/transactions/${sale.requestId}`)).status, 404)
  equal((await stranger.ask('GET', `/api/transactions/${sale.requestId}/events`)).status, 404)
  deepEqual(await idsAt(stranger, ''), [])
  const events = await stranger.ask('GET', '/api/events?limit=200')
  ok(!events.text.includes(sale.requestId))
})
