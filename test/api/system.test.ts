// test/api/system.test.ts — health, metrics and pages.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'
import { type Reply, send } from '../support/till.ts'

function get(shop: Shop, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return send(shop.api.inject, 'GET', path, headers)
}

test('the gateway is live when it answers, and ready when it has no problems', async () => {
  const problems: string[] = []
  const shop = await openShop({ parts: { ready: () => problems } })
  deepEqual((await get(shop, '/health/live')).json, { status: 'live' })
  deepEqual((await get(shop, '/health/ready')).json, { status: 'ready' })
  problems.push('The disk is full.')
  const reply = await get(shop, '/health/ready')
  deepEqual([reply.status, reply.json], [503, { status: 'not ready', problems: ['The disk is full.'] }])
  equal((await get(shop, '/health/live')).status, 200)
})

test('metrics are open in a sandbox, absent in live mode, and behind a token where one is set', async () => {
  const open = await get(await openShop(), '/metrics')
  deepEqual([open.status, open.text], [200, 'figures 1\n'])
  match(open.headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/)

  const live = await openShop({ settings: { mode: 'live' } })
  equal((await get(live, '/metrics')).status, 404)

  const token = 'a-token-of-16-characters'
  for (const mode of ['sandbox', 'live'] as const) {
    const shop = await openShop({ settings: { mode, metricsToken: token } })
    const none = await get(shop, '/metrics')
    equal(none.status, 401)
    match(none.headers['www-authenticate'] ?? '', /^Bearer/)
    for (const authorization of [`Bearer ${token}x`, 'Bearer', `Basic ${token}`, token])
      equal((await get(shop, '/metrics', { authorization })).status, 401)
    equal((await get(shop, '/metrics', { authorization: `bearer ${token}` })).status, 200)
  }
})

test('requests are counted by operation, not by path', async () => {
  const shop = await openShop()
  await shop.till.sale(100)
  await shop.till.ask('GET', '/pac/terminals/none')
  await shop.till.ask('GET', '/secret/path')
  await shop.till.ask('OPTIONS', '/pac/terminals')
  deepEqual(shop.observed, ['startTransaction 201', 'getTerminal 404', 'unrouted 404', 'preflight 204'])
})

test('the first page shows the state of the terminals, and a command to try one', async () => {
  const shop = await openShop()
  await shop.till.ask('POST', '/sandbox/terminals/22160002/keys', { body: { key: 'unplug' } })
  await shop.till.sale(100)
  const { text, headers } = await get(shop, '/')
  match(headers['content-type'] ?? '', /^text\/html; charset=utf-8$/)
  ok(text.includes('curl -u demo:demo-api-key'))
  ok(text.includes('http://pay.example/pac/terminals/VCMDEMODIP0/transactions&#39;'), text)
  match(text, /VCMDEMOSIP0<\/td><td><span class="state state-BUSY">/)
  match(text, /22160001<\/td><td><span class="state state-AVAILABLE">/)
  match(text, /22160002<\/td><td><span class="state state-UNPLUGGED">/)
})

test('in live mode the first page shows no accounts and no terminals', async () => {
  const shop = await openShop({ settings: { mode: 'live', publicKey: null } })
  const { status, text } = await get(shop, '/')
  equal(status, 200)
  ok(!/curl|demo|VCM/.test(text))
})

test('pages have no inline scripts or styles, load nothing from other hosts, and cannot be framed', async () => {
  const shop = await openShop()
  for (const path of ['/', '/docs', '/docs/']) {
    const { status, text, headers } = await get(shop, path)
    equal(status, 200, path)
    const policy = headers['content-security-policy'] ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      ok(policy.includes(rule), rule)
    ok(!policy.includes('unsafe'))
    equal(headers['referrer-policy'], 'no-referrer')
    equal(headers['x-frame-options'], 'DENY')
    ok(!/<style|<script(?![^>]* src=)|\sstyle=|\son\w+=/i.test(text), path)
    const addresses = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address ?? '')
    ok(addresses.length > 0)
    for (const address of addresses) {
      ok(address.startsWith('/'), address)
      equal((await get(shop, address)).status, 200, address)
    }
  }
})

test('the reference serves its own files and no others', async () => {
  const shop = await openShop()
  const bundle = await get(shop, '/docs/swagger-ui-bundle.js')
  equal(bundle.status, 200)
  ok(bundle.text.length > 100_000)
  for (const file of ['index.html', 'package.json', '..%2Fpackage.json', 'toString', '__proto__'])
    equal((await get(shop, `/docs/${file}`)).status, 404, file)
  for (const file of ['toString', '..%2F..%2Fapi.ts']) equal((await get(shop, `/assets/${file}`)).status, 404, file)
})

test('values in a page are escaped', async () => {
  const publicKey = { account: 'demo', key: '<b>"key"</b>' }
  const shop = await openShop({ settings: { publicKey } })
  const { text } = await get(shop, '/')
  ok(!text.includes('<b>'))
  ok(text.includes('&lt;b&gt;&quot;key&quot;&lt;/b&gt;'))
})
