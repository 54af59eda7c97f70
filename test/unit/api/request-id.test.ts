// test/unit/api/request-id.test.ts — ids for requests that bring none.
import { equal, match, notEqual } from 'node:assert/strict'
import { test } from 'vitest'
import { createRequestIds } from '../../../src/api/http/request-id.ts'
import { systemRandom } from '../../../src/platform/random.ts'

test('request ids are unique UUIDs, also after the counter wraps', () => {
  const name = createRequestIds(systemRandom(), 3)
  const names = Array.from({ length: 50 }, () => name(undefined))
  for (const each of names) match(each, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/)
  equal(new Set(names).size, names.length)
  equal(new Set(names.map(each => each.slice(0, 28))).size, 17)
})

test('two gateways that start at the same moment give different ids', () => {
  const names = [createRequestIds(systemRandom()), createRequestIds(systemRandom())].map(name => name(undefined))
  notEqual(names[0], names[1])
})
