// test/unit/terminals/nexo/wire/reading.test.ts — terminals' amounts, pairs and card details are read in every form they come in.
import { deepEqual, equal, throws } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { NO_CARD } from '../../../../../src/domain/card.ts'
import { additionalResponseOf } from '../../../../../src/terminals/nexo/wire/additional-response.ts'
import { majorOf, minorOf } from '../../../../../src/terminals/nexo/wire/amounts.ts'
import { cardOf, holdsSensitiveData } from '../../../../../src/terminals/nexo/wire/card-details.ts'
import { countOf, flagOf, listOf, memberAt } from '../../../../../src/terminals/nexo/wire/lenient.ts'

const NONE = new Map<string, string>()
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

describe('35: AdditionalResponse', () => {
  test.each([
    [
      'form-encoded',
      'message=104%20Merchant+cancelled&pspReference=X1',
      { message: '104 Merchant cancelled', pspReference: 'X1' },
    ],
    ['base64 of JSON', base64({ tid: 1, additionalData: { AID: 'A0' } }), { tid: '1', AID: 'A0' }],
    ['form text that looks like base64', 'abcdabcd', { abcdabcd: '' }],
    ['base64 of no object', base64([1]), { [base64([1]).replace(/=+$/, '')]: base64([1]).match(/=(.*)$/)?.[1] ?? '' }],
    ['a broken percent sign', 'a=100%&b=%e2%82%ac', { a: '100%', b: '€' }],
    ['a name twice', 'a=1&a=2', { a: '1' }],
    ['the name of an inherited member', 'constructor=1', { constructor: '1' }],
    ['nothing', '', {}],
    ['no text', 5.5, { '5.5': '' }],
  ])('%s', (_, value, expected) => {
    deepEqual(Object.fromEntries(additionalResponseOf(value)), expected)
  })

  test('never throws', () => {
    fc.assert(fc.property(fc.anything(), value => additionalResponseOf(value).size >= 0))
    fc.assert(fc.property(fc.string(), text => additionalResponseOf(text).size >= 0))
  })
})

describe('36: amounts', () => {
  test.each([
    [0.01, 1],
    [0.1 + 0.2, 30],
    [25.99, 2599],
    [1e3, 100_000],
    ['12.30', 1230],
    [99_999_999.99, 9_999_999_999],
    [0, 0],
    [12.345, null],
    [-1, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [1e9, null],
    ['12,30', null],
    ['', null],
    [null, null],
    [true, null],
  ])('%s is read as %s minor units', (value, expected) => {
    equal(minorOf(value), expected)
  })

  test('what a message cannot hold is no amount', () => {
    for (const minor of [-1, 0.5, 10_000_000_000, Number.NaN]) throws(() => majorOf(minor), RangeError)
  })
})

test('37: every number of minor units survives the way through JSON', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), minor => {
      const text = JSON.stringify({ amount: majorOf(minor) })
      equal(minorOf((JSON.parse(text) as { amount: number }).amount), minor)
      equal(/e/i.test(text.slice('{"amount":'.length)), false)
    }),
    { numRuns: 1_000 },
  )
})

describe('43: entry modes and authentication methods', () => {
  const cardWith = (paid: object, additional = NONE) => cardOf(paid, additional, NONE)
  const entered = (EntryMode: unknown) => ({ PaymentInstrumentData: { CardData: { EntryMode } } })
  test.each([
    ...['Contactless', 'Tapped', 'RFID', 'Mobile'].map(mode => [mode, 'CONTACTLESS']),
    ...['ICC', 'SynchronousICC'].map(mode => [mode, 'ICC_CHIP']),
    ...['Keyed', 'Manual'].map(mode => [mode, 'KEYED']),
    ['MagStripe', 'SWIPED'],
    ['File', 'UNKNOWN'],
    ['Scanned', 'UNKNOWN'],
    ['constructor', 'UNKNOWN'],
  ])('%s is %s', (mode, method) => {
    equal(cardWith(entered([mode])).paymentMethod, method)
    // Some come without a list around it.
    equal(cardWith(entered(mode)).paymentMethod, method)
  })
  test.each([
    ['CLESS_SWIPE', 'CONTACTLESS'],
    ['CLESS_CHIP', 'CONTACTLESS'],
    ['ICC', 'ICC_CHIP'],
  ])('posEntryMode %s is %s where there is no EntryMode', (mode, method) => {
    equal(cardWith({}, new Map([['posEntryMode', mode]])).paymentMethod, method)
  })
  test.each([
    [['OnlinePIN'], 'PIN'],
    [['SignatureCapture', 'OfflinePIN'], 'PIN'],
    [['SignatureCapture'], 'SIGNATURE'],
    [['PaperSignature'], 'SIGNATURE'],
    [['SecuredChannel'], 'DEVICE'],
    [['SecureCertificate'], 'DEVICE'],
    [['SecureNoCertificate'], 'DEVICE'],
    [['Bypass'], 'NONE'],
    [['MerchantAuthentication'], 'NONE'],
    [['ManualVerification'], 'NONE'],
    [['UnknownMethod'], 'UNKNOWN'],
    [[], 'NONE'],
  ])('%s is %s', (methods, expected) => {
    equal(cardWith({ AuthenticationMethod: methods }).cardholderVerificationMethod, expected)
  })
  test.each([
    ['410302', 'PIN'],
    ['5E0300', 'SIGNATURE'],
    ['1F0302', 'NONE'],
    ['3F0300', 'NONE'],
    ['zz', 'NONE'],
  ])('EMV tag 9F34 %s is %s', (tag, expected) => {
    equal(cardWith({}, new Map([['cardHolderVerificationMethodResults', tag]])).cardholderVerificationMethod, expected)
  })
})

