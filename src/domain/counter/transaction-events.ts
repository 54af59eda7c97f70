// src/domain/counter/transaction-events.ts — requests, reports and events of counter transactions.

import type { CardDetails } from '../card.ts'
import type { Closing } from '../closing.ts'
import type { MerchantAccountId, RequestId, TableId, TablePaymentId, TerminalId } from '../ids.ts'
import { type Amounts, type Money, money, type TerminalCurrency } from '../money.ts'
import type { Receipts } from '../receipt.ts'
import type { LinkStage, Prompt, ShownOutcome } from './notifications.ts'
import type { TransactionMessage } from './user-messages.ts'

export const TRANSACTION_TYPES = [
  'SALE',
  'REFUND',
  'DUPLICATE',
  'PRE_AUTH',
  'COMPLETION',
  'ACCOUNT_VERIFICATION',
] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

/** Direction in which a success moves money; null when it moves none. A pre-authorisation only reserves it. */
export function directionOf(type: TransactionType): 'to_merchant' | 'to_cardholder' | null {
  switch (type) {
    case 'SALE':
    case 'COMPLETION':
      return 'to_merchant'
    case 'REFUND':
      return 'to_cardholder'
    case 'PRE_AUTH':
    case 'ACCOUNT_VERIFICATION':
    case 'DUPLICATE':
      return null
  }
}

export type TransactionResult = 'SUCCESSFUL' | 'DECLINED' | 'VOID' | 'UNSUCCESSFUL' | 'CANCELLED' | 'TIMED_OUT'

/** The share of a table that a SALE pays. */
export interface TablePaymentOrder {
  readonly tableId: TableId
  readonly paymentId: TablePaymentId
  /** The waiter who serves it. */
  readonly waiterId: string
  /** Agreed with the guest before the card is presented, minor units. */
  readonly gratuityMinor: number
}

/** A till's parsed request. Amounts are minor units of `currency`. */
export interface TransactionRequest {
  readonly transactionType: TransactionType
  readonly amountMinor: number
  readonly currency: TerminalCurrency
  readonly cashbackMinor: number
  readonly cardholderNotPresent: boolean
  /** COMPLETION only: authorisation code of the first pre-authorisation on the card. */
  readonly authCode: string | null
  /** COMPLETION only, optional: the sum of all pre-authorisations on the card. */
  readonly preAuthorisedTotalMinor: number | null
  /** Set on a SALE that a terminal takes for a table. Tills cannot set it. */
  readonly table?: TablePaymentOrder
}

/** Sum of all pre-authorisations on the card as the till knows it; null when it has not sent one. */
export function preAuthorisedTotalOf({ preAuthorisedTotalMinor, currency }: TransactionRequest): Money | null {
  return preAuthorisedTotalMinor === null ? null : money(preAuthorisedTotalMinor, currency)
}

/** Software house and installer of the till. Credited with the transaction, never authenticated. */
export interface Partner {
  readonly softwareHouseId: string | null
  readonly installerId: string | null
}

/** Time limits at the start of a transaction, in milliseconds; stored with it, so that a restart cannot change them. */
export interface Limits {
  /** From start to end, without the wait for a signature decision. */
  readonly transactionMs: number
  readonly signatureMs: number
}

/** The transaction that a DUPLICATE repeats. */
export interface Repeated {
  readonly requestId: RequestId
  readonly transactionType: Exclude<TransactionType, 'DUPLICATE'>
  /** When the repeated transaction ended, epoch milliseconds. */
  readonly endedAt: number
}

/** A terminal's result of a transaction. */
export interface Ending {
  readonly result: TransactionResult
  readonly amounts: Amounts
  readonly card: CardDetails
  readonly authCode: string
  /** The terminal's own id of the transaction, digits. */
  readonly transactionId: string
  /** Four digits, counted in the terminal's session. */
  readonly transactionNumber: string
  readonly receipts: Receipts
  readonly messages: readonly TransactionMessage[]
  /** Set on a DUPLICATE that found something to repeat. */
  readonly repeated: Repeated | null
}

/** Location of the card data. The data themselves are never stored with a transaction. ADR 47. */
export interface CardDataOnRecord {
  /** Reference of the chip data in the vault; null when there are none. */
  readonly chip: string | null
  /** Whether there is a PIN block, which is only in memory. */
  readonly pin: boolean
}

