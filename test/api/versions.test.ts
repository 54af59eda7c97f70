// test/api/versions.test.ts — which version answers, and the headers that v2 requires.
import { deepEqual, equal, match, throws } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { requestedVersion } from '../../src/api/versions/accept.ts'
import { createChooser } from '../../src/api/versions/select.ts'
import { openShop } from '../support/shop.ts'

const KNOWN = ['v2', 'v1', 'v0']

describe('of v2, v1 and v0,', () => {
  test.each<[string | undefined, string | null | 'none']>([
    [undefined, null],
    ['', null],
    ['*/*', null],
    ['application/json', null],
    ['application/*', null],
    ['text/html, application/xhtml+xml, */*;q=0.8', null],
    ['text/plain', 'none'],
    ['text/html, image/*;q=0.5', 'none'],
    ['*/*;q=0', 'none'],
    ['application/connect.v2+json;q=0', 'none'],
    ['application/connect.v2+json;q=0, */*', 'v1'],
    ['application/connect.v1+json;q=0, */*', null],
    [
      'application/connect.v2+json;q=0, application/connect.v1+json;q=0.0, application/connect.v0+json;q=0, */*',
      'none',
    ],
    ['application/connect.v2+json', 'v2'],
    ['application/connect.v1+json', 'v1'],
    ['Application/Connect.V1+JSON', 'v1'],
    ['application/connect.v1+json; charset=utf-8', 'v1'],
    ['application/connect.v1+json, application/connect.v2+json', 'v1'],
    ['application/connect.v1+json;q=0.5, application/connect.v2+json', 'v2'],
    ['application/connect.v1+json;q=0.5, application/connect.v2+json;q=0.4', 'v1'],
    ['application/connect.v1+json;q=0, application/connect.v2+json;q=0.4', 'v2'],
    ['application/json, application/connect.v1+json', 'v1'],
    ['application/json, application/connect.v1+json;q=0.9', null],
    ['application/connect.v1+json, */*;q=0.1', 'v1'],
    ['application/connect.v9+json', 'none'],
    ['application/connect.v02+json', 'none'],
    ['application/connect.v9+json, text/html', 'none'],
    ['application/connect.v9+json, application/json', null],
    ['application/connect.v9+json, */*;q=0.1', null],
    ['application/connect.v9+json, application/connect.v1+json;q=0.1', 'v1'],
    ['application/connect.v1+json;q=nonsense', 'v1'],
    [',;q=1, ;;, application/connect.v1+json', 'v1'],
    ['application/connect.v1+xml', 'none'],
  ])('Accept %s asks for %s', (accept, version) => {
    deepEqual(requestedVersion(accept, KNOWN, 'v2'), version === 'none' ? 'none' : { named: version })
  })
})

test('a version that does not exist cannot be the default', () => {
  throws(() => createChooser('v9'), /there is no version v9/)
})

test('an unknown version is 406, after authentication', async () => {
  const shop = await openShop()
  const accept = 'application/connect.v9+json'
  const reply = await shop.till.ask('GET', '/pac/terminals', { headers: { accept } })
  equal(reply.status, 406)
  match(
    String(reply.json['userMessage']),
    /Supported: application\/json, application\/connect\.v2\+json, .*v0\+json\.$/,
  )
  for (const none of ['text/plain', '*/*;q=0', 'application/connect.v2+json;q=0'])
    equal((await shop.till.ask('GET', '/pac/terminals', { headers: { accept: none } })).status, 406, none)
  equal((await shop.till.ask('GET', '/pac/terminals', { headers: { accept, authorization: '' } })).status, 401)
  equal((await shop.till.ask('GET', '/pac/nothing', { headers: { accept } })).status, 404)
  // Other areas have no versions.
  equal((await shop.till.ask('GET', '/api/account', { headers: { accept } })).status, 200)
})

test('v2 requires Software-House-Id and Installer-Id, in this order', async () => {
  const shop = await openShop()
  const ask = (headers: Record<string, string>) =>
    shop.till.ask('GET', '/pac/terminals', { headers: { accept: 'application/connect.v2+json', ...headers } })
  equal((await ask({})).json['userMessage'], 'The Software-House-Id header is missing.')
  equal((await ask({ 'installer-id': 'i' })).json['userMessage'], 'The Software-House-Id header is missing.')
  equal((await ask({ 'software-house-id': 's' })).json['userMessage'], 'The Installer-Id header is missing.')
  equal((await ask({ 'software-house-id': ' ', 'installer-id': 'i' })).status, 422)
  equal((await ask({ 'software-house-id': 's', 'installer-id': 'i' })).status, 200)
})

test('partner headers are optional without a version, and with partnerHeaders accept', async () => {
  const shop = await openShop()
  for (const accept of ['*/*', 'application/json'])
    equal((await shop.till.ask('GET', '/pac/terminals', { headers: { accept } })).status, 200)
  const lax = await openShop({ settings: { partnerHeaders: 'accept' } })
  const accept = 'application/connect.v2+json'
  equal((await lax.till.ask('GET', '/pac/terminals', { headers: { accept } })).status, 200)
})

test('a partner id of more than 255 characters is refused by the name of its header', async () => {
  const shop = await openShop()
  for (const name of ['Software-House-Id', 'Installer-Id']) {
    const fits = await shop.till.ask('GET', '/pac/terminals', { headers: { [name]: 'x'.repeat(255) } })
    equal(fits.status, 200)
    const reply = await shop.till.ask('GET', '/pac/terminals', { headers: { [name]: 'x'.repeat(256) } })
    equal(reply.status, 422)
    equal(reply.json['userMessage'], `The header ${name} is too long. It must have 255 characters at most.`)
  }
})

test('the partner headers are checked before the terminal and the transaction', async () => {
  const shop = await openShop({ headers: { accept: 'application/connect.v2+json' } })
  for (const [method, path] of [
    ['GET', '/pac/terminals/none'],
    ['POST', '/pac/terminals/none/transactions'],
    ['GET', '/pac/terminals/none/transactions/none'],
    ['DELETE', '/pac/terminals/none/transactions/none'],
    ['PUT', '/pac/terminals/none/transactions/none/signature'],
  ] as const)
    equal((await shop.till.ask(method, path)).status, 422, `${method} ${path}`)
})
