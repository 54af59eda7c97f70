// web/challenge/lost-return.ts — notices that the return from the issuer failed, and offers to continue or to cancel.
import { askHowFar, PATHS, type PaymentAnswer, paymentAnswer, post } from '../frame/gateway.ts'
import type { Texts } from '../frame/texts.ts'

/** Interval between two looks. A return that works takes less; two looks in a row that find it missing take three seconds. */
const LOOK_MS = 1_500
const LOOKS = 2
/** The payer has not finished with the issuer. */
const AUTHORISING = 3

export interface LostReturnParts {
  readonly token: string
  /** Names the challenge. */
  readonly md: string
  readonly texts: Texts
  /** How many documents the issuer's frame has loaded. */
  readonly loads: () => number
  readonly finished: (answer: PaymentAnswer) => void
  readonly cancelled: () => void
}

export interface LostReturn {
  /** The message with its two buttons, hidden at first. */
  readonly root: HTMLElement
  /** Shows it at once. */
  show(): void
}

/** Watches until the overlay is gone. The browser approves nothing here: it asks the gateway, or gives up. ADR 53. */
export function lostReturn({ token, md, texts, loads, finished, cancelled }: LostReturnParts): LostReturn {
  const root = document.createElement('div')
  root.className = 'lost'
  root.hidden = true
  const sentence = document.createElement('p')
  sentence.setAttribute('role', 'alert')
  const proceed = button(texts.bankContinue, () => void resume())
  const cancel = button(texts.bankCancel, cancelled)
  root.append(sentence, proceed, cancel)
  let missing = 0
  let looking = false

  function show(text = texts.bankLost): void {
    sentence.textContent = text
    if (!root.hidden) return
    root.hidden = false
    proceed.focus()
  }

  async function resume(): Promise<void> {
    looking = true
    proceed.disabled = true
    const answer = paymentAnswer(await post(PATHS.threeDsComplete(token), { transactionId: md, paRes: '' }))
    proceed.disabled = false
    looking = false
    if (answer === null || answer.statusCode >= 400) return show(texts.bankUnreachable)
    if (answer.statusCode !== AUTHORISING) return finished(answer)
    root.hidden = true
    missing = 0
  }

  async function look(): Promise<void> {
    if (looking) return
    looking = true
    const state = await askHowFar(token)
    looking = false
    // Nothing is left to ask the shopper, such as after fifteen minutes.
    if (state === 'unpaid') return void resume()
    // Without a connection only a document that followed the first one can be a failed return.
    const isMissing = state === null ? loads() > 1 : state === 'decided' || state === 'over'
    missing = isMissing ? missing + 1 : 0
    // A sentence that stands there stays: the shopper is reading it, and a screen reader would say it again.
    if (missing >= LOOKS && root.hidden) show()
  }

  setInterval(() => void look(), LOOK_MS)
  return { root, show }
}

function button(text: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = text
  made.addEventListener('click', press)
  return made
}
