// test/api/cashback.test.ts — the acquirer is told which part of a sale is paid out in cash. Case 50.
import { deepEqual } from 'node:assert/strict'
import { test } from 'vitest'
import type { Money } from '../../src/domain/money.ts'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import { openShop } from '../support/shop.ts'

const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }

test.each([
  { asked: 1000, told: [3599, 1000] },
  { asked: 0, told: [2599, null] },
])('of a sale with cashback of $asked', async ({ asked, told }) => {
  const orders: { readonly amount: Money; readonly cashback?: Money }[] = []
  const keeping = (real: Acquirer): Acquirer => ({
    ...real,
    async authorise(order, purpose) {
      orders.push(order)
      return real.authorise(order, purpose)
    },
  })
  const shop = await openShop({ acquirer: keeping })
  await shop.till.started({ ...SALE, amountCashback: asked })
  await shop.clock.advance(60_000)
  await shop.settle()
  deepEqual(
    orders.map(({ amount, cashback = null }) => [amount.minor, cashback?.minor ?? null]),
    [told],
  )
})
