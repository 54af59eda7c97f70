// test/unit/api/outbox.test.ts — a slow till is detected by the bytes that wait for it.
import { deepEqual, equal } from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'vitest'
import type { WebSocket } from 'ws'
import { createMessageBatches } from '../../../src/api/socket/message-batches.ts'
import { Outbox } from '../../../src/api/socket/outbox.ts'

/** An outbox over a stream that takes nothing until `read`. */
function opened(unreadBytes: number) {
  const texts: string[] = []
  let taken = (): void => {}
  const wire = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      texts.push(chunk)
      taken = done
    },
    // A socket, too, writes buffered chunks together.
    writev(chunks, done) {
      texts.push(...chunks.map(({ chunk }) => String(chunk)))
      taken = done
    },
  })
  const connection = {
    readyState: 1,
    OPEN: 1,
    send: (text: string) => wire.write(text, 'latin1'),
  } as unknown as WebSocket
  let slow = 0
  const owner = {
    tooSlow() {
      slow += 1
    },
  }
  const parts = { batches: createMessageBatches(), limits: { unreadBytes } }
  const outbox = new Outbox(parts, connection, wire as never, owner)
  return { outbox, wire, slow: () => slow, read: () => taken(), texts: () => texts }
}

const MESSAGE = { text: 'x'.repeat(1_000) }

test('a batch larger than the limit does not make a till slow; one more message does', () => {
  const { outbox, slow } = opened(2_000)
  for (let count = 0; count < 10; count += 1) outbox.send(MESSAGE)
  outbox.leave()
  equal(slow(), 0)
  outbox.send(MESSAGE)
  outbox.leave()
  equal(slow(), 1)
})

test('a till that reads between batches is not slow', () => {
  const { outbox, slow, read } = opened(2_000)
  for (let turn = 0; turn < 10; turn += 1) {
    for (let count = 0; count < 10; count += 1) outbox.send(MESSAGE)
    outbox.leave()
    read()
  }
  equal(slow(), 0)
})

test('bytes from other writers count too, such as pongs', () => {
  const { outbox, wire, slow } = opened(2_000)
  wire.write('x'.repeat(3_000), 'latin1')
  equal(slow(), 0)
  outbox.lookAtReading()
  equal(slow(), 1)
})

test('sendAtOnce flushes earlier messages first and returns after the write', () => {
  const { outbox, texts } = opened(2_000)
  outbox.send({ number: 1 })
  deepEqual(texts(), [])
  equal(outbox.sendAtOnce({ number: 2 }), true)
  deepEqual(texts(), ['{"number":1}', '{"number":2}'])
})
