// src/api/describe/pages/wallet-buttons.ts — which wallets a button may open in this mode, and what a browser needs to know for it.
import { amountText, currencyOf } from '../../../domain/currency.ts'
import type { RequestContext } from '../../operation.ts'
import type { FormToken } from './form-token.ts'
import type { ProviderPolicy } from './frame-page.ts'

interface WalletButtons {
  /** Facts for the script of the frame. */
  readonly data: Readonly<Record<string, string>>
  /** Whose script runs in the frame; null: nobody's but ours. */
  readonly provider: ProviderPolicy | null
}

export const NO_WALLETS: WalletButtons = { data: {}, provider: null }

/** Google Pay's script and what it does. Source: Google Pay API for the web, and Chrome's rule for payment handlers. */
const GOOGLE: ProviderPolicy = {
  scripts: ['https://pay.google.com'],
  connections: ['https://pay.google.com', 'https://google.com/pay'],
  frames: ['https://pay.google.com'],
  images: ['https://www.gstatic.com'],
}

/** The test wallet where there is one; else the wallets' own sheets, where they are set up for browsers. */
export function walletsFor({ api }: RequestContext, { account, amountMinor, currencyCode }: FormToken): WalletButtons {
  if (api.wallets === null) return NO_WALLETS
  if (api.wallets.testSheet) return { data: { wallets: api.wallets.offered(account).join(' ') }, provider: null }
  const currency = currencyOf(currencyCode)
  const { googlePay, applePay } = api.wallets.sheets(account)
  // No sheet asks for nothing: a check of a card without an amount is for the card form.
  if (currency === null || amountMinor === 0 || (googlePay === null && applePay === null)) return NO_WALLETS
  const price = { amount: amountText(amountMinor, currency), currency: currency.code }
  return {
    data: { sheets: JSON.stringify({ price, googlePay, applePay }) },
    provider: googlePay === null ? null : GOOGLE,
  }
}
