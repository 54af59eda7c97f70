// test/api/socket/handshake.test.ts — the WebSocket handshake: who may connect, and the answers to the others.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'vitest'
import { WebSocket } from 'ws'
import { connectTill, openSocketShop, refusalOf } from '../../support/socket-till.ts'
import { basic, send } from '../../support/till.ts'
import { TEST_CERT, TEST_KEY } from '../../support/tls.ts'
import { portOf, talkTo } from '../../support/wire-talk.ts'

const GOOD = 'token=demo-api-key&api-version=v1&software-house-id=s&installer-id=i'
const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

describe('a till is connected', () => {
  test.each([
    ['with a good key and all that v1 demands', '/pac', GOOD],
    ['at the address in any case of letters', '/PAC', GOOD],
    ['at the address with a slash at the end', '/Pac/', GOOD],
    ['at the address with slashes repeated before it', '//pac', GOOD],
    ['at the address in capitals with slashes repeated around it', '///PAC//', GOOD],
    ['with v0, which demands no partner', '/pac', 'token=demo-api-key&api-version=v0'],
    ['with the version in any case of letters', '/pac', 'token=demo-api-key&api-version=V0'],
    ['without a version, and then without partners', '/pac', 'token=demo-api-key'],
    ['with a version that is left empty', '/pac', 'token=demo-api-key&api-version='],
    [
      'with names in any case, and values that are encoded or have spaces around',
      '/pac',
      GOOD.replace('token=demo-', 'TOKEN=%20demo%2D'),
    ],
    ['with parameters that mean nothing here', '/pac', `${GOOD}&final-pos-receipt-request&colour=red`],
    ['by the first of two values', '/pac', `${GOOD}&token=wrong&api-version=v9`],
  ])('%s', async (_, path, query) => {
    const shop = await openSocketShop()
    const till = await connectTill(shop, { path, query })
    till.say({ jsonrpc: '2.0', id: 1, method: 'connectedTerminals' })
    await till.settle()
    equal(till.heard.length, 1)
    ok('result' in till.heard[0]!)
  })
})

test('a till is connected by an absolute address, as it is sent to a proxy', async () => {
  const talk = await talkTo(await openSocketShop())
  talk.send(`GET http://pay.example/pac?${GOOD} HTTP/1.1\r\nHost: pay.example\r\n${UPGRADE}\r\n`)
  equal((await talk.answer()).status, 101)
  talk.socket.destroy()
})

