// web/frame/wallet-button.ts — the wallet button. Apple's browsers draw Apple's own; elsewhere it is a plain button with the
// wallet's name.
import type { FormSettings } from '../protocol.ts'
import { element } from './field-view.ts'
import type { TextName, Texts } from './texts.ts'

interface ButtonParts {
  readonly wallet: 'APPLE_PAY' | 'GOOGLE_PAY'
  /** Marked as a test wallet. */
  readonly isTest: boolean
  readonly requested: FormSettings['button']
  readonly texts: Texts
}

/** Text for each button type of the configuration; for other types only the wallet's name. */
const WORDS: Readonly<Record<string, TextName>> = {
  book: 'bookWith',
  buy: 'buyWith',
  checkout: 'checkoutWith',
  donate: 'donateWith',
  order: 'orderWith',
}

/**
 * Builds the button. `press` starts synchronously in the click event, as browsers require for a sheet, and does not run
 * twice at a time.
 */
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
