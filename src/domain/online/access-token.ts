// src/domain/online/access-token.ts — access tokens: one order of a shop, payable once within half an hour.

import type { Partner } from '../counter/transaction-events.ts'
import type { Transitions } from '../machine.ts'

/** The spellings that are stored and sent. Accepted variants become these, see docs/online-payments.md. */
export const ONLINE_TYPES = ['SALE', 'PREAUTH', 'COLLECTION', 'REFUND', 'VOID', 'ACCOUNT_VERIFICATION'] as const
export type OnlineType = (typeof ONLINE_TYPES)[number]

/** Types that refer to an earlier payment. They are never submitted by a browser. */
export type LinkedType = Extract<OnlineType, 'COLLECTION' | 'REFUND' | 'VOID'>

export function isLinked(type: OnlineType): type is LinkedType {
  return type === 'COLLECTION' || type === 'REFUND' || type === 'VOID'
}

/** Whether a success moves money on the card, in either direction. A hold, a verification and a void move none. */
export function movesMoney(type: OnlineType): boolean {
  switch (type) {
    case 'SALE':
    case 'COLLECTION':
    case 'REFUND':
      return true
    case 'PREAUTH':
    case 'VOID':
    case 'ACCOUNT_VERIFICATION':
      return false
  }
}

/** Lifetime of an unused token, in milliseconds. See docs/online-payments.md. */
export const TOKEN_LIFE_MS = 30 * 60_000

export type TokenState = 'issued' | 'used' | 'expired' | 'revoked'

/** A token leaves `issued` once: the event is committed against the version that it was decided on. */
export const TOKEN_TRANSITIONS: Transitions<TokenState, 'submitted' | 'expired' | 'revoked'> = {
  issued: { submitted: 'used', expired: 'expired', revoked: 'revoked' },
  // Its payment can be revoked while the payer is being authenticated; the token stays used.
  used: { revoked: 'used' },
  expired: {},
  revoked: {},
}

/** An address; unknown members are empty. */
export interface PostalAddress {
  readonly address1: string
  readonly address2: string
  readonly address3: string
  readonly address4: string
  readonly city: string
  readonly state: string
  readonly postcode: string
  /** ISO 3166 numeric. */
  readonly countryCode: string
}

export const NO_ADDRESS: PostalAddress = {
  address1: '',
  address2: '',
  address3: '',
  address4: '',
  city: '',
  state: '',
  postcode: '',
  countryCode: '',
}

export interface ShippingDetails {
  readonly name: string
  readonly address: PostalAddress
}

/** The payer as the shop describes it. Not validated, because the published examples are not valid addresses either. */
export interface Payer {
  readonly userAgent: string
  readonly emailAddress: string
  readonly phoneNumber: string
  readonly ipAddress: string
}

/** A shop's order for an access token. Missing members are null or empty. */
export interface TokenOrder {
  readonly transactionType: OnlineType
  readonly amountMinor: number
  /** ISO 4217 numeric. */
  readonly currencyCode: string
  readonly orderId: string
  readonly orderDescription: string
  readonly merchantTransactionId: string | null
  /** Mail or telephone order: the shop types the card in, so the payer cannot be authenticated. */
  readonly moto: boolean
  readonly payer: Payer
  /** Null when none of its fields was given. */
  readonly billingAddress: PostalAddress | null
  readonly shippingDetails: ShippingDetails | null
  readonly newTransaction: boolean
  readonly crossReference: string | null
  /** Webhook address, and vault reference of the access token, which the webhook has in clear. */
  readonly webHook: { readonly url: string; readonly vault: string } | null
  readonly metaData: Readonly<Record<string, string>> | null
  readonly waitPreExecute: boolean
  readonly customerId: string | null
  readonly paymentMethodId: string | null
  readonly previousTransactionId: string | null
  /** Card-on-file agreement: stored, but neither validated nor used. */
  readonly cofSetup: unknown
  /** Software house and installer of the shop's software, if sent. */
  readonly partner?: Partner
}
