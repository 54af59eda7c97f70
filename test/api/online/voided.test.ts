// test/api/online/voided.test.ts — a payment that was voided or refunded whole is not paid, wherever we read whether it was.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { moneyOfAccount } from '../../support/acquirer-book.ts'
import { openWebShop, type WebShop } from '../../support/web-shop.ts'

const BASIC = { authorization: `Basic ${Buffer.from('u:demo-api-key').toString('base64')}` }
const UNPAID = { final: true, moneyTaken: 'no', safeToRetry: true, nextStep: 'treat_as_unpaid' }
const PAID = { final: true, moneyTaken: 'yes', safeToRetry: false, nextStep: 'settle_order' }
const HELD = { ...PAID, moneyTaken: 'no', nextStep: 'collect_or_void' }

interface View {
  readonly amountMinor: number
  readonly verdict: unknown
  readonly operations: readonly { readonly transactionType: string; readonly amountMinor: number }[]
}

async function view(web: WebShop, token: string): Promise<View> {
  const answer = await web.shop.api.inject({ url: `/api/payments/${token}`, headers: { host: 'localhost', ...BASIC } })
  equal(answer.statusCode, 200, answer.body)
  return JSON.parse(answer.body) as View
}

/** Pays an order; its token and cross reference. */
async function paid(web: WebShop, order: Readonly<Record<string, unknown>>) {
  const token = await web.token(order)
  equal((await web.pay(token))['statusCode'], 0)
  return { token, reference: await web.referenceOf(token) }
}

/** A linked payment that succeeds; its token and cross reference. */
async function linked(web: WebShop, type: string, reference: string, changes: Readonly<Record<string, unknown>> = {}) {
  const answer = await web.linked(type, reference, changes)
  equal(answer['statusCode'], 0, JSON.stringify(answer))
  const token = String(answer['token'])
  return { token, reference: await web.referenceOf(token) }
}

const ORDER = { orderId: 'AGAIN', amount: '1999' }

/** Ways to leave nothing of a payment on the card. */
const UNDONE: Readonly<
  Record<string, { readonly type: string; readonly undo: (web: WebShop, reference: string) => Promise<unknown> }>
> = {
  'a sale that is voided': { type: 'SALE', undo: (web, sale) => linked(web, 'VOID', sale, { amount: '0' }) },
  'a sale that is refunded whole': {
    type: 'SALE',
    undo: (web, sale) => linked(web, 'REFUND', sale, { amount: '1999' }),
  },
  'a sale that is refunded whole in parts': {
    type: 'SALE',
    async undo(web, sale) {
      for (const amount of ['1000', '999']) await linked(web, 'REFUND', sale, { amount })
    },
  },
  'a hold that is voided': { type: 'PREAUTH', undo: (web, hold) => linked(web, 'VOID', hold) },
  'a hold whose collection is refunded whole': {
    type: 'PREAUTH',
    async undo(web, hold) {
      const { reference } = await linked(web, 'COLLECTION', hold, { amount: '1500' })
      for (const amount of ['1000', '500']) await linked(web, 'REFUND', reference, { amount })
    },
  },
}

for (const [name, { type, undo }] of Object.entries(UNDONE))
  test(`${name} is unpaid: its verdict says so, and the same order can be paid again at once`, async () => {
    const web = await openWebShop()
    const first = await paid(web, { ...ORDER, transactionType: type })
    await undo(web, first.reference)
    deepEqual((await view(web, first.token)).verdict, UNPAID)
    equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
    const again = await paid(web, { ...ORDER, transactionType: type })
    deepEqual((await view(web, again.token)).verdict, type === 'SALE' ? PAID : HELD)
    // Online reference 3.5: the earlier payment is not changed.
    equal((await web.payment(first.token))['statusCode'], 0)
    equal((await web.pay(await web.token({ ...ORDER, transactionType: type })))['statusCode'], 20)
  })

test('a repeat charge without its payer can be made again once it is voided', async () => {
  const web = await openWebShop()
  const { reference } = await paid(web, { orderId: 'CARD' })
  const first = await linked(web, 'SALE', reference, ORDER)
  equal((await web.linked('SALE', reference, ORDER))['statusCode'], 20)
  await linked(web, 'VOID', first.reference)
  await linked(web, 'SALE', reference, ORDER)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 2 * 1_999)
})

