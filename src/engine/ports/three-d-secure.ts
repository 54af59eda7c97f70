// src/engine/ports/three-d-secure.ts — the port to 3-D Secure: who tells whether a card takes part, where its issuer
// sees the payer, and how that went.

import type { Card, CardNumber } from '../../domain/card-number.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money.ts'
import type { AuthenticationReport } from '../../domain/online/three-d-secure.ts'

export interface AuthenticationOrder {
  /** The same id again is the same authentication and gets the same answer. */
  readonly authenticationId: string
  readonly account: MerchantAccountId
  readonly card: Card
  readonly amount: Money
  /** ISO 4217 number of its currency, as the protocol has it. */
  readonly currencyNumeric: string
  readonly orderId: string
  /** The issuer has asked for its payer: no answer without a challenge will do. */
  readonly mustChallenge: boolean
}

/** Where the browser sends what the issuer wants to know of it, and what with. */
export interface DeviceDataStep {
  /** An address, or a path of this gateway. */
  readonly formAction: string
  readonly token: string
}

export interface DirectoryServer {
  readonly name: string
  /** Null: nothing is to be gathered for this card. */
  deviceData(account: MerchantAccountId, number: CardNumber): Promise<DeviceDataStep | null>
  lookUp(order: AuthenticationOrder): Promise<AuthenticationReport>
  /**
   * How a challenge went, asked of the directory server itself: what a browser brings back proves nothing.
   * @param md names the challenge
   */
  resultOf(
    account: MerchantAccountId,
    md: string,
  ): Promise<Exclude<AuthenticationReport, { type: 'challenge_requested' }> | 'pending'>
}
