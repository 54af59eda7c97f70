// test/unit/api/request-id.test.ts — the names of requests that have none.
import { equal, match, notEqual } from 'node:assert/strict'
import { test } from 'vitest'
import { createRequestIds } from '../../../src/api/http/request-id.ts'
import { systemRandom } from '../../../src/platform/random.ts'

test('each is a UUID that was not given before, also when the count begins again', () => {
  const name = createRequestIds(systemRandom(), 3)
  const names = Array.from({ length: 50 }, () => name(undefined))
  for (const each of names) match(each, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/)
  equal(new Set(names).size, names.length)
  equal(new Set(names.map(each => each.slice(0, 28))).size, 17)
})

test('two gateways that start in the same moment give different ones', () => {
  const names = [createRequestIds(systemRandom()), createRequestIds(systemRandom())].map(name => name(undefined))
  notEqual(names[0], names[1])
})
