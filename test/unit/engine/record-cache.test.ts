// test/unit/engine/record-cache.test.ts — what the cache keeps at its limits.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { createRecordCache } from '../../../src/engine/cache.ts'

const of = (kind: string, id: number, account = 'demo') => ({ account, kind, id: `${id}` })

function filled() {
  const cache = createRecordCache(10, { terminal: 40 })
  for (let id = 0; id < 20; id += 1) cache.put(of('terminal', id), { id }, 1)
  return cache
}

test('many sales do not evict terminals', () => {
  const cache = filled()
  for (let id = 0; id < 1_000; id += 1) cache.put(of('sale', id), { id }, 1)
  deepEqual(
    Array.from({ length: 20 }, (_, id) => cache.get(of('terminal', id))?.record),
    Array.from({ length: 20 }, (_, id) => ({ id })),
  )
  equal(cache.get(of('sale', 0)), undefined)
  deepEqual(cache.get(of('sale', 999))?.record, { id: 999 })
})

test('each kind stays within its limit', () => {
  const cache = filled()
  for (let id = 0; id < 1_000; id += 1) {
    cache.put(of('terminal', id), { id }, 1)
    cache.put(of('sale', id), { id }, 1)
    equal(cache.size <= 50, true)
  }
})

test('dropAccount removes an account in all kinds, and no other account', () => {
  const cache = filled()
  cache.put(of('sale', 1), {}, 1)
  cache.put(of('sale', 1, 'other'), {}, 1)
  cache.dropAccount('demo')
  equal(cache.get(of('terminal', 1)), undefined)
  equal(cache.get(of('sale', 1)), undefined)
  equal(cache.size, 1)
})

test('a cache without capacity keeps nothing', () => {
  const cache = createRecordCache(0, { terminal: 0 })
  cache.put(of('terminal', 1), {}, 1)
  equal(cache.size, 0)
})
