// test/unit/wallets/apple-sessions.test.ts — merchant sessions of Apple Pay: allowed addresses, requests and answers,
// against a local server in place of Apple's.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { onTestFinished, test } from 'vitest'
import { createWalletProviderClient } from '../../../src/platform/wallet-provider-client.ts'
import { isApples, requestSession } from '../../../src/wallets/apple-sessions.ts'
import { IDENTITY_CERT, IDENTITY_KEY, openAppleGateway, VALIDATION_URL } from '../../support/apple-gateway.ts'
import { TestClock } from '../../support/test-clock.ts'
import { TEST_CERT, TEST_KEY } from '../../support/tls.ts'

const IDENTITY = {
  ...{ certificate: IDENTITY_CERT, privateKey: IDENTITY_KEY },
  ...{ identifier: 'merchant.example', displayName: 'Harbour Coffee', countryCode: 'GB' },
}

async function apple() {
  const gateway = await openAppleGateway()
  onTestFinished(gateway.close)
  const clock = new TestClock()
  return { gateway, clock, line: gateway.line(clock) }
}

test.each([
  [VALIDATION_URL, true],
  ['https://apple-pay-gateway.apple.com/paymentservices/paymentSession', true],
  ['https://apple-pay-gateway-cert.apple.com/paymentservices/startSession', true],
  ['https://apple-pay-gateway-nc-pod1.apple.com/paymentservices/startSession', true],
  ['https://apple-pay-gateway-pr-pod5.apple.com/paymentservices/startSession', true],
  ['https://cn-apple-pay-gateway-sh-pod1.apple.com/paymentservices/startSession', true],
  ['https://cn-apple-pay-gateway-cert.apple.com/paymentservices/startSession', true],
  ['http://apple-pay-gateway.apple.com/paymentservices/startSession', false],
  ['https://apple-pay-gateway.apple.com:8443/paymentservices/startSession', false],
  ['https://user@apple-pay-gateway.apple.com/paymentservices/startSession', false],
  ['https://apple-pay-gateway.apple.com/paymentservices/../admin', false],
  ['https://apple-pay-gateway.apple.com/paymentservices/startSession?next=https://evil.example', false],
  ['https://apple-pay-gateway.apple.com.evil.example/paymentservices/startSession', false],
  ['https://evil-apple-pay-gateway.apple.com/paymentservices/startSession', false],
  ['https://apple-pay-gateway.apple.com@evil.example/paymentservices/startSession', false],
  ['https://apple-pay-gatewayXapple.com/paymentservices/startSession', false],
  ['https://apple.com/paymentservices/startSession', false],
  ['https://169.254.169.254/paymentservices/startSession', false],
  ['file:///etc/passwd', false],
  ['', false],
])('%s is called: %s', (address, called) => {
  equal(isApples(address), called)
})

test('only addresses under apple.com are called, for random input', () => {
  // Random text alone hardly ever gives a valid address.
  const part = fc.oneof(
    fc.constantFrom('', 'cn-', '-nc-pod3', '-cert'),
    fc.stringMatching(/^[a-z0-9@:/.?#\\%-]{0,24}$/),
  )
  let called = 0
  fc.assert(
    fc.property(part, part, part, (before, between, after) => {
      const address = `https://${before}apple-pay-gateway${between}.apple.com${after}/paymentservices/startSession`
      if (!isApples(address)) return
      called += 1
      match(new URL(address).host, /^(cn-)?apple-pay-gateway[a-z0-9-]*\.apple\.com$/)
    }),
    { numRuns: 1_000 },
  )
  ok(called > 0)
})

test('a session is requested with the merchant certificate, for the domain of the page', async () => {
  const { gateway, line } = await apple()
  const answer = await requestSession(line, IDENTITY, 'shop.example', VALIDATION_URL)
  deepEqual(answer, { session: { merchantSessionIdentifier: 'SSH-1', nonce: 'n', signature: 's' } })
  const body = {
    ...{ merchantIdentifier: 'merchant.example', displayName: 'Harbour Coffee' },
    ...{ initiative: 'web', initiativeContext: 'shop.example' },
  }
  deepEqual(gateway.calls, [{ path: '/paymentservices/startSession', body, merchant: 'merchant.example' }])
})

test('an address that is not Apple’s is not called', async () => {
  const { gateway, line } = await apple()
  const answer = await requestSession(
    line,
    IDENTITY,
    'shop.example',
    'https://evil.example/paymentservices/startSession',
  )
  equal('refused' in answer && answer.refused, 'url_refused')
  deepEqual(gateway.calls, [])
})

test.each([
  ['refuses', { status: 417, body: '{"statusMessage":"not registered"}' }, 'status 417'],
  ['leads elsewhere', { status: 302, body: '', headers: { location: 'https://evil.example/' } }, 'status 302'],
  ['says nothing that can be read', { status: 200, body: '<html>' }, 'status 200'],
  ['says a list', { status: 200, body: '[]' }, 'status 200'],
  ['says too much', { status: 200, body: `{"a":"${'x'.repeat(70_000)}"}` }, 'the answer is too long'],
] as const)('there is no session if Apple %s', async (_, given, reason) => {
  const { gateway, line } = await apple()
  gateway.answer = given
  deepEqual(await requestSession(line, IDENTITY, 'shop.example', VALIDATION_URL), { refused: 'no_session', reason })
})

test('a request without an answer fails before the sheet times out', async () => {
  const { gateway, clock, line } = await apple()
  gateway.answer = undefined
  const asked = requestSession(line, IDENTITY, 'shop.example', VALIDATION_URL)
  await clock.advance(20_000)
  deepEqual(await asked, { refused: 'no_session', reason: 'no answer within 20 s' })
})

test('a host of Apple’s that resolves to a private address is not called', async () => {
  const { gateway, clock } = await apple()
  const answer = await requestSession(gateway.line(clock, false), IDENTITY, 'shop.example', VALIDATION_URL)
  ok('refused' in answer && answer.reason.includes('127.0.0.1 is no public address'), JSON.stringify(answer))
  deepEqual(gateway.calls, [])
})

test('a server with an untrusted certificate gets no request', async () => {
  const { gateway, clock } = await apple()
  const line = createWalletProviderClient({
    clock,
    testNetwork: {
      ...{ privateAllowed: true, authority: TEST_CERT, port: Number(new URL(gateway.url).port) },
      lookup: (_, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    },
  })
  const answer = await requestSession(line, IDENTITY, 'shop.example', VALIDATION_URL)
  deepEqual(answer, { refused: 'no_session', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  deepEqual(gateway.calls, [])
})

test('a session needs the merchant’s own certificate', async () => {
  const { gateway, line } = await apple()
  const stranger = { ...IDENTITY, certificate: TEST_CERT.toString(), privateKey: TEST_KEY.toString() }
  const answer = await requestSession(line, stranger, 'shop.example', VALIDATION_URL)
  ok('refused' in answer && answer.refused === 'no_session')
  match(answer.reason, /ECONNRESET|EPIPE|ERR_SSL/)
  deepEqual(gateway.calls, [])
})
