// src/engine/ports/three-d-secure.ts — port: EMV 3-D Secure authentication through a directory server.

import type { Card, CardNumber, CardScheme } from '../../domain/card-number.ts'
import type { MerchantAccountId, PaymentId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money.ts'
import type { PostalAddress } from '../../domain/online/access-token.ts'
import type { PayerBrowser } from '../../domain/online/payer-browser.ts'
import type { AuthenticationReport, PriorAuthentication } from '../../domain/online/three-d-secure.ts'

/** What is known of the payer. What is malformed is left out, because shops do not validate it. */
export interface PayerDetails {
  readonly emailAddress?: string
  readonly billingAddress?: Partial<PostalAddress>
  readonly shippingAddress?: Partial<PostalAddress>
}

export interface AuthenticationOrder {
  /** The same id again is the same authentication and gets the same answer. */
  readonly authenticationId: string
  readonly account: MerchantAccountId
  /** The payment whose device data may have been collected before. */
  readonly paymentId?: PaymentId
  readonly card: Card
  readonly amount: Money
  /** ISO 4217 numeric code of its currency, as the protocol wants it. */
  readonly currencyNumeric: string
  readonly orderId: string
  /** The issuer demands a challenge: a frictionless result is not enough. */
  readonly mustChallenge: boolean
  /** Absent when it is not known. A directory server of a scheme then authenticates nobody. */
  readonly browser?: PayerBrowser
  readonly payer?: PayerDetails
  /** The payer is absent; the issuer was satisfied of them before. The report is then never a challenge. ADR 98. */
  readonly prior?: PriorAuthentication
  /** The card is saved for later payments, so its holder is never exempted. */
  readonly savesCard?: boolean
}

/**
 * Kind of the records in which connectors note what they have asked of real directory servers. They have no events. Snapshots of
 * a sandbox leave them unchanged: what an issuer was asked for does not unhappen.
 */
export const AUTHENTICATION_KIND = 'authentication'

/** Kind of the records in which connectors note that an issuer is to learn the device of a payer. Like those above. */
export const DEVICE_DATA_KIND = 'device-data'

/** The device data of a payment that has yet to be submitted. The latest order of a payment counts. */
export interface DeviceDataOrder {
  readonly account: MerchantAccountId
  readonly paymentId: PaymentId
  readonly number: CardNumber
}

/** Where the browser posts its device data for the issuer (the 3DS method). */
export interface DeviceDataStep {
  /** An address, or a path of this gateway. */
  readonly formAction: string
  readonly token: string
}

/** What a page of this gateway posts to an issuer's page. */
export interface IssuerPost {
  /** https, without user or password. */
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

/** The `md` of a challenge that it reports is a `challengeId`, so that it names the account when a browser brings it back. */
export interface DirectoryServer {
  readonly name: string
  /** Null when the issuer of this card wants no device data. */
  deviceData(order: DeviceDataOrder): Promise<DeviceDataStep | null>
  /** What follows on the path of a step for device data; null when there is no such step. @param token of the step */
  issuerPost(account: MerchantAccountId, token: string): Promise<IssuerPost | null>
  /** The issuer's page says that it is done. What is unknown or late changes nothing. @param said what its form has sent */
  deviceDataDone(account: MerchantAccountId, token: string, said: string): Promise<void>
  lookUp(order: AuthenticationOrder): Promise<AuthenticationReport>
  /** Whether later payments with a card of this scheme are authenticated without their payer. Absent: none are. ADR 98. */
  authenticatesLater?(account: MerchantAccountId, scheme: CardScheme): Promise<boolean>
  /**
   * Asks the directory server itself for the result of a challenge, because what a browser brings back proves nothing.
   * @param md id of the challenge
   */
  resultOf(
    account: MerchantAccountId,
    md: string,
  ): Promise<Exclude<AuthenticationReport, { type: 'challenge_requested' }> | 'pending'>
}
