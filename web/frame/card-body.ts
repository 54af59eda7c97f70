// web/frame/card-body.ts — the body of a payment request, from the texts of the fields.
import { plainName } from '../../src/domain/online/payer-input.ts'
import { digitsOf } from './digits.ts'
import { expiryOf, written } from './expiry-date.ts'
import type { AnyFieldName } from './field-names.ts'

/** Text of a field as typed; empty for a field that the form does not have. */
type TextIn = (name: AnyFieldName) => string

/** The body of a payment by card. `country`: the chosen country’s number; null in a form without an address. */
export function cardBody(textIn: TextIn, country: string | null): Readonly<Record<string, unknown>> {
  const expiry = expiryOf(textIn('expiryDate'))
  return {
    cardName: plainName(textIn('cardName')),
    cardNumber: digitsOf(textIn('cardNumber')),
    expiryDate: expiry === null ? '' : written(expiry),
    cV2: textIn('cv2'),
    ...(country === null ? {} : { billingAddress: addressBody(textIn, country) }),
  }
}

/** The body of a payment by a card on file. */
export function savedCardBody(textIn: TextIn): Readonly<Record<string, unknown>> {
  const cV2 = textIn('cv2')
  return cV2 === '' ? {} : { cV2 }
}

function addressBody(textIn: TextIn, country: string): Record<string, string> {
  const line = (name: AnyFieldName) => textIn(name).trim()
  return {
    address1: line('addressLine1'),
    address2: line('addressLine2'),
    address3: line('addressLine3'),
    address4: '',
    city: line('city'),
    state: line('county'),
    postcode: line('postcode'),
    countryCode: country,
  }
}
