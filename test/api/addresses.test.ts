// test/api/addresses.test.ts — base address of locations in answers.
import { equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { openShop, type ShopOptions } from '../support/shop.ts'
import { TEST_CERT, TEST_KEY } from '../support/tls.ts'

/** Base address of a location in the answer; the status when the answer is an error. */
async function baseFor(headers: Record<string, string>, options: ShopOptions = {}): Promise<string | number> {
  const shop = await openShop(options)
  const reply = await shop.till.ask('GET', '/pac/terminals/VCMDEMOSIP0', { headers })
  if (reply.status !== 200) return reply.status
  return String(reply.json['location']).replace('/pac/terminals/VCMDEMOSIP0', '')
}

describe('the Host header', () => {
  test.each([
    ['pay.example', 'http://pay.example'],
    ['pay.example:8080', 'http://pay.example:8080'],
    ['PAY.Example', 'http://pay.example'],
    ['localhost:4020', 'http://localhost:4020'],
    ['127.0.0.1:4020', 'http://127.0.0.1:4020'],
    ['[::1]:4020', 'http://[::1]:4020'],
    ['my_gateway:4020', 'http://my_gateway:4020'],
    ['pay.example.', 'http://pay.example.'],
  ])('%s gives %s', async (host, base) => equal(await baseFor({ host }), base))

  test.each([
    ' ',
    'a b',
    'a/b',
    'user@host',
    'host:port',
    'host:123456',
    'a"b',
    '<script>',
    '-a',
    'a,b',
    'x'.repeat(300),
  ])('%j is refused', async host => equal(await baseFor({ host }), 400))
})

test('TOLLGATE_PUBLIC_URL overrides the headers of the request', async () => {
  const settings = { publicUrl: 'https://shop.example/gate', trustedProxies: ['127.0.0.1'] }
  equal(await baseFor({ host: 'a b', 'x-forwarded-host': 'c' }, { settings }), 'https://shop.example/gate')
})

test('a gateway with a certificate of its own answers with https', async () => {
  equal(await baseFor({ host: 'pay.example' }, { tls: { cert: TEST_CERT, key: TEST_KEY } }), 'https://pay.example')
})

describe('forwarding headers', () => {
  const forwarded = { host: 'inside:4020', 'x-forwarded-host': 'pay.example', 'x-forwarded-proto': 'https' }

  test.each<[string, readonly string[], string]>([
    ['nobody', [], 'http://inside:4020'],
    ['somebody else', ['10.0.0.1', '192.168.0.0/16', 'fd00::/8'], 'http://inside:4020'],
    ['the address', ['127.0.0.1'], 'https://pay.example'],
    ['its network', ['127.0.0.0/8', '::1'], 'https://pay.example'],
  ])('are believed when %s is trusted as %j: %s', async (_, trustedProxies, base) =>
    equal(await baseFor(forwarded, { settings: { trustedProxies } }), base),
  )

  test.each<[Record<string, string>, string | number]>([
    [{ host: 'inside' }, 'http://inside'],
    [{ host: 'inside', 'x-forwarded-proto': 'HTTPS' }, 'https://inside'],
    // The first value comes from the client, the last one from the proxy.
    [{ ...forwarded, 'x-forwarded-host': 'evil.example, pay.example' }, 'https://pay.example'],
    [{ ...forwarded, 'x-forwarded-host': 'a b' }, 400],
    [{ ...forwarded, 'x-forwarded-proto': 'javascript' }, 400],
  ])('of a trusted proxy are read with care: %j', async (headers, base) =>
    equal(await baseFor(headers, { settings: { trustedProxies: ['127.0.0.1'] } }), base),
  )
})

test('a terminal id in a location is percent-encoded, and the location can be read', async () => {
  const shop = await openShop()
  const tid = 'Till 1/ü?'
  const settings = { currency: 'GBP', gratuity: false, cashbackAllowed: true, printing: true } as const
  await shop.gateway.provisioning.addTerminal({
    ...{ account: 'demo', tid },
    settings: { ...settings, contactlessCustomerCopy: false, paceMs: null },
  })
  const sale = await shop.till.at(tid).sale(100)
  equal(sale.location, `http://pay.example/pac/terminals/Till%201%2F%C3%BC%3F/transactions/${sale.requestId}`)
  equal((await shop.till.read(sale)).status, 200)
})
