// src/api/describe/pages/wallet-buttons.ts — selects the wallet buttons of a form, with their data and policy.
import { amountText, currencyOf } from '../../../domain/currency.ts'
import type { RequestContext } from '../../operation.ts'
import type { FormToken } from './form-token.ts'
import type { ProviderPolicy } from './frame-page.ts'

interface WalletButtons {
  /** Input of the frame's script. */
  readonly data: Readonly<Record<string, string>>
  /** Provider whose script runs in the frame; null when only ours does. */
  readonly provider: ProviderPolicy | null
}

export const NO_WALLETS: WalletButtons = { data: {}, provider: null }

/** Origins of Google Pay. Source: Google Pay API for the web, and Chrome's rule for payment handlers. */
const GOOGLE: ProviderPolicy = {
  scripts: ['https://pay.google.com'],
  connections: ['https://pay.google.com', 'https://google.com/pay'],
  frames: ['https://pay.google.com'],
  images: ['https://www.gstatic.com'],
}

/** Offers the test wallet of a sandbox, otherwise the sheets of the wallets configured for browsers. */
export function walletsFor({ api }: RequestContext, { account, amountMinor, currencyCode }: FormToken): WalletButtons {
  if (api.wallets === null) return NO_WALLETS
  if (api.wallets.testSheet) return { data: { wallets: api.wallets.offered(account).join(' ') }, provider: null }
  const currency = currencyOf(currencyCode)
  const { googlePay, applePay } = api.wallets.sheets(account)
  // A wallet sheet needs an amount; an account verification without one uses the card form.
  if (currency === null || amountMinor === 0 || (googlePay === null && applePay === null)) return NO_WALLETS
  const price = { amount: amountText(amountMinor, currency), currency: currency.code }
  return {
    data: { sheets: JSON.stringify({ price, googlePay, applePay }) },
    provider: googlePay === null ? null : GOOGLE,
  }
}
