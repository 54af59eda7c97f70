// test/api/table-life.test.ts — tables over REST, independent of the version: waiting, leases, payments, management API.
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop } from '../support/shop.ts'
import {
  ALL,
  accept,
  addressOf,
  change,
  type Json,
  keyOf,
  list,
  payByCard,
  put,
  read,
  remove,
  SEEN,
  saysOf,
  upload,
  type Version,
  WINDOW,
  withTable,
} from '../support/table-till.ts'

test('the lock of a disconnected terminal expires, but not while a payment is under way', async () => {
  const shop = await withTable('v2')
  const key = await keyOf(shop)
  const holder = async () => (await read(shop)).json['lockedBy']
  await shop.gateway.tables.lockFor(key, { tid: '22160001', waiterId: '7' })
  await shop.clock.advance(890_000)
  // No key is pressed there, so the terminal gives up after a while.
  await shop.gateway.tables.takePayment(key, { paymentId: 'p1', tid: '22160001', amountMinor: 100, gratuityMinor: 0 })
  await shop.clock.advance(30_000)
  equal(await holder(), '22160001')
  equal(
    saysOf(await remove(shop)),
    'A payment for this table is under way at 22160001. Please try again when it has ended.',
  )
  await shop.clock.advance(60_000)
  equal(await holder(), '22160001')
  await shop.clock.advance(900_000)
  equal(await holder(), '')
  equal((await remove(shop)).status, 204)
})

test('the management API shows open and closed tables, payment attempts and events', async () => {
  const shop = await withTable('v2')
  await payByCard(shop, { amountMinor: 2700, gratuityMinor: 300 })
  const { tableId } = await keyOf(shop)
  const own = async () => (await shop.till.ask('GET', `/api/tables/${tableId}`)).json
  await shop.gateway.tables.lockFor(await keyOf(shop), { tid: '22160001', waiterId: '7' })
  const under = { paymentId: 'p2', tid: '22160001', amountMinor: 1000, gratuityMinor: 0 }
  await shop.gateway.tables.takePayment(await keyOf(shop), under)
  const now = await own()
  const sums = ({ paidMinor, gratuityMinor, reservedMinor, openMinor, unknownMinor }: Json) => [
    ...[paidMinor, gratuityMinor, reservedMinor, openMinor, unknownMinor],
  ]
  deepEqual(sums(now), [2700, 300, 1000, 1700, 0])
  const states = (json: Json) =>
    (json['attempts'] as Json[]).map(({ paymentId, state, why }) => [paymentId, state, why])
  deepEqual(states(now), [
    ['p1', 'taken', null],
    ['p2', 'under_way', null],
  ])
  deepEqual((now['lock'] as Json)['by'], '22160001')
  await shop.clock.advance(300_000)
  deepEqual(states(await own()), [
    ['p1', 'taken', null],
    ['p2', 'not_taken', 'cancelled'],
  ])
  equal((await remove(shop, { ...SEEN, lastKnownPaidAmount: 2700 })).status, 204)
  const closed = await own()
  deepEqual([closed['state'], (closed['connect'] as Json)['amountPaid']], ['closed', 2700])
  const events = (await shop.till.ask('GET', `/api/tables/${tableId}/events`)).json['events'] as Json[]
  deepEqual(
    events.map(({ type }) => type),
    [
      ...['created', 'locked', 'payment_begun', 'payment_recorded', 'unlocked'],
      ...['locked', 'payment_begun', 'payment_dropped', 'closed'],
    ],
  )
  const feed = (await shop.till.ask('GET', '/api/events?limit=200')).json['events'] as Json[]
  ok(feed.some(({ kind, type, id }) => kind === 'table' && type === 'payment_recorded' && id === tableId))
  const [transaction] = (await shop.till.ask('GET', '/api/transactions?terminal=VCMDEMOSIP0')).json[
    'transactions'
  ] as Json[]
  deepEqual(transaction?.['table'], { tableId, paymentId: 'p1' })
  equal((await upload(shop)).status, 201)
  const names = async (query: string) =>
    ((await shop.till.ask('GET', `/api/tables${query}`)).json['tables'] as Json[]).map(({ state }) => state)
  deepEqual(
    [await names(''), await names('?open=true'), await names('?open=false')],
    [['open', 'closed'], ['open'], ['closed']],
  )
  const first = (await shop.till.ask('GET', '/api/tables?limit=1')).json
  deepEqual((await shop.till.ask('GET', `/api/tables?before=${first['next']}`)).json['next'], null)
  equal((await shop.till.ask('GET', '/api/tables/none')).status, 404)
  equal((await shop.till.ask('GET', '/api/tables/none/events')).status, 404)
})

