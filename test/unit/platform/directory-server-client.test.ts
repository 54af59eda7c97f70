// test/unit/platform/directory-server-client.test.ts — time limits and limits of length of calls to directory servers.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import { onTestFinished, test } from 'vitest'
import { createDirectoryServerClient } from '../../../src/platform/directory-server-client.ts'
import { TestClock } from '../../support/test-clock.ts'
import { OTHER_CERT, OTHER_KEY, TEST_CERT, TEST_KEY } from '../../support/tls.ts'

const LIMITS = { connectMs: 5_000, answerMs: 10_000, longestAnswer: 1_000 }
const TLS = { certificate: OTHER_CERT.toString(), privateKey: OTHER_KEY.toString(), authorities: TEST_CERT.toString() }

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/preq`
}

function open(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const tls = { cert: TEST_CERT, key: TEST_KEY, ca: OTHER_CERT, requestCert: true, rejectUnauthorized: true }
  const server = createServer(tls, answer)
  onTestFinished(() => server.closeAllConnections())
  return listening(server)
}

function post(url: string, clock = new TestClock()) {
  return createDirectoryServerClient({ clock }).post({ ...LIMITS, tls: TLS, url, body: '{"a":"é"}' })
}

test('a message arrives whole, and the answer comes with its status', async () => {
  const bodies: string[] = []
  const url = await open(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk))
    equal(request.headers['content-type'], 'application/json; charset=UTF-8')
    response.writeHead(400).end('{"b":1}')
  })
  deepEqual(await post(url), { status: 400, body: '{"b":1}' })
  equal(bodies.join(''), '{"a":"é"}')
})

test('a handshake that does not end is given up after the limit for connections', async () => {
  const clock = new TestClock()
  let reached: () => void = () => {}
  const isReached = new Promise<void>(resolve => (reached = resolve))
  const server = createTcpServer(socket => {
    socket.on('error', () => {}).once('data', reached)
  })
  const outcome = post(await listening(server), clock)
  await isReached
  await clock.advance(LIMITS.connectMs - 1)
  equal(await Promise.race([outcome, 'pending']), 'pending')
  await clock.advance(1)
  deepEqual(await outcome, { failed: 'unreachable', detail: 'no connection within 5000 ms' })
})

test.each([
  ['before the answer', () => {}],
  ['within the answer', (response: ServerResponse) => void response.writeHead(200).write('{')],
])('a server that is silent %s is given up after the limit for answers', async (_, answer) => {
  const clock = new TestClock()
  let reached: () => void = () => {}
  const isReached = new Promise<void>(resolve => (reached = resolve))
  const url = await open((_request, response) => {
    answer(response)
    reached()
  })
  const outcome = post(url, clock)
  await isReached
  await clock.advance(LIMITS.answerMs)
  deepEqual(await outcome, { failed: 'timed_out', detail: 'no answer within 10000 ms' })
})

test('an answer that is longer than the limit is not read, packed or not', async () => {
  const long = 'a'.repeat(LIMITS.longestAnswer + 1)
  const tooLong = { failed: 'too_long', detail: 'more than 1000 bytes' }
  deepEqual(await post(await open((_, response) => response.end(long))), tooLong)
  const packed = gzipSync(long)
  ok(packed.length < LIMITS.longestAnswer)
  deepEqual(
    await post(await open((_, response) => response.setHeader('content-encoding', 'gzip').end(packed))),
    tooLong,
  )
})

test('an answer that is packed wrongly, or ends in the middle, is broken off', async () => {
  const wrong = await open((_, response) => response.setHeader('content-encoding', 'gzip').end('no gzip'))
  deepEqual(await post(wrong), { failed: 'broken_off', detail: 'Z_DATA_ERROR' })
  const half = await open((_, response) => {
    response.setHeader('content-encoding', 'gzip')
    response.write(gzipSync('a'.repeat(100)).subarray(0, 15), () => response.destroy())
  })
  const outcome = await post(half)
  ok('failed' in outcome && outcome.failed === 'broken_off', JSON.stringify(outcome))
})
