// src/engine/ports/wallets.ts — port: decrypts Apple Pay and Google Pay tokens.

import type { CardNumber, Expiry } from '../../domain/card-number.ts'
import type { MerchantAccountId, PaymentId } from '../../domain/ids.ts'

export type WalletName = 'APPLE_PAY' | 'GOOGLE_PAY'

/** Content of a wallet token whose signatures are valid. */
export interface WalletCard {
  readonly wallet: WalletName
  readonly number: CardNumber
  readonly expiry: Expiry
  readonly holder: string
  /** The device's proof of cardholder authentication; null for a plain card number, which needs 3-D Secure. */
  readonly cryptogram: { readonly value: string; readonly eci: string } | null
  /** The amount in the token, in minor units; null when tokens of this wallet have none. */
  readonly amount: { readonly minor: number; readonly currencyNumeric: string } | null
}

/** Why a wallet token is refused. */
export type WalletRefusal =
  | 'not_configured'
  | 'malformed'
  | 'not_signed'
  | 'expired'
  | 'other_recipient'
  | 'cannot_be_opened'
  | 'card_not_taken'
  | 'other_amount'
  | 'used_before'

/** What a token says of itself. */
export interface WalletMessage {
  /** Unique; a token is used for one payment. */
  readonly id: string
  /** Google Pay: the account that the token is for. Empty when the token names none. */
  readonly gatewayMerchantId: string
  /** Google Pay: end of its validity, epoch milliseconds in digits. Empty for Apple Pay. */
  readonly expiration: string
}

export type WalletOpened =
  | { readonly card: WalletCard; readonly message: WalletMessage }
  | { readonly refused: WalletRefusal }

export interface WalletOrder {
  readonly account: MerchantAccountId
  /** The token as the browser received it: string or object. */
  readonly token: unknown
  /** The same token may be opened again for the same payment, but for no other. */
  readonly paymentId: PaymentId
  /** Compared with the amount in the token, if it has one. */
  readonly amount: { readonly minor: number; readonly currencyNumeric: string }
}

/** Data that a browser needs to open Google's sheet. Source: Google Pay API, request objects. */
export interface GooglePaySheet {
  readonly environment: 'PRODUCTION' | 'TEST'
  /** Id and displayed name under which Google has registered the shop or the gateway. */
  readonly merchantId: string
  readonly merchantName: string
  /** Country where the payment is processed, ISO 3166-1 alpha-2. */
  readonly countryCode: string
  /** The recipient that the token is encrypted for. */
  readonly tokenization:
    | { readonly type: 'PAYMENT_GATEWAY'; readonly parameters: { gateway: string; gatewayMerchantId: string } }
    | { readonly type: 'DIRECT'; readonly parameters: { protocolVersion: string; publicKey: string } }
}

/** Data that a browser needs to open Apple's sheet. */
export interface ApplePaySheet {
  readonly displayName: string
  readonly countryCode: string
}

/** Why there is no merchant session. `url_refused`: not an address of Apple; nothing was sent. */
export type SessionRefusal = 'not_configured' | 'url_refused' | 'no_session'
export type MerchantSession =
  | { readonly session: Readonly<Record<string, unknown>> }
  | { readonly refused: SessionRefusal; readonly reason: string }

export interface Wallets {
  /** Wallets configured for this account. */
  offered(account: MerchantAccountId): readonly WalletName[]
  /** Browsers open the test wallet's sheet instead of the real ones. */
  readonly testSheet: boolean
  /** Sheet data of the offered wallets; null when a wallet's sheet is not configured. */
  sheets(account: MerchantAccountId): {
    readonly googlePay: GooglePaySheet | null
    readonly applePay: ApplePaySheet | null
  }
  open(wallet: WalletName, order: WalletOrder): Promise<WalletOpened>
  /**
   * Requests the Apple Pay merchant session that a browser needs to show the sheet.
   * @param pageHost host of the merchant's page, registered with Apple
   * @param validationUrl sent by the browser, so not trusted
   */
  merchantSession(account: MerchantAccountId, pageHost: string, validationUrl: string): Promise<MerchantSession>
}

/** Calls a wallet provider, authenticated by a client certificate. */
export interface WalletProviderClient {
  post(call: {
    /** An https URL whose host the caller has checked. */
    readonly url: string
    readonly body: string
    /** PEM. */
    readonly certificate: string
    readonly privateKey: string
    /** Time limit of the whole exchange with name resolution, in milliseconds. */
    readonly limitMs: number
  }): Promise<{ readonly status: number; readonly body: string } | { readonly failed: string }>
}
