// test/api/socket/table-timeline.test.ts — the timeline of a table: requests of waiters, messages to and from the POS
// provider, and events, in order and without secrets.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { allTables, answering, at, type TillAnswers } from '../../support/restaurant.ts'
import type { Shop } from '../../support/shop.ts'
import { connectTill, openSocketShop } from '../../support/socket-till.ts'

const TID = 'VCMDEMOSIP0'
/** A public test number, in a bill line. */
const CARD_NUMBER = '4111111111111111'
const BILL = { receiptLines: [{ type: 'TEXT', value: `On the room of ${CARD_NUMBER}` }] }

const SEVEN: TillAnswers = method => {
  if (method === 'tableListRequest') return { result: { tables: ['7'], currency: 'GBP' } }
  if (method === 'tableLockRequest') return { result: { confirmed: true, amount: 3_000, currency: 'GBP' } }
  return { result: BILL }
}

interface Entry {
  readonly from: string
  readonly to: string | null
  readonly what: string
  readonly data: Readonly<Record<string, unknown>>
  readonly answer: Readonly<Record<string, unknown>> | string | null
}

async function timelineOf(shop: Shop, what: 'tables' | 'transactions', id: string) {
  const { status, json, text } = await shop.till.ask('GET', `/api/${what}/${id}/timeline`)
  equal(status, 200, text)
  ok(!text.includes(CARD_NUMBER))
  return json['entries'] as readonly Entry[]
}

const spoken = (entries: readonly Entry[]) =>
  entries.filter(({ to }) => to !== null).map(({ from, to, what }) => `${from} ${to}: ${what}`)

test('the timeline of a table session has each request, message and event in order', async () => {
  const shop = await openSocketShop()
  const query = 'token=demo-api-key&api-version=v1&software-house-id=m&installer-id=f&final-pos-receipt-request'
  const till = await connectTill(shop, { path: '/pat', query })
  const steps = [{ do: 'print_bill' }, { do: 'split_equally', shares: 2 }, { do: 'pay' }, { do: 'pay_other' }]
  await at(shop, TID, answering(till, SEVEN)).play({ name: 'halves', steps }, { table: '7' })

  const [context] = await allTables(shop)
  ok(context !== undefined)
  const entries = await timelineOf(shop, 'tables', context.tableId)
  const order = spoken(entries)
  // Fully paid: the till is notified at once, while the terminal goes on.
  const notified = order.indexOf('gateway till: payments')
  ok(notified > order.indexOf('terminal gateway: pay_other') && notified < order.indexOf('gateway till: final_bill'))
  deepEqual(order.toSpliced(notified, 1), [
    'gateway till: lock',
    'terminal gateway: hold',
    'terminal gateway: bill',
    'gateway till: bill',
    'terminal gateway: pay',
    'terminal gateway: look',
    'terminal gateway: pay_other',
    'terminal gateway: look',
    'terminal gateway: bill',
    'gateway till: final_bill',
    'terminal gateway: let_go',
    'gateway till: unlock',
  ])
  deepEqual(
    entries.filter(({ to }) => to === null).map(({ what }) => what),
    [
      ...['created', 'locked', 'payment_begun', 'payment_recorded', 'payment_recorded', 'payments_told'],
      ...['unlocked', 'closed'],
    ],
  )
  equal(entries.findIndex(({ what }) => what === 'lock') < entries.findIndex(({ what }) => what === 'created'), true)
})

test('the timeline of a payment has its own message to the till, and not those of other payments', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop, { path: '/pat' })
  await at(shop, TID, answering(till, SEVEN)).play('split_in_three', { table: '7' })
  const [context] = await allTables(shop)
  for (const { requestId, paymentId } of context?.payments ?? []) {
    const told = (await timelineOf(shop, 'transactions', requestId ?? '')).filter(({ what }) => what === 'payments')
    deepEqual(
      told.map(({ from, to, data }) => [
        from,
        to,
        (data['payments'] as { paymentId: string }[]).map(each => each.paymentId),
      ]),
      [['gateway', 'till', [paymentId]]],
    )
  }
  equal(context?.payments.length, 3)
})

test('the timeline of an uploaded table has the requests of the waiter; an unknown table is 404', async () => {
  const shop = await openSocketShop()
  const body = { tableName: 'Window 2', amount: 3_000, currency: 'GBP', receiptLines: BILL.receiptLines }
  equal((await shop.till.ask('PUT', '/pat/tables', { body })).status, 201)
  await at(shop, TID).play('look_and_leave', { table: 'Window 2' })
  const [table] = await allTables(shop)
  deepEqual(spoken(await timelineOf(shop, 'tables', table?.tableId ?? '')), [
    'terminal gateway: hold',
    'terminal gateway: bill',
    'terminal gateway: let_go',
  ])
  equal((await shop.till.ask('GET', '/api/tables/none/timeline')).status, 404)
})
