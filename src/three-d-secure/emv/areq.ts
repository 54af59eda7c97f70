// src/three-d-secure/emv/areq.ts — builds the AReq of a payment, in the payer's browser or without the payer. ADR 88, 98.

import type { Expiry } from '../../domain/card-number.ts'
import type { PostalAddress } from '../../domain/online/access-token.ts'
import type { PayerBrowser } from '../../domain/online/payer-browser.ts'
import type { AuthenticationOrder, PayerDetails } from '../../engine/ports/three-d-secure.ts'
import { type ChallengeWish, challengeCode } from './challenge-wishes.ts'
import type { Message } from './codec.ts'
import type { DirectoryDocument, Requestor } from './directory-document.ts'
import { type Later, laterMembers } from './later-payments.ts'
import { type Objection, objection } from './objection.ts'
import {
  addressState,
  browserHeader,
  browserLanguage,
  cardholderName,
  colourDepth,
  purchaseMembers,
} from './request-values.ts'

/** With the payer in a browser, or without the payer. */
export type AuthenticationRequest = BrowserRequest | LaterRequest

interface Request {
  readonly order: Pick<AuthenticationOrder, 'card' | 'amount' | 'currencyNumeric' | 'mustChallenge'>
  readonly requestor: Requestor
  readonly payer: PayerDetails
}

export interface LaterRequest extends Request {
  readonly later: Later
}

export interface BrowserRequest extends Request {
  readonly browser: PayerBrowser
  readonly wish: ChallengeWish
  /** Whether the issuer's page for device data was done in time; U when there is none. */
  readonly methodCompleted: 'Y' | 'N' | 'U'
  /** Transaction id under which that page was opened. The first AReq has it. */
  readonly methodId?: string
  /** Where the issuer's page sends the browser after a challenge. */
  readonly notificationUrl: string
}

