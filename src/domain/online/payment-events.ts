// src/domain/online/payment-events.ts — the events of an online payment.

import type { CardScheme, Expiry } from '../card-number.ts'
import type { DeclineReason } from '../counter/transaction-events.ts'
import type { MerchantAccountId, PaymentId } from '../ids.ts'
import type { PostalAddress, ShippingDetails, TokenOrder } from './access-token.ts'
import type { PayerBrowser } from './payer-browser.ts'
import type { Reservation } from './payment-ledger.ts'
import type { PaymentReason } from './payment-reason.ts'
import type { PriorAuthentication, StoredReport, StoredValue } from './three-d-secure.ts'

/** Status codes that end a payment. See docs/online-payments.md. */
export type FinalStatus = 0 | 4 | 5 | 20 | 30

/** The stored data of a card outside the vault. */
export interface StoredCard {
  /** Reference in the vault. */
  readonly vault: string
  /** Keyed hash: equal for the same card in the same account, reveals nothing of the number. */
  readonly lookup: string
  /** First six digits, asterisks, last four. */
  readonly masked: string
  readonly scheme: CardScheme
  readonly expiry: Expiry
  readonly holder: string
}

/** How a payment was submitted. */
export type SubmittedBy = 'card_form' | 'saved_card' | 'cross_reference' | 'APPLE_PAY' | 'GOOGLE_PAY'

/** Proof of a wallet that the payer has confirmed the payment on the device. */
export interface StoredWalletProof {
  readonly value: StoredValue
  /** Electronic commerce indicator, as the wallet gave it. */
  readonly eci: string
}

export interface Submission {
  readonly by: SubmittedBy
  readonly card: StoredCard
  /** Whether a security code was submitted. The code itself is in no record. */
  readonly securityCodeGiven: boolean
  /** Whether to authenticate the payer, if the card is enrolled. */
  readonly authenticate: boolean
  /** The payer is absent, and the issuer is asked on the strength of this authentication. Absent otherwise. */
  readonly prior?: PriorAuthentication
  /** Id of the original of a linked payment, or of the payment whose card is used again; null when there is none. */
  readonly original: PaymentId | null
  readonly billingAddress: PostalAddress
  readonly shippingDetails: ShippingDetails | null
  readonly emailAddress: string
  readonly phoneNumber: string
  /** Absent when it was not sent. */
  readonly browser?: PayerBrowser
  /** Includes the metadata that the browser added. */
  readonly metaData: Readonly<Record<string, string>> | null
  readonly saveCard: boolean
  readonly mitConsentGiven: boolean
  /** Cryptogram of the wallet's device; null when there is none. */
  readonly walletProof: StoredWalletProof | null
}

/** An operator's resolution of a payment whose acquirer does not respond. ADR 31. */
export interface Closure {
  readonly outcome: 'taken' | 'not_taken'
  readonly operator: string
  readonly reason: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface LateAnswer {
  readonly answer: 'approved' | 'declined' | 'reversed'
  /** Whether it agrees with the operator. */
  readonly agrees: boolean
  /** Epoch milliseconds. */
  readonly at: number
}

export type OnlinePaymentEvent =
  | {
      readonly type: 'issued'
      /** Hash of the token; the token itself is not stored. */
      readonly id: PaymentId
      readonly merchantAccount: MerchantAccountId
      readonly order: TokenOrder
    }
  | { readonly type: 'expired' }
  | { readonly type: 'revoked' }
  | { readonly type: 'submitted'; readonly submission: Submission }
  | { readonly type: 'lookup_requested'; readonly mustChallenge: boolean }
  | StoredReport
  /** Authentication is done; the payment waits for the shop's confirmation (`waitPreExecute`). */
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' }
  | { readonly type: 'reservation_requested' }
  | {
      readonly type: 'reserved'
      /** Of a VOID: what it undoes, whatever amount it was asked with. */
      readonly undoesMinor?: number
    }
  | { readonly type: 'reservation_refused'; readonly reason: string }
  | { readonly type: 'reservation_settled' }
  | { readonly type: 'reservation_released' }
  | { readonly type: 'authorisation_requested' }
  | { readonly type: 'authorisation_approved'; readonly authCode: string; readonly reference: string }
  | { readonly type: 'authorisation_declined'; readonly reason: DeclineReason; readonly responseCode: string }
  | { readonly type: 'authorisation_unanswered' }
  | {
      readonly type: 'reversal_requested'
      readonly why: 'unanswered' | 'security_code_gone' | 'closed'
      /** What the payment ends with once it is reversed. Absent when it has ended, and in events of 0.1. */
      readonly reason?: PaymentReason
    }
  | { readonly type: 'reversed' }
  | {
      readonly type: 'closed_as_taken'
      readonly operator: string
      readonly reason: string
      /** As the operator found it; empty when not known. */
      readonly authCode: string
    }
  | { readonly type: 'closed_as_not_taken'; readonly operator: string; readonly reason: string }
  /** The acquirer has answered after an operator closed the payment. */
  | {
      readonly type: 'answered_late'
      readonly answer: LateAnswer['answer']
      readonly agrees: boolean
      readonly authCode: string
      readonly responseCode: string
    }
  | {
      readonly type: 'ended'
      readonly statusCode: FinalStatus
      readonly message: string
      /** Absent on success, and in events of 0.1. */
      readonly reason?: PaymentReason
      /** Of a success: the reference by which later payments refer to this one. Empty otherwise. */
      readonly crossReference: string
      /** Of a success whose card was saved: the id of the saved card. Null otherwise. */
      readonly paymentMethodId: string | null
    }
  // Events of the original of a linked payment.
  | { readonly type: 'link_reserved'; readonly reservation: Reservation }
  | { readonly type: 'link_settled'; readonly by: PaymentId }
  | { readonly type: 'link_released'; readonly by: PaymentId }
  /** The collection was refunded whole. */
  | { readonly type: 'link_refunded'; readonly by: PaymentId }
