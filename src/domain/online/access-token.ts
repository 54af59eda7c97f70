// src/domain/online/access-token.ts — an access token: one order of a shop, to be paid once, within half an hour.

import type { Partner } from '../counter/transaction-events.ts'
import type { Transitions } from '../machine.ts'

/** Online reference 3.2 and 14: the seed's other spellings are read as these. */
export const ONLINE_TYPES = ['SALE', 'PREAUTH', 'COLLECTION', 'REFUND', 'VOID', 'ACCOUNT_VERIFICATION'] as const
export type OnlineType = (typeof ONLINE_TYPES)[number]

/** Those that work on an earlier payment, and never in a browser. */
export type LinkedType = Extract<OnlineType, 'COLLECTION' | 'REFUND' | 'VOID'>

export function isLinked(type: OnlineType): type is LinkedType {
  return type === 'COLLECTION' || type === 'REFUND' || type === 'VOID'
}

/** Whether a success moves money on the card, in either direction. A hold, a check and a void move none. */
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

/** How long a token may wait to be used. Online reference 3.4. */
export const TOKEN_LIFE_MS = 30 * 60_000

export type TokenState = 'issued' | 'used' | 'expired' | 'revoked'

/** Only one event may leave `issued`, and it is committed against the version it was decided on. */
export const TOKEN_TRANSITIONS: Transitions<TokenState, 'submitted' | 'expired' | 'revoked'> = {
  issued: { submitted: 'used', expired: 'expired', revoked: 'revoked' },
  // The payment under it can be revoked while its payer is being authenticated; the token stays what it is: used.
  used: { revoked: 'used' },
  expired: {},
  revoked: {},
}

/** Online reference 3.2.1; what is not known is empty. */
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

/** Who pays, as far as the shop says. Not checked: the published examples are no valid addresses either. */
export interface Payer {
  readonly userAgent: string
  readonly emailAddress: string
  readonly phoneNumber: string
  readonly ipAddress: string
}

/** What a shop asks for when it makes a token. What was not given is null or empty. Online reference 3.2. */
export interface TokenOrder {
  readonly transactionType: OnlineType
  readonly amountMinor: number
  /** ISO 4217 numeric. */
  readonly currencyCode: string
  readonly orderId: string
  readonly orderDescription: string
  readonly merchantTransactionId: string | null
  /** Mail or telephone order: the shop types the card in, and nobody can be authenticated. */
  readonly moto: boolean
  readonly payer: Payer
  /** Null: no field of it was given. */
  readonly billingAddress: PostalAddress | null
  readonly shippingDetails: ShippingDetails | null
  readonly newTransaction: boolean
  readonly crossReference: string | null
  /** Address, and what the vault gave for the token, which the message bears in clear. */
  readonly webHook: { readonly url: string; readonly vault: string } | null
  readonly metaData: Readonly<Record<string, string>> | null
  readonly waitPreExecute: boolean
  readonly customerId: string | null
  readonly paymentMethodId: string | null
  readonly previousTransactionId: string | null
  /** Agreement to keep the card: stored, neither checked nor acted upon. Online reference 3.2. */
  readonly cofSetup: unknown
  /** Who made and who installed the shop's software, where it has said so. Online reference 2.5. */
  readonly partner?: Partner
}
