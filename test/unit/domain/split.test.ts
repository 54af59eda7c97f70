// test/unit/domain/split.test.ts — shares of a bill: exact to the last minor unit, in every currency.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { type Money, money } from '../../../src/domain/money.ts'
import {
  itemsOf,
  MOST_SHARES,
  splitByAmounts,
  splitByItems,
  splitByWeights,
  splitEqually,
} from '../../../src/domain/tables/split.ts'

const pounds = (minor: number) => money(minor, 'GBP')
const minorsOf = (shares: readonly Money[]) => shares.map(({ minor }) => minor)
const AMOUNT = fc.integer({ min: 0, max: 99_999_999 })
/** Decimals of JPY, GBP and KWD. */
const DECIMALS = fc.constantFrom(0, 2, 3)
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

test('an equal split is exact; its shares differ by at most one, larger ones first', () => {
  fc.assert(
    fc.property(AMOUNT, fc.integer({ min: 1, max: MOST_SHARES }), (amount, parts) => {
      const shares = minorsOf(splitEqually(pounds(amount), parts))
      equal(shares.length, parts)
      equal(sum(shares), amount)
      ok(Math.max(...shares) - Math.min(...shares) <= 1 && Math.min(...shares) >= 0)
      deepEqual(
        shares,
        shares.toSorted((one, other) => other - one),
      )
    }),
  )
  deepEqual(minorsOf(splitEqually(pounds(1_000), 3)), [334, 333, 333])
  throws(() => splitEqually(pounds(100), 0), /no 0 shares/)
  throws(() => splitEqually(pounds(100), MOST_SHARES + 1), /shares/)
  throws(() => splitEqually(pounds(-1), 2), /-1 cannot be split/)
})

test('a split by weights is exact and never negative; each share differs from its exact part by less than one', () => {
  const weight = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 1_000_000n }))
  const weights = fc.array(weight, { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(AMOUNT, weights, (amount, given) => {
      const whole = given.reduce((total, each) => total + each, 0n)
      fc.pre(whole > 0n)
      const shares = minorsOf(splitByWeights(pounds(amount), given))
      equal(sum(shares), amount)
      for (const [index, share] of shares.entries()) {
        ok(share >= 0)
        const times = BigInt(share) * whole - BigInt(amount) * given[index]!
        ok(times < whole && times > -whole, `${share}`)
        if (given[index] === 0n) equal(share, 0)
      }
    }),
  )
  for (const wrong of [[], [0n], [0n, 0n], [2n, -1n]])
    throws(() => splitByWeights(pounds(100), wrong), /weights must be positive/)
})

test('the order of weights changes a share by at most one minor unit', () => {
  const weights = fc.array(fc.bigInt({ min: 1n, max: 9_999n }), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(AMOUNT, weights, (amount, given) => {
      const forth = minorsOf(splitByWeights(pounds(amount), given))
      const back = minorsOf(splitByWeights(pounds(amount), given.toReversed())).toReversed()
      equal(sum(forth), sum(back))
      for (const [index, share] of forth.entries()) ok(Math.abs(share - back[index]!) <= 1)
      const distinct = new Set(given.map(each => (BigInt(amount) * each) % sumOf(given))).size === given.length
      if (distinct) deepEqual(forth, back)
    }),
  )
})

test('a split by amounts puts the remainder into its last share, or is refused', () => {
  fc.assert(
    fc.property(AMOUNT, fc.array(fc.integer({ min: 0, max: 10_000_000 }), { maxLength: 9 }), (amount, amounts) => {
      const shares = splitByAmounts(pounds(amount), amounts)
      if (sum(amounts) > amount) equal(shares, null)
      else equal(sum(minorsOf(shares ?? [])), amount)
    }),
  )
  deepEqual(splitByAmounts(pounds(4_380), [2_000, 1_000]), [2_000, 1_000, 1_380].map(pounds))
  deepEqual(splitByAmounts(pounds(100), [100]), [pounds(100)])
  for (const minor of [-1, 0.5, 101, Number.NaN, Number.MAX_VALUE]) equal(splitByAmounts(pounds(100), [minor]), null)
})

test('a split by items is exact, and guests without items pay nothing', () => {
  const item = fc.record({
    amountMinor: fc.integer({ min: -500, max: 100_000 }),
    guests: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 6 }),
  })
  fc.assert(
    fc.property(AMOUNT, fc.array(item, { maxLength: 12 }), (amount, items) => {
      const parts = splitByItems(pounds(amount), items, 6)
      const eaten = items.filter(each => each.amountMinor > 0 && each.guests.length > 0)
      equal(parts === null, eaten.length === 0)
      if (parts === null) return
      const shares = minorsOf(parts)
      equal(sum(shares), amount)
      for (const [guest, share] of shares.entries()) {
        ok(share >= 0)
        if (!eaten.some(each => each.guests.includes(guest))) equal(share, 0)
      }
    }),
  )
  // Without service or discount each guest pays the items.
  deepEqual(splitByItems(pounds(3_000), [item1(1_000, [0]), item1(2_000, [1])], 2), [1_000, 2_000].map(pounds))
  // Ten per cent service is shared in proportion.
  deepEqual(splitByItems(pounds(3_300), [item1(1_000, [0]), item1(2_000, [1])], 2), [1_100, 2_200].map(pounds))
  deepEqual(splitByItems(pounds(1_000), [item1(1_000, [0, 1, 2])], 3), [334, 333, 333].map(pounds))
})

test('items are read from bill lines in currencies with no, two and three decimals', () => {
  fc.assert(
    fc.property(DECIMALS, fc.integer({ min: 1, max: 9_999_999 }), (decimals, amountMinor) => {
      const digits = String(amountMinor).padStart(decimals + 1, '0')
      const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
      const lines = [
        { type: 'TEXT' as const, value: 'Table 7' },
        { type: 'TEXT' as const, value: `2 x Set menu       ${text}` },
        { type: 'LINE_SEPARATOR_SINGLE' as const, value: '' },
        { type: 'TEXT' as const, value: `TOTAL  ${text}` },
        { type: 'TEXT' as const, value: `Sub-total  ${text}` },
      ]
      deepEqual(itemsOf(lines, decimals), [{ text: '2 x Set menu', amountMinor }])
    }),
  )
  deepEqual(
    itemsOf(
      [
        { type: 'TEXT', value: 'Wine  £12.50' },
        { type: 'TEXT', value: 'Voucher  -5.00' },
        { type: 'TEXT', value: 'Voucher  −5.00' },
        { type: 'IMAGE_LOGO', value: 'a  1.00' },
      ],
      2,
    ),
    [{ text: 'Wine', amountMinor: 1_250 }],
  )
})

function item1(amountMinor: number, guests: readonly number[]) {
  return { amountMinor, guests }
}

function sumOf(numbers: readonly bigint[]): bigint {
  return numbers.reduce((total, each) => total + each, 0n)
}
