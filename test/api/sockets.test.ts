// test/api/sockets.test.ts — HTTP over real connections: limits, slow and broken senders, keep-alive, shutdown.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { request } from 'node:https'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { openShop, PACE_MS, type Shop } from '../support/shop.ts'
import { basic, type Started } from '../support/till.ts'
import { TEST_CERT, TEST_KEY } from '../support/tls.ts'
import { portOf, talkTo } from '../support/wire-talk.ts'

const AUTH = `Authorization: ${basic('demo-api-key')}\r\n`
const HEAD = `Host: pay.example\r\n${AUTH}`
const SALE = '{"transactionType":"SALE","amount":2599,"currency":"GBP"}'
const PATH = '/pac/terminals/VCMDEMOSIP0/transactions'

function post(body: string, headers = ''): string {
  return `POST ${PATH} HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`
}

test('a connection serves many requests, also pipelined ones', async () => {
  const shop = await openShop()
  const talk = await talkTo(shop)
  for (let time = 0; time < 3; time += 1) {
    talk.send(`GET /pac/terminals/VCMDEMOSIP0 HTTP/1.1\r\n${HEAD}\r\n`)
    equal((await talk.answer()).status, 200)
  }
  talk.send(
    `${post(SALE)}GET /pac/terminals/VCMDEMOSIP0 HTTP/1.1\r\n${HEAD}\r\nDELETE ${PATH}/none HTTP/1.1\r\n${HEAD}\r\n`,
  )
  deepEqual([(await talk.answer()).status, (await talk.answer()).status, (await talk.answer()).status], [201, 200, 404])
})

test('repeated headers are read once, or refused', async () => {
  const shop = await openShop()
  const talk = await talkTo(shop)
  const get = (headers: string) => talk.send(`GET /pac/terminals HTTP/1.1\r\n${HEAD}${headers}\r\n`)
  for (const [headers, status] of [
    ['Accept: application/connect.v9+json\r\nAccept: application/json\r\n', 200],
    ['Software-House-Id: a\r\nSoftware-House-Id: a\r\n', 200],
    ['Content-Type: application/json\r\nContent-Type: text/plain\r\n', 200],
    [AUTH, 200],
    ['X-Request-Id: a\r\nX-Request-Id: b\r\n', 200],
  ] as const) {
    get(headers)
    equal((await talk.answer()).status, status, headers)
  }
  talk.send(post(SALE, 'Idempotency-Key: a\r\nIdempotency-Key: b\r\n'))
  equal((await talk.answer()).status, 422)
})

test('a refusal before the body is read leaves the connection usable', async () => {
  const shop = await openShop()
  const talk = await talkTo(shop)
  talk.send(post(SALE).replace(AUTH, ''))
  equal((await talk.answer()).status, 401)
  talk.send(post(SALE))
  equal((await talk.answer()).status, 201)
})

