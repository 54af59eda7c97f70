// test/unit/domain/money.test.ts — amounts are safe integers, and different currencies never mix.
import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { onlineAmountOf } from '../../../src/domain/currency.ts'
import { add, amountOf, isMore, isSame, money, subtract, sumOf } from '../../../src/domain/money.ts'

const pounds = (minor: number) => money(minor, 'GBP')

test('an amount is a safe integer of minor units', () => {
  deepEqual({ ...pounds(2599) }, { minor: 2599, currency: 'GBP' })
  for (const minor of [0.1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '5' as unknown as number])
    throws(() => pounds(minor), RangeError)
})

test('a sum that is not a safe integer throws', () => {
  throws(() => add(pounds(Number.MAX_SAFE_INTEGER), pounds(1)), RangeError)
  throws(() => subtract(pounds(Number.MIN_SAFE_INTEGER), pounds(1)), RangeError)
})

test('amounts of one currency are added, subtracted and compared', () => {
  deepEqual(add(pounds(200), pounds(5)), pounds(205))
  deepEqual(subtract(pounds(200), pounds(205)), pounds(-5))
  deepEqual(
    [isMore(pounds(2), pounds(1)), isMore(pounds(1), pounds(1)), isMore(pounds(0), pounds(1))],
    [true, false, false],
  )
  deepEqual([isSame(pounds(1), pounds(1)), isSame(pounds(1), pounds(2))], [true, false])
  deepEqual(sumOf([pounds(1), pounds(2)], 'GBP'), pounds(3))
  deepEqual(sumOf([], 'EUR'), money(0, 'EUR'))
})

test('amounts of different currencies do not combine', () => {
  const euros = money(1, 'EUR')
  for (const combined of [add, subtract, isMore, isSame]) throws(() => combined(pounds(1), euros), /do not mix/)
  throws(() => sumOf([pounds(1)], 'EUR'), /do not mix/)
})

test('an amount is read with its currency: letters at the counter, a number online', () => {
  deepEqual(amountOf({ amountMinor: 5, currency: 'EUR' }), money(5, 'EUR'))
  deepEqual(onlineAmountOf({ amountMinor: 5, currencyCode: '978' }), money(5, 'EUR'))
  equal(onlineAmountOf({ amountMinor: 5, currencyCode: '000' }).currency, '000')
})
