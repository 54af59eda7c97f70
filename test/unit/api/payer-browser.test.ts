// test/unit/api/payer-browser.test.ts — what issuers learn of the payer's browser, and the origin that pages allow them.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { issuerOriginOf } from '../../../src/api/online/issuer-origin.ts'
import { readPayerBrowser } from '../../../src/api/online/payer-browser.ts'
import type { TokenOrder } from '../../../src/domain/online/access-token.ts'
import type { OnlinePayment } from '../../../src/domain/online/payment.ts'

const BROWSER = {
  ...{ language: 'en-GB', javaEnabled: false, colourDepth: 30, screenHeight: 900, screenWidth: 1440 },
  timeZoneMinutes: -60,
}
const orderOf = (ipAddress = '') => ({ payer: { ipAddress, userAgent: 'Shop/1' } }) as TokenOrder

function read(browser: unknown, headers = {}, order = orderOf()) {
  const result = readPayerBrowser({ browser } as Parameters<typeof readPayerBrowser>[0], headers, order)
  ok('value' in result, JSON.stringify(result))
  return result.value
}

describe('the browser of a payment', () => {
  test('is that of the body with the headers of the request', () => {
    const headers = { 'user-agent': 'Mozilla/5.0\u0007', 'accept-language': 'de-CH, en;q=0.8,*;q=0.1, b@d' }
    deepEqual(read({ ...BROWSER, acceptHeader: 'text/html' }, { ...headers, accept: '*/*' }, orderOf('203.0.113.7')), {
      ...BROWSER,
      ...{ acceptHeader: 'text/html', userAgent: 'Mozilla/5.0', acceptLanguage: ['de-CH', 'en', '*'] },
      ip: '203.0.113.7',
    })
  })

  test('has what is known when headers are missing, and no address that is none', () => {
    deepEqual(read(BROWSER, {}, orderOf('unknown')), {
      ...BROWSER,
      ...{ acceptHeader: '*/*', userAgent: 'Shop/1', acceptLanguage: [] },
    })
  })

  test('is nothing when it was not sent', () => {
    deepEqual([read(undefined), read(null)], [null, null])
  })

  test.each([
    ['browser.colourDepth', { ...BROWSER, colourDepth: 0 }],
    ['browser.screenWidth', { ...BROWSER, screenWidth: '1440' }],
    ['browser.timeZoneMinutes', { ...BROWSER, timeZoneMinutes: 0.5 }],
    ['browser.language', { ...BROWSER, language: '' }],
    ['browser', 'Mozilla'],
  ] as const)('is refused by name: %s', (name, browser) => {
    const result = readPayerBrowser({ browser }, {}, orderOf())
    equal('invalid' in result && result.invalid, name)
  })
})

describe('the origin of the issuer', () => {
  const of = (acsUrl: string) => issuerOriginOf({ challenge: { acsUrl } } as OnlinePayment)

  test('case 56: is that of the page over https, and of nothing else', () => {
    equal(of('https://acs.example:8443/challenge?t=1'), 'https://acs.example:8443')
    for (const address of ['http://acs.example/', 'javascript:alert(1)', 'data:text/html,x', '/acs/challenge', ''])
      equal(of(address), null, address)
    equal(issuerOriginOf(null), null)
  })
})
