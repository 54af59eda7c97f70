// src/engine/ports/acquirer.ts — port: authorises, captures, refunds, verifies and reverses at the acquirer.

import type { PaymentMethod } from '../../domain/card.ts'
import type { Card, SecurityCode } from '../../domain/card-number.ts'
import type { ChipData, PinBlock } from '../../domain/chip-data.ts'
import type { DeclineReason } from '../../domain/counter/transaction-events.ts'
import type { EffectId, MerchantAccountId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money.ts'
import type { AuthenticationProof, Exemption } from '../../domain/online/three-d-secure.ts'
import type { TerminalCapabilities } from './terminal.ts'

export interface AcquirerOrder {
  /** Identifies the order at the acquirer. The same id again is the same order and gets the same answer. */
  readonly orderId: EffectId
  readonly account: MerchantAccountId
  readonly amount: Money
  /** The part of `amount` that is paid out in cash; absent for none. Only of charges. */
  readonly cashback?: Money
  /** Token of the card, opaque to all but the acquirer. */
  readonly cardToken: string
  /** The card itself. Only for online payments, where the gateway knows it. */
  readonly online?: OnlineCard
  /** Merchant number at the acquirer. */
  readonly merchantId?: string
  /** Terminal number at the acquirer. */
  readonly terminalId?: string
  /** How the card was entered; absent when not known. */
  readonly entryMode?: EntryMode
  readonly terminalCapabilities?: TerminalCapabilities
  /** Why the payer is not authenticated. */
  readonly exemption?: Exemption
  /** The scheme's reference of the first payment of a series. */
  readonly networkReference?: string
  /** From the terminal, if it has sent them. Never store or log them, or send them to anyone but the acquirer. ADR 47. */
  readonly chipData?: ChipData
  readonly pinBlock?: PinBlock
}

export type EntryMode = Exclude<PaymentMethod, 'UNKNOWN'> | 'E_COMMERCE' | 'MAIL_OR_TELEPHONE'

/** A card that was typed in, saved or provided by a wallet, with the proof of its holder's presence. */
export interface OnlineCard {
  readonly card: Card
  /** Null when none was submitted, and for linked payments. */
  readonly securityCode: SecurityCode | null
  readonly proof: AuthenticationProof | null
  /** Cryptogram of the wallet's device; null for other cards. */
  readonly walletProof: { readonly value: string; readonly eci: string } | null
}

export interface CaptureOrder extends AcquirerOrder {
  /** Authorisation code of the first pre-authorisation on the card. */
  readonly authCode: string
  /** Sum of all pre-authorisations as the till knows it; null when it is not checked. */
  readonly preAuthorisedTotal: Money | null
  /** Order id of the hold to capture. Absent at the counter, where several holds on one card belong together. */
  readonly holdOrderId?: string
}

/** Approved, declined and unknown are three values. Retry an unknown answer with the same order id. ADR 9. */
export type AcquirerAnswer =
  | { readonly answer: 'approved'; readonly authCode: string; readonly reference: string }
  | { readonly answer: 'declined'; readonly reason: DeclineReason; readonly responseCode: string }
  | { readonly answer: 'unknown' }

export interface Acquirer {
  readonly name: string
  /** `charge` takes the money; `hold` reserves it for a capture. */
  authorise(order: AcquirerOrder, purpose: 'charge' | 'hold'): Promise<AcquirerAnswer>
  /** Takes money out of a hold and releases its rest. */
  capture(order: CaptureOrder): Promise<AcquirerAnswer>
  refund(order: AcquirerOrder): Promise<AcquirerAnswer>
  /** Checks a card; no money moves. */
  verify(order: AcquirerOrder): Promise<AcquirerAnswer>
  /**
   * Reverses an order, whether or not it has arrived: after `reversed` it never has an effect, even if the order itself
   * arrives later. Idempotent.
   */
  reverse(reversal: {
    readonly orderId: EffectId
    readonly account: MerchantAccountId
  }): Promise<'reversed' | 'unknown'>
  /**
   * Resolves once the end of an order is known whose last answer here was unknown, so that it is asked again at once. Never rejects, and
   * may never resolve. Without it, orders are only asked again after longer and longer waits. ADR 96.
   */
  awaitEnd?(order: { readonly orderId: EffectId; readonly account: MerchantAccountId }): Promise<void>
}
