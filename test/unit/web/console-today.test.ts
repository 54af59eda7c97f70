// test/unit/web/console-today.test.ts — the day of a shop, its sums, and the scale of its charts.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { hoursIn, hoursUntil, startOfDay } from '../../../web/console/today/day.ts'
import { totalsOf } from '../../../web/console/today/reports.ts'
import { barOf, scaleOf } from '../../../web/console/today/scale.ts'
import {
  type DayItem,
  groupsOf,
  outcomesOf,
  secondsInWords,
  speedOf,
  takingsByHour,
  takingsOf,
} from '../../../web/console/today/sums.ts'

test.each([
  ['2026-06-15T13:45:10.250Z', 'Europe/London', '2026-06-14T23:00:00.000Z'],
  ['2026-12-01T00:00:00.000Z', 'Europe/London', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T13:00:00.001Z', 'Asia/Kolkata', '2026-11-30T18:30:00.000Z'],
  ['2026-12-01T04:00:00.000Z', 'America/New_York', '2026-11-30T05:00:00.000Z'],
  // Clocks go forward at one and back at two: days of 23 and of 25 hours.
  ['2026-03-29T12:00:00.000Z', 'Europe/London', '2026-03-29T00:00:00.000Z'],
  ['2026-10-25T12:00:00.000Z', 'Europe/London', '2026-10-24T23:00:00.000Z'],
  ['2026-10-25T01:30:00.000Z', 'Europe/London', '2026-10-24T23:00:00.000Z'],
])('the day of %s in %s began at %s', (at, timeZone, began) => {
  equal(new Date(startOfDay(Date.parse(at), timeZone)).toISOString(), began)
})

test('each moment is in the day whose start is found, and the start is midnight or the first moment after it', () => {
  const zones = fc.constantFrom('Europe/London', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe', 'UTC')
  const years = { min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }
  fc.assert(
    fc.property(fc.integer(years), zones, (at, timeZone) => {
      const began = startOfDay(at, timeZone)
      const date = (moment: number) => new Date(moment).toLocaleDateString('en-CA', { timeZone })
      equal(date(began), date(at))
      ok(date(began - 1) !== date(at))
      ok(began <= at)
    }),
    { numRuns: 50 },
  )
})

test('hours have the names of the clock on the wall', () => {
  equal(hoursIn('Europe/London')(Date.parse('2026-06-15T13:45:00Z')), 14)
  deepEqual(hoursUntil(Date.parse('2026-06-15T02:10:00Z'), 'Europe/London'), [0, 1, 2, 3])
  // One o'clock does not exist on this day.
  deepEqual(hoursUntil(Date.parse('2026-03-29T02:10:00Z'), 'Europe/London'), [0, 2, 3])
})

const item = (change: Partial<DayItem>): DayItem => ({
  ...{ tid: '1', scheme: 'VISA', currency: 'GBP', transactionType: 'SALE', result: 'SUCCESSFUL', moneyTaken: 'yes' },
  ...{ totalMinor: 1_000, gratuityMinor: 0, tookMs: 4_000, hour: 9 },
  ...change,
})

test('takings count money that moved, by currency, refunds apart', () => {
  const items = [
    item({ gratuityMinor: 100 }),
    item({ transactionType: 'COMPLETION', totalMinor: 500, hour: 10 }),
    item({ transactionType: 'REFUND', totalMinor: 300, hour: 10 }),
    item({ transactionType: 'PRE_AUTH', moneyTaken: 'no' }),
    item({ transactionType: 'DUPLICATE' }),
    item({ result: 'DECLINED', moneyTaken: 'no' }),
    item({ result: 'TIMED_OUT', moneyTaken: 'unknown' }),
    item({ currency: 'EUR', totalMinor: 70 }),
  ]
  deepEqual(takingsOf(items), [
    {
      currency: 'EUR',
      salesMinor: 70,
      salesCount: 1,
      refundsMinor: 0,
      refundsCount: 0,
      gratuityMinor: 0,
      totalMinor: 70,
    },
    {
      ...{ currency: 'GBP', salesMinor: 1_500, salesCount: 2, refundsMinor: 300, refundsCount: 1 },
      ...{ gratuityMinor: 100, totalMinor: 1_200 },
    },
  ])
  deepEqual(takingsByHour(items, 'GBP', [8, 9, 10]), [0, 1_000, 200])
  deepEqual(takingsOf([]), [])
})

test('the hours of a day add up to its takings', () => {
  const any = fc.record({
    transactionType: fc.constantFrom('SALE', 'REFUND', 'COMPLETION', 'PRE_AUTH'),
    moneyTaken: fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const),
    totalMinor: fc.nat(99_999),
    hour: fc.nat(23),
  })
  fc.assert(
    fc.property(fc.array(any), parts => {
      const items = parts.map(item)
      const hours = takingsByHour(
        items,
        'GBP',
        Array.from({ length: 24 }, (_, hour) => hour),
      )
      equal(
        hours.reduce((sum, each) => sum + each, 0),
        takingsOf(items)[0]?.totalMinor ?? 0,
      )
    }),
  )
})

test('outcomes are counted with their share, running ones too', () => {
  deepEqual(outcomesOf([item({}), item({}), item({ result: 'DECLINED' }), item({ result: null, tookMs: null })]), [
    { name: 'SUCCESSFUL', count: 2, share: 0.5 },
    { name: 'DECLINED', count: 1, share: 0.25 },
    { name: 'running', count: 1, share: 0.25 },
  ])
})

test('half took no longer than p50, and 95 of 100 no longer than p95', () => {
  const took = (values: readonly number[]) => speedOf(values.map(tookMs => item({ tookMs })))
  deepEqual(took([]), { p50Ms: null, p95Ms: null })
  deepEqual(took([7]), { p50Ms: 7, p95Ms: 7 })
  deepEqual(took(Array.from({ length: 100 }, (_, index) => 100 - index)), { p50Ms: 50, p95Ms: 95 })
  deepEqual([secondsInWords(null), secondsInWords(1_260)], ['none', '1.3 s'])
})

test('terminals and schemes are listed with their failures, the worst first', () => {
  const items = [
    item({ tid: 'a' }),
    item({ tid: 'b', result: 'DECLINED', tookMs: 9_000 }),
    item({ tid: 'b', result: 'TIMED_OUT', tookMs: 200_000 }),
    item({ tid: 'b' }),
    item({ tid: 'b', result: null, tookMs: null }),
  ]
  deepEqual(
    groupsOf(items, ({ tid }) => tid),
    [
      { name: 'b', count: 3, failed: 2, declined: 1, share: 2 / 3, p50Ms: 9_000, p95Ms: 200_000 },
      { name: 'a', count: 1, failed: 0, declined: 0, share: 0, p50Ms: 4_000, p95Ms: 4_000 },
    ],
  )
})

test('a report without balances is added up over its acquirers', () => {
  const totals = (amount: number) => ({
    ...{ currency: 'GBP', totalAmount: amount - 1, totalSalesAmount: amount, totalSalesCount: 2 },
    ...{ totalRefundsAmount: 1, totalRefundsCount: 1 },
  })
  const report = { requestId: '', tid: '', reportType: 'BANKING', startedAt: '' }
  const banking = { A: { currentSessionTotals: totals(10) }, B: { currentSessionTotals: totals(20) } }
  deepEqual(totalsOf({ ...report, connect: { banking } }), {
    ...{ currency: 'GBP', totalAmount: 28, totalSalesAmount: 30, totalSalesCount: 4 },
    ...{ totalRefundsAmount: 2, totalRefundsCount: 2 },
  })
  deepEqual(totalsOf({ ...report, connect: { balances: totals(5), banking } }), totals(5))
  equal(totalsOf({ ...report, connect: {} }), null)
})

test('a scale ends at a round number, and every bar is within the chart', () => {
  deepEqual(scaleOf([]), { low: 0, high: 1 })
  deepEqual(scaleOf([12_345, 480]), { low: 0, high: 20_000 })
  deepEqual(scaleOf([-3, 26]), { low: -5, high: 50 })
  deepEqual(barOf(25, { low: -50, high: 50 }), { bottom: 50, height: 25 })
  deepEqual(barOf(-25, { low: -50, high: 50 }), { bottom: 25, height: 25 })
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -99_999_999, max: 99_999_999 }), { minLength: 1 }), values => {
      const scale = scaleOf(values)
      for (const value of values) {
        const { bottom, height } = barOf(value, scale)
        ok(bottom >= -1e-9 && bottom + height <= 100 + 1e-9, `${value} in ${JSON.stringify(scale)}`)
      }
    }),
  )
})