test('a repeated request with the same Idempotency-Key opens one table and gets the first answer', async () => {
  const shop = await openShop()
  const ask = (changes: object = {}) =>
    shop.till.ask('PUT', '/pat/tables', {
      body: { ...WINDOW, ...changes },
      headers: { 'idempotency-key': 'window-2-noon' },
    })
  const first = await ask()
  const again = await ask()
  deepEqual([again.status, again.json, again.headers['idempotency-replayed']], [201, first.json, 'true'])
  equal((await list(shop)).length, 1)
  equal((await ask({ amount: 1 })).status, 422)
  // Without the key it is another request, and the name is taken.
  equal((await upload(shop)).status, 409)
})

test('of fifty concurrent changes with the same known amount one is made, and the others are refused', async () => {
  const shop = await withTable('v2')
  const asked = Array.from({ length: 50 }, (_, index) => change(shop, 'amount', { newAmount: 6000 + index }))
  const replies = await Promise.all(asked)
  const taken = replies.flatMap(({ status }, index) => (status === 204 ? [index] : []))
  equal(taken.length, 1)
  deepEqual((await read(shop)).json['amount'], 6000 + (taken[0] ?? 0))
  for (const reply of replies.filter(({ status }) => status !== 204))
    deepEqual([reply.status, saysOf(reply)], [422, 'lastKnownAmount is not the stored amount.'])
})

test('of fifty concurrent requests for one name, one opens the table', async () => {
  const shop = await openShop()
  const statuses = (await Promise.all(Array.from({ length: 50 }, () => upload(shop)))).map(({ status }) => status)
  deepEqual(
    [statuses.filter(status => status === 201).length, statuses.filter(status => status === 409).length],
    [1, 49],
  )
})

test('a table of a POS provider may have the name of an uploaded table', async () => {
  const { gateway } = await openShop()
  const order = { account: 'demo', name: '7', currency: 'GBP', amountMinor: 1_000, waiterIds: [], bill: [] } as const
  equal('record' in (await gateway.tables.create(order)), true)
  const twice = await gateway.tables.create(order)
  equal('refused' in twice && twice.refused.code, 'table_exists')
  const lockedBy = { tid: 'VCMDEMOSIP0', waiterId: '1' }
  for (const host of ['till', 'till'] as const)
    equal('record' in (await gateway.tables.create({ ...order, host, lockedBy })), true)
})

test('of a concurrent deletion and payment one is refused', async () => {
  for (const paysFirst of [true, false]) {
    const shop = await withTable('v2')
    const key = await keyOf(shop)
    const tid = 'VCMDEMOSIP0'
    await shop.gateway.tables.lockFor(key, { tid, waiterId: '7' })
    const pay = () =>
      shop.gateway.tables.takePayment(key, { paymentId: 'p1', tid, amountMinor: 5400, gratuityMinor: 0 })
    const both = paysFirst ? [pay(), remove(shop)] : [remove(shop), pay()]
    const outcomes = await Promise.all(both)
    const refused = outcomes.filter(outcome => 'refused' in outcome || ('status' in outcome && outcome.status === 422))
    equal(refused.length, 1)
    await shop.clock.advance(60_000)
    const { json } = await shop.till.ask('GET', `/api/tables/${key.tableId}`)
    deepEqual([json['reservedMinor'], json['state'] === 'closed'], [0, json['paidMinor'] === 0])
  }
})

test('payments at a table have the partner ids of the till that uploaded it', async () => {
  const shop = await withTable('v2')
  await payByCard(shop, { amountMinor: 5400, gratuityMinor: 0 })
  const { transactions } = (await shop.till.ask('GET', '/api/transactions')).json
  deepEqual((transactions as Json[])[0]?.['partner'], { softwareHouseId: 's', installerId: 'i' })
})

test('a snapshot contains the tables of an account, and a reset removes them', async () => {
  const shop = await withTable('v2')
  await payByCard(shop, { amountMinor: 2700, gratuityMinor: 0 })
  const ask = (path: string, body?: object) => shop.till.ask('POST', path, { body })
  equal((await ask('/sandbox/snapshots', { name: 'lunch' })).status, 201)
  equal((await remove(shop, { ...SEEN, lastKnownPaidAmount: 2700 })).status, 204)
  equal((await upload(shop, { amount: 1 })).status, 201)
  const restored = await ask('/sandbox/snapshots/lunch/restore')
  ok(restored.status < 300, restored.text)
  deepEqual([(await read(shop)).json['amount'], (await read(shop)).json['amountPaid']], [5400, 2700])
  ok((await ask('/sandbox/reset')).status < 300)
  deepEqual([(await read(shop)).status, await list(shop)], [404, []])
  equal((await upload(shop)).status, 201)
})

