// test/unit/platform-random.test.ts — the operating system's chance has the shapes that the port promises.
import { equal, match, notDeepEqual, notEqual } from 'node:assert/strict'
import { test } from 'vitest'
import { systemRandom } from '../../src/platform/random.ts'

test('bytes come in the number asked for and differ each time', () => {
  const random = systemRandom()
  equal(random.bytes(32).length, 32)
  notDeepEqual(random.bytes(32), random.bytes(32))
})

test('an id is a UUID of version 4 and differs each time', () => {
  const random = systemRandom()
  match(random.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  notEqual(random.uuid(), random.uuid())
})
