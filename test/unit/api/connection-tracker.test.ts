// test/unit/api/connection-tracker.test.ts — nobody is cut off whose answer is only waiting for the end of the turn.
import { deepEqual } from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'vitest'
import { type ConnectionTracker, createConnectionTracker } from '../../../src/api/http/connection-tracker.ts'
import { createResponseBatch } from '../../../src/api/http/response-batch.ts'
import { TestClock } from '../../support/test-clock.ts'

/** What a client receives when the gateway stops as soon as its answer is known; `then` stops it. */
async function received(then: (tracker: ConnectionTracker, clock: TestClock) => Promise<void>): Promise<string> {
  const tracker = createConnectionTracker()
  const batch = createResponseBatch()
  const clock = new TestClock()
  let stopped: Promise<void> = Promise.resolve()
  const server = createServer((_, response) => {
    tracker.enter(response)
    response.once('close', () => tracker.leave(response))
    batch(() => response.writeHead(200, { 'content-length': 2, connection: 'close' }).end('ok'))
    stopped = then(tracker, clock)
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

test('an answer of this turn leaves before the sockets are closed', async () => {
  deepEqual(await received((tracker, clock) => tracker.drain(clock, clock.now() + 1_000)), 'HTTP/1.1 200 OKok')
})

test('also when the time is up in that very turn', async () => {
  const outOfTime = async (tracker: ConnectionTracker, clock: TestClock): Promise<void> => {
    const drained = tracker.drain(clock, clock.now())
    void clock.advance(1)
    await drained
  }
  deepEqual(await received(outOfTime), 'HTTP/1.1 200 OKok')
})
