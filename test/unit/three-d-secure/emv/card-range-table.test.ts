// test/unit/three-d-secure/emv/card-range-table.test.ts — card ranges are loaded, changed as a whole and looked up.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  type CardRangeTable,
  lookUp,
  NO_RANGES,
  nextTable,
  rangesBeginningWith,
} from '../../../../src/three-d-secure/emv/card-range-table.ts'
import { decode, type Message } from '../../../../src/three-d-secure/emv/codec.ts'
import { SeededRandom } from '../../../support/seeded-random.ts'

type Action = 'A' | 'M' | 'D'

function entry(start: string, end: string, actionInd: Action | null = 'A', version = '2.2.0') {
  return {
    ranges: [{ startRange: start, endRange: end }],
    acsProtocolVersions: [{ version }],
    ...(actionInd && { actionInd }),
  }
}

function pres(cardRangeData: Message<'PRes'>['cardRangeData'], serialNum?: string): Message<'PRes'> {
  return {
    messageType: 'PRes',
    threeDSServerTransID: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
    dsProtocolVersions: ['2.2.0'],
    ...(cardRangeData && { cardRangeData }),
    ...(serialNum && { serialNum }),
  }
}

function loaded(before: CardRangeTable, next: Message<'PRes'>): CardRangeTable {
  const table = nextTable(before, next)
  ok('byLength' in table, JSON.stringify(table))
  return table
}

const refusal = (before: CardRangeTable, next: Message<'PRes'>) => {
  const table = nextTable(before, next)
  return 'refused' in table ? table.refused.code : 'accepted'
}

const FOUR = entry('4000000000000000', '4999999999999999')
const FIVE = entry('5000000000000000', '5999999999999999')
const FULL = loaded(NO_RANGES, pres([FIVE, FOUR], 's1'))
const startOf = (table: CardRangeTable, number: string) => lookUp(table, number)?.start ?? null

test('case 21: lookups are those of a linear search, after 10,000 random ranges were added, modified and deleted', () => {
  const seeds = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(seeds, seed => {
      const random = new SeededRandom(seed)
      const { table, ranges } = randomTable(random)
      for (let times = 0; times < 100; times += 1) {
        const number = digitsOf(random, 13 + random.integer(4))
        const expected = ranges.find(
          each => each.start.length === number.length && each.start <= number && number <= each.end,
        )
        const found = lookUp(table, number)
        deepEqual([found?.start, found?.acsVersions[0]?.version], [expected?.start, expected?.version], `seed ${seed}`)
      }
    }),
    { numRuns: 2 },
  )
})

describe('case 22: loading', () => {
  test('the first load is whole, whatever the order of its entries', () => {
    deepEqual(
      [startOf(FULL, '4111111111111111'), startOf(FULL, '5555555555554444')],
      ['4000000000000000', '5000000000000000'],
    )
    equal(startOf(FULL, '6011111111111117'), null)
    equal(startOf(FULL, '411111111111111'), null, 'of another length')
    deepEqual([FULL.serialNumber, FULL.directoryServerVersions], ['s1', ['2.2.0']])
  })

  test('a delta changes, and the generation before stays as it was', () => {
    const delta = pres([{ ...FOUR, actionInd: 'D' }, entry('6000000000000000', '6000000000000099', null)], 's2')
    const next = loaded(FULL, delta)
    deepEqual([startOf(next, '4111111111111111'), startOf(next, '6000000000000042')], [null, '6000000000000000'])
    deepEqual([startOf(FULL, '4111111111111111'), startOf(FULL, '6000000000000042')], ['4000000000000000', null])
    equal(next.serialNumber, 's2')
  })

  test('a modified range has its new versions', () => {
    const next = loaded(FULL, pres([entry('4000000000000000', '4999999999999999', 'M', '2.3.1')], 's2'))
    equal(lookUp(next, '4111111111111111')?.acsVersions[0]?.version, '2.3.1')
  })

  test('changes are made in order: a deleted range makes room', () => {
    const changes = [{ ...FOUR, actionInd: 'D' as const }, entry('4500000000000000', '4500000000000009')]
    equal(startOf(loaded(FULL, pres(changes, 's2')), '4500000000000001'), '4500000000000000')
    equal(refusal(FULL, pres(changes.toReversed(), 's2')), '205')
  })

  test('the same serial number without ranges changes nothing', () => {
    equal(nextTable(FULL, pres(undefined, 's1')), FULL)
  })

  test('an answer without a serial number replaces everything', () => {
    const next = loaded(FULL, pres([FIVE]))
    deepEqual([startOf(next, '4111111111111111'), next.serialNumber], [null, null])
    equal(startOf(loaded(next, pres([FOUR])), '5555555555554444'), null)
  })
})

