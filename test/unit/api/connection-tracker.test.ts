// test/unit/api/connection-tracker.test.ts — shutdown closes a connection only after its answer has left.
import { equal } from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'vitest'
import { createConnectionTracker } from '../../../src/api/http/connection-tracker.ts'
import { createResponseBatch } from '../../../src/api/http/response-batch.ts'
import type { Clock } from '../../../src/engine/ports/clock.ts'
import { settleTurns, TestClock } from '../../support/test-clock.ts'

/** First line and body that a client receives when shutdown begins with its request. `answer` sends the response. */
async function received(answer: (send: () => void) => void, clock: Clock): Promise<string> {
  const tracker = createConnectionTracker()
  let stopped: Promise<void> = Promise.resolve()
  const server = createServer((_, response) => {
    tracker.enter(response)
    response.once('close', () => tracker.leave(response))
    answer(() => response.writeHead(200, { 'content-length': 2, connection: 'close' }).end('ok'))
    stopped = tracker.drain(clock, clock.now() + 1_000)
  })
  tracker.watch(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  const all = await text(socket)
  await stopped
  server.close()
  return all.slice(0, 15) + all.slice(-2)
}

/** A clock whose alarms fire at once, in the same event-loop turn. */
const OUT_OF_TIME: Clock = {
  now: () => 0,
  alarm(_, callback) {
    queueMicrotask(callback)
    return { cancel() {} }
  },
  onSetBack() {},
}

test('shutdown waits for an answer until its time limit', async () => {
  const later = (send: () => void) => void settleTurns(5).then(send)
  equal(await received(later, new TestClock()), 'HTTP/1.1 200 OKok')
})

test('an answer of the event-loop turn in which the time limit is reached still leaves', async () => {
  equal(await received(createResponseBatch(), OUT_OF_TIME), 'HTTP/1.1 200 OKok')
})

test('a connection without an answer is cut at the time limit', async () => {
  equal(await received(() => {}, OUT_OF_TIME), '')
})
