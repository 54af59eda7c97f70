// test/simulation/soak/wishes.ts — random transactions for the clerks.
import type { TransactionType } from '../../../src/domain/counter/transaction-events.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

/** A transaction request as over REST, with the `tid` of its address. */
export interface Wish {
  readonly tid: string
  readonly transactionType: TransactionType
  readonly currency?: string
  readonly amount?: number
  readonly amountCashback?: number
  readonly cardholderNotPresent?: boolean
  readonly authCode?: string
}

const TYPES: readonly TransactionType[] = [
  'SALE',
  'SALE',
  'SALE',
  'SALE',
  'SALE',
  'REFUND',
  'PRE_AUTH',
  'COMPLETION',
  'ACCOUNT_VERIFICATION',
  'DUPLICATE',
]

/** `authCodes`: of successful pre-authorisations. */
export function aWish(random: SeededRandom, tids: readonly string[], authCodes: readonly string[]): Wish {
  const tid = oneOf(random, tids)
  const transactionType = oneOf(random, TYPES)
  const money = { tid, transactionType, currency: 'GBP', amount: 1 + random.integer(20_000) }
  switch (transactionType) {
    case 'SALE':
      return {
        ...money,
        ...(happens(random, 5) ? { amountCashback: 1_000 } : {}),
        ...(happens(random, 20) ? { cardholderNotPresent: true } : {}),
      }
    case 'REFUND':
    case 'PRE_AUTH':
      return money
    case 'COMPLETION':
      return authCodes.length === 0
        ? { ...money, transactionType: 'PRE_AUTH' }
        : { ...money, authCode: oneOf(random, authCodes) }
    case 'ACCOUNT_VERIFICATION':
    case 'DUPLICATE':
      return { tid, transactionType }
  }
}

export function oneOf<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return items[random.integer(items.length)]!
}

/** True once in so many times, at random. */
export function happens(random: SeededRandom, times: number): boolean {
  return random.integer(times) === 0
}