describe('case 23: an answer is refused as a whole', () => {
  const OTHER = entry('6000000000000000', '6999999999999999')

  test.each([
    ['inside', entry('4200000000000000', '4200000000000001')],
    ['around', entry('3000000000000000', '4999999999999999')],
    ['at the start', entry('3999999999999999', '4000000000000000')],
    ['at the end', entry('5999999999999999', '6000000000000000')],
    ['the same', FOUR],
  ])('with 205 for an overlap %s', (_, range) => {
    equal(refusal(FULL, pres([OTHER, range], 's2')), '205')
    equal(startOf(FULL, '6011111111111117'), null)
    equal(startOf(FULL, '4111111111111111'), '4000000000000000')
  })

  test.each(['M', 'D'] as const)('with 206 for %s of a range that is not there', action => {
    equal(refusal(FULL, pres([entry('6000000000000000', '6999999999999999', action)], 's2')), '206')
    equal(refusal(FULL, pres([entry('4000000000000000', '4000000000000001', action)], 's2')), '206')
    equal(refusal(NO_RANGES, pres([{ ...FOUR, actionInd: action }], 's1')), '206', 'in a first load')
  })

  test('neighbours do not overlap', () => {
    equal(refusal(FULL, pres([entry('3000000000000000', '3999999999999999'), OTHER], 's2')), 'accepted')
  })
})

test('case 24, in part: a PRes of 20,000 ranges is read and looked up', () => {
  const cardRangeData = Array.from({ length: 20_000 }, (_, index) => {
    const start = String(4_000_000_000_000_000 + index * 1000)
    const end = String(4_000_000_000_000_999 + index * 1000)
    return { startRange: start, endRange: end, acsStartProtocolVersion: '2.2.0', acsEndProtocolVersion: '2.2.0' }
  })
  const { dsProtocolVersions: _, ...rest } = pres([])
  const text = JSON.stringify({
    ...rest,
    messageVersion: '2.2.0',
    dsStartProtocolVersion: '2.1.0',
    dsEndProtocolVersion: '2.2.0',
    cardRangeData,
  })
  const decoded = decode(text, { expected: ['PRes'], longest: 10_000_000 })
  ok(!('refused' in decoded), JSON.stringify(decoded))
  const table = loaded(NO_RANGES, decoded.message)
  equal(startOf(table, '4000000012345678'), '4000000012345000')
  equal(startOf(table, '4000000020000000'), null)
  ok('refused' in decode(text, { expected: ['PRes'] }), 'longer than other messages')
})

test('ranges are found by the first digits of their cards', () => {
  const table = loaded(NO_RANGES, pres([FOUR, FIVE, entry('40000000000000', '40009999999999')]))
  const starts = (beginning: string) => rangesBeginningWith(table, beginning).map(({ start }) => start)
  deepEqual(starts('4'), ['40000000000000', '4000000000000000'])
  deepEqual(starts('411111'), ['4000000000000000'])
  deepEqual(starts('4000'), ['40000000000000', '4000000000000000'])
  deepEqual(starts('3'), [])
  deepEqual(starts('5'.repeat(17)), [])
})

interface Plain {
  readonly start: string
  readonly end: string
  readonly version: string
}

/** A table after a load of 10,000 ranges and a delta, and the plain list of what must be in it. */
function randomTable(random: SeededRandom): { readonly table: CardRangeTable; readonly ranges: readonly Plain[] } {
  const ranges: Plain[] = []
  for (let index = 0; index < 10_000; index += 1) {
    // Places of their own, with room between them.
    const length = 13 + random.integer(4)
    const start = `${String(100_000 + index * 7)}${'0'.repeat(length - 6)}`
    const end = `${start.slice(0, 6)}${digitsOf(random, length - 6)}`
    ranges.push({ start, end, version: '2.1.0' })
  }
  const first = ranges.map(({ start, end, version }) => entry(start, end, 'A', version))
  const changes = ranges.map(range => ({ range, way: (['keep', 'M', 'D'] as const)[random.integer(3)] ?? 'keep' }))
  const delta = changes.flatMap(({ range: { start, end }, way }) =>
    way === 'keep' ? [] : [entry(start, end, way, '2.3.1')],
  )
  const table = loaded(loaded(NO_RANGES, pres(shuffled(first, random), 's1')), pres(delta, 's2'))
  const left = changes.flatMap(({ range, way }) =>
    way === 'D' ? [] : [way === 'M' ? { ...range, version: '2.3.1' } : range],
  )
  return { table, ranges: left }
}

function shuffled<T>(list: readonly T[], random: SeededRandom): readonly T[] {
  return list
    .map(each => ({ each, place: random.integer(1_000_000) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ each }) => each)
}

/** Digits whose beginning is where the ranges are. */
function digitsOf(random: SeededRandom, length: number): string {
  const digits = String(100_000 + random.integer(70_000)) + String(random.integer(1_000_000_000)).padStart(9, '0')
  return digits.padEnd(length, '5').slice(0, length)
}
