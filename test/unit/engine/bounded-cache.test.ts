// test/unit/engine/bounded-cache.test.ts — a full cache drops what was used least recently, and nothing else.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { createBoundedCache } from '../../../src/engine/bounded-cache.ts'

test('of four entries in a cache of three, the one that was used least recently is gone', () => {
  const cache = createBoundedCache<string, number>(3)
  for (const [index, name] of ['a', 'b', 'c'].entries()) cache.set(name, index)
  equal(cache.get('a'), 0)
  cache.set('d', 3)
  deepEqual([...cache.keys()].sort(), ['a', 'c', 'd'])
})

test('an entry that is written again counts once', () => {
  const cache = createBoundedCache<string, number>(2)
  cache.set('a', 1)
  for (let round = 0; round < 5; round += 1) cache.set('b', round)
  deepEqual([cache.get('a'), cache.get('b'), cache.size], [1, 4, 2])
})

test('a deleted entry makes room', () => {
  const cache = createBoundedCache<number, string>(2)
  cache.set(1, 'one')
  cache.set(2, 'two')
  cache.delete(1)
  cache.set(3, 'three')
  deepEqual([...cache.keys()].sort(), [2, 3])
})

test('a value may be a promise or a function', async () => {
  const cache = createBoundedCache<string, Promise<number> | (() => number)>(2)
  cache.set('promise', Promise.resolve(1))
  cache.set('function', () => 2)
  deepEqual([await cache.get('promise'), (cache.get('function') as () => number)()], [1, 2])
})