describe('44: masked numbers', () => {
  test.each([
    ['411111 **** 1111', '************1111'],
    ['411111******1111', '************1111'],
    ['************1111', '************1111'],
    ['1111', '************1111'],
    [41_111_111_111, '************1111'],
    ['', ''],
    [undefined, ''],
  ])('%s', (MaskedPan, expected) => {
    const card = cardOf({ PaymentInstrumentData: { CardData: { MaskedPan } } }, NONE, NONE)
    equal(card.primaryAccountNumber, expected)
  })
  test('the receipt and the summary stand in', () => {
    equal(cardOf({}, new Map([['cardSummary', '2222']]), NONE).primaryAccountNumber, '************2222')
    equal(cardOf({}, NONE, new Map([['pan', '**** 3333']])).primaryAccountNumber, '************3333')
  })
})

test('a whole card is read, and an empty one is empty', () => {
  const additional = new Map([
    ...Object.entries({ AID: 'A0000000041010', applicationPreferredName: 'MCC 351 v1 2' }),
    ...Object.entries({ expiryMonth: '2', expiryYear: '2028' }),
  ])
  const paid = {
    AuthenticationMethod: ['OnlinePIN'],
    PaymentInstrumentData: {
      CardData: {
        ...{ PaymentBrand: 'mc', MaskedPan: '541333 **** 9999', EntryMode: ['ICC'] },
        SensitiveCardData: { CardSeqNumb: '33', ExpiryDate: '0228' },
      },
    },
  }
  deepEqual(cardOf(paid, additional, NONE), {
    ...{ paymentMethod: 'ICC_CHIP', cardholderVerificationMethod: 'PIN', primaryAccountNumber: '************9999' },
    ...{ primaryAccountNumberSequence: '33', applicationId: 'A0000000041010', applicationLabel: 'MCC 351 v1 2' },
    ...{ cardSchemeName: 'Mastercard', dateOfExpiry: '02/28', dateOfStart: '' },
  })
  equal(cardOf(paid, NONE, NONE).dateOfExpiry, '02/28')
  deepEqual(cardOf(undefined, NONE, NONE), { ...NO_CARD, cardholderVerificationMethod: 'NONE' })
})

describe('45: data of a card that no terminal may send', () => {
  const withCard = (data: object) => ({ a: [{ SensitiveCardData: data }] })
  test('are found wherever they are', () => {
    equal(holdsSensitiveData(withCard({ PAN: '4111111111111111' })), true)
    equal(holdsSensitiveData(withCard({ TrackData: [{ TrackValue: '4111111111111111=2512' }] })), true)
    equal(holdsSensitiveData(withCard({ PAN: '411111******1111', CardSeqNumb: '1', ExpiryDate: '1225' })), false)
    equal(holdsSensitiveData(withCard({ TrackData: [] })), false)
    equal(holdsSensitiveData('PAN'), false)
  })
  test('are in no member of the card', () => {
    const number = '4111111111111111'
    const card = cardOf(
      {
        PaymentInstrumentData: {
          CardData: { PaymentBrand: number, MaskedPan: number, SensitiveCardData: { CardSeqNumb: number } },
        },
      },
      new Map([['applicationPreferredName', `Card ${number}`]]),
      NONE,
    )
    equal(JSON.stringify(card).includes(number), false)
    equal(card.primaryAccountNumber, '************1111')
  })
})

test('26: flags and counts are read from text too', () => {
  deepEqual(
    [flagOf('true', false), flagOf(false, true), flagOf('no', true), flagOf(undefined, false)],
    [true, false, true, false],
  )
  deepEqual([countOf('12'), countOf(3), countOf('1.5'), countOf(-1), countOf(undefined)], [12, 3, null, null, null])
  deepEqual([listOf([1]), listOf(1), listOf(null)], [[1], [1], []])
  equal(memberAt({ a: { b: 1 } }, 'a', 'b'), 1)
  equal(memberAt({ a: 'text' }, 'a', 'length'), undefined)
  equal(memberAt({}, 'constructor'), undefined)
})