test('a body that is too large is refused by its Content-Length, or by its size when chunked', async () => {
  const shop = await openShop({ settings: { bodyLimitBytes: 1_024 } })
  const announced = await talkTo(shop)
  announced.send(`POST ${PATH} HTTP/1.1\r\n${HEAD}Content-Length: 1000000\r\n\r\n`)
  const refused = await announced.answer()
  equal(refused.status, 413)
  equal(refused.headers['connection'], 'close')
  await announced.closed

  const chunked = await talkTo(shop)
  chunked.send(`POST ${PATH} HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
  for (let chunk = 0; chunk < 5; chunk += 1) chunked.send(`100\r\n${' '.repeat(256)}\r\n`)
  equal((await chunked.answer()).status, 413)
  await chunked.closed

  const fits = await talkTo(shop)
  fits.send(`POST ${PATH} HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
  for (const letter of SALE) fits.send(`1\r\n${letter}\r\n`)
  fits.send('0\r\n\r\n')
  equal((await fits.answer()).status, 201)
})

const ENDLESS = `POST ${PATH} HTTP/1.1\r\n${HEAD}Content-Length: 100000000\r\n\r\n`

/** Announces 100 MB and sends some of it in pieces. Returns the text received after that, or the error of sending. */
async function sendTooMuch(shop: Shop, pieces: number): Promise<string> {
  const socket = connect({ port: await portOf(shop), host: '127.0.0.1' })
  const gone = new Promise<string>(resolve => socket.once('error', error => resolve(error.message)))
  socket.write(ENDLESS)
  for (let sent = 0; sent < pieces && !socket.destroyed; sent += 1) {
    await new Promise(resolve => socket.write(Buffer.alloc(50_000, ' '), resolve))
    await shop.settle()
  }
  return Promise.race([gone, text(socket)])
}

test('413 reaches a client that is still sending, up to a limit', async () => {
  const shop = await openShop({ settings: { bodyLimitBytes: 1_024 } })
  match(await sendTooMuch(shop, 10), /^HTTP\/1\.1 413 /)
  match(await sendTooMuch(shop, 1_000), /ECONNRESET|EPIPE/)
})

test('a connection that stays open is closed two seconds after its 413', async () => {
  const shop = await openShop({ settings: { bodyLimitBytes: 1_024 } })
  const connections = promisify(shop.api.server.getConnections.bind(shop.api.server))
  const socket = connect({ port: await portOf(shop), host: '127.0.0.1', allowHalfOpen: true })
  socket.write(ENDLESS)
  let received = ''
  socket.on('data', chunk => (received += String(chunk)))
  await new Promise(resolve => socket.once('end', resolve))
  match(received, /^HTTP\/1\.1 413 /)
  await shop.clock.advance(1_999)
  equal(await connections(), 1)
  await shop.clock.advance(1)
  await shop.settle()
  equal(await connections(), 0)
  socket.destroy()
})

test('headers and addresses that are too long are refused', async () => {
  const shop = await openShop()
  const headers = await talkTo(shop)
  headers.send(`GET / HTTP/1.1\r\n${HEAD}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
  const tooLarge = await headers.answer()
  equal(tooLarge.status, 431)
  equal(JSON.parse(tooLarge.body).code, 'headers_too_large')
  match(tooLarge.headers['x-request-id'] ?? '', /^[\da-f-]{36}$/)
  await headers.closed

  const address = await talkTo(shop)
  address.send(`GET /pac/terminals?${'x'.repeat(5_000)} HTTP/1.1\r\n${HEAD}\r\n`)
  equal((await address.answer()).status, 414)
})

test('a request that arrives too slowly is closed', async () => {
  const shop = await openShop({ limits: { headersMs: 50, requestMs: 100, checkEveryMs: 20 } })
  const headers = await talkTo(shop)
  headers.send('GET / HTTP/1.1\r\nHost: pay')
  equal((await headers.answer()).status, 408)
  await headers.closed

  const body = await talkTo(shop)
  body.send(`POST ${PATH} HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n{`)
  await body.closed
  // It started nothing, and the terminal is free.
  equal((await shop.till.ask('GET', '/api/transactions')).text, '{"transactions":[],"next":null}')
  equal((await shop.till.start(SALE)).status, 201)
})

test('an idle connection is closed after keepAliveMs', async () => {
  const shop = await openShop({ limits: { keepAliveMs: 50 } })
  const talk = await talkTo(shop)
  talk.send(`GET /health/live HTTP/1.1\r\n${HEAD}\r\n`)
  equal((await talk.answer()).status, 200)
  await talk.closed
  equal((await shop.till.ask('GET', '/health/live')).status, 200)
})

test('invalid HTTP is answered with 400, and the connection is closed', async () => {
  const shop = await openShop()
  for (const bytes of [
    'HELO mail.example\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
    'GET / HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\n${HEAD}Bad Header\r\n\r\n`,
    `POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`,
    `POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx`,
    'GET / HTTP/1.1\r\n\r\n',
  ]) {
    const talk = await talkTo(shop)
    talk.send(bytes)
    const answer = await talk.answer()
    equal(answer.status, 400, JSON.stringify(bytes))
    await talk.closed
  }
  const empty = await talkTo(shop)
  empty.send(`GET /pac/terminals HTTP/1.1\r\nHost:\r\n${AUTH}\r\n`)
  equal((await empty.answer()).status, 400)
})

test('two Host headers are 400, also for an unknown path and for a handshake', async () => {
  const shop = await openShop()
  for (const [start, more] of [
    ['GET /pac/terminals', ''],
    ['GET /nothing', ''],
    ['GET /pac?token=demo-api-key', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'],
  ] as const) {
    const talk = await talkTo(shop)
    talk.send(`${start} HTTP/1.1\r\n${HEAD}HOST: other.example\r\n${more}\r\n`)
    equal((await talk.answer()).status, 400, start)
  }
})

test('garbage after a waiting request does not replace its answer', async () => {
  const shop = await openShop({ terminal: 'VCMDEMOSIS0' })
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  const etag = (await shop.till.read(sale)).headers['etag']
  const talk = await talkTo(shop)
  const { pathname } = new URL(sale.location)
  talk.send(`GET ${pathname} HTTP/1.1\r\n${HEAD}If-None-Match: ${etag}\r\nPrefer: wait=10\r\n\r\n`)
  talk.send('\u0000\u0001garbage\r\n\r\n')
  await shop.settle()
  await shop.till.sign(sale, true)
  const answer = await talk.answer()
  equal(answer.status, 200)
  match(answer.body, /SIGNATURE_VERIFICATION_IN_PROGRESS/)
})

test('garbage after a request that is answered at once does not replace or overtake its answer', async () => {
  const shop = await openShop()
  const talk = await talkTo(shop)
  talk.send(`GET /health/live HTTP/1.1\r\n${HEAD}\r\n\u0000\u0001garbage\r\n\r\n`)
  equal((await talk.answer()).status, 200)
  await talk.closed
})

test('garbage in the body of a refused request does not replace the refusal', async () => {
  const shop = await openShop()
  const talk = await talkTo(shop)
  talk.send(`POST ${PATH} HTTP/1.1\r\nHost: pay.example\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`)
  equal((await talk.answer()).status, 401)
  await talk.closed
})

test('a till that disconnects frees its place among the waiting requests', async () => {
  const shop = await openShop({ terminal: 'VCMDEMOSIS0', limits: { waits: 1 } })
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  const etag = (await shop.till.read(sale)).headers['etag'] ?? ''
  const alarms = shop.clock.alarms
  const talk = await talkTo(shop)
  const { pathname } = new URL(sale.location)
  talk.send(`GET ${pathname} HTTP/1.1\r\n${HEAD}If-None-Match: ${etag}\r\nPrefer: wait=10\r\n\r\n`)
  while (shop.clock.alarms === alarms) await shop.settle()
  talk.socket.destroy()
  while (shop.clock.alarms > alarms) await shop.settle()
  const other = shop.till.read(sale, { headers: { 'if-none-match': etag, prefer: 'wait=10' } })
  await shop.clock.advance(10_000)
  equal((await other).headers['preference-applied'], 'wait=10')
})

test('a till that disconnects in the middle of its request starts nothing', async () => {
  const shop = await openShop()
  const talk = await talkTo(shop)
  const [head = ''] = post(SALE, 'Expect: 100-continue\r\n').split('{')
  talk.send(head)
  // The gateway has begun to serve the request.
  equal((await talk.answer()).status, 100)
  talk.send(SALE.slice(0, -10))
  talk.socket.destroy()
  await talk.closed
  await shop.settle()
  equal((await shop.till.ask('GET', '/api/transactions')).text, '{"transactions":[],"next":null}')
  deepEqual(
    shop.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
})

test('a stopping gateway answers waiting requests at once and closes idle connections', async () => {
  const shop = await openShop({ terminal: 'VCMDEMOSIS0' })
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  const etag = (await shop.till.read(sale)).headers['etag']
  const { pathname } = new URL(sale.location)
  const waiting = await talkTo(shop)
  const alarms = shop.clock.alarms
  waiting.send(`GET ${pathname} HTTP/1.1\r\n${HEAD}If-None-Match: ${etag}\r\nPrefer: wait=60\r\n\r\n`)
  const idle = await talkTo(shop)
  const half = await talkTo(shop)
  half.send('GET / HTTP/1.1\r\nHost: pay.exa')
  while (shop.clock.alarms === alarms) await shop.settle()

  const closed = shop.api.close()
  const answer = await waiting.answer()
  equal(answer.status, 304)
  equal(answer.headers['connection'], 'close')
  await Promise.all([closed, waiting.closed, idle.closed, half.closed])
  ok(!shop.api.server.listening)
})

test('a start that is being committed when the gateway stops is answered', async () => {
  let writing: (() => void) | null = null
  const shop = await openShop({
    store: store => ({
      ...store,
      commit: async commit => {
        if (commit.kind === 'terminal-transaction' && commit.version === 1)
          await new Promise<void>(resolve => {
            writing = resolve
          })
        return store.commit(commit)
      },
    }),
  })
  const talk = await talkTo(shop)
  talk.send(post(SALE))
  while (writing === null) await new Promise<void>(resolve => setImmediate(resolve))
  let isClosed = false
  const closed = shop.api.close().then(() => {
    isClosed = true
  })
  for (let turn = 0; turn < 20; turn += 1) await new Promise<void>(resolve => setImmediate(resolve))
  equal(isClosed, false)
  ;(writing as () => void)()
  const answer = await talk.answer()
  equal(answer.status, 201)
  match(JSON.parse(answer.body).requestId, /^[\da-f-]{36}$/)
  await closed
})

test('a request that outlasts the shutdown limit is closed', async () => {
  let hold = false
  const shop = await openShop({
    store: store => ({
      ...store,
      list: (account, query) => (hold ? new Promise(() => {}) : store.list(account, query)),
    }),
  })
  hold = true
  const talk = await talkTo(shop)
  talk.send(`GET /pac/terminals HTTP/1.1\r\n${HEAD}\r\n`)
  for (let turn = 0; turn < 20; turn += 1) await shop.settle()
  const closed = shop.api.close(5_000)
  await shop.clock.advance(5_000)
  await closed
  await rejects(talk.answer(), /closed/)
})

test('a running transaction is answered over TLS with an https location', async () => {
  const shop = await openShop({ tls: { cert: TEST_CERT, key: TEST_KEY } })
  const sale: Started = await shop.till.sale(2599)
  await shop.clock.advance(PACE_MS)
  const port = await portOf(shop)
  const body = await new Promise<string>((resolve, reject) => {
    const options = {
      ...{
        host: '127.0.0.1',
        port,
        path: new URL(sale.location).pathname,
        ca: TEST_CERT,
        servername: 'localhost',
        agent: false,
      },
      headers: { host: 'pay.example', authorization: basic('demo-api-key') },
    }
    request(options, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve(text))
    })
      .once('error', reject)
      .end()
  })
  equal(body, (await shop.till.read(sale)).text)
  match(body, /"location":"https:\/\/pay\.example\//)
})
