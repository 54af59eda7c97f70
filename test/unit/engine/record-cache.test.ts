// test/unit/engine/record-cache.test.ts — what stays in memory when there is no room for all.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { createRecordCache } from '../../../src/engine/cache.ts'

const of = (kind: string, id: number, account = 'demo') => ({ account, kind, id: `${id}` })

function filled() {
  const cache = createRecordCache(10, { terminal: 40 })
  for (let id = 0; id < 20; id += 1) cache.put(of('terminal', id), { id }, 1)
  return cache
}

test('a rush of sales does not push out the terminals they are made on', () => {
  const cache = filled()
  for (let id = 0; id < 1_000; id += 1) cache.put(of('sale', id), { id }, 1)
  deepEqual(
    Array.from({ length: 20 }, (_, id) => cache.get(of('terminal', id))?.record),
    Array.from({ length: 20 }, (_, id) => ({ id })),
  )
  equal(cache.get(of('sale', 0)), undefined)
  deepEqual(cache.get(of('sale', 999))?.record, { id: 999 })
})

test('no kind takes more room than it has', () => {
  const cache = filled()
  for (let id = 0; id < 1_000; id += 1) {
    cache.put(of('terminal', id), { id }, 1)
    cache.put(of('sale', id), { id }, 1)
    equal(cache.size <= 50, true)
  }
})

test('an account is forgotten in all kinds, and no other one', () => {
  const cache = filled()
  cache.put(of('sale', 1), {}, 1)
  cache.put(of('sale', 1, 'other'), {}, 1)
  cache.dropAccount('demo')
  equal(cache.get(of('terminal', 1)), undefined)
  equal(cache.get(of('sale', 1)), undefined)
  equal(cache.size, 1)
})

test('without room nothing is kept', () => {
  const cache = createRecordCache(0, { terminal: 0 })
  cache.put(of('terminal', 1), {}, 1)
  equal(cache.size, 0)
})
