// src/engine/ports/wallets.ts — opens the tokens of Apple Pay and Google Pay.

import type { CardNumber, Expiry } from '../../domain/card-number.ts'
import type { MerchantAccountId, PaymentId } from '../../domain/ids.ts'

export type WalletName = 'APPLE_PAY' | 'GOOGLE_PAY'

/** What a wallet's token held, after all of its signatures were found right. */
export interface WalletCard {
  readonly wallet: WalletName
  readonly number: CardNumber
  readonly expiry: Expiry
  readonly holder: string
  /** Proof by the device that its owner was asked; null: a plain card, which must go through 3-D Secure. */
  readonly cryptogram: { readonly value: string; readonly eci: string } | null
  /** What the wallet says is paid; null where its tokens do not say. */
  readonly amount: { readonly minor: number; readonly currencyNumeric: string } | null
}

/** Why a wallet's token is not taken. */
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

export type WalletOpened = { readonly card: WalletCard } | { readonly refused: WalletRefusal }

export interface WalletOrder {
  readonly account: MerchantAccountId
  /** The token as the browser got it: text or object. */
  readonly token: unknown
  /** Who opens it. The same token may be opened again for the same payment, and for no other. */
  readonly paymentId: PaymentId
  /** Checked against the token, where that says what is paid. */
  readonly amount: { readonly minor: number; readonly currencyNumeric: string }
}

/** What a browser opens Google's own sheet with. Source: Google Pay API, request objects. */
export interface GooglePaySheet {
  readonly environment: 'PRODUCTION' | 'TEST'
  /** As Google has registered the shop or the gateway, and the name that it shows. */
  readonly merchantId: string
  readonly merchantName: string
  /** Where the payment is processed, ISO 3166, two letters. */
  readonly countryCode: string
  /** Whom the token is encrypted to. */
  readonly tokenization:
    | { readonly type: 'PAYMENT_GATEWAY'; readonly parameters: { gateway: string; gatewayMerchantId: string } }
    | { readonly type: 'DIRECT'; readonly parameters: { protocolVersion: string; publicKey: string } }
}

/** What a browser opens Apple's own sheet with. */
export interface ApplePaySheet {
  readonly displayName: string
  readonly countryCode: string
}

/** Why there is no merchant session. `url_refused`: the address is none of Apple's; nothing was sent. */
export type SessionRefusal = 'not_configured' | 'url_refused' | 'no_session'
export type MerchantSession =
  | { readonly session: Readonly<Record<string, unknown>> }
  | { readonly refused: SessionRefusal; readonly reason: string }

export interface Wallets {
  /** Those that are set up for this account. */
  offered(account: MerchantAccountId): readonly WalletName[]
  /** Browsers open the sheet of the test wallet instead of the wallets' own. */
  readonly testSheet: boolean
  /** Those of them whose own sheet a browser can open; null: not set up for that. */
  sheets(account: MerchantAccountId): {
    readonly googlePay: GooglePaySheet | null
    readonly applePay: ApplePaySheet | null
  }
  open(wallet: WalletName, order: WalletOrder): Promise<WalletOpened>
  /**
   * Asks Apple for the session that a browser shows its sheet with.
   * @param pageHost the merchant's page, which Apple has registered
   * @param validationUrl as the browser was given it by Apple, which is to say: by anybody
   */
  merchantSession(account: MerchantAccountId, pageHost: string, validationUrl: string): Promise<MerchantSession>
}

/** Calls a provider that knows us by a client certificate. */
export interface WalletProviderClient {
  post(call: {
    /** https, to a host that the caller has checked. */
    readonly url: string
    readonly body: string
    /** PEM. */
    readonly certificate: string
    readonly privateKey: string
    /** The whole exchange, name resolution included. Milliseconds. */
    readonly limitMs: number
  }): Promise<{ readonly status: number; readonly body: string } | { readonly failed: string }>
}