test('a collection that is voided is unpaid, its hold is held again, and the same can be collected at once', async () => {
  const web = await openWebShop()
  const hold = await paid(web, { ...ORDER, transactionType: 'PREAUTH' })
  const collected = await linked(web, 'COLLECTION', hold.reference, ORDER)
  await linked(web, 'VOID', collected.reference)
  deepEqual((await view(web, collected.token)).verdict, UNPAID)
  deepEqual((await view(web, hold.token)).verdict, HELD)
  equal((await web.pay(await web.token({ ...ORDER, transactionType: 'PREAUTH' })))['statusCode'], 20)
  await linked(web, 'COLLECTION', hold.reference, ORDER)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_999)
})

test('an order that is refunded in part is paid, and the same again is a duplicate', async () => {
  const web = await openWebShop()
  const sale = await paid(web, ORDER)
  await linked(web, 'REFUND', sale.reference, { amount: '1998' })
  deepEqual((await view(web, sale.token)).verdict, PAID)
  equal((await web.pay(await web.token(ORDER)))['statusCode'], 20)
})

test('a second refund of the same amount within a minute is a duplicate', async () => {
  const web = await openWebShop()
  const sale = await paid(web, ORDER)
  const refund = { orderId: 'R', amount: '500' }
  await linked(web, 'REFUND', sale.reference, refund)
  equal((await web.linked('REFUND', sale.reference, refund))['statusCode'], 20)
})

test('a sale whose void nobody has answered is paid until it is', async () => {
  let answering = false
  const web = await openWebShop({
    acquirer: real => ({ ...real, reverse: async order => (answering ? real.reverse(order) : 'unknown') }),
  })
  const sale = await paid(web, ORDER)
  const token = await web.token({ transactionType: 'VOID', crossReference: sale.reference })
  const voiding = web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference: sale.reference })
  await web.shop.clock.advance(25_000)
  equal((await voiding).status, 500)
  deepEqual((await view(web, sale.token)).verdict, PAID)
  equal((await web.pay(await web.token(ORDER)))['statusCode'], 20)
  answering = true
  await web.shop.clock.advance(60_000)
  deepEqual((await view(web, sale.token)).verdict, UNPAID)
  equal((await web.pay(await web.token(ORDER)))['statusCode'], 0)
})

test('who has read that a void succeeded can pay the order again, even before the void is booked', async () => {
  const booking = { held: false }
  const web = await openWebShop({
    store: store => ({
      ...store,
      commit: commit =>
        booking.held && commit.events.some(({ body }) => body.includes('link_settled'))
          ? Promise.reject(new Error('no room on the disk'))
          : store.commit(commit),
    }),
  })
  const sale = await paid(web, ORDER)
  booking.held = true
  const token = await web.token({ transactionType: 'VOID', crossReference: sale.reference })
  void web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference: sale.reference })
  await web.shop.clock.advance(1_000)
  equal((await web.payment(token))['statusCode'], 0)
  equal((await web.record(sale.token)).entries[0]?.state, 'reserved')
  equal((await web.pay(await web.token(ORDER)))['statusCode'], 0)
})

for (const [asked, type, undone] of [
  ['0', 'SALE', 1_999],
  ['1', 'SALE', 1_999],
  ['999999', 'PREAUTH', 1_999],
] as const)
  test(`a void of a ${type} that asks for ${asked} records the amount that it undid`, async () => {
    const web = await openWebShop()
    const paidFor = await paid(web, { transactionType: type })
    const voided = await linked(web, 'VOID', paidFor.reference, { amount: asked })
    equal((await view(web, voided.token)).amountMinor, undone)
    deepEqual(
      (await view(web, paidFor.token)).operations.map(({ transactionType, amountMinor }) => [
        transactionType,
        amountMinor,
      ]),
      [['VOID', undone]],
    )
  })

test('a void of a collection records what was collected, not what was held', async () => {
  const web = await openWebShop()
  const hold = await paid(web, { transactionType: 'PREAUTH' })
  const collected = await linked(web, 'COLLECTION', hold.reference, { amount: '700' })
  const voided = await linked(web, 'VOID', collected.reference, { amount: '0' })
  equal((await view(web, voided.token)).amountMinor, 700)
})
