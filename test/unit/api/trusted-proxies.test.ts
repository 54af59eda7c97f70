// test/unit/api/trusted-proxies.test.ts — forwarding headers count only from trusted proxies.
import { equal } from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'vitest'
import { createBaseUrls } from '../../../src/api/http/base-url.ts'

for (const [trusted, remoteAddress, believed] of [
  ['10.0.0.1', '10.0.0.1', true],
  ['10.0.0.1', '10.0.0.2', false],
  ['10.0.0.1', '::ffff:10.0.0.1', true],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['10.0.0.0/8', '::ffff:10.255.255.255', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['10.0.0.0/31', '10.0.0.1', true],
  ['10.0.0.0/31', '10.0.0.2', false],
  ['0.0.0.0/0', '203.0.113.7', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['fd00::/8', 'fd12:3456::1', true],
  ['fd00::/8', 'fc00::1', false],
  ['fd00::/8', '10.0.0.1', false],
  ['::1', '::1', true],
  ['::1', '127.0.0.1', false],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['10.0.0.1', undefined, false],
] as const)
  test(`${remoteAddress ?? 'nobody'} is ${believed ? '' : 'not '}trusted as ${trusted}`, () => {
    const baseUrlOf = createBaseUrls({ publicUrl: null, trustedProxies: [trusted], tls: false })
    const headers = { host: 'inside', 'x-forwarded-host': 'pay.example' }
    const request = { headers, socket: { remoteAddress } } as unknown as IncomingMessage
    equal(baseUrlOf(request), believed ? 'http://pay.example' : 'http://inside')
  })
