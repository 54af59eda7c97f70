// test/api/garbage.test.ts — whatever is sent, the gateway answers sensibly, and nothing changes that was not asked for.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { OPERATIONS } from '../../src/api/operations/index.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { basic } from '../support/till.ts'
import { talkTo } from '../support/wire-talk.ts'

const GOOD = [
  '{"transactionType":"SALE","amount":2599,"currency":"GBP"}',
  '{"transactionType":"COMPLETION","amount":8150,"currency":"GBP","authCode":"AB12C3","amountPreAuthorisedTotal":10000}',
  '{"accepted":true}',
  '{"key":"present_card","card":"sim-visa-debit","how":"insert"}',
  '{"paceMs":500,"gratuity":true}',
]

/** Operations that read a body, on a terminal or transaction that is there. */
async function bodyReaders(shop: Shop): Promise<readonly (readonly [method: string, path: string])[]> {
  const sale = await shop.till.at('VCMDEMOSIS0').sale(100)
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  return OPERATIONS.filter(({ body, auth }) => body !== undefined && auth === 'basic').map(({ method, path }) => [
    method,
    path
      .replace('{tid}', path.includes('{requestId}') ? 'VCMDEMOSIS0' : 'VCMDEMOSIP0')
      .replace('{requestId}', sale.requestId),
  ])
}

/** How much has happened in the account: nothing changes without an event. */
async function happened(shop: Shop): Promise<number> {
  return (await shop.store.eventsAfter('demo', 0, 1_000_000)).length
}

/** Near-valid text: a good body with a few bytes changed, dropped, doubled or put in. */
const mutated = fc
  .tuple(
    fc.constantFrom(...GOOD),
    fc.array(
      fc.tuple(fc.nat(200), fc.constantFrom('drop', 'double', 'put', 'cut'), fc.string({ minLength: 1, maxLength: 3 })),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  )
  .map(([text, changes]) =>
    changes.reduce((now, [place, kind, put]) => {
      const at = place % (now.length + 1)
      if (kind === 'drop') return now.slice(0, at) + now.slice(at + 1)
      if (kind === 'double') return now.slice(0, at + 1) + now.slice(at)
      return kind === 'put' ? now.slice(0, at) + put + now.slice(at) : now.slice(0, at)
    }, text),
  )

const anyBody = fc.oneof(
  mutated,
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
  fc
    .record({ transactionType: fc.jsonValue(), amount: fc.jsonValue(), currency: fc.jsonValue() })
    .map(value => JSON.stringify(value)),
  fc
    .record({ transactionType: fc.constant('SALE'), amount: fc.double(), currency: fc.constant('GBP') })
    .map(value => JSON.stringify(value)),
)

test('bodies of all kinds are taken or refused with a sentence, and a refusal changes nothing', {
  timeout: 120_000,
}, async () => {
  const shop = await openShop()
  const readers = await bodyReaders(shop)
  ok(readers.length >= 4)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...readers), anyBody, async ([method, path], body) => {
      const before = await happened(shop)
      const reply = await shop.till.ask(method, path, { body, headers: { 'content-type': 'application/json' } })
      ok(reply.status < 500, `${method} ${path} ${JSON.stringify(String(body))} ${reply.status} ${reply.text}`)
      if (reply.status >= 400) equal(await happened(shop), before)
    }),
    { numRuns: 600, seed: 7 },
  )
  deepEqual(
    shop.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
})

const headerValue = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code)),
  maxLength: 60,
})
const HEADERS = [
  ...['accept', 'authorization', 'content-type', 'host', 'if-none-match', 'prefer', 'idempotency-key'],
  ...['x-request-id', 'software-house-id', 'installer-id', 'last-event-id', 'origin', 'content-encoding', 'range'],
  ...['x-forwarded-host', 'x-forwarded-proto', 'accept-version', 'access-control-request-method', 'content-length'],
]

test('headers of all kinds never lead to a fault', { timeout: 120_000 }, async () => {
  const shop = await openShop({ settings: { trustedProxies: ['127.0.0.1'] } })
  const paths = OPERATIONS.map(({ path }) => path.replace('{tid}', 'VCMDEMOSIP0').replace(/\{\w+\}/, 'x'))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT'),
      fc.constantFrom(...paths),
      fc.dictionary(fc.constantFrom(...HEADERS.filter(name => name !== 'content-length')), headerValue),
      async (method, path, headers) => {
        const reply = await shop.till.ask(method, path, { headers })
        ok(reply.status < 500, `${method} ${path} ${JSON.stringify(headers)} ${reply.status} ${reply.text}`)
      },
    ),
    { numRuns: 500, seed: 7 },
  )
})

test('addresses of all kinds never lead to a fault', { timeout: 120_000 }, async () => {
  const shop = await openShop()
  const talk = { now: await talkTo(shop) }
  const piece = fc.oneof(
    fc.constantFrom(
      'pac',
      'terminals',
      'VCMDEMOSIP0',
      'transactions',
      'signature',
      'api',
      '..',
      '.',
      '',
      '%',
      '%00',
      '%2F',
      '%C0%AF',
      ';',
      '?',
      '#',
      '*',
      '{tid}',
      ':tid',
      '~',
      '\\',
    ),
    headerValue.map(text => text.replaceAll(' ', '+')),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'DELETE', 'OPTIONS', 'TRACE'),
      fc.array(piece, { maxLength: 7 }),
      async (method, pieces) => {
        const target = `/${pieces.join('/')}`
        talk.now.send(
          `${method} ${target} HTTP/1.1\r\nHost: pay.example\r\nAuthorization: ${basic('demo-api-key')}\r\nContent-Length: 0\r\n\r\n`,
        )
        const answer = await talk.now.answer()
        ok(answer.status < 500, `${method} ${target} ${answer.status} ${answer.body}`)
        if (answer.headers['connection'] === 'close') talk.now = await talkTo(shop)
      },
    ),
    { numRuns: 500, seed: 7 },
  )
  equal((await shop.till.ask('GET', '/health/live')).status, 200)
})

test('bytes that are no HTTP at all are answered or cut off, and nobody else notices', {
  timeout: 120_000,
}, async () => {
  const shop = await openShop()
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 200 }),
    fc
      .uint8Array({ minLength: 1, maxLength: 40 })
      .map(noise => Buffer.concat([Buffer.from('GET / HTTP/1.1\r\nHost: x\r\nX: '), noise])),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async noise => {
      const talk = await talkTo(shop)
      talk.send(noise)
      talk.send('\r\n\r\n')
      talk.socket.end()
      await talk.closed
    }),
    { numRuns: 150, seed: 7 },
  )
  equal((await shop.till.start(JSON.parse(GOOD[0]!))).status, 201)
  deepEqual(
    shop.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
})
