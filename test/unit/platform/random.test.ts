// test/unit/platform/random.test.ts — ids begin with their time, and bytes are used once.
import { equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { systemRandom } from '../../../src/platform/random.ts'

const HEX = 16

test('an id is a UUID of version 7 that begins with its time of creation', () => {
  const before = Date.now()
  const id = systemRandom().uuid()
  match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const time = Number.parseInt(id.slice(0, 13).replace('-', ''), HEX)
  ok(time >= before && time <= Date.now())
})

test('ids of the same moment differ', () => {
  const random = systemRandom()
  equal(new Set(Array.from({ length: 10_000 }, () => random.uuid())).size, 10_000)
})

test('bytes have the requested length, are unique, and do not change afterwards', () => {
  const random = systemRandom()
  const given = Array.from({ length: 2_000 }, () => random.bytes(16))
  const texts = given.map(bytes => Buffer.from(bytes).toString('hex'))
  equal(new Set(texts).size, 2_000)
  for (const [index, bytes] of given.entries()) equal(Buffer.from(bytes).toString('hex'), texts[index])
  ok(texts.every(text => text.length === 32 && !/^0+$/.test(text)))
  for (const count of [0, 1, 256, 257, 10_000]) equal(random.bytes(count).length, count)
})
