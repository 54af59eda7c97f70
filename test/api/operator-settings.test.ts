// test/api/operator-settings.test.ts — settings for tills: retention, pause between requests, and the default version of an
// account.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop } from '../support/shop.ts'

const KEY = 'Basic dGlsbDpkZW1vLWFwaS1rZXk='
const ask = (url: string, headers: Record<string, string> = {}) =>
  ({ method: 'GET', url, headers: { authorization: KEY, host: 'tollgate.example', ...headers } }) as const

test('a finished transaction can be read for a day, and under /api after that', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  await shop.finished(sale)
  const { pathname } = new URL(sale.location)
  await shop.clock.advance(86_400_000 - 60_000)
  equal((await shop.api.inject(ask(pathname))).statusCode, 200)
  await shop.clock.advance(60_000)
  const gone = await shop.api.inject(ask(pathname))
  deepEqual([gone.statusCode, gone.json().userMessage], [404, 'The transaction was not found.'])
  equal((await shop.api.inject(ask(`/api/transactions/${sale.requestId}`))).statusCode, 200)
})

test('with pauseMs, a request that comes too soon is 429, and a later one is served', async () => {
  const shop = await openShop({ settings: { pauseMs: 100 } })
  equal((await shop.api.inject(ask('/pac/terminals'))).statusCode, 200)
  const soon = await shop.api.inject(ask('/pac/terminals'))
  deepEqual([soon.statusCode, soon.headers['retry-after']], [429, '1'])
  await shop.clock.advance(99)
  equal((await shop.api.inject(ask('/pac/terminals'))).statusCode, 429)
  await shop.clock.advance(1)
  equal((await shop.api.inject(ask('/pac/terminals'))).statusCode, 200)
  const other = Buffer.from('till:demo-eur-api-key').toString('base64')
  equal((await shop.api.inject(ask('/pac/terminals', { authorization: `Basic ${other}` }))).statusCode, 200)
})

test('an account may have another default version than the gateway', async () => {
  const shop = await openShop()
  const type = async (headers: Record<string, string> = {}, url = '/pac/terminals') =>
    (await shop.api.inject(ask(url, headers))).headers['content-type']
  equal(await type(), 'application/connect.v2+json')
  await shop.gateway.provisioning.setDefaultVersion('demo', 'v1')
  await shop.clock.advance(1_001)
  equal(await type(), 'application/connect.v1+json')
  equal(await type({ accept: 'application/connect.v0+json' }), 'application/connect.v0+json')
  equal(await type({}, '/retail/terminals'), 'application/connect.v0+json')
  const refused = await shop.api.inject(ask('/pac/terminals/nowhere'))
  deepEqual(Object.keys(refused.json()), ['messages'])
  await shop.gateway.provisioning.setDefaultVersion('demo', null)
  await shop.clock.advance(1_001)
  equal(await type(), 'application/connect.v2+json')
})

test('a card number is refused in fields that are stored in clear', async () => {
  const shop = await openShop()
  const { pathname } = new URL('http://tollgate.example/pac/terminals/VCMDEMOSIP0/transactions')
  const post = (headers: Record<string, string>) =>
    shop.api.inject({
      ...ask(pathname, { 'content-type': 'application/json', ...headers }),
      method: 'POST',
      payload: { transactionType: 'SALE', amount: 100, currency: 'GBP' },
    })
  const key = await post({ 'idempotency-key': '4111111111111111' })
  deepEqual(
    [key.statusCode, key.json().userMessage],
    [422, 'The header Idempotency-Key seems to hold a card number, which is never stored in clear.'],
  )
  const completion = { transactionType: 'COMPLETION', amount: 100, currency: 'GBP', authCode: '4111111111111111' }
  const refused = await shop.api.inject({
    ...ask(pathname, { 'content-type': 'application/json' }),
    method: 'POST',
    payload: completion,
  })
  deepEqual(
    [refused.statusCode, refused.json().userMessage],
    [422, 'The field authCode seems to hold a card number, which is never stored in clear.'],
  )
})
