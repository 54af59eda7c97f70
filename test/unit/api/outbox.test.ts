// test/unit/api/outbox.test.ts — a till that does not read is told by what waits for it, whoever has put it there.
import { deepEqual, equal } from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'vitest'
import type { WebSocket } from 'ws'
import { createDepartures } from '../../../src/api/socket/message-batches.ts'
import { Outbox } from '../../../src/api/socket/outbox.ts'

/** An outbox over a wire of which nothing is taken until `read`. */
function opened(unreadBytes: number) {
  const texts: string[] = []
  let taken = (): void => {}
  const wire = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      texts.push(chunk)
      taken = done
    },
    // As a socket does: what has gathered goes over as one.
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
  const parts = { departures: createDepartures(), limits: { unreadBytes } }
  const outbox = new Outbox(parts, connection, wire as never, owner)
  return { outbox, wire, slow: () => slow, read: () => taken(), texts: () => texts }
}

const MESSAGE = { text: 'x'.repeat(1_000) }

test('what leaves at once is one piece, and no sign that the till does not read', () => {
  const { outbox, slow } = opened(2_000)
  for (let count = 0; count < 10; count += 1) outbox.send(MESSAGE)
  outbox.leave()
  equal(slow(), 0)
  outbox.send(MESSAGE)
  outbox.leave()
  equal(slow(), 1)
})

test('a till that has read meanwhile is not slow', () => {
  const { outbox, slow, read } = opened(2_000)
  for (let turn = 0; turn < 10; turn += 1) {
    for (let count = 0; count < 10; count += 1) outbox.send(MESSAGE)
    outbox.leave()
    read()
  }
  equal(slow(), 0)
})

test('what others write to the same wire counts as well, such as answers to signs of life', () => {
  const { outbox, wire, slow } = opened(2_000)
  wire.write('x'.repeat(3_000), 'latin1')
  equal(slow(), 0)
  outbox.lookAtReading()
  equal(slow(), 1)
})

test('what is noted as sent afterwards has left before its sender goes on, behind what was sent before it', () => {
  const { outbox, texts } = opened(2_000)
  outbox.send({ number: 1 })
  deepEqual(texts(), [])
  equal(outbox.sendAtOnce({ number: 2 }), true)
  deepEqual(texts(), ['{"number":1}', '{"number":2}'])
})