/** Why an acquirer or issuer declined. */
export const DECLINE_REASONS = [
  'do_not_honour',
  'insufficient_funds',
  'expired_card',
  'lost_or_stolen',
  'incorrect_pin',
  'refer_to_issuer',
  'card_not_supported',
  'no_pre_authorisation',
  'pre_authorisation_differs',
  // Online only.
  'security_code_differs',
  /** The issuer demands cardholder authentication before it approves (soft decline). */
  'authentication_required',
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

/** Reports of a terminal, from its first screen to its last, named after the published notifications. */
export type TerminalReport =
  | { readonly type: 'prompted'; readonly prompt: Prompt }
  | { readonly type: 'paper_ran_out' }
  | { readonly type: 'card_read'; readonly card: CardDetails }
  | { readonly type: 'pin_requested' }
  | { readonly type: 'linking'; readonly stage: LinkStage }
  | {
      /** Card and amounts are known: ask the acquirer. `cardToken` is opaque to all but the acquirer. */
      readonly type: 'authorisation_requested'
      readonly cardToken: string
      readonly amounts: Amounts
      readonly card: CardDetails
      /** Set by the gateway when the terminal has sent chip data or a PIN block with it. */
      readonly cardData?: CardDataOnRecord
    }
  | {
      readonly type: 'signature_requested'
      readonly authCode: string
      readonly card: CardDetails
      /** The slip to be signed: the MERCHANT copy only. */
      readonly receipts: Receipts
    }
  | { readonly type: 'signature_applied' }
  | { readonly type: 'signature_not_applied' }
  | { readonly type: 'outcome_shown'; readonly outcome: ShownOutcome }
  | { readonly type: 'card_removal_prompted' }
  | { readonly type: 'cancel_accepted' }
  | { readonly type: 'cancel_refused'; readonly atEnd: boolean }
  | {
      readonly type: 'ended'
      readonly ending: Ending
      /** Set by the gateway when no card was read. Absent otherwise, and in events of 0.1. */
      readonly withoutCard?: true
    }

/** Reports of an acquirer about the one authorisation, refund or verification of a transaction. */
export type AcquirerReport =
  | {
      readonly type: 'authorisation_approved'
      readonly authCode: string
      readonly reference: string
    }
  | { readonly type: 'authorisation_declined'; readonly reason: DeclineReason; readonly responseCode: string }
  | { readonly type: 'authorisation_unanswered' }
  /** The terminal had completed it when asked: the approval stands although the till got TIMED_OUT. */
  | { readonly type: 'authorisation_confirmed' }
  | {
      readonly type: 'reversal_requested'
      readonly why: 'not_delivered' | 'signature_refused' | 'voided' | 'card_data_gone'
    }
  | { readonly type: 'reversed' }

/** What a terminal is told that waits for its authorisation. */
export type AuthorisationAnswer =
  | { readonly answer: 'approved'; readonly authCode: string }
  | { readonly answer: 'declined'; readonly reason: DeclineReason }
  /** The gateway has given the transaction up: nothing was charged, and no approval follows. */
  | { readonly answer: 'too_late' }

export type TransactionEvent =
  | {
      readonly type: 'started'
      readonly requestId: RequestId
      readonly merchantAccount: MerchantAccountId
      readonly tid: TerminalId
      readonly request: TransactionRequest
      readonly partner: Partner
      /** Id of the JSON-RPC request that started it. Absent over REST, and in events of 0.1. */
      readonly rpcId?: number
      readonly limits: Limits
      /** The side that talks to the acquirer. */
      readonly authorisedBy: 'gateway' | 'terminal'
      readonly paperOut: boolean
    }
  | TerminalReport
  | AcquirerReport
  | { readonly type: 'cancel_requested' }
  | { readonly type: 'cancel_done' }
  /** The terminal asked for its authorisation after the gateway had given the transaction up: no approval follows. */
  | { readonly type: 'asked_too_late' }
  | { readonly type: 'signature_decided'; readonly accepted: boolean }
  | { readonly type: 'signature_timed_out' }
  /** `withoutCard`: as in `ended`. */
  | { readonly type: 'timed_out'; readonly withoutCard?: true }
  /** After the time limit a terminal that authorises by itself has reported how the transaction ended. */
  | { readonly type: 'found_successful'; readonly ending: Ending }
  | { readonly type: 'found_unsuccessful'; readonly ending: Ending }
  /** Somebody who has looked says how it ended. */
  | ({ readonly type: 'closed_as_taken' } & Omit<Closing, 'outcome'>)
  | ({ readonly type: 'closed_as_not_taken' } & Omit<Closing, 'outcome'>)
  /** The terminal has reported it after all. It changes nothing; `agrees`: whether it says the same. */
  | { readonly type: 'found_after_closing'; readonly ending: Ending; readonly agrees: boolean }
