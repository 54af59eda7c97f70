// src/engine/ports/acquirer.ts — asks the acquirer to move money.

import type { PaymentMethod } from '../../domain/card.ts'
import type { Card, SecurityCode } from '../../domain/card-number.ts'
import type { ChipData, PinBlock } from '../../domain/chip-data.ts'
import type { DeclineReason } from '../../domain/counter/transaction-events.ts'
import type { EffectId, MerchantAccountId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money.ts'
import type { AuthenticationProof } from '../../domain/online/three-d-secure.ts'
import type { TerminalCapabilities } from './terminal.ts'

export interface AcquirerOrder {
  /** What the acquirer knows this order by. The same id again is the same order and gets the same answer. */
  readonly orderId: EffectId
  readonly account: MerchantAccountId
  readonly amount: Money
  /** Stands for the card; means something to the acquirer only. */
  readonly cardToken: string
  /** The card itself, where the gateway knows it: online. */
  readonly online?: OnlineCard
  /** The acquirer's number for the merchant. */
  readonly merchantId?: string
  /** The acquirer's number for the terminal. */
  readonly terminalId?: string
  /** How the card came in; absent: not known. */
  readonly entryMode?: EntryMode
  readonly terminalCapabilities?: TerminalCapabilities
  /** Why the payer need not be authenticated. */
  readonly exemption?: Exemption
  /** By which the scheme knows the first payment of a series. */
  readonly networkReference?: string
  /** At the counter, if its terminal has sent them. Neither may be kept, logged or sent to anybody else. ADR 47. */
  readonly chipData?: ChipData
  readonly pinBlock?: PinBlock
}

export type EntryMode = Exclude<PaymentMethod, 'UNKNOWN'> | 'E_COMMERCE' | 'MAIL_OR_TELEPHONE'

/** Of Delegated Regulation (EU) 2018/389, articles 13 to 18. */
export type Exemption = 'low_value' | 'transaction_risk_analysis' | 'trusted_beneficiary' | 'recurring' | 'corporate'

/** A card that was typed in, saved or lent by a wallet, with what proves that its owner is there. */
export interface OnlineCard {
  readonly card: Card
  /** Null: none was given, or it has been asked about before. */
  readonly securityCode: SecurityCode | null
  readonly proof: AuthenticationProof | null
  /** Of a wallet's device. */
  readonly walletProof: { readonly value: string; readonly eci: string } | null
}

export interface CaptureOrder extends AcquirerOrder {
  /** The code of the first pre-authorisation on the card. */
  readonly authCode: string
  /** Sum of all pre-authorisations as the till knows it; null: not checked. */
  readonly preAuthorisedTotal: Money | null
  /** The one hold that is meant, by its order id. Absent at the counter, where one on the same card follows another. */
  readonly holdOrderId?: string
}

/** Approved, declined and unknown are three values. Unknown may be asked again with the same order id. */
export type AcquirerAnswer =
  | { readonly answer: 'approved'; readonly authCode: string; readonly reference: string }
  | { readonly answer: 'declined'; readonly reason: DeclineReason; readonly responseCode: string }
  | { readonly answer: 'unknown' }

export interface Acquirer {
  readonly name: string
  /** `charge` takes the money, `hold` reserves it for a capture. */
  authorise(order: AcquirerOrder, purpose: 'charge' | 'hold'): Promise<AcquirerAnswer>
  /** Takes money out of a hold and releases the rest of it. */
  capture(order: CaptureOrder): Promise<AcquirerAnswer>
  refund(order: AcquirerOrder): Promise<AcquirerAnswer>
  /** Checks a card; no money moves. */
  verify(order: AcquirerOrder): Promise<AcquirerAnswer>
  /**
   * Undoes an order, whether or not it ever arrived: after `reversed` it has no effect and never will, even if the
   * order itself comes later. Undoing twice is the same as once.
   */
  reverse(reversal: {
    readonly orderId: EffectId
    readonly account: MerchantAccountId
  }): Promise<'reversed' | 'unknown'>
}
