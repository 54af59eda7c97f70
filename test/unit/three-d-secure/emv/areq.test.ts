// test/unit/three-d-secure/emv/areq.test.ts — an AReq is right whatever shop, payer and browser say.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { CARD_SCHEMES, CardNumber } from '../../../../src/domain/card-number.ts'
import { money } from '../../../../src/domain/money.ts'
import { type AuthenticationRequest, areqOf, type BrowserRequest } from '../../../../src/three-d-secure/emv/areq.ts'
import { CHALLENGE_WISHES } from '../../../../src/three-d-secure/emv/challenge-wishes.ts'
import { encode } from '../../../../src/three-d-secure/emv/codec.ts'
import type { DirectoryDocument } from '../../../../src/three-d-secure/emv/directory-document.ts'
import { type LaterPayments, versionsOfKind } from '../../../../src/three-d-secure/emv/later-payments.ts'
import { VERSIONS } from '../../../../src/three-d-secure/emv/versions.ts'
import { AREQ_SCHEMAS } from '../../../support/emv/schemas.ts'

const ID = '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6'
const AT = Date.UTC(2030, 0, 31, 23, 59, 59)
const DOCUMENT: DirectoryDocument = {
  name: 'scheme-test',
  versions: [...VERSIONS],
  preqUrls: ['https://ds.example/preq'],
  tls: { clientCert: 'a', clientKey: 'b', serverCa: 'c' },
  ids: { refNumber: '3DS_LOA_SER_XXXX_020200_00000', operatorId: '10000001' },
  authentication: {
    ...{ scheme: 'VISA', areqUrls: ['https://ds.example/areq'], resultsUrl: 'https://gw.example/results' },
  },
}
const BUILD = { document: DOCUMENT, threeDSServerTransID: ID, at: AT }
const REQUEST: BrowserRequest = {
  order: {
    card: { number: new CardNumber('9000100511111111', 'VISA'), expiry: { month: 7, year: 2031 }, holder: 'Jo Doe' },
    ...{ amount: money(2599, 'EUR'), currencyNumeric: '978', mustChallenge: false },
  },
  requestor: {
    ...{ requestorId: 'R-1', requestorName: 'Shop', requestorUrl: 'https://shop.example', acquirerBin: '438309' },
    ...{ acquirerMerchantId: '00002000000', acquirerCountry: '840', merchantCategoryCode: '5411', country: '840' },
    merchantName: 'Shop',
  },
  browser: {
    ...{ acceptHeader: 'text/html', userAgent: 'Mozilla/5.0', acceptLanguage: [], language: 'en', javaEnabled: false },
    ...{ colourDepth: 24, screenHeight: 800, screenWidth: 600, timeZoneMinutes: 0 },
  },
  payer: {},
  wish: 'no_preference',
  methodCompleted: 'U',
  notificationUrl: 'https://gw.example/three-d-secure/return',
}

