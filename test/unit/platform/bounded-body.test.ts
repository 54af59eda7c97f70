// test/unit/platform/bounded-body.test.ts — a body up to its limit is read whole, and a longer one not at all.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'vitest'
import { boundedBody } from '../../../src/platform/bounded-body.ts'

test('pieces are put together, also in the middle of a character', async () => {
  const whole = Buffer.from('5 €')
  const read = await boundedBody(Readable.from([whole.subarray(0, 3), whole.subarray(3)]), whole.length)
  deepEqual(read?.toString('utf8'), '5 €')
})

test('text counts in bytes', async () => {
  equal((await boundedBody(Readable.from(['€']), 3))?.length, 3)
  equal(await boundedBody(Readable.from(['€']), 2), null)
})

test('a body that is too long is left, and its source closed', async () => {
  let sent = 0
  async function* endless() {
    for (;;) {
      sent += 1
      yield Buffer.alloc(10)
    }
  }
  const source = Readable.from(endless(), { highWaterMark: 1 })
  equal(await boundedBody(source, 25), null)
  equal(source.destroyed, true)
  equal(sent < 10, true)
})

test('a source that breaks off is a rejection, not a short body', async () => {
  async function* broken() {
    yield Buffer.from('half')
    throw new Error('connection reset')
  }
  await rejects(boundedBody(Readable.from(broken()), 100), /connection reset/)
})