export interface BuildParts {
  readonly document: DirectoryDocument
  readonly threeDSServerTransID: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Builds the AReq. Refused when something is missing that this directory server requires. */
export function areqOf(
  request: AuthenticationRequest,
  { document, threeDSServerTransID, at }: BuildParts,
): Message<'AReq'> | { readonly refused: Objection } {
  const { ids, authentication } = document
  if (authentication === undefined) return { refused: objection('201', ['threeDSServerURL']) }
  const { card, amount, currencyNumeric } = request.order
  const purchase = purchaseMembers(amount.minor, currencyNumeric, at)
  if (purchase === null) return { refused: objection('304', ['purchaseCurrency']) }
  const areq: Message<'AReq'> = {
    messageType: 'AReq',
    threeDSServerTransID,
    messageCategory: '01',
    ...('later' in request ? laterMembers(request.later) : withBrowser(request)),
    threeDSServerRefNumber: ids.refNumber,
    ...(ids.operatorId !== undefined && { threeDSServerOperatorID: ids.operatorId }),
    threeDSServerURL: authentication.resultsUrl,
    ...requestorMembers(request.requestor),
    acctNumber: card.number.reveal(),
    cardExpiryDate: yearAndMonth(card.expiry),
    ...textMember('cardholderName', cardholderName(card.holder)),
    ...payerMembers(request.payer),
    ...purchase,
  }
  const { require = [], forbid = [] } = authentication
  const allowed = Object.fromEntries(Object.entries(areq).filter(([name]) => !forbid.some(each => each === name)))
  const missing = require.filter(name => allowed[name] === undefined)
  return missing.length > 0 ? { refused: objection('201', missing) } : (allowed as Message<'AReq'>)
}

function withBrowser({ order, browser, wish, methodCompleted, notificationUrl }: BrowserRequest) {
  return {
    deviceChannel: '02',
    threeDSRequestorAuthenticationInd: '01',
    threeDSRequestorChallengeInd: [challengeCode(wish, order.mustChallenge)],
    notificationURL: notificationUrl,
    threeDSCompInd: methodCompleted,
    ...browserMembers(browser),
  }
}

function requestorMembers(requestor: Requestor) {
  const { acquirerCountry } = requestor
  return {
    threeDSRequestorID: requestor.requestorId,
    threeDSRequestorName: requestor.requestorName,
    threeDSRequestorURL: requestor.requestorUrl,
    acquirerBIN: requestor.acquirerBin,
    acquirerMerchantID: requestor.acquirerMerchantId,
    // 01: the country is given by the 3DS Server.
    ...(acquirerCountry !== undefined && { acquirerCountryCode: acquirerCountry, acquirerCountryCodeSource: '01' }),
    mcc: requestor.merchantCategoryCode,
    merchantCountryCode: requestor.country,
    merchantName: requestor.merchantName,
  }
}

/** Used when neither the browser nor its header names a language that fits. */
const ANY_LANGUAGE = 'en'

function browserMembers(browser: PayerBrowser) {
  const { acceptLanguage, ip, language, colourDepth: bits } = browser
  const languages = acceptLanguage.length > 0 ? acceptLanguage : [language || ANY_LANGUAGE]
  return {
    browserAcceptHeader: browserHeader(browser.acceptHeader),
    browserUserAgent: browserHeader(browser.userAgent),
    ...textMember('browserIP', ip ?? null),
    browserJavascriptEnabled: true,
    browserJavaEnabled: browser.javaEnabled,
    browserLanguage: browserLanguage(language) ?? ANY_LANGUAGE,
    acceptLanguage: languages,
    browserColorDepth: colourDepth(bits),
    browserScreenHeight: String(browser.screenHeight),
    browserScreenWidth: String(browser.screenWidth),
    browserTZ: String(browser.timeZoneMinutes),
  }
}

function payerMembers({ emailAddress = '', billingAddress = {}, shippingAddress = {} }: PayerDetails) {
  return {
    ...textMember('email', EMAIL.test(emailAddress) && emailAddress.length <= LONGEST_EMAIL ? emailAddress : null),
    ...addressMembers('bill', billingAddress),
    ...addressMembers('ship', shippingAddress),
  }
}

const EMAIL = /^[^\s@]+@[^\s@]+$/
const LONGEST_EMAIL = 254
const LONGEST_LINE = 50
const LONGEST_POSTCODE = 16

/** A member of an address is absent, never empty. Its first three lines are used. */
function addressMembers(kind: 'bill' | 'ship', address: Partial<PostalAddress>): Readonly<Record<string, string>> {
  const { address1 = '', address2 = '', address3 = '', address4 = '', city = '', state = '', postcode = '' } = address
  const country = /^\d{3}$/.test(address.countryCode ?? '') ? address.countryCode : undefined
  const lines = [address1, address2, address3, address4].map(line => line.trim()).filter(line => line !== '')
  return {
    ...textMember(`${kind}AddrLine1`, cut(lines[0], LONGEST_LINE)),
    ...textMember(`${kind}AddrLine2`, cut(lines[1], LONGEST_LINE)),
    ...textMember(`${kind}AddrLine3`, cut(lines[2], LONGEST_LINE)),
    ...textMember(`${kind}AddrCity`, cut(city, LONGEST_LINE)),
    ...textMember(`${kind}AddrPostCode`, cut(postcode, LONGEST_POSTCODE)),
    ...textMember(`${kind}AddrCountry`, country ?? null),
    ...textMember(`${kind}AddrState`, addressState(state, country)),
  }
}

/** Counted in characters, as the specification counts. */
function cut(text: string | undefined, longest: number): string | null {
  return [...(text ?? '').trim()].slice(0, longest).join('').trim() || null
}

function textMember<Name extends string>(name: Name, value: string | null): { readonly [Each in Name]?: string } {
  return (value === null ? {} : { [name]: value }) as { readonly [Each in Name]?: string }
}

/** YYMM */
function yearAndMonth({ month, year }: Expiry): string {
  return `${String(year % 100).padStart(2, '0')}${String(month).padStart(2, '0')}`
}