function built(request: AuthenticationRequest, document = DOCUMENT) {
  const areq = areqOf(request, { ...BUILD, document })
  ok(!('refused' in areq), JSON.stringify(areq))
  return areq
}

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.constantFrom('Łódź', 'GB-ENG', ''),
)
const anyAddress = fc.record(
  {
    ...{ address1: anyText, address2: anyText, address3: anyText, address4: anyText, city: anyText, state: anyText },
    ...{ postcode: anyText, countryCode: fc.oneof(anyText, fc.constantFrom('826', '280')) },
  },
  { requiredKeys: [] },
)
const anyRequest: fc.Arbitrary<BrowserRequest> = fc.record({
  order: fc.record({
    card: fc.record({
      number: fc
        .tuple(fc.stringMatching(/^\d{13,19}$/), fc.constantFrom(...CARD_SCHEMES))
        .map(([digits, scheme]) => new CardNumber(digits, scheme)),
      expiry: fc.record({ month: fc.integer({ min: 1, max: 12 }), year: fc.integer({ min: 2000, max: 2099 }) }),
      holder: anyText,
    }),
    amount: fc.maxSafeNat().map(minor => money(minor, 'EUR')),
    currencyNumeric: fc.constantFrom('978', '392', '048'),
    mustChallenge: fc.boolean(),
  }),
  requestor: fc.constant(REQUEST.requestor),
  browser: fc.record({
    acceptHeader: fc.stringMatching(/^[ -~]{1,3000}$/),
    userAgent: fc.stringMatching(/^[ -~]{1,3000}$/),
    acceptLanguage: fc.array(fc.constantFrom('en', 'de-CH', '*'), { maxLength: 3 }),
    language: fc.oneof(anyText, fc.constantFrom('zh-Hant-TW', 'en')),
    javaEnabled: fc.boolean(),
    colourDepth: fc.integer({ min: 1, max: 64 }),
    screenHeight: fc.integer({ min: 0, max: 999_999 }),
    screenWidth: fc.integer({ min: 0, max: 999_999 }),
    timeZoneMinutes: fc.integer({ min: -900, max: 900 }),
  }),
  payer: fc.record(
    { emailAddress: anyText, billingAddress: anyAddress, shippingAddress: anyAddress },
    { requiredKeys: [] },
  ),
  wish: fc.constantFrom(...CHALLENGE_WISHES),
  methodCompleted: fc.constantFrom('Y', 'N', 'U'),
  notificationUrl: fc.constant(REQUEST.notificationUrl),
})

describe.each(VERSIONS)('in %s', version => {
  test('case 3 and 4: every AReq is written, passes the schema, and has no empty member', () => {
    fc.assert(
      fc.property(anyRequest, request => {
        const written = encode(built(request), version)
        ok('text' in written, JSON.stringify(written))
        const wire = JSON.parse(written.text) as Record<string, unknown>
        const validate = AREQ_SCHEMAS[version]
        ok(validate(wire), JSON.stringify(validate.errors))
        deepEqual(
          Object.values(wire).filter(value => value === null || value === ''),
          [],
        )
      }),
      { numRuns: 300 },
    )
  })
})

test('case 8: the purchase is dated in UTC, and the card expires in YYMM', () => {
  const { purchaseDate, cardExpiryDate } = built(REQUEST)
  deepEqual([purchaseDate, cardExpiryDate], ['20300131235959', '3107'])
})

test('case 8: a state goes with its country only, and lines of an address move up', () => {
  const billingAddress = { address1: '', address2: '1 High Street', state: 'GB-ENG', countryCode: '826' }
  const of = (changes: object) => built({ ...REQUEST, payer: { billingAddress: { ...billingAddress, ...changes } } })
  const whole = of({})
  deepEqual([whole.billAddrLine1, whole.billAddrState, whole.billAddrCountry], ['1 High Street', 'ENG', '826'])
  const { billAddrState, billAddrCountry } = of({ countryCode: 'GBR' })
  deepEqual([billAddrState, billAddrCountry], [undefined, undefined])
})

test('an e-mail address that is none is left out', () => {
  equal(built({ ...REQUEST, payer: { emailAddress: 'jo at shop' } }).email, undefined)
  equal(built({ ...REQUEST, payer: { emailAddress: 'jo@shop.example' } }).email, 'jo@shop.example')
})

test('case 45: a demanded challenge comes before any wish or exemption', () => {
  const codes = ['01', '02', '03', '05', '06', '08', '10', '11']
  equal(codes.length, CHALLENGE_WISHES.length)
  for (const [place, wish] of CHALLENGE_WISHES.entries()) {
    const code = codes[place]
    deepEqual(built({ ...REQUEST, wish }).threeDSRequestorChallengeInd, [code])
    const order = { ...REQUEST.order, mustChallenge: true }
    deepEqual(built({ ...REQUEST, wish, order }).threeDSRequestorChallengeInd, ['04'])
  }
})

