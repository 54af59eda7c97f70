// src/api/online/card-request.ts — reads the card and payer details that a browser sends.

import {
  type Card,
  CardNumber,
  type CardRules,
  readCardNumber,
  readExpiry,
  readSecurityCode,
  SecurityCode,
} from '../../domain/card-number.ts'
import { holdsCardNumber, idHoldsCardNumber } from '../../domain/card-numbers.ts'
import type { PostalAddress, ShippingDetails } from '../../domain/online/access-token.ts'
import { isName, LONGEST_CONTACT, LONGEST_NAME, plainName } from '../../domain/online/payer-input.ts'
import { MAY_BE_CARD } from '../../domain/refusals.ts'
import { faultSaying } from '../read/field-fault.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { Read } from '../read/schema-reader.ts'
import { readAddress, readShipping } from './address.ts'
import { cardNumberFault, EXPIRY, expiryFault, NUMBER, securityCodeFault } from './card-faults.ts'
import { type Fields, readFields, wrong } from './fields.ts'
import { readMetaData } from './metadata.ts'

const LONGEST_ID = 512
/** Characters of a name before format characters are dropped. */
const LONGEST_NAME_SENT = 2_048
const NAME = `1 to ${LONGEST_NAME} characters that can be printed`
/** Characters of a card number: nineteen digits, each followed by a blank. */
const LONGEST_NUMBER = 40

/** Payer details, common to all payment methods. */
export interface PayerDetails {
  readonly emailAddress: string | null
  readonly phoneNumber: string | null
  readonly billingAddress: PostalAddress | null
  readonly shippingDetails: ShippingDetails | null
  readonly metaData: Readonly<Record<string, string>> | null
}

export interface CardRequest extends PayerDetails {
  readonly card: Card
  /** Null when not given. Only mail and telephone orders may omit it. */
  readonly securityCode: SecurityCode | null
  readonly saveCard: boolean
  readonly mitConsentGiven: boolean
}

export interface SavedCardRequest extends PayerDetails {
  readonly paymentMethodId: string | null
  /** Null when not given. Its length depends on the scheme of the saved card, which is not known here. */
  readonly securityCodeText: string | null
}

/** Reads a card payment, or returns what is wrong with the first invalid field. @param at now, in epoch milliseconds */
export function readCardRequest(
  json: JsonObject,
  rules: CardRules,
  at: number,
  codeNeeded: boolean,
): Read<CardRequest> {
  return readFields(json, fields => {
    const holder = plainName(fields.required('cardName', LONGEST_NAME_SENT, NAME))
    const payer = readPayer(fields)
    const number = readCardNumber(fields.required('cardNumber', LONGEST_NUMBER, NUMBER), rules)
    if (!(number instanceof CardNumber)) return wrong(cardNumberFault(number.problem))
    const expiry = readExpiry(fields.required('expiryDate', LONGEST_NUMBER, EXPIRY), at)
    if (expiry === null || expiry === 'expired') return wrong(expiryFault(expiry))
    const text = codeIn(fields)
    const securityCode = text === null ? null : readSecurityCode(text, number, rules)
    if (securityCode === null && (codeNeeded || text !== null)) return wrong(securityCodeFault('cV2', text))
    // All other fields are stored and shown in clear.
    if (!isName(holder)) wrong(faultSaying('cardName', 'is empty, too long, or holds a card number', NAME))
    refuseCards(payer)
    return {
      card: { number, expiry, holder },
      securityCode,
      saveCard: fields.boolean('savePaymentMethod'),
      mitConsentGiven: fields.boolean('mitConsentGiven'),
      ...payer,
    }
  })
}

export function readSavedCardRequest(json: JsonObject): Read<SavedCardRequest> {
  return readFields(json, fields => {
    const payer = readPayer(fields)
    refuseCards(payer)
    return {
      paymentMethodId: fields.optional('paymentMethodId', LONGEST_ID),
      securityCodeText: codeIn(fields),
      ...payer,
    }
  })
}

/**
 * Stops a reading at the first field that holds a card number where none belongs. Somebody is there who can correct it. The
 * names and texts of `metaData` are the shop's own. ADR 32.
 */
export function refuseCards(
  { metaData, ...typed }: PayerDetails & { cardName?: string },
  names: Names = PUBLISHED,
): void {
  const misplaced = fieldWithCard(typed, names)
  if (misplaced !== null) wrong({ invalid: misplaced, says: MAY_BE_CARD })
  for (const [name, text] of Object.entries(metaData ?? {})) {
    if (idHoldsCardNumber(name)) wrong({ invalid: 'metaData', says: MAY_BE_CARD })
    if (idHoldsCardNumber(text)) wrong({ invalid: `metaData.${name}`, says: MAY_BE_CARD })
  }
}

type Names = Readonly<Record<string, string>>

/** The path of the first text that holds a card number. */
function fieldWithCard(values: object, names: Names, path = ''): string | null {
  for (const [name, value] of Object.entries(values)) {
    const field = `${path}${names[name] ?? name}`
    if (typeof value === 'string' && holdsCardNumber(value)) return field
    const isGroup = typeof value === 'object' && value !== null
    const inside = isGroup ? fieldWithCard(value, names, `${field}.`) : null
    if (inside !== null) return inside
  }
  return null
}

/** Published names of our fields. */
const PUBLISHED: Names = {
  emailAddress: 'userEmailAddress',
  phoneNumber: 'userPhoneNumber',
}

/** Field names are case-insensitive: `cV2`, `cv2` and `CV2` are the same. */
function codeIn(fields: Fields): string | null {
  return fields.optional('cV2', LONGEST_NUMBER)
}

function readPayer(fields: Fields): PayerDetails {
  const billing = fields.object('billingAddress')
  return {
    emailAddress: fields.optional('userEmailAddress', LONGEST_CONTACT),
    phoneNumber: fields.optional('userPhoneNumber', LONGEST_CONTACT),
    billingAddress: billing === null ? null : readAddress(billing),
    shippingDetails: readShipping(fields),
    metaData: readMetaData(fields),
  }
}

/** Reads the security code of a saved card by its scheme. Null unless it has that scheme's number of digits. */
export function codeFor(scheme: string, text: string): SecurityCode | null {
  const length = scheme === 'AMEX' ? 4 : 3
  const digits = text.trim()
  return /^\d+$/.test(digits) && digits.length === length ? new SecurityCode(digits) : null
}
