// test/unit/web/form-and-gateway.test.ts — the form and the gateway apply the same rules: what the form calls valid, the
// gateway accepts, and each refusal of a payer's field has an error of the form.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { readCardRequest } from '../../../src/api/online/card-request.ts'
import { lookAtCard } from '../../../src/platform/card-rules.ts'
import { cardBody } from '../../../web/frame/card-body.ts'
import { countriesIn } from '../../../web/frame/countries.ts'
import { digitsOf } from '../../../web/frame/digits.ts'
import { refusedField } from '../../../web/frame/errors.ts'
import type { AnyFieldName } from '../../../web/frame/field-names.ts'
import { ADDRESS_FIELDS, CARD_FIELDS } from '../../../web/frame/fields.ts'

const NOW = Date.UTC(2026, 6, 15)
const FIELDS = [...CARD_FIELDS, ...ADDRESS_FIELDS]
const CARDS = ['4111111111111111', '371449111020228', '5200000000000056', '6759649826438453', '36148900647913']

const VALID: Readonly<Record<AnyFieldName, string>> = {
  cardName: 'Ann Example',
  cardNumber: '4111 1111 1111 1111',
  expiryDate: '12 / 30',
  cv2: '123',
  addressLine1: '1 High Street',
  addressLine2: '',
  addressLine3: '',
  city: 'Leeds',
  county: '',
  postcode: 'LS1 1AA',
  country: 'GB',
}

/** Fills the form in. Returns the errors that it shows, and the field that the gateway refuses. */
function fillIn(typed: Partial<Record<AnyFieldName, string>>): { shown: readonly string[]; refused: string | null } {
  const values = { ...VALID, ...typed }
  const textIn = (name: AnyFieldName): string => {
    const text = values[name]
    return FIELDS.find(field => field.name === name)?.writing?.show(text, false) ?? text
  }
  const around = { now: NOW, cardNumber: digitsOf(textIn('cardNumber')) }
  const shown = FIELDS.flatMap(field => field.check(textIn(field.name), around) ?? [])
  const read = readCardRequest(cardBody(textIn, '826'), lookAtCard, NOW, true)
  return { shown, refused: 'invalid' in read ? read.invalid : null }
}

const cardWithin = fc
  .tuple(fc.constantFrom('', 'Ann ', '12/30 '), fc.constantFrom(...CARDS), fc.constantFrom(' ', '-', ''))
  .map(([before, number, by]) => before + number.replace(/(\d{4})(?=\d)/g, `$1${by}`))

/** Texts as people, programs and accidents put them into a field of words. */
const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: fc.constantFrom('\t', '\u0000', '\u200d', '\u00a0', '\u3000', '\ufdfa', '\u0301', 'e', '4', '1') }),
  fc.nat(700).map(length => 'x'.repeat(length)),
  cardWithin,
)
const numbers = fc.oneof(
  fc.constantFrom(...CARDS),
  fc.string({ unit: fc.constantFrom(...'0123456789 -٤４'), maxLength: 24 }),
  fc.tuple(fc.constantFrom(...CARDS), fc.nat(9)).map(([number, last]) => number.slice(0, -1) + last),
)
const dates = fc.oneof(
  fc
    .tuple(fc.nat(14), fc.integer({ min: 1990, max: 2110 }), fc.constantFrom('/', ' / ', '-'))
    .map(([month, year, by]) => `${month}${by}${year}`),
  fc.tuple(fc.nat(14), fc.nat(99)).map(([month, year]) => `${month} / ${String(year).padStart(2, '0')}`),
  fc.string({ unit: fc.constantFrom(...'0123456789/ -'), maxLength: 10 }),
)
const codes = fc.string({ unit: fc.constantFrom(...'0123456789 x'), maxLength: 6 })

const TYPED: readonly (readonly [AnyFieldName, fc.Arbitrary<string>])[] = [
  ['cardName', words],
  ['cardNumber', numbers],
  ['expiryDate', dates],
  ['cv2', codes],
  ...(['addressLine1', 'addressLine2', 'addressLine3', 'city', 'county', 'postcode'] as const).map(
    name => [name, words] as const,
  ),
]

describe('what the form calls valid, the gateway accepts', () => {
  test.each(TYPED)('%s', (name, texts) => {
    let valid = 0
    fc.assert(
      fc.property(texts, text => {
        const { shown, refused } = fillIn({ [name]: text })
        if (shown.length > 0) return
        valid += 1
        equal(refused, null, JSON.stringify(text))
      }),
      { numRuns: 400 },
    )
    ok(valid > 10, `only ${valid} texts were valid`)
  })

  test('the security code of each scheme, with each number of digits', () => {
    for (const cardNumber of CARDS)
      for (const cv2 of ['12', '123', '1234', '12345']) {
        const { shown, refused } = fillIn({ cardNumber, cv2 })
        deepEqual([shown, refused], refused === null ? [[], null] : [['cv2Invalid'], 'cV2'], `${cardNumber} ${cv2}`)
      }
  })

  test('the number of each country', () => {
    for (const { number } of countriesIn('en')) {
      const read = readCardRequest(
        cardBody(name => VALID[name], number),
        lookAtCard,
        NOW,
        true,
      )
      ok('value' in read, number)
    }
  })
})

test.each([
  ['a card number beside a name', { cardName: 'Ann Example 4111 1111 1111 1111' }, 'cardNameInvalid'],
  ['a card number in an address', { addressLine2: '4111-1111-1111-1111' }, 'addressLine2Invalid'],
  ['a line that is too long', { city: 'x'.repeat(101) }, 'cityInvalid'],
  ['an expiry date 20 years ahead', { expiryDate: '07/46' }, 'expiryDateInvalid'],
] as const)('the form refuses %s itself', (_, typed, error) => {
  const { shown, refused } = fillIn(typed)
  deepEqual(shown, [error])
  ok(refused !== null)
})

test('the last month that the form accepts is the last that the gateway accepts', () =>
  deepEqual(fillIn({ expiryDate: '06/46' }), { shown: [], refused: null }))

test('a refusal of a field that a payer fills in is the error of that field', () => {
  deepEqual(refusedField('Invalid cV2: it is missing. It must be three digits.'), { field: 'cv2', error: 'cv2Invalid' })
  deepEqual(refusedField('Invalid billingAddress.state'), { field: 'county', error: 'countyInvalid' })
  deepEqual(refusedField('Invalid userEmailAddress: it is too long.'), {
    field: null,
    error: 'userEmailAddressInvalid',
  })
  deepEqual(refusedField('Invalid shippingDetails.address.city'), { field: null, error: 'shippingDetailsInvalid' })
  for (const other of [
    'Invalid customerId: it is missing.',
    'Invalid constructor',
    'Invalid transactionType for this call',
    'No',
  ])
    equal(refusedField(other), null, other)
})
