// web/frame/wallet-button.ts — the button itself. In Apple's browsers the browser draws Apple's own; elsewhere it is a plain
// one with the wallet's name.
import type { FormSettings } from '../protocol.ts'
import { element } from './field-view.ts'
import type { TextName, Texts } from './texts.ts'

interface ButtonParts {
  readonly wallet: 'APPLE_PAY' | 'GOOGLE_PAY'
  /** Marked, so that nobody takes it for real. */
  readonly isTest: boolean
  readonly requested: FormSettings['button']
  readonly texts: Texts
}

/** Words on the button, by what the shop wishes for; none of them: the wallet's name alone. E-commerce 7.12. */
const WORDS: Readonly<Record<string, TextName>> = {
  book: 'bookWith',
  buy: 'buyWith',
  checkout: 'checkoutWith',
  donate: 'donateWith',
  order: 'orderWith',
}

/** Makes it. `press` begins in the very turn of the click, as browsers ask of whatever opens a sheet, and runs once at a time. */
export function walletButton(
  { wallet, isTest, requested, texts }: ButtonParts,
  press: () => Promise<void>,
): HTMLButtonElement {
  const apple = wallet === 'APPLE_PAY'
  const button = element('button', `wallet ${requested.colour}${apple && !isTest ? ' apple' : ''}`)
  button.type = 'button'
  button.dataset['type'] = requested.type
  const words = Object.hasOwn(WORDS, requested.type) ? WORDS[requested.type] : undefined
  const name = apple ? 'Apple Pay' : 'Google Pay'
  button.append(`${words === undefined ? name : texts[words].replace('{wallet}', name)} `)
  if (isTest) {
    const mark = element('span', 'wallet-test')
    mark.textContent = 'Test'
    button.append(mark)
  }
  let running = false
  button.addEventListener('click', async () => {
    if (running) return
    running = true
    try {
      await press()
    } finally {
      running = false
    }
  })
  return button
}
