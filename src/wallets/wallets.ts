// src/wallets/wallets.ts — the configured wallets. Each token is valid for one payment.
import { createHash } from 'node:crypto'
import type { CardRules } from '../domain/card-number.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Store } from '../engine/ports/store.ts'
import type { WalletName, WalletOpened, WalletOrder, WalletProviderClient, Wallets } from '../engine/ports/wallets.ts'
import { type ApplePaySettings, type Opened, openApplePay } from './apple-pay.ts'
import { requestSession } from './apple-sessions.ts'
import { type GooglePaySettings, openGooglePay } from './google-pay.ts'
import { googleSheet } from './google-sheet.ts'

export interface WalletSettings {
  /** Null when not configured. */
  readonly googlePay: GooglePaySettings | null
  readonly applePay: ApplePaySettings | null
}

export interface WalletParts {
  /** Read at each use. */
  readonly settings: WalletSettings
  readonly store: Store
  readonly clock: Clock
  readonly rules: CardRules
  /** Client for Apple; null when Apple's sheet is not offered. */
  readonly provider: WalletProviderClient | null
  /** Whether browsers open the test wallet's sheet instead of the real ones. Default: false. */
  readonly testSheet?: boolean
}

/** Real settings, and of a sandbox those of its test wallets for the others: read at each use, because their keys come with the start. */
export function settingsOf(real: WalletSettings | undefined, test: WalletSettings | null): WalletSettings {
  return {
    get googlePay() {
      return real?.googlePay ?? test?.googlePay ?? null
    },
    get applePay() {
      return real?.applePay ?? test?.applePay ?? null
    },
  }
}

/** Kind of the records of used tokens. Never deleted, because the expiry check relies on the clock. */
const USED = 'wallet-message'
/** Account of these records: a token is valid once in the whole gateway. No merchant account has this id. */
const USED_BY_ALL = '(wallets)'

export function createWallets({ settings, store, clock, rules, provider, testSheet = false }: WalletParts): Wallets {
  const applesOf = (account: string) =>
    (settings.applePay?.merchants ?? []).filter(({ accounts }) => accounts === null || accounts.includes(account))
  const identified = (account: string) =>
    applesOf(account).flatMap(({ identifier, identity }) => (identity ? [{ identifier, ...identity }] : []))[0] ?? null

  function offered(account: string): readonly WalletName[] {
    const apple = applesOf(account).length > 0
    return [
      ...(apple ? (['APPLE_PAY'] as const) : []),
      ...(settings.googlePay === null ? [] : (['GOOGLE_PAY'] as const)),
    ]
  }

  function openToken(wallet: WalletName, { account, token }: WalletOrder): Opened {
    const at = clock.now()
    const { applePay, googlePay } = settings
    if (!offered(account).includes(wallet)) return { refused: 'not_configured' }
    if (wallet === 'APPLE_PAY' && applePay !== null) return openApplePay(token, account, applePay, rules, at)
    if (wallet === 'GOOGLE_PAY' && googlePay !== null) return openGooglePay(token, account, googlePay, rules, at)
    return { refused: 'not_configured' }
  }

  return {
    testSheet,
    offered,
    sheets(account) {
      const { googlePay } = settings
      const apple = provider === null ? null : identified(account)
      return {
        googlePay: googlePay === null ? null : googleSheet(googlePay, account),
        applePay: apple && { displayName: apple.displayName, countryCode: apple.countryCode },
      }
    },
    async merchantSession(account, pageHost, validationUrl) {
      const apple = identified(account)
      if (apple === null || provider === null)
        return { refused: 'not_configured', reason: 'no identity for this account' }
      return requestSession(provider, apple, pageHost, validationUrl)
    },
    async open(wallet, order): Promise<WalletOpened> {
      const opened = openToken(wallet, order)
      if ('refused' in opened) return opened
      const { card, message } = opened
      const { amount } = card
      if (
        amount !== null &&
        (amount.minor !== order.amount.minor || amount.currencyNumeric !== order.amount.currencyNumeric)
      )
        return { refused: 'other_amount' }
      return (await isUsedUp(store, wallet, message.id, order, clock.now())) ? { refused: 'used_before' } : opened
    },
  }
}

/** Records which payment uses a token. False when it is the first one, or the same as before. */
async function isUsedUp(
  store: Store,
  wallet: WalletName,
  messageId: string,
  { account, paymentId }: WalletOrder,
  at: number,
): Promise<boolean> {
  const id = createHash('sha256')
    .update(JSON.stringify([wallet, messageId]))
    .digest('base64url')
  const key = { account: USED_BY_ALL, kind: USED, id }
  const user = JSON.stringify({ account, paymentId })
  const result = await store.commit({
    ...key,
    ...{
      expectedVersion: 0,
      version: 1,
      body: user,
      parent: '',
      live: false,
      lockKey: null,
    },
    ...{ at, events: [], effects: [], effectsDone: [], timers: null, idempotency: null },
  })
  if (result === 'written') return false
  const stored = await store.load(key)
  return stored?.body !== user
}
