// src/domain/online/payment-events.ts — everything that can happen to an online payment.

import type { CardScheme, Expiry } from '../card-number.ts'
import type { DeclineReason } from '../counter/transaction-events.ts'
import type { MerchantAccountId, PaymentId } from '../ids.ts'
import type { PostalAddress, ShippingDetails, TokenOrder } from './access-token.ts'
import type { Reservation } from './payment-ledger.ts'
import type { AuthenticationReport } from './three-d-secure.ts'

/** Online reference 4: those that end a payment. */
export type FinalStatus = 0 | 4 | 5 | 20 | 30

/** What is kept of a card beside the vault. */
export interface KeptCard {
  /** Where the vault has it. */
  readonly vault: string
  /** The same for the same card of the same account; says nothing of the number. */
  readonly lookup: string
  /** First six, asterisks, last four. */
  readonly masked: string
  readonly scheme: CardScheme
  readonly expiry: Expiry
  readonly holder: string
}

/** How a payment was asked for. */
export type SubmittedBy = 'card_form' | 'saved_card' | 'cross_reference' | 'APPLE_PAY' | 'GOOGLE_PAY'

export interface Submission {
  readonly by: SubmittedBy
  readonly card: KeptCard
  /** Whether a security code came with it. The code itself is in no record. */
  readonly securityCodeGiven: boolean
  /** Whether the payer is to be authenticated, if the card takes part. */
  readonly authenticate: boolean
  /** Id of the payment that a linked one works on, or whose card is used again; null: none. */
  readonly original: PaymentId | null
  readonly billingAddress: PostalAddress
  readonly shippingDetails: ShippingDetails | null
  readonly emailAddress: string
  readonly phoneNumber: string
  /** With what the browser added. */
  readonly metaData: Readonly<Record<string, string>> | null
  readonly saveCard: boolean
  readonly mitConsentGiven: boolean
  /** Proof of the wallet's device; null: none. */
  readonly walletProof: { readonly value: string; readonly eci: string } | null
}

/** What an operator has said of a payment whose acquirer is silent. */
export interface Closure {
  readonly outcome: 'taken' | 'not_taken'
  readonly operator: string
  readonly reason: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface LateAnswer {
  readonly answer: 'approved' | 'declined' | 'reversed'
  /** It is what the operator has said. */
  readonly agrees: boolean
  /** Epoch milliseconds. */
  readonly at: number
}

export type OnlinePaymentEvent =
  | {
      readonly type: 'issued'
      /** Hash of the token: the token itself is kept nowhere. */
      readonly id: PaymentId
      readonly merchantAccount: MerchantAccountId
      readonly order: TokenOrder
    }
  | { readonly type: 'expired' }
  | { readonly type: 'revoked' }
  | { readonly type: 'submitted'; readonly submission: Submission }
  | { readonly type: 'lookup_requested'; readonly mustChallenge: boolean }
  | AuthenticationReport
  /** The payer is known, and the shop has asked to be asked before the money is. */
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' }
  | { readonly type: 'reservation_requested' }
  | { readonly type: 'reserved' }
  | { readonly type: 'reservation_refused'; readonly reason: string }
  | { readonly type: 'reservation_settled' }
  | { readonly type: 'reservation_released' }
  | { readonly type: 'authorisation_requested' }
  | { readonly type: 'authorisation_approved'; readonly authCode: string; readonly reference: string }
  | { readonly type: 'authorisation_declined'; readonly reason: DeclineReason; readonly responseCode: string }
  | { readonly type: 'authorisation_unanswered' }
  | { readonly type: 'reversal_requested'; readonly why: 'unanswered' | 'security_code_gone' | 'closed' }
  | { readonly type: 'reversed' }
  | {
      readonly type: 'closed_as_taken'
      readonly operator: string
      readonly reason: string
      /** As the operator has found it; empty: not known. */
      readonly authCode: string
    }
  | { readonly type: 'closed_as_not_taken'; readonly operator: string; readonly reason: string }
  /** The acquirer has answered after somebody else did in its place. */
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
      /** Of a success: by what later payments refer to this one. Empty otherwise. */
      readonly crossReference: string
      /** Of a success whose card was to be saved: by what it is found again. */
      readonly paymentMethodId: string | null
    }
  // On the payment that another one works on.
  | { readonly type: 'link_reserved'; readonly reservation: Reservation }
  | { readonly type: 'link_settled'; readonly by: PaymentId }
  | { readonly type: 'link_released'; readonly by: PaymentId }
