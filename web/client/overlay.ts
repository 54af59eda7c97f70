// web/client/overlay.ts — a second frame over the page: the issuer's page (class `threeDs`) or the test wallet. Always ends:
// finished, closed, timed out or blocked.
import type { Message, Overlay, OverlayEnd } from '../protocol.ts'
import { openFrame } from './frame-link.ts'

/** Time limit of a challenge. */
const LIMIT_MS = 15 * 60 * 1000
/** Polling interval: detects that the page removed the frame. */
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

const BACKDROP: Readonly<Record<string, string>> = {
  position: 'fixed',
  inset: '0',
  background: 'rgb(12 20 30 / 0.6)',
}

/** Opens the overlay. Calls `ended` exactly once, after the frame is removed and the focus restored. */
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
    backdrop.remove()
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
    receive(message: Message) {
      if (message.type === 'opened') link.frame.focus()
      if (message.type === 'approved') approved()
      if (message.type === 'closed') end({ how: 'closed' })
      if (message.type === 'finished') end({ how: 'finished', data: message.data })
    },
    failed: () => end({ how: 'blocked' }),
  })
  const { frame } = link
  const backdrop = document.createElement('div')
  // Pages position it by this class. Without such a rule it would be out of sight at the end of the page.
  frame.className = page === 'three-ds' ? 'threeDs' : 'tollgateWallet'
  if (getComputedStyle(frame).position === 'static') Object.assign(frame.style, PLACE)
  // Dims the page, and keeps the shopper from pressing what is on it. Of one level with the frame, which comes after it.
  backdrop.className = 'tollgateBackdrop'
  Object.assign(backdrop.style, BACKDROP, { zIndex: getComputedStyle(frame).zIndex })
  frame.before(backdrop)
  const limit = setTimeout(() => end({ how: 'timed-out' }), LIMIT_MS)
  // Closing a dialogue hides the frame in it.
  const isThere = () => frame.isConnected && !(parent instanceof HTMLDialogElement && !parent.open)
  const look = setInterval(() => isThere() || end({ how: 'closed' }), LOOK_MS)
  // The frame handles Escape while it has the focus; this handles it otherwise.
  addEventListener('keydown', onKey)
  return { close: () => end({ how: 'closed' }) }
}

/** The topmost open modal dialogue, or the body. Elements outside an open modal dialogue are inert. */
function topmost(): Element {
  // The oldest supported browsers know dialogues, but throw on `:modal`.
  const open = CSS.supports('selector(:modal)') ? 'dialog:modal' : 'dialog[open]'
  return [...document.querySelectorAll(open)].at(-1) ?? document.body
}
