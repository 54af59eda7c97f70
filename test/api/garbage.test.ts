// test/api/garbage.test.ts — random bodies, headers, addresses and bytes: no 5xx, and a refusal changes nothing.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { test } from 'vitest'
import { ALL_OPERATIONS } from '../support/operations.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { basic } from '../support/till.ts'
import { talkTo } from '../support/wire-talk.ts'
import { fieldsOf, RECIPES } from './garbage-bodies.ts'
import { openTown } from './garbage-town.ts'

const JSON_TYPE = 'application/json'
const MEDIA_TYPES = [
  '',
  'text/plain',
  JSON_TYPE,
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
]
const BODIES_EACH = 14

/** These operations can run again in the same account: what they change does not prevent the next call. */
const REPEATABLE = new Set([
  ...['createAccessToken', 'registerJwtKey', 'rotateWebhookSecret', 'openTestAccount', 'addTerminal'],
  ...['defineScenario', 'setScenarioQueue', 'armWebhookDrill', 'setAuthentications', 'setOnlineScenarios'],
  ...['configureTerminal', 'takeSnapshot', 'orderInDemoShop', 'receiveDemoWebhook'],
])

const WITH_BODY = ALL_OPERATIONS.filter(({ body }) => body !== undefined)

test.each(WITH_BODY.map(operation => [operation.name, operation] as const))(
  '%s accepts or refuses any body, and a refusal changes nothing',
  { timeout: 120_000 },
  async (_, operation) => {
    const right = operation.body?.mediaType ?? JSON_TYPE
    const mediaType = fc.oneof({ weight: 12, arbitrary: fc.constant(right) }, fc.constantFrom(...MEDIA_TYPES))
    const state = { town: await openTown(operation), before: {} as Readonly<Record<string, unknown>> }
    state.before = await state.town.fingerprint()
    let reached = 0
    await fc.assert(
      fc.asyncProperty(RECIPES, mediaType, async (recipe, type) => {
        const { town, before } = state
        const body = recipe(town.samples, fieldsOf(operation), right !== JSON_TYPE)
        const { reply, path, waited } = await town.call(body, type)
        const said = `${operation.method} ${path} ${type} ${JSON.stringify(String(body))} ${reply.status} ${reply.text}`
        ok(reply.status < 500, said)
        if (reply.status !== 404 && reply.status !== 405) reached += 1
        // A newly armed fault could apply to the reads of the fingerprint.
        const after = operation.name === 'armFault' && reply.status === 201 ? {} : await town.fingerprint()
        // A refusal of JSON-RPC is 200 with an error in the body.
        if (!waited && (reply.status >= 400 || 'error' in reply.json)) deepEqual(after, before, said)
        if (REPEATABLE.has(operation.name)) state.before = after
        else if (!isDeepStrictEqual(after, before)) {
          noErrors(town.shop)
          state.town = await openTown(operation)
          state.before = await state.town.fingerprint()
        }
      }),
      { numRuns: BODIES_EACH, seed: 7 },
    )
    ok(reached > 0, 'the address is not there')
    noErrors(state.town.shop)
  },
)

function noErrors(shop: Shop): void {
  deepEqual(
    shop.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
}

const headerValue = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code)),
  maxLength: 60,
})
const HEADERS = [
  ...['accept', 'authorization', 'content-type', 'host', 'if-none-match', 'prefer', 'idempotency-key'],
  ...['x-request-id', 'software-house-id', 'installer-id', 'last-event-id', 'origin', 'content-encoding', 'range'],
  ...['x-forwarded-host', 'x-forwarded-proto', 'accept-version', 'access-control-request-method', 'content-length'],
]

test('random headers never lead to 5xx', { timeout: 120_000 }, async () => {
  const shop = await openShop({ settings: { trustedProxies: ['127.0.0.1'] } })
  const paths = ALL_OPERATIONS.map(({ path }) => path.replace('{tid}', 'VCMDEMOSIP0').replace(/\{\w+\}/, 'x'))
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

test('random addresses never lead to 5xx', { timeout: 120_000 }, async () => {
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

test('connections that send no HTTP are closed, and other clients are not affected', {
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
  equal((await shop.till.start({ transactionType: 'SALE', amount: 2599, currency: 'GBP' })).status, 201)
  deepEqual(
    shop.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
})