describe('a till is refused', () => {
  test.each([
    ['without a key', '/pac', 'api-version=v1', 401, 'Authorisation is missing.'],
    ['with an empty key', '/pac', 'token=&api-version=v1', 401, 'Authorisation is missing.'],
    ['with a wrong key', '/pac', 'token=wrong', 401, 'Authorisation was refused.'],
    ['with a key in the wrong case of letters', '/pac', 'token=DEMO-API-KEY', 401, 'Authorisation was refused.'],
    ['at an unknown path, whatever the key', '/tills', 'token=wrong', 404, 'No resource exists at this path.'],
    ['below the path', '/pac/terminals', GOOD, 404, 'No resource exists at this path.'],
    [
      'with an unknown version',
      '/pac',
      'token=demo-api-key&api-version=v2',
      406,
      'The version in api-version is not supported. Supported: v1, v0.',
    ],
    [
      'with v1 and no software house',
      '/pac',
      'token=demo-api-key&api-version=v1&installer-id=i',
      422,
      'The field software-house-id is missing.',
    ],
    [
      'with v1 and no installer',
      '/pac',
      'token=demo-api-key&api-version=v1&software-house-id=s',
      422,
      'The field installer-id is missing.',
    ],
    [
      'with v1 and an empty partner',
      '/pac',
      'token=demo-api-key&api-version=v1&software-house-id=%20&installer-id=i',
      422,
      'The field software-house-id is missing.',
    ],
    [
      'with a partner that is too long',
      '/pac',
      `token=demo-api-key&installer-id=${'i'.repeat(256)}`,
      422,
      'The field installer-id is too long. It must have 255 characters at most.',
    ],
    [
      'with a wrong key and an unknown version, for the key',
      '/pac',
      'token=wrong&api-version=v9',
      401,
      'Authorisation was refused.',
    ],
    [
      'with an unknown version and no partner, for the version',
      '/pac',
      'token=demo-api-key&api-version=v9',
      406,
      'The version in api-version is not supported. Supported: v1, v0.',
    ],
    ['with an address that is too long', '/pac', `${GOOD}&a=${'a'.repeat(4_100)}`, 414, 'The URL is too long.'],
  ])('%s', async (_, path, query, status, sentence) => {
    const shop = await openSocketShop()
    const refusal = await refusalOf(shop, { path, query })
    equal(refusal.status, status)
    deepEqual(refusal.body, { userMessage: sentence, messages: [sentence] })
    match(refusal.headers['x-request-id'] ?? '', /./)
    equal(refusal.headers['connection'], 'close')
    equal(shop.api.server.listenerCount('upgrade'), 1)
  })

  test('with Basic credentials only, as REST accepts them', async () => {
    const shop = await openSocketShop()
    const refusal = await refusalOf(shop, {
      query: 'api-version=v0',
      headers: { authorization: basic('demo-api-key') },
    })
    equal(refusal.status, 401)
    equal(refusal.body['userMessage'], 'Authorisation is missing.')
  })

  test('when its account was revoked', async () => {
    const shop = await openSocketShop()
    await shop.gateway.provisioning.revokeAccount('demo')
    await shop.clock.advance(1_001)
    equal((await refusalOf(shop, {})).status, 401)
  })
})

test('partner ids are optional with partnerHeaders accept', async () => {
  const shop = await openSocketShop({ settings: { partnerHeaders: 'accept' } })
  const till = await connectTill(shop, { query: 'token=demo-api-key&api-version=v1' })
  equal((await till.ask('terminalDetails', { tid: 'VCMDEMOSIP0' })).error, undefined)
})

test('partner ids of the address are stored with the transactions, with and without a version', async () => {
  const shop = await openSocketShop()
  for (const [query, partner] of [
    [GOOD, { softwareHouseId: 's', installerId: 'i' }],
    ['token=demo-api-key&software-house-id=Acme+Ltd', { softwareHouseId: 'Acme Ltd', installerId: null }],
  ] as const) {
    const till = await connectTill(shop, { query })
    await till.answerTo(till.request('sale', { tid: 'VCMDEMOSIP0', currency: 'GBP', amount: 100 }))
    const list = await shop.till.ask('GET', '/api/transactions')
    deepEqual((list.json['transactions'] as { partner: object }[])[0]?.partner, partner)
  }
})

test('a till without a version gets the one that belongs to the default of the gateway, or of its account', async () => {
  const old = await openSocketShop({ settings: { defaultVersion: 'v1' } })
  const till = await connectTill(old, { query: 'token=demo-api-key' })
  till.say({ jsonrpc: '2.0', id: 1, method: 'terminalDetails', params: { tid: 'VCMDEMOSIP0' } })
  await till.settle()
  equal(till.heard[0]?.error?.code, -32601)

  await old.gateway.provisioning.setDefaultVersion('demo', 'v2')
  await old.clock.advance(1_001)
  const newer = await connectTill(old, { query: 'token=demo-api-key' })
  ok('result' in (await newer.ask('terminalDetails', { tid: 'VCMDEMOSIP0' })))
})

