// test/unit/api/connection-tracker.test.ts — nobody is cut off whose answer is only waiting for the end of the turn.
import { equal } from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'vitest'
import { createConnectionTracker } from '../../../src/api/http/connection-tracker.ts'
import { createResponseBatch } from '../../../src/api/http/response-batch.ts'
import type { Clock } from '../../../src/engine/ports/clock.ts'
import { settleTurns, TestClock } from '../../support/test-clock.ts'

/** What a client receives of an answer that `answer` sends, from a gateway that stops as soon as it is asked. */
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

/** A clock by which the time is up at once, in the same turn of the event loop. */
const OUT_OF_TIME: Clock = {
  now: () => 0,
  alarm(_, callback) {
    queueMicrotask(callback)
    return { cancel() {} }
  },
}

test('an answer that takes a few turns is waited for while there is time', async () => {
  const later = (send: () => void) => void settleTurns(5).then(send)
  equal(await received(later, new TestClock()), 'HTTP/1.1 200 OKok')
})

test('an answer of this turn leaves before the sockets are closed, though the time is up in that very turn', async () => {
  equal(await received(createResponseBatch(), OUT_OF_TIME), 'HTTP/1.1 200 OKok')
})

test('an answer that is not there when the time is up is cut off', async () => {
  equal(await received(() => {}, OUT_OF_TIME), '')
})
