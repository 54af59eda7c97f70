// web/frame/fields.ts — fields of the form as data: autofill, formatting and validation of each.
import { isExpired, isPlausible } from '../../src/domain/card-number.ts'
import { isName, isPayerText, LONGEST_ADDRESS_LINE, plainName } from '../../src/domain/online/payer-input.ts'
import { grouped, isCardNumber, kindOf } from './card-number.ts'
import { digitsOf } from './digits.ts'
import type { ErrorName } from './errors.ts'
import { expiryOf, typed } from './expiry-date.ts'
import type { AddressName, AnyFieldName } from './field-names.ts'

export interface FieldSpec {
  readonly name: AnyFieldName
  /** Value of the `autocomplete` attribute. */
  readonly autocomplete: string
  readonly inputMode: 'text' | 'numeric'
  /** Half width, beside its neighbour, where there is room. */
  readonly half: boolean
  /** Returns the error, or null. Codes of card errors are those of docs/hosted-form.md. */
  readonly check: (value: string, around: Around) => ErrorName | null
  /** Formatting of the input, if any. */
  readonly writing?: { readonly show: (text: string, grows: boolean) => string; readonly counts: RegExp }
}

/** Context of a check beyond its own field. */
export interface Around {
  /** The gateway’s time, epoch milliseconds. */
  readonly now: number
  /** Digits of the card number; empty in a form without one. */
  readonly cardNumber: string
}

const DIGIT = /\d/

export const CARD_FIELDS: readonly FieldSpec[] = [
  {
    name: 'cardName',
    autocomplete: 'cc-name',
    inputMode: 'text',
    half: false,
    check(value) {
      const name = plainName(value)
      if (name === '') return 'cardNameRequired'
      return isName(name) ? null : 'cardNameInvalid'
    },
  },
  {
    name: 'cardNumber',
    autocomplete: 'cc-number',
    inputMode: 'numeric',
    half: false,
    check(value) {
      const digits = digitsOf(value)
      if (value.trim() === '') return 'cardNumberRequired'
      return isCardNumber(digits) ? null : 'cardNumberInvalid'
    },
    writing: { show: text => grouped(digitsOf(text)), counts: DIGIT },
  },
  {
    name: 'expiryDate',
    autocomplete: 'cc-exp',
    inputMode: 'numeric',
    half: true,
    check(value, { now }) {
      if (value.trim() === '') return 'expiryDateRequired'
      const expiry = expiryOf(value)
      if (expiry === null) return 'expiryDateInvalid'
      if (isExpired(expiry, now)) return 'expiryDateMustBeInFuture'
      return isPlausible(expiry, now) ? null : 'expiryDateInvalid'
    },
    writing: { show: typed, counts: DIGIT },
  },
  {
    name: 'cv2',
    autocomplete: 'cc-csc',
    inputMode: 'numeric',
    half: true,
    check(value, { cardNumber }) {
      if (value === '') return 'cv2Required'
      // Without a card number the length is not known: the gateway checks it.
      const fits = cardNumber === '' ? /^\d{3,4}$/.test(value) : value.length === kindOf(cardNumber).codeDigits
      return fits ? null : 'cv2Invalid'
    },
    writing: { show: text => digitsOf(text).slice(0, 4), counts: DIGIT },
  },
]

export const CV2_FIELD = CARD_FIELDS.filter(({ name }) => name === 'cv2')

export const ADDRESS_FIELDS: readonly FieldSpec[] = [
  address('addressLine1', 'billing address-line1', 'addressLine1Required'),
  address('addressLine2', 'billing address-line2', null),
  address('addressLine3', 'billing address-line3', null),
  address('city', 'billing address-level2', 'cityRequired'),
  address('county', 'billing address-level1', null),
  address('postcode', 'billing postal-code', 'postcodeRequired'),
  address('country', 'billing country', 'countryRequired'),
]

function address(name: AddressName, autocomplete: string, missing: ErrorName | null): FieldSpec {
  return {
    name,
    autocomplete,
    inputMode: 'text',
    half: name === 'city' || name === 'county' || name === 'postcode',
    check(value) {
      const text = value.trim()
      if (text === '') return missing
      return isPayerText(text, LONGEST_ADDRESS_LINE) ? null : `${name}Invalid`
    },
  }
}