test('a partner id that looks like a card number is masked, and the till is connected', async () => {
  const shop = await openSocketShop()
  const query = 'token=demo-api-key&installer-id=4111111111111111'
  for (const version of ['&api-version=v0', '&api-version=v1&software-house-id=maker']) {
    const till = await connectTill(shop, { query: query + version })
    const terminal = version.includes('v0') ? { tpi: 'VCMDEMOSIP0' } : { tid: 'VCMDEMOSCD0' }
    await till.answerTo(till.request('sale', { ...terminal, currency: 'GBP', amount: 100 }))
    const list = await shop.till.ask('GET', '/api/transactions')
    const [{ partner } = { partner: {} }] = list.json['transactions'] as { partner: { installerId?: string } }[]
    equal(partner.installerId, '****************')
  }
})

test('a plain GET gets the same checks, and then 426', async () => {
  const shop = await openSocketShop()
  const get = (path: string) => send(shop.api.inject, 'GET', path, {})
  equal((await get('/pac')).status, 401)
  equal((await get('/pac?token=wrong')).status, 401)
  equal((await get('/pac?token=demo-api-key&api-version=v9')).status, 406)
  equal((await get('/pac?token=demo-api-key&api-version=v1')).status, 422)
  for (const path of [`/pac?${GOOD}`, `/pac/?${GOOD}`, `/PAC?${GOOD}`, `//pac?${GOOD}`, `//PAC/?${GOOD}`]) {
    const reply = await get(path)
    equal(reply.status, 426, path)
    equal(reply.headers['upgrade'], 'websocket')
    equal(reply.json['userMessage'], 'The request must be a WebSocket upgrade.')
  }
})

test('the first subprotocol that is offered is answered, and no compression is negotiated', async () => {
  const shop = await openSocketShop()
  const talk = await talkTo(shop)
  talk.send(
    `GET /pac?${GOOD} HTTP/1.1\r\nHost: pay.example\r\n${UPGRADE}Sec-WebSocket-Protocol: connect, json\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n`,
  )
  const answer = await talk.answer()
  equal(answer.status, 101)
  equal(answer.headers['sec-websocket-protocol'], 'connect')
  equal(answer.headers['sec-websocket-extensions'], undefined)
  equal(answer.headers['sec-websocket-accept'], 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
})

test.each(['/pac', '/pat'])('a client that insists on an answer to its subprotocols can connect to %s', async path => {
  const shop = await openSocketShop()
  const { port } = await shop.api.listen({ host: '127.0.0.1', port: 0 })
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}?${GOOD}`, ['connect', 'json'])
  await once(socket, 'open')
  equal(socket.protocol, 'connect')
  socket.terminate()
})

describe('an invalid WebSocket handshake is refused in the usual format, and logged', () => {
  test.each([
    ['of another version', 'Version: 13', 'Version: 7', 'Missing or invalid Sec-WebSocket-Version header'],
    ['without a version', 'Sec-WebSocket-Version: 13\r\n', '', 'Missing or invalid Sec-WebSocket-Version header'],
    ['with a broken key', 'dGhlIHNhbXBsZSBub25jZQ==', 'short', 'Missing or invalid Sec-WebSocket-Key header'],
    [
      'without a key',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
      '',
      'Missing or invalid Sec-WebSocket-Key header',
    ],
    [
      'with protocols that cannot be read',
      'Upgrade: websocket',
      'Upgrade: websocket\r\nSec-WebSocket-Protocol: ,',
      'Invalid Sec-WebSocket-Protocol header',
    ],
  ])('%s', async (_, good, broken, detail) => {
    const shop = await openSocketShop({ limits: { tillsPerAccount: 1 } })
    for (const path of ['/pac', '/pat']) {
      const talk = await talkTo(shop)
      talk.send(`GET ${path}?${GOOD} HTTP/1.1\r\nHost: pay.example\r\n${UPGRADE.replace(good, broken)}\r\n`)
      const { status, headers, body } = await talk.answer()
      await talk.closed
      deepEqual(
        [status, headers['content-type'], headers['sec-websocket-version'], headers['connection']],
        [400, 'application/connect.v2+json', '13', 'close'],
      )
      const sentence = 'The request could not be read.'
      deepEqual(JSON.parse(body), { userMessage: sentence, messages: [sentence] })
    }
    const line = { code: 'request_malformed', detail }
    const logged = shop.log.lines.filter(each => JSON.stringify(each).includes('request refused'))
    equal(logged.length, 2)
    for (const each of logged) for (const word of Object.values(line)) ok(JSON.stringify(each).includes(word), word)
    deepEqual(
      shop.observed.filter(each => each.startsWith('connectTill')),
      ['connectTill 400', 'connectTill 400'],
    )
    // The one place is still free.
    await connectTill(shop)
  })

  test('by another method', async () => {
    const shop = await openSocketShop()
    const talk = await talkTo(shop)
    talk.send(`POST /pac?${GOOD} HTTP/1.1\r\nHost: pay.example\r\n${UPGRADE}\r\n`)
    const { status, headers, body } = await talk.answer()
    deepEqual([status, headers['allow']], [405, 'GET'])
    equal(
      (JSON.parse(body) as { userMessage: string }).userMessage,
      'Method not allowed for this path. The Allow header lists the allowed methods.',
    )
  })
})

test('an upgrade to another protocol is ignored, with and without a body', async () => {
  const shop = await openSocketShop()
  const talk = await talkTo(shop)
  const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n'
  const head = `Host: pay.example\r\nAuthorization: ${basic('demo-api-key')}\r\n${offer}`
  talk.send(`GET /pac/terminals HTTP/1.1\r\n${head}\r\n`)
  equal((await talk.answer()).status, 200)
  const body = '{"transactionType":"SALE","amount":2599,"currency":"GBP"}'
  talk.send(
    `POST /pac/terminals/VCMDEMOSIP0/transactions HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  equal((await talk.answer()).status, 201)
})

