// src/terminals/nexo/wire/card-details.ts — card details of a payment's response; the full number is never read. Pure.
import {
  type CardDetails,
  type CardholderVerificationMethod,
  maskOf,
  type PaymentMethod,
} from '../../../domain/card.ts'
import { withoutCardNumbers } from '../../../domain/card-numbers.ts'
import type { AdditionalResponse } from './additional-response.ts'
import { listOf, memberAt, textOf } from './lenient.ts'

/** Values of the receipt by key, where the response itself lacks them. */
export type ReceiptKeys = ReadonlyMap<string, string>

/** Entry modes of messages, and those of AdditionalResponse, without case and separators. */
const METHODS: Readonly<Record<string, PaymentMethod>> = {
  ...{ contactless: 'CONTACTLESS', tapped: 'CONTACTLESS', rfid: 'CONTACTLESS', mobile: 'CONTACTLESS' },
  ...{ clesschip: 'CONTACTLESS', clessswipe: 'CONTACTLESS' },
  ...{ icc: 'ICC_CHIP', synchronousicc: 'ICC_CHIP', magstripe: 'SWIPED', keyed: 'KEYED', manual: 'KEYED' },
}

const SCHEMES: Readonly<Record<string, string>> = {
  ...{ mc: 'Mastercard', visa: 'Visa', amex: 'American Express', maestro: 'Maestro', diners: 'Diners Club' },
  ...{ discover: 'Discover', jcb: 'JCB', cup: 'UnionPay', bcmc: 'Bancontact', girocard: 'girocard' },
}

/** Rows in order of precedence: the first method that the response names decides. */
const VERIFICATIONS: readonly (readonly [names: readonly string[], method: CardholderVerificationMethod])[] = [
  [['OnlinePIN', 'OfflinePIN'], 'PIN'],
  [['SignatureCapture', 'PaperSignature'], 'SIGNATURE'],
  [['SecuredChannel', 'SecureCertificate', 'SecureNoCertificate'], 'DEVICE'],
  [['UnknownMethod'], 'UNKNOWN'],
]

/** First bytes of EMV tag 9F34, without the two upper bits. */
const EMV_METHODS: Readonly<Record<number, CardholderVerificationMethod>> = {
  ...{ 1: 'PIN', 2: 'PIN', 3: 'PIN', 4: 'PIN', 5: 'PIN', 30: 'SIGNATURE' },
}

/** Card details of `PaymentResult`. Unknown ones are empty, and no text of them holds a card number. */
export function cardOf(paymentResult: unknown, additional: AdditionalResponse, receipt: ReceiptKeys): CardDetails {
  const card = memberAt(paymentResult, 'PaymentInstrumentData', 'CardData')
  const sensitive = memberAt(card, 'SensitiveCardData')
  const brand = first(textOf(memberAt(card, 'PaymentBrand')), additional.get('cardScheme'))
  const [entryMode] = listOf(memberAt(card, 'EntryMode'))
  return withoutCardNumbers({
    paymentMethod: methodOf(first(textOf(entryMode), additional.get('posEntryMode'))),
    cardholderVerificationMethod: verificationOf(paymentResult, additional),
    primaryAccountNumber: maskedOf([
      textOf(memberAt(card, 'MaskedPan')),
      receipt.get('pan'),
      additional.get('cardSummary'),
    ]),
    primaryAccountNumberSequence: shortDigits(first(textOf(memberAt(sensitive, 'CardSeqNumb')), receipt.get('panSeq'))),
    applicationId: first(additional.get('AID'), receipt.get('aid')),
    applicationLabel: first(
      ...[additional.get('applicationPreferredName'), additional.get('applicationLabel'), receipt.get('preferredName')],
    ),
    cardSchemeName: Object.hasOwn(SCHEMES, brand) ? (SCHEMES[brand] ?? brand) : brand,
    dateOfExpiry: expiryOf(additional, textOf(memberAt(sensitive, 'ExpiryDate'))),
    dateOfStart: '',
  })
}

/** Whether an answer holds data of a card that no terminal may send: a full number, or a track. */
export function holdsSensitiveData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, member]) =>
      ((name === 'PAN' || name === 'TrackData') && textOf(member) !== '' && !/[*xX]/.test(textOf(member))) ||
      (name === 'TrackData' && listOf(member).length > 0) ||
      holdsSensitiveData(member),
  )
}

function first(...texts: readonly (string | undefined)[]): string {
  return texts.find(text => text !== undefined && text !== '') ?? ''
}

function methodOf(entryMode: string): PaymentMethod {
  const name = entryMode.toLowerCase().replace(/[^a-z]/g, '')
  return Object.hasOwn(METHODS, name) ? (METHODS[name] ?? 'UNKNOWN') : 'UNKNOWN'
}

function verificationOf(paymentResult: unknown, additional: AdditionalResponse): CardholderVerificationMethod {
  const named = listOf(memberAt(paymentResult, 'AuthenticationMethod')).map(textOf)
  const row = VERIFICATIONS.find(([names]) => names.some(name => named.includes(name)))
  if (row !== undefined) return row[1]
  if (named.length > 0) return 'NONE'
  const emv = /^[\da-fA-F]{2}/.exec(additional.get('cardHolderVerificationMethodResults') ?? '')
  return emv === null ? 'NONE' : (EMV_METHODS[Number.parseInt(emv[0], 16) & 0x3f] ?? 'NONE')
}

/** Twelve asterisks and the last four digits of the first text that ends in them; empty when none does. */
function maskedOf(texts: readonly (string | undefined)[]): string {
  const digits = texts.map(text => /(\d{4})\s*$/.exec(text ?? '')?.[1]).find(found => found !== undefined)
  return digits === undefined ? '' : maskOf(digits)
}

function shortDigits(text: string): string {
  return /^\d{1,3}$/.test(text) ? text : ''
}

/** `12` and `2025`, or `1225` → `12/25`. */
function expiryOf(additional: AdditionalResponse, compact: string): string {
  const month = additional.get('expiryMonth') ?? ''
  const year = additional.get('expiryYear') ?? ''
  if (/^\d{1,2}$/.test(month) && /^(?:\d{2}|\d{4})$/.test(year)) return `${month.padStart(2, '0')}/${year.slice(-2)}`
  return /^\d{4}$/.test(compact) ? `${compact.slice(0, 2)}/${compact.slice(2)}` : ''
}
