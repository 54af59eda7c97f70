// web/frame/errors.ts — errors of fields: names that the page gets, texts, and what the gateway’s refusals mean.
import type { AnyFieldName } from './field-names.ts'
import type { TextName } from './texts.ts'

/** Text of each error. Pages know the errors by these names and can replace the texts. */
export const ERROR_TEXTS = {
  cardNameRequired: 'cardNameRequired',
  cardNameInvalid: 'cardNameInvalid',
  cardNumberRequired: 'cardNumberRequired',
  cardNumberInvalid: 'cardNumberInvalid',
  expiryDateRequired: 'expiryDateRequired',
  expiryDateInvalid: 'expiryDateInvalid',
  expiryDateMustBeInFuture: 'expiryDateMustBeInFuture',
  cv2Required: 'cv2Required',
  cv2Invalid: 'cv2Invalid',
  addressLine1Required: 'addressLine1Required',
  addressLine1Invalid: 'addressInvalid',
  addressLine2Invalid: 'addressInvalid',
  addressLine3Invalid: 'addressInvalid',
  cityRequired: 'cityRequired',
  cityInvalid: 'addressInvalid',
  countyInvalid: 'addressInvalid',
  postcodeRequired: 'postcodeRequired',
  postcodeInvalid: 'addressInvalid',
  countryRequired: 'countryRequired',
  countryInvalid: 'countryRequired',
  userEmailAddressInvalid: 'emailInvalid',
  userPhoneNumberInvalid: 'phoneInvalid',
  shippingDetailsInvalid: 'shippingInvalid',
} as const satisfies Readonly<Record<string, TextName>>

export type ErrorName = keyof typeof ERROR_TEXTS

/** A field that the gateway refused. */
export interface RefusedField {
  /** Null when the form never has the field. */
  readonly field: AnyFieldName | null
  readonly error: ErrorName
}

/** What the gateway calls the fields that a payer fills in. */
const FIELDS: Readonly<Record<string, AnyFieldName>> = {
  cardName: 'cardName',
  cardNumber: 'cardNumber',
  expiryDate: 'expiryDate',
  cV2: 'cv2',
  'billingAddress.address1': 'addressLine1',
  'billingAddress.address2': 'addressLine2',
  'billingAddress.address3': 'addressLine3',
  'billingAddress.city': 'city',
  'billingAddress.state': 'county',
  'billingAddress.postcode': 'postcode',
  'billingAddress.countryCode': 'country',
}

const OTHERS: Readonly<Record<string, ErrorName>> = {
  userEmailAddress: 'userEmailAddressInvalid',
  userPhoneNumber: 'userPhoneNumberInvalid',
  shippingDetails: 'shippingDetailsInvalid',
}

/** Reads a refusal of the gateway; null when it is about nothing that a payer fills in. */
export function refusedField(message: string): RefusedField | null {
  const [, name = ''] = /^Invalid (\S+?)(?::|$)/.exec(message) ?? []
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (field !== undefined) return { field, error: `${field}Invalid` }
  const [group = ''] = name.split('.')
  const other = Object.hasOwn(OTHERS, group) ? OTHERS[group] : undefined
  return other === undefined ? null : { field: null, error: other }
}
