// test/api/online/merchant-hosts.test.ts — the hosts of an account's web shops, set over the management API.
import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { aTokenRequest, openWebShop, type WebShop } from '../../support/web-shop.ts'

const PATH = '/api/account/merchant-hosts'

const set = ({ shop }: WebShop, body: unknown) => shop.till.ask('PUT', PATH, { body: body as object })
const setTo = (web: WebShop, ...merchantHosts: readonly unknown[]) => set(web, { merchantHosts })
const hostsOf = async ({ shop }: WebShop) => (await shop.till.ask('GET', '/api/account')).json['merchantHosts']

let orders = 0
/** Asks for an access token for a page. */
async function statusFor(web: WebShop, merchantUrl: string): Promise<number> {
  orders += 1
  return (await web.call('POST', '/v1/access-tokens', { ...aTokenRequest(`HOST-${orders}`), merchantUrl })).status
}

test('an access token for a new host is made at once, and for a removed one no longer', async () => {
  const web = await openWebShop()
  deepEqual([await statusFor(web, 'shop.example'), await statusFor(web, 'new.example')], [200, 401])
  const added = await setTo(web, 'shop.example', 'new.example')
  deepEqual([added.status, added.json], [200, { merchantHosts: ['shop.example', 'new.example'] }])
  deepEqual([await statusFor(web, 'https://new.example/pay'), await statusFor(web, 'shop.example')], [200, 200])
  equal((await setTo(web, 'new.example')).status, 200)
  deepEqual([await statusFor(web, 'new.example'), await statusFor(web, 'shop.example')], [200, 401])
  deepEqual((await setTo(web)).json, { merchantHosts: [] })
  equal(await statusFor(web, 'new.example'), 401)
  deepEqual(await hostsOf(web), [])
})

test('a payment form opens in pages of the new hosts only', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const policy = async () => {
    const url = `/payment-form?token=${encodeURIComponent(token)}`
    const answer = await web.shop.api.inject({ method: 'GET', url, headers: { host: 'localhost' } })
    return String(answer.headers['content-security-policy'])
  }
  match(await policy(), /https:\/\/shop\.example:\*/)
  await setTo(web, 'new.example')
  const now = await policy()
  match(now, /https:\/\/new\.example:\*/)
  equal(now.includes('shop.example'), false)
})

test('of an address the host counts, and each host once', async () => {
  const web = await openWebShop()
  const { json } = await setTo(web, 'HTTPS://Shop.Example:8443/pay?x=1', 'shop.example.', 'www.shop.example')
  deepEqual(json, { merchantHosts: ['shop.example', 'www.shop.example'] })
})

test('what is no list of hosts is refused, and changes nothing', async () => {
  const web = await openWebShop()
  const twenty = Array.from({ length: 20 }, (_, index) => `shop-${index}.example`)
  for (const [merchantHosts, field] of [
    [['shop.example', '*.example'], 'merchantHosts.1'],
    [[''], 'merchantHosts.0'],
    [['two words'], 'merchantHosts.0'],
    [['https://'], 'merchantHosts.0'],
    [[`${'a'.repeat(300)}.example`], 'merchantHosts.0'],
    [[7], 'merchantHosts.0'],
    [[...twenty, 'one-more.example'], 'merchantHosts'],
    ['shop.example', 'merchantHosts'],
    [null, 'merchantHosts'],
    [undefined, 'merchantHosts'],
  ] as const) {
    const { status, json } = await set(web, { merchantHosts })
    deepEqual([status, json['code'], json['field']], [422, 'field_invalid', field], JSON.stringify(merchantHosts))
  }
  match(
    String((await setTo(web, '*.example')).json['detail']),
    /It must be the name of a host, such as my-shop\.example/,
  )
  const card = await setTo(web, '4111111111111111.example')
  deepEqual([card.status, card.json['code'], card.json['field']], [422, 'card_number_misplaced', 'merchantHosts'])
  deepEqual(await hostsOf(web), ['shop.example'])
  equal((await setTo(web, ...twenty)).status, 200)
})
