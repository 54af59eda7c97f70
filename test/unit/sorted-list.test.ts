// test/unit/sorted-list.test.ts — a sorted list behaves like an array that is sorted again after every change.
import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { ascending, descending, insert, remove, type SortedList } from '../../src/store/sorted-list.ts'

const byNumber = (a: number, b: number) => a - b

test('whatever is put in and taken out, it is in order from any place in both directions', () => {
  const numbers = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 0, maxLength: 3_000, size: 'max' })
  fc.assert(
    fc.property(numbers, numbers, fc.integer({ min: -1, max: 5_001 }), (added, taken, from) => {
      const list: SortedList<number> = []
      const plain = new Set(added)
      for (const number of plain) insert(list, number, byNumber)
      for (const number of taken) {
        remove(list, number, byNumber)
        plain.delete(number)
      }
      const sorted = [...plain].toSorted(byNumber)
      deepEqual([...ascending(list)], sorted)
      deepEqual(
        [...ascending(list, number => number > from)],
        sorted.filter(number => number > from),
      )
      deepEqual([...descending(list, number => number > from)], sorted.filter(number => number <= from).toReversed())
    }),
    { seed: 7, numRuns: 50 },
  )
})

test('what comes in order stays in order across the pieces', () => {
  const list: SortedList<number> = []
  const numbers = Array.from({ length: 2_000 }, (_, index) => index)
  for (const number of numbers) insert(list, number, byNumber)
  deepEqual([...ascending(list)], numbers)
  for (const number of numbers.slice(0, 1_999)) remove(list, number, byNumber)
  deepEqual(list, [[1_999]])
})
