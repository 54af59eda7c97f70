// test/unit/cli/network-urls.test.ts — the addresses of a gateway in its networks, and what it says about them at the start.
import { deepEqual, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { networkUrls } from '../../../src/cli/configured-url.ts'
import { type Summary, summaryText } from '../../../src/cli/summary.ts'
import { readConfig } from '../../../src/config.ts'
import { networkAddresses } from '../../../src/platform/network-addresses.ts'

const at = (address: string, internal = false) => ({
  address,
  internal,
  family: address.includes(':') ? ('IPv6' as const) : ('IPv4' as const),
})

describe('addresses of this machine in its networks', () => {
  test('are without its own and those of one wire, real interfaces and IPv4 first', () => {
    const found = networkAddresses({
      lo: [at('127.0.0.1', true), at('::1', true)],
      docker0: [at('172.17.0.1')],
      eth0: [at('fe80::1'), at('fd00::5'), at('192.168.1.20'), at('169.254.7.7')],
      wlan0: [at('10.0.0.7')],
      none: undefined,
    })
    deepEqual(found, ['192.168.1.20', '10.0.0.7', 'fd00::5', '172.17.0.1'])
  })

  test('are read from the machine', () => {
    for (const address of networkAddresses()) ok(!/^(127\.|::1$)/.test(address), address)
  })
})

describe('the gateway is reached', () => {
  const configOf = (HOST: string) => {
    const read = readConfig({ HOST })
    ok('config' in read)
    return read.config
  }
  const addresses = ['192.168.1.20', 'fd00::5']
  test.each([
    ['127.0.0.1', []],
    ['127.0.0.2', []],
    ['localhost', []],
    ['::1', []],
    ['0.0.0.0', ['http://192.168.1.20:4021']],
    ['::', ['http://192.168.1.20:4021', 'http://[fd00::5]:4021']],
    ['10.0.0.7', ['http://10.0.0.7:4021']],
    ['pos.example', ['http://pos.example:4021']],
  ])('with HOST=%s', (host, urls) => {
    deepEqual(networkUrls(configOf(host), 4021, addresses), urls)
  })

  test('over TLS with its scheme', () => {
    const config = { ...configOf('0.0.0.0'), tlsCertFile: '/cert.pem' }
    deepEqual(networkUrls(config, 443, addresses), ['https://192.168.1.20'])
  })
})

describe('the summary', () => {
  const summaryWith = (more: Partial<Summary>) =>
    summaryText({
      ...{ url: 'http://127.0.0.1:4020', docs: 'http://127.0.0.1:4020/docs', mode: 'sandbox', dataDirectory: '/data' },
      consoleUrl: 'http://127.0.0.1:4020/console',
      accounts: [{ account: 'demo', apiKey: 'demo-api-key', currency: 'GBP', terminals: [] }],
      ...{ merchantHost: null, networkUrls: [], token: null },
      ...more,
    })

  test('says where the console is', () => {
    match(summaryWith({}), /\n {2}console {4}http:\/\/127\.0\.0\.1:4020\/console\n/)
    match(
      summaryWith({ consoleUrl: 'https://desk.example/console' }),
      /\n {2}console {4}https:\/\/desk\.example\/console\n/,
    )
  })

  test('says where phones reach the gateway, and what that means', () => {
    const text = summaryWith({ networkUrls: ['http://192.168.1.20:4020', 'http://10.0.0.7:4020'] })
    match(text, /\n {2}http:\/\/192\.168\.1\.20:4020\/console\n {2}http:\/\/10\.0\.0\.7:4020\/console\n/)
    match(text, /Anybody in these networks can use demo: .* public\./)
  })

  test('says so too when there is no public account', () => {
    const text = summaryWith({ accounts: [], networkUrls: ['http://10.0.0.7:4020'] })
    match(text, /Anybody in these networks reaches the gateway/)
  })

  test('says nothing of networks when there is none', () => {
    ok(!/network/i.test(summaryWith({})))
  })
})
