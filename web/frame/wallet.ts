// web/frame/wallet.ts — the wallet's button: shown where the gateway takes a wallet that this browser can use. In a sandbox it
// opens a test wallet that is marked as one; a wallet's own sheet needs its provider's script, which no page of ours loads.
import type { FormSettings, Overlay, OverlayEnd, Rejection } from '../protocol.ts'
import { element } from './field-view.ts'
import type { PageLink } from './page-link.ts'
import { goOn } from './payment.ts'
import type { Texts } from './texts.ts'

interface WalletParts {
  readonly page: PageLink
  readonly settings: FormSettings
  readonly texts: Texts
  readonly language: string
  readonly token: () => string
  readonly openOverlay: (overlay: Overlay) => Promise<OverlayEnd>
}

/** Words on the button. E-commerce 7.12. */
const WORDS: Readonly<Record<string, string>> = {
  plain: '',
  book: 'Book with',
  buy: 'Buy with',
  checkout: 'Check out with',
  donate: 'Donate with',
  order: 'Order with',
}

/** Shows the button; nothing where no wallet can be used. */
export function openWallet(root: Element, parts: WalletParts): void {
  const offered = (document.body.dataset['wallets'] ?? '').split(' ')
  // Apple's browsers have its session; everywhere else it is Google's turn. E-commerce 7.12.
  const wallet = 'ApplePaySession' in window ? 'APPLE_PAY' : 'GOOGLE_PAY'
  if (!offered.includes(wallet)) return
  const { colour, type } = parts.settings.button
  const button = element('button', `wallet ${colour}`)
  button.type = 'button'
  const name = wallet === 'APPLE_PAY' ? 'Apple Pay' : 'Google Pay'
  const mark = element('span', 'wallet-test')
  mark.textContent = 'Test'
  button.append(`${WORDS[type] ?? ''} ${name} `.trimStart(), mark)
  let running = false
  button.addEventListener('click', async () => {
    if (running) return
    running = true
    await pay(parts, wallet)
    running = false
  })
  root.replaceChildren(button)
}

async function pay(parts: WalletParts, wallet: 'APPLE_PAY' | 'GOOGLE_PAY'): Promise<void> {
  const { page, settings, texts, language, openOverlay } = parts
  const { emailRequired, billingAddressRequired, shippingAddressRequired } = settings
  const order = { locale: language, wallet, emailRequired, billingAddressRequired, shippingAddressRequired }
  const ended = await openOverlay({ page: 'wallet-sheet', title: 'Test wallet', order })
  if (ended.how !== 'finished') return page.tell({ type: 'wallet-cancelled' })
  const paid = await goOn({ token: parts.token(), locale: language, texts, openOverlay }, ended.data)
  if ('outcome' in paid) page.tell({ type: 'paid', outcome: paid.outcome })
  else page.tell({ type: 'errors', errors: [{ errorType: 'walletFailed', message: sentenceOf(paid.rejected) }] })
}

function sentenceOf(rejected: Rejection): string {
  return typeof rejected === 'object' && 'message' in rejected ? rejected.message : String(rejected)
}
