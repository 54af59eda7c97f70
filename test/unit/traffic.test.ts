// test/unit/traffic.test.ts — nobody is cut off whose answer is only waiting for the end of the turn.
import { deepEqual } from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'vitest'
import { createTraffic, type Traffic } from '../../src/api/http/connection-tracker.ts'
import { TestClock } from '../support/test-clock.ts'

/** What a client hears when the gateway stops as soon as its answer is known; `then` stops it. */
async function heard(then: (traffic: Traffic, clock: TestClock) => Promise<void>): Promise<string> {
  const traffic = createTraffic()
  const clock = new TestClock()
  let stopped: Promise<void> = Promise.resolve()
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': 2, connection: 'close' })
    traffic.depart(response, Buffer.from('ok'))
    stopped = then(traffic, clock)
  })
  traffic.watch(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  const all = await text(socket)
  await stopped
  server.close()
  return all.slice(0, 15) + all.slice(-2)
}

test('an answer of this turn leaves before the sockets are closed', async () => {
  deepEqual(await heard((traffic, clock) => traffic.drain(clock, clock.now() + 1_000)), 'HTTP/1.1 200 OKok')
})

test('also when the time is up in that very turn', async () => {
  const outOfTime = async (traffic: Traffic, clock: TestClock): Promise<void> => {
    const drained = traffic.drain(clock, clock.now())
    void clock.advance(1)
    await drained
  }
  deepEqual(await heard(outOfTime), 'HTTP/1.1 200 OKok')
})
