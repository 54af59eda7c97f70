// src/engine/ports/three-d-secure.ts — port: EMV 3-D Secure authentication through a directory server.

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
  /** ISO 4217 numeric code of its currency, as the protocol wants it. */
  readonly currencyNumeric: string
  readonly orderId: string
  /** The issuer demands a challenge: a frictionless result is not enough. */
  readonly mustChallenge: boolean
}

/** Where the browser posts its device data for the issuer (the 3DS method). */
export interface DeviceDataStep {
  /** An address, or a path of this gateway. */
  readonly formAction: string
  readonly token: string
}

/** The `md` of a challenge that it reports is a `challengeId`, so that it names the account when a browser brings it back. */
export interface DirectoryServer {
  readonly name: string
  /** Null when the issuer of this card wants no device data. */
  deviceData(account: MerchantAccountId, number: CardNumber): Promise<DeviceDataStep | null>
  lookUp(order: AuthenticationOrder): Promise<AuthenticationReport>
  /**
   * Asks the directory server itself for the result of a challenge, because what a browser brings back proves nothing.
   * @param md id of the challenge
   */
  resultOf(
    account: MerchantAccountId,
    md: string,
  ): Promise<Exclude<AuthenticationReport, { type: 'challenge_requested' }> | 'pending'>
}