test('with a list of origins, handshakes of other origins are refused', async () => {
  const shop = await openSocketShop({ settings: { corsOrigins: ['https://till.example'] } })
  const port = await portOf(shop)
  const ask = (origin: string) => refusalOf(shop, { headers: { origin } })
  equal((await ask('https://evil.example')).status, 403)
  equal((await ask('null')).status, 403)
  for (const headers of [
    'Origin: https://till.example\r\n',
    // A library, not a page: its origin is the host that it calls.
    `Origin: http://127.0.0.1:${port}\r\n`,
    '',
  ]) {
    const talk = await talkTo(shop)
    talk.send(`GET /pac?${GOOD} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}${UPGRADE}\r\n`)
    equal((await talk.answer()).status, 101, headers)
  }
})

test('the log has the reason of a refusal, and no keys', async () => {
  const shop = await openSocketShop()
  await (await connectTill(shop)).close()
  await refusalOf(shop, { query: 'token=guessed-key' })
  const lines = JSON.stringify(shop.log.lines)
  match(lines, /request refused/)
  match(lines, /credentials_refused/)
  for (const secret of ['demo-api-key', 'guessed-key', 'token=']) ok(!lines.includes(secret), secret)
})

test('a failing store is 500 without a body', async () => {
  let broken = false
  const shop = await openSocketShop({
    store: store => ({
      ...store,
      accountKeyHolderOf: key => (broken ? Promise.reject(new Error('disk gone')) : store.accountKeyHolderOf(key)),
    }),
  })
  broken = true
  const talk = await talkTo(shop)
  talk.send(`GET /pac?${GOOD} HTTP/1.1\r\nHost: pay.example\r\n${UPGRADE}\r\n`)
  const answer = await talk.answer()
  deepEqual([answer.status, answer.body], [500, ''])
})

test('tills connect over TLS', async () => {
  const shop = await openSocketShop({ tls: { cert: TEST_CERT, key: TEST_KEY } })
  const till = await connectTill(shop, { secure: true })
  deepEqual((await till.ask('terminalDetails', { tid: 'VCMDEMOSIP0' })).result, {
    tid: 'VCMDEMOSIP0',
    currency: 'GBP',
    status: 'AVAILABLE',
  })
})