test('card numbers are refused in names and masked in bills', async () => {
  const shop = await openShop()
  const card = '4111111111111111'
  const says = async (body: object) => saysOf(await upload(shop, body))
  equal(
    await says({ tableName: card }),
    'The field tableName seems to hold a card number, which is never stored in clear.',
  )
  equal(
    await says({ waiterIds: ['7', card] }),
    'The field waiterIds seems to hold a card number, which is never stored in clear.',
  )
  const code = { value: '4006381333931', type: 'BARCODE_CODE128' }
  equal((await upload(shop, { receipt: [{ value: `Paid ${card}` }, code] })).status, 201)
  const { json } = await read(shop, 'Window 2', '?receipt=true')
  deepEqual(json['receiptLines'], [{ value: 'Paid ****************', type: 'TEXT' }, code])
  const locked = await change(shop, 'lock', { locked: true, lockedBy: card })
  equal(saysOf(locked), 'The field lockedBy seems to hold a card number, which is never stored in clear.')
})

test('v2 requires the partner headers, the older versions do not', async () => {
  const shop = await openShop()
  const ask = (version: Version) =>
    shop.till.ask('GET', '/pat/tables', { headers: { accept: `application/connect.${version}+json` } })
  deepEqual([(await ask('v0')).status, (await ask('v1')).status], [200, 200])
  const reply = await ask('v2')
  deepEqual([reply.status, saysOf(reply)], [422, 'The Software-House-Id header is missing.'])
})

test('one table is read through every version', async () => {
  const shop = await withTable('v0')
  for (const version of ALL) {
    const { status, json } = await shop.till.ask('GET', addressOf('Window 2'), { headers: accept(version) })
    deepEqual([status, json['tableName']], [200, 'Window 2'])
  }
})

test('repeated and trailing slashes are accepted', async () => {
  const shop = await openShop()
  equal((await put(shop, '//pat/tables/', WINDOW)).status, 201)
  equal((await shop.till.ask('GET', '//pat//tables/Window%202/')).status, 200)
})

test('reading can wait for a change and for the deletion of a table', async () => {
  const shop = await withTable('v2')
  const first = await read(shop)
  const known = first.headers['etag'] ?? ''
  const headers = (etag: string) => ({ headers: { 'if-none-match': etag, prefer: 'wait=60' } })
  equal((await shop.till.ask('GET', addressOf('Window 2'), { headers: { 'if-none-match': known } })).status, 304)
  // With its bill it is another answer.
  notEqual((await read(shop, 'Window 2', '?receipt=true')).headers['etag'], known)
  const waiting = shop.till.ask('GET', addressOf('Window 2'), headers(known))
  await shop.settle()
  equal((await change(shop, 'amount', { newAmount: 6100 })).status, 204)
  const changed = await waiting
  deepEqual([changed.status, changed.json['amount'], changed.headers['preference-applied']], [200, 6100, 'wait=60'])
  const last = shop.till.ask('GET', addressOf('Window 2'), headers(changed.headers['etag'] ?? ''))
  await shop.settle()
  equal((await remove(shop, { ...SEEN, lastKnownAmount: 6100 })).status, 204)
  equal((await last).status, 404)
})

test('tables work without the cache of records', async () => {
  const shop = await openShop({ cachedRecords: 0 })
  equal((await upload(shop)).status, 201)
  await payByCard(shop, { amountMinor: 5400, gratuityMinor: 0 })
  equal((await read(shop)).json['amountPaid'], 5400)
  equal((await remove(shop, { ...SEEN, lastKnownPaidAmount: 5400 })).status, 204)
  equal((await read(shop)).status, 404)
})

test('more tables than one page are all listed', async () => {
  const shop = await openShop()
  for (let number = 0; number < 205; number += 1) equal((await upload(shop, { tableName: `T${number}` })).status, 201)
  const tables = await list(shop)
  deepEqual([tables.length, tables[0]?.['tableName'], tables[204]?.['tableName']], [205, 'T0', 'T204'])
})