test('a currency that is none, and a document without addresses for AReqs, are refused', () => {
  const foreign = { ...REQUEST, order: { ...REQUEST.order, currencyNumeric: '999' } }
  deepEqual(areqOf(foreign, BUILD), { refused: { code: '304', detail: 'purchaseCurrency' } })
  const { authentication: _, ...document } = DOCUMENT
  deepEqual(areqOf(REQUEST, { ...BUILD, document }), { refused: { code: '201', detail: 'threeDSServerURL' } })
})

test('what the document forbids is left out, and what it requires is named when it is missing', () => {
  const document = (changes: object) =>
    ({ ...DOCUMENT, authentication: { ...DOCUMENT.authentication, ...changes } }) as DirectoryDocument
  equal(built(REQUEST, document({ forbid: ['cardholderName'] })).cardholderName, undefined)
  const wanting = document({ require: ['cardholderName', 'email', 'transType'] })
  deepEqual(areqOf(REQUEST, { ...BUILD, document: wanting }), { refused: { code: '201', detail: 'email,transType' } })
})

const PRIOR = {
  ...{ challenged: true, acsTransactionId: 'd7c1ee99-9478-44a6-b1f2-391e29c6b340', at: Date.UTC(2029, 11, 31, 23, 59) },
  directoryServerTransactionId: '1cf815e5-cc85-436f-8e13-9f5e5aea731f',
}
const { order, requestor, payer } = REQUEST
const laterRequest = (payments: LaterPayments): AuthenticationRequest => {
  return { order, requestor, payer, later: { payments, prior: PRIOR } }
}

test.each([
  ['recurring', { kind: 'recurring', everyDays: 30, until: '20311231' }, VERSIONS],
  ['split_shipment', { kind: 'split_shipment' }, ['2.2.0', '2.3.1']],
  ['other', { kind: 'other', priorReference: 'ds' }, ['2.2.0', '2.3.1']],
] as const)(
  'case 9: without the payer (%s) it passes the schema of each version, and has nothing of a browser',
  (_, payments, versions) => {
    deepEqual(versionsOfKind(payments), versions)
    for (const version of versions) {
      const written = encode(built(laterRequest(payments)), version)
      ok('text' in written, JSON.stringify(written))
      const wire = JSON.parse(written.text) as Record<string, unknown>
      ok(AREQ_SCHEMAS[version](wire), JSON.stringify(AREQ_SCHEMAS[version].errors))
      deepEqual([wire['deviceChannel'], wire['messageCategory']], ['03', '01'])
      deepEqual(
        Object.keys(wire).filter(name =>
          /^browser|^notification|^accept|CompInd|AuthenticationInd|ChallengeInd/.test(name),
        ),
        [],
      )
    }
  },
)

test('case 9: it names the kind of the payment and the prior authentication, by the id that the scheme wants', () => {
  const [recurring, other] = [
    built(laterRequest({ kind: 'recurring', everyDays: 30, until: '20311231' })),
    built(laterRequest({ kind: 'other', priorReference: 'ds' })),
  ]
  deepEqual([recurring.threeRIInd, recurring.recurringFrequency, recurring.recurringExpiry], ['01', '30', '20311231'])
  deepEqual([other.threeRIInd, other.recurringFrequency], ['11', undefined])
  const { recurringFrequency, recurringExpiry } = built(laterRequest({ kind: 'recurring' }))
  deepEqual([recurringFrequency, recurringExpiry], ['1', '99991231'])
  const prior = { threeDSReqPriorAuthMethod: '02', threeDSReqPriorAuthTimestamp: '202912312359' }
  deepEqual(recurring.threeDSRequestorPriorAuthenticationInfo, [
    { ...prior, threeDSReqPriorRef: PRIOR.acsTransactionId },
  ])
  deepEqual(other.threeDSRequestorPriorAuthenticationInfo, [
    { ...prior, threeDSReqPriorRef: PRIOR.directoryServerTransactionId },
  ])
})
