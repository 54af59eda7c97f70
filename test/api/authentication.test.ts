// test/api/authentication.test.ts — API keys by Basic authentication.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'
import { basic, type Reply, send } from '../support/till.ts'

function list(shop: Shop, authorization?: string, path = '/pac/terminals'): Promise<Reply> {
  return send(shop.api.inject, 'GET', path, authorization === undefined ? {} : { authorization })
}

test('the key is the password, and the user name is ignored', async () => {
  const shop = await openShop()
  for (const user of ['till', '', ' ', 'till ', 'Käse-Kasse 3000', '😀', 'x'.repeat(500)])
    equal((await list(shop, basic('demo-api-key', user))).status, 200, user)
  for (const header of [
    basic('demo-api-key').replace('Basic', 'basic'),
    basic('demo-api-key').replace('Basic', 'BASIC '),
    `${basic('demo-api-key')}  `,
    basic('demo-api-key').replaceAll('=', ''),
  ])
    equal((await list(shop, header)).status, 200, header)
})

test('missing and wrong credentials are 401 with WWW-Authenticate and a sentence', async () => {
  const shop = await openShop()
  const rows: readonly [string | undefined, string][] = [
    [undefined, 'Authorisation is missing.'],
    ['', 'Authorisation is missing.'],
    [basic('wrong'), 'Authorisation was refused.'],
    [basic(''), 'Authorisation was refused.'],
    [basic('demo-api-key '), 'Authorisation was refused.'],
    [basic('DEMO-API-KEY'), 'Authorisation was refused.'],
    ['Basic', 'Authorisation was refused.'],
    ['Basic !!!', 'Authorisation was refused.'],
    [`Basic ${Buffer.from('demo-api-key').toString('base64')}`, 'Authorisation was refused.'],
    ['Bearer demo-api-key', 'Authorisation was refused.'],
    [`Basic ${'A'.repeat(4_000)}`, 'Authorisation was refused.'],
  ]
  for (const [header, sentence] of rows) {
    const reply = await list(shop, header)
    equal(reply.status, 401, header)
    match(reply.headers['www-authenticate'] ?? '', /^Basic realm="Tollgate"/)
    deepEqual(reply.json, { userMessage: sentence, messages: [sentence] })
    const own = await list(shop, header, '/api/account')
    equal(own.status, 401)
    match(own.headers['content-type'] ?? '', /^application\/problem\+json/)
    equal(own.json['detail'], sentence)
  }
})

test('a revoked key stops working within a second, also when another process revokes it', async () => {
  const shop = await openShop()
  const { provisioning, store } = shop.gateway
  const made = await provisioning.createKey('demo', 'second')
  ok('secret' in made)
  equal((await list(shop, basic(made.secret))).status, 200)
  await provisioning.revokeKey('demo', made.record.id)
  await shop.clock.advance(1_000)
  equal((await list(shop, basic(made.secret))).status, 401)
  equal((await list(shop, basic('demo-api-key'))).status, 200)

  // As the command line does it: the cache of this process does not see it.
  const stored = await store.load({ account: 'demo', kind: 'merchant-account', id: 'demo' })
  ok(stored !== null)
  await store.commit({
    ...stored,
    expectedVersion: stored.version,
    version: stored.version + 1,
    body: JSON.stringify({ ...JSON.parse(stored.body), status: 'revoked', version: stored.version + 1 }),
    ...{ parent: '', live: false, lockKey: null, at: shop.clock.now() },
    ...{ events: [], effects: [], effectsDone: [], timers: null, idempotency: null },
  })
  await shop.clock.advance(1_000)
  equal((await list(shop, basic('demo-api-key'))).status, 401)
})

test('concurrent requests look their key up once, and the result is cached for a second', async () => {
  let asked = 0
  const shop = await openShop({
    store: store => ({
      ...store,
      accountKeyHolderOf(key) {
        asked += 1
        return store.accountKeyHolderOf(key)
      },
    }),
  })
  asked = 0
  await Promise.all(Array.from({ length: 50 }, () => shop.till.ask('GET', '/api/account')))
  equal(asked, 1)
  await shop.clock.advance(999)
  await shop.till.ask('GET', '/api/account')
  equal(asked, 1)
  await shop.clock.advance(1)
  await shop.till.ask('GET', '/api/account')
  equal(asked, 2)
})

test('logs and events contain no keys and no secrets', async () => {
  const shop = await openShop()
  await list(shop, basic('demo-api-key'))
  await list(shop, basic('not-the-key'))
  // To its end: only a sale that was authorised has an event with a token of its card.
  await shop.finished(await shop.till.sale(100))
  const events = await shop.till.ask('GET', '/api/events?limit=200')
  match(events.text, /"type":"authorisation_requested"/)
  match(events.text, /"kind":"api-key"/)
  const written = JSON.stringify([shop.log.lines, events.text])
  for (const secret of ['demo-api-key', 'not-the-key', 'hash', 'cardToken']) ok(!written.includes(secret), secret)
})
