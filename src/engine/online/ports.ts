// src/engine/online/ports.ts — what online payments need from outside: the vault, wallets, and a way to merchants' servers.
import type { Card, CardNumber, Expiry } from '../../domain/card-number.ts'

/**
 * Keeps what must be kept of cards, sealed. References mean nothing without the vault. What was forgotten cannot be
 * opened by anybody any more. Security codes cannot be kept: there is no way to hand one in.
 */
export interface Vault {
  /**
   * Keeps a card; when it resolves, it is durable. Each call gives a new reference.
   * @param owner the record that will refer to it. What its owner does not refer to is swept out after a while.
   */
  keepCard(account: string, card: Card, owner: string): Promise<string>
  /** Null: never kept for this account, or forgotten. It counts as used from then on. */
  openCard(account: string, reference: string): Promise<Card | null>
  /** The same for a short text, bound to what it is for; opening it for another purpose gives null. */
  keepText(account: string, purpose: TextPurpose, text: string, owner: string): Promise<string>
  openText(account: string, purpose: TextPurpose, reference: string): Promise<string | null>
  /** Erases card or text. Forgetting twice is the same as once. */
  forget(account: string, reference: string): Promise<void>
  /** The same card of the same account gives the same text; a keyed hash that says nothing of the number. */
  lookupOf(account: string, number: CardNumber): Promise<string>
  /** What is kept over all accounts, in order of keeping, from behind a position; for whoever tidies up. */
  entries(kind: KeptKind, after: number, limit: number): Promise<readonly KeptEntry[]>
  /** Erases an entry if nobody has opened it since it was looked at. */
  forgetUnused(entry: KeptEntry): Promise<boolean>
}

export type KeptKind = 'card' | TextPurpose

/** What is known of an entry without opening it. */
export interface KeptEntry {
  readonly position: number
  readonly account: string
  readonly reference: string
  readonly version: number
  /** Id of the record that it was kept for; null: not known. */
  readonly owner: string | null
  /** Epoch milliseconds of the machine; null: not known. */
  readonly keptAt: number | null
  /** When a card was last opened, to the day. */
  readonly usedAt: number | null
}

/** Kind of the records that hold secrets of an account. They outlive what a sandbox does to its business. */
export const SECRET_KIND = 'vault-secret'

export type TextPurpose = 'access-token' | 'webhook-secret'

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
  readonly account: string
  /** The token as the browser got it: text or object. */
  readonly token: unknown
  /** Who opens it. The same token may be opened again for the same payment, and for no other. */
  readonly paymentId: string
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
  offered(account: string): readonly WalletName[]
  /** Browsers open the sheet of the test wallet instead of the wallets' own. */
  readonly testSheet: boolean
  /** Those of them whose own sheet a browser can open; null: not set up for that. */
  sheets(account: string): { readonly googlePay: GooglePaySheet | null; readonly applePay: ApplePaySheet | null }
  open(wallet: WalletName, order: WalletOrder): Promise<WalletOpened>
  /**
   * Asks Apple for the session that a browser shows its sheet with.
   * @param pageHost the merchant's page, which Apple has registered
   * @param validationUrl as the browser was given it by Apple, which is to say: by anybody
   */
  merchantSession(account: string, pageHost: string, validationUrl: string): Promise<MerchantSession>
}

/** Calls a provider that knows us by a client certificate. */
export interface ProviderLine {
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

/** Carries a message to somebody else's server. */
export interface Courier {
  post(message: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    /** The whole exchange, name resolution included. Milliseconds. */
    readonly limitMs: number
  }): Promise<CourierOutcome>
}

/** `refused`: the address is one that this gateway does not call; nothing was sent. */
export type CourierOutcome =
  | { readonly outcome: 'answered'; readonly status: number }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string }
