// web/client/overlay.ts — the frame over the page: the bank's page with the class `threeDs`, or the test wallet. It always
// ends: finished, closed, timed out, taken away or never come up.
import type { Message, Overlay, OverlayEnd } from '../protocol.ts'
import { openFrame } from './frame-link.ts'

/** As long as the issuer gives the shopper. E-commerce 7.10. */
const LIMIT_MS = 15 * 60 * 1000
/** How often it is looked whether the page has taken the frame away. */
const LOOK_MS = 500

const PLACE: Readonly<Record<string, string>> = {
  position: 'fixed',
  inset: '0',
  width: 'min(100vw, 30rem)',
  height: 'min(100vh, 40rem)',
  margin: 'auto',
  background: '#fff',
  boxShadow: '0 1rem 4rem rgb(0 0 0 / 0.45)',
  borderRadius: '0.75rem',
  zIndex: '2147483647',
}

/** Opens it. Calls `ended` exactly once; by then the frame is gone and the focus is back where it was. */
export function openOverlay(
  host: string,
  token: string,
  { page, title, order }: Overlay,
  ended: (end: OverlayEnd) => void,
  approved: () => void,
): { close(): void } {
  const before = document.activeElement
  const parent = topmost()
  let over = false
  const end = (how: OverlayEnd): void => {
    if (over) return
    over = true
    clearTimeout(limit)
    clearInterval(look)
    removeEventListener('keydown', onKey)
    link.remove()
    if (before instanceof HTMLElement) before.focus()
    ended(how)
  }
  const onKey = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') end({ how: 'closed' })
  }
  const link = openFrame({
    parent,
    host,
    path: `/${page}?token=${encodeURIComponent(token)}`,
    title,
    greeting: () => ({ type: 'open', order }),
    hear(message: Message) {
      if (message.type === 'opened') link.frame.focus()
      if (message.type === 'approved') approved()
      if (message.type === 'closed') end({ how: 'closed' })
      if (message.type === 'finished') end({ how: 'finished', data: message.data })
    },
    failed: () => end({ how: 'blocked' }),
  })
  const { frame } = link
  // Pages place it by this class. Where a page says nothing about it, it would stand unseen at the end of the page.
  frame.className = page === 'three-ds' ? 'threeDs' : 'tollgateWallet'
  if (getComputedStyle(frame).position === 'static') Object.assign(frame.style, PLACE)
  const limit = setTimeout(() => end({ how: 'timed-out' }), LIMIT_MS)
  // A dialogue that is closed hides the frame in it as well.
  const isThere = () => frame.isConnected && !(parent instanceof HTMLDialogElement && !parent.open)
  const look = setInterval(() => isThere() || end({ how: 'closed' }), LOOK_MS)
  // The frame hears Escape while it has the focus; here it is heard before that, and when the shopper has clicked beside it.
  addEventListener('keydown', onKey)
  return { close: () => end({ how: 'closed' }) }
}

/** Whatever stands outside an open modal dialogue lies under it, and takes neither clicks nor keys. */
function topmost(): Element {
  // The oldest browsers that we serve know dialogues, but not this word for them, and throw on it.
  const open = CSS.supports('selector(:modal)') ? 'dialog:modal' : 'dialog[open]'
  return [...document.querySelectorAll(open)].at(-1) ?? document.body
}
