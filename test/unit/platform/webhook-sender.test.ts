// test/unit/platform/webhook-sender.test.ts — addresses that webhooks may call, and what counts as an answer.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { onTestFinished, test } from 'vitest'
import type { WebhookSendOutcome } from '../../../src/engine/ports/webhook-sender.ts'
import { createWebhookSender, type Lookup } from '../../../src/platform/webhook-sender.ts'
import { TestClock } from '../../support/test-clock.ts'

async function openServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: { readonly method: string; readonly headers: IncomingMessage['headers']; readonly body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    seen.push({ method: request.method ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
    answer(request, response)
  })
  let opened = 0
  server.on('connection', () => {
    opened += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, seen, opened: () => opened }
}

const MESSAGE = {
  headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
  body: '{"id":"é"}',
  limitMs: 10_000,
}

function webhookSender(privateAllowed: boolean, lookup?: Lookup, clock = new TestClock()) {
  return createWebhookSender({ privateAllowed, clock, ...(lookup === undefined ? {} : { lookup }) })
}

test('private addresses in any notation are refused before anything is sent', async () => {
  const { port, seen } = await openServer((_, response) => response.end())
  const asked: string[] = []
  const { post } = webhookSender(false, (host, callback) => {
    asked.push(host)
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  })
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.1',
    '0',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '①②⑦.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[fe80::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'internal.shop.example',
  ]) {
    const outcome = await post({ ...MESSAGE, url: `http://${host}:${port}/` })
    equal(outcome.outcome, 'refused', host)
  }
  equal(seen.length, 0)
  deepEqual(asked, ['localhost', 'localhost', 'localhost.', 'internal.shop.example'])
})

test('a host with one private address among public ones is refused', async () => {
  const { post } = webhookSender(false, (_, callback) =>
    callback(null, [
      { address: '8.8.8.8', family: 4 },
      { address: '::ffff:127.0.0.1', family: 6 },
    ]),
  )
  const outcome = await post({ ...MESSAGE, url: 'https://rebind.example/' })
  deepEqual([outcome.outcome, 'reason' in outcome && outcome.reason.includes('::ffff:127.0.0.1')], ['refused', true])
})

test('a host that resolves to a private address later is refused: each connection is checked', async () => {
  const { port, seen } = await openServer((_, response) => response.end())
  let asked = 0
  const { post } = webhookSender(false, (_, callback) => {
    asked += 1
    // The first answer is what a check at token creation would have seen.
    callback(null, [asked === 1 ? { address: '192.0.2.1', family: 4 } : { address: '127.0.0.1', family: 4 }])
  })
  for (let round = 0; round < 3; round += 1)
    equal((await post({ ...MESSAGE, url: `http://rebind.example:${port}/` })).outcome, 'refused')
  deepEqual([asked, seen.length], [3, 0])
})

test('one look-up serves the check and the connection', async () => {
  const { port, seen } = await openServer((_, response) => response.end())
  let asked = 0
  const { post } = webhookSender(true, (_, callback) => {
    asked += 1
    callback(null, [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }])
  })
  const outcome = await post({ ...MESSAGE, url: `http://shop.example:${port}/` })
  deepEqual([outcome, asked, seen.length], [{ outcome: 'answered', status: 200 }, 1, 1])
})

test('a message arrives unchanged, without cookies or credentials', async () => {
  const { port, seen } = await openServer((_, response) => {
    response.statusCode = 201
    response.end('thanks')
  })
  const outcome = await webhookSender(true).post({ ...MESSAGE, url: `http://127.0.0.1:${port}/hook?shop=1` })
  deepEqual(outcome, { outcome: 'answered', status: 201 })
  const [{ method, headers, body } = { method: '', headers: {}, body: '' }] = seen
  deepEqual([method, body, headers['webhook-id']], ['POST', '{"id":"é"}', 'msg_1'])
  equal(headers['content-length'], '11')
  deepEqual([headers.cookie, headers.authorization], [undefined, undefined])
})

test('a redirect counts as an answer and is not followed', async () => {
  const { port, seen } = await openServer((_, response) => {
    response.writeHead(307, { location: '/elsewhere' })
    response.end()
  })
  const outcome = await webhookSender(true).post({ ...MESSAGE, url: `http://127.0.0.1:${port}/` })
  deepEqual([outcome, seen.length], [{ outcome: 'answered', status: 307 }, 1])
})

test('a try fails after ten seconds without an answer, and does not wait for the end of the body', async () => {
  const clock = new TestClock()
  let called = (): void => {}
  const hasCall = new Promise<void>(resolve => {
    called = resolve
  })
  const silent = await openServer(() => called())
  let outcome: WebhookSendOutcome | null = null
  const post = webhookSender(true, undefined, clock).post({ ...MESSAGE, url: `http://127.0.0.1:${silent.port}/` })
  const posted = post.then(given => (outcome = given))
  await hasCall
  await clock.advance(9_999)
  equal(outcome, null)
  await clock.advance(1)
  deepEqual(await posted, { outcome: 'failed', reason: 'No answer within 10 seconds.' })
  const endless = await openServer((_, response) => {
    response.writeHead(200)
    response.write('and then')
  })
  const other = await webhookSender(true).post({ ...MESSAGE, url: `http://127.0.0.1:${endless.port}/` })
  deepEqual(other, { outcome: 'answered', status: 200 })
})

test('a refused connection, a host without addresses and a server without HTTP are failures', async () => {
  const gone = createTcpServer()
  gone.listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address() as AddressInfo
  gone.close()
  await once(gone, 'close')
  deepEqual(await webhookSender(true).post({ ...MESSAGE, url: `http://127.0.0.1:${port}/` }), {
    outcome: 'failed',
    reason: 'ECONNREFUSED',
  })
  const nowhere = await webhookSender(true, (_, callback) => callback(null, [])).post({
    ...MESSAGE,
    url: 'http://no.example/',
  })
  deepEqual(nowhere, { outcome: 'failed', reason: 'no.example has no address' })
  const rude = createTcpServer(socket => socket.end('220 mail\r\n'))
  rude.listen(0, '127.0.0.1')
  await once(rude, 'listening')
  onTestFinished(() => void rude.close())
  const spoken = await webhookSender(true).post({
    ...MESSAGE,
    url: `http://127.0.0.1:${(rude.address() as AddressInfo).port}/`,
  })
  equal(spoken.outcome, 'failed')
  match('reason' in spoken ? spoken.reason : '', /HPE_|ECONNRESET|EPIPE/)
})

test('at most 64 connections are open at once, and all messages arrive', async () => {
  const held: ServerResponse[] = []
  let isFull = (): void => {}
  const full = new Promise<void>(resolve => {
    isFull = resolve
  })
  const { port, seen, opened } = await openServer((request, response) => {
    if (request.url === '/probe' || opened() > 65) response.end()
    else held.push(response)
    if (held.length === 64) isFull()
  })
  const url = `http://127.0.0.1:${port}/`
  const { post } = webhookSender(true)
  const all = Promise.all(Array.from({ length: 100 }, () => post({ ...MESSAGE, url })))
  await full
  // Connections are accepted in their order: any more that `post` had opened would be counted when the probe is answered.
  await webhookSender(true).post({ ...MESSAGE, url: `${url}probe` })
  equal(opened(), 65)
  for (const each of held) each.end()
  ok((await all).every(({ outcome }) => outcome === 'answered'))
  equal(seen.length, 101)
})
