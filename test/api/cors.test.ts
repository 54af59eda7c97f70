// test/api/cors.test.ts — CORS, for tills that run in a browser.
import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop } from '../support/shop.ts'
import { type Reply, send } from '../support/till.ts'

const ORIGIN = 'https://till.example'
const PREFLIGHT = {
  origin: ORIGIN,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,idempotency-key',
}

function words(reply: Reply, header: string): readonly string[] {
  return (reply.headers[header] ?? '').toLowerCase().split(', ').toSorted()
}

test('a preflight needs no credentials', async () => {
  const shop = await openShop()
  const reply = await send(shop.api.inject, 'OPTIONS', '/pac/terminals/x/transactions', PREFLIGHT)
  equal(reply.status, 204)
  equal(reply.text, '')
  equal(reply.headers['access-control-allow-origin'], '*')
  deepEqual(words(reply, 'access-control-allow-methods'), ['options', 'post'])
  deepEqual(words(reply, 'access-control-allow-headers'), ['authorization', 'content-type', 'idempotency-key'])
  match(reply.headers['access-control-max-age'] ?? '', /^\d+$/)
})

test('a preflight lists the methods of its address, also with repeated slashes', async () => {
  const shop = await openShop()
  const options = (path: string) => send(shop.api.inject, 'OPTIONS', path, PREFLIGHT)
  const methods = async (path: string) => words(await options(path), 'access-control-allow-methods')
  deepEqual(await methods('//pac/terminals/'), ['get', 'head', 'options'])
  deepEqual(await methods('/pac/terminals/x/transactions/y?z=1'), ['delete', 'get', 'head', 'options'])
  deepEqual(await methods('/pac/terminals/x/transactions/y/signature'), ['options', 'put'])
})

test('a preflight allows every requested header with a valid name, at most 50, and never credentials', async () => {
  const shop = await openShop()
  const ask = (names: string) =>
    send(shop.api.inject, 'OPTIONS', '/pac/terminals', { ...PREFLIGHT, 'access-control-request-headers': names })
  const usual = 'cache-control,Pragma, x-requested-with,if-modified-since,traceparent,tracestate'
  const reply = await ask(`${usual}, b@d name,,"quoted",{x}`)
  deepEqual(words(reply, 'access-control-allow-headers'), usual.toLowerCase().split(/, ?/).toSorted())
  equal(reply.headers['access-control-allow-credentials'], undefined)
  const many = Array.from({ length: 60 }, (_, index) => `x-${index}`)
  deepEqual(words(await ask(many.join(',')), 'access-control-allow-headers'), many.slice(0, 50).toSorted())
  equal((await ask('@')).headers['access-control-allow-headers'], undefined)
})

test('the preflight of an unknown address succeeds, except where pages may not call', async () => {
  const shop = await openShop({ settings: { corsOrigins: [ORIGIN] } })
  const status = async (path: string, origin = ORIGIN) =>
    (await send(shop.api.inject, 'OPTIONS', path, { ...PREFLIGHT, origin })).status
  deepEqual([await status('/pac/terminal'), await status('/none'), await status('/pac/terminals/%zz')], [204, 204, 204])
  const preflight = await send(shop.api.inject, 'OPTIONS', '/none', PREFLIGHT)
  match(preflight.headers['access-control-allow-methods'] ?? '', /POST/)
  for (const path of ['/v1/none', '/mobile/none', '/api/payments/x/none']) equal(await status(path), 404, path)
  equal(await status('/none', 'https://evil.example'), 404)
  equal((await send(shop.api.inject, 'OPTIONS', '/none', {})).status, 404)
})

test('pages can read answers and errors', async () => {
  const shop = await openShop({ headers: { origin: ORIGIN } })
  const sale = await shop.till.start({ transactionType: 'SALE', amount: 1, currency: 'GBP' })
  const replies = [
    sale,
    await shop.till.ask('GET', '/pac/terminals'),
    await shop.till.ask('GET', '/pac/terminals', { headers: { authorization: '' } }),
    await shop.till.ask('GET', '/pac/terminals/none'),
    await shop.till.ask('PATCH', '/pac/terminals'),
    await shop.till.ask('GET', '/none'),
    await shop.till.ask('GET', '/pac/terminals/%zz'),
    await shop.till.start('not json'),
    await shop.till.ask('GET', '/api/account'),
  ]
  for (const reply of replies) {
    equal(reply.headers['access-control-allow-origin'], '*', String(reply.status))
    deepEqual(words(reply, 'access-control-expose-headers'), [
      'etag',
      'idempotency-replayed',
      'location',
      'preference-applied',
      'retry-after',
      'x-request-id',
    ])
    equal(reply.headers['access-control-allow-credentials'], undefined)
  }
})

test('a request without Origin gets no CORS headers', async () => {
  const shop = await openShop()
  const reply = await shop.till.ask('GET', '/pac/terminals')
  equal(reply.headers['access-control-allow-origin'], undefined)
})

test('with a list of origins, only these get CORS headers', async () => {
  const shop = await openShop({ settings: { corsOrigins: [ORIGIN] } })
  const listed = await shop.till.ask('GET', '/pac/terminals', { headers: { origin: ORIGIN } })
  equal(listed.headers['access-control-allow-origin'], ORIGIN)
  equal(listed.headers['vary'], 'Origin')
  for (const origin of ['https://evil.example', 'null', `${ORIGIN}:8443`]) {
    const other = await shop.till.ask('GET', '/pac/terminals', { headers: { origin } })
    equal(other.headers['access-control-allow-origin'], undefined)
    const preflight = await send(shop.api.inject, 'OPTIONS', '/pac/terminals', { ...PREFLIGHT, origin })
    equal(preflight.headers['access-control-allow-methods'], undefined)
  }
})
