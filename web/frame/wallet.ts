// web/frame/wallet.ts — shows the wallet button if the gateway and this browser support a wallet. A sandbox opens a marked
// test wallet, live mode the wallet's own sheet.
import type { FormSettings, Overlay, OverlayEnd } from '../protocol.ts'
import { applePay } from './apple-pay.ts'
import { element } from './field-view.ts'
import { googlePay } from './google-pay.ts'
import type { PageLink } from './page-link.ts'
import { goOn } from './payment.ts'
import { forShopper } from './rejections.ts'
import type { Texts } from './texts.ts'
import { walletButton } from './wallet-button.ts'
import { type Contacts, type Sheet, sheetsIn } from './wallet-sheets.ts'

interface WalletParts {
  readonly page: PageLink
  readonly settings: FormSettings
  readonly texts: Texts
  readonly language: string
  readonly token: () => string
  readonly openOverlay: (overlay: Overlay) => Promise<OverlayEnd>
}

/** Shows the button, or nothing when no wallet is usable. */
export function openWallet(root: Element, parts: WalletParts): void {
  const { sheets } = document.body.dataset
  if (sheets === undefined) openTestWallet(root, parts)
  else void openProviderSheet(root, parts, sheets)
}

function openTestWallet(root: Element, parts: WalletParts): void {
  const offered = (document.body.dataset['wallets'] ?? '').split(' ')
  // Apple Pay in Apple's browsers, Google Pay elsewhere.
  const wallet = 'ApplePaySession' in window ? 'APPLE_PAY' : 'GOOGLE_PAY'
  if (!offered.includes(wallet)) return
  const { openOverlay, language } = parts
  const order = { locale: language, wallet, ...contactsOf(parts) } as const
  const button = walletButton(
    { wallet, isTest: true, requested: parts.settings.button, texts: parts.texts },
    async () => {
      const ended = await openOverlay({ page: 'wallet-sheet', title: 'Test wallet', order })
      if (ended.how === 'finished') await sendOutcome(parts, ended.data)
      else parts.page.send({ type: 'wallet-cancelled' })
    },
  )
  root.replaceChildren(button)
}

/** Apple Pay if the browser supports it, else Google Pay if usable, else nothing. */
async function openProviderSheet(root: Element, parts: WalletParts, text: string): Promise<void> {
  const sheets = sheetsIn(text)
  const requested = { ...contactsOf(parts), token: parts.token(), pageOrigin: parts.page.origin }
  const apple = sheets.applePay && applePay(sheets.applePay, sheets.price, requested)
  const sheet: Sheet | null =
    apple ?? (sheets.googlePay && (await googlePay(sheets.googlePay, sheets.price, requested)))
  if (sheet === null) return
  const { page } = parts
  const { wallet, isTest } = sheet
  const button = walletButton({ wallet, isTest, requested: parts.settings.button, texts: parts.texts }, async () => {
    const ended = await sheet.open(() => page.send({ type: 'wallet-approved' }))
    if (ended.how === 'paid') await sendOutcome(parts, ended.answer)
    else if (ended.how === 'cancelled') page.send({ type: 'wallet-cancelled' })
    else
      page.send({
        type: 'errors',
        errors: [{ errorType: 'walletUnavailable', message: parts.texts.walletUnavailable }],
      })
  })
  root.replaceChildren(button)
}

function contactsOf({ settings }: WalletParts): Contacts {
  const { emailRequired, billingAddressRequired, shippingAddressRequired } = settings
  return { emailRequired, billingAddressRequired, shippingAddressRequired }
}

/** Continues after the gateway's answer: with the challenge, or with the outcome to the page. */
async function sendOutcome({ page, texts, language, token, openOverlay }: WalletParts, answer: unknown): Promise<void> {
  const paid = await goOn({ token: token(), locale: language, texts, openOverlay }, answer)
  if ('outcome' in paid && paid.tooLate) showTooLate(texts)
  if ('outcome' in paid) page.send({ type: 'paid', outcome: paid.outcome })
  else {
    const rejected = forShopper(paid.rejected, texts)
    const isPlain = typeof rejected === 'object' && 'message' in rejected && rejected.statusCode !== 400
    const message = isPlain ? rejected.message : texts.walletUnavailable
    page.send({ type: 'errors', errors: [{ errorType: 'walletFailed', message }] })
  }
}

function showTooLate({ paidAnyway }: Texts): void {
  const notice = element('p', 'notice')
  notice.setAttribute('role', 'status')
  notice.textContent = paidAnyway
  document.getElementById('root')?.append(notice)
}
