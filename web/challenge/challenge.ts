// web/challenge/challenge.ts — overlay for the 3-D Secure challenge: a bar with a close button above the issuer's page.
import type { ChallengeOrder, Message } from '../protocol.ts'
import './challenge.css'
import { listenToPage, type PageLink } from '../frame/page-link.ts'
import { textsOf } from '../frame/texts.ts'
import { lostReturn } from './lost-return.ts'

/** Time until the shopper reads that the issuer's page is slow. */
const SLOW_MS = 12_000
/**
 * Time until the shopper is asked whether the issuer's page is visible. A page that refuses framing looks loaded to us, and
 * no browser reports the difference. A shopper who has focused the page is not asked. ADR 24.
 */
const UNSEEN_MS = 6_000

/** Origins of the gateway. An issuer that knows its public address returns the browser there. */
const GATEWAY: ReadonlySet<string> = new Set([
  location.origin,
  new URL(document.body.dataset['base'] ?? '/', location.href).origin,
])

/** The payer has not finished with the issuer. */
const AUTHORISING = 3

listenToPage('open', (message: Message, page) => {
  if (message.type === 'open' && document.querySelector('iframe') === null) open(message.order as ChallengeOrder, page)
})

function open({ locale, action, fields }: ChallengeOrder, page: PageLink): void {
  const { language, texts } = textsOf(locale)
  document.documentElement.lang = language
  document.title = texts.bankTitle
  const root = document.getElementById('root') ?? document.body
  const bar = made('div', 'bar')
  const heading = made('h1', 'title')
  heading.textContent = texts.bankTitle
  heading.tabIndex = -1
  heading.id = 'heading'
  root.setAttribute('role', 'dialog')
  root.setAttribute('aria-labelledby', heading.id)
  const close = made('button', 'close')
  close.type = 'button'
  close.setAttribute('aria-label', texts.bankClose)
  close.title = texts.bankClose
  close.append(cross())
  close.addEventListener('click', () => page.send({ type: 'closed' }))
  bar.append(heading, close)
  const status = made('p', 'status')
  status.setAttribute('role', 'status')
  status.textContent = texts.bankWaiting
  const frame = made('iframe', 'bank')
  frame.name = 'bank'
  frame.title = texts.bankTitle
  // The bank's address is not known here, so its origin is not either.
  frame.allow = 'payment *; publickey-credentials-get *'
  let loads = 0
  const lost = lostReturn({
    ...{ token: new URLSearchParams(location.search).get('token') ?? '', md: fields['MD'] ?? '', texts },
    loads: () => loads,
    finished: answer => page.send({ type: 'finished', data: answer }),
    cancelled: () => page.send({ type: 'closed' }),
  })
  root.replaceChildren(bar, lost.root, status, frame)
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') page.send({ type: 'closed' })
  })
  const showLater = (sentence: string) => () => {
    status.textContent = document.activeElement === frame ? '' : sentence
  }
  let limit = setTimeout(showLater(texts.bankSlow), SLOW_MS)
  frame.addEventListener('load', () => {
    // Each frame starts with an empty document, which also fires `load`.
    if (frame.contentDocument?.URL === 'about:blank') return
    loads += 1
    status.textContent = ''
    clearTimeout(limit)
    limit = setTimeout(showLater(texts.bankUnseen), UNSEEN_MS)
  })
  // The focus has moved into the issuer's page, by script or by the shopper.
  addEventListener('blur', () => {
    if (document.activeElement === frame) status.textContent = ''
  })
  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    // Only the gateway's return page reports an outcome, on this host or on the public one; the issuer's page does not.
    if (source !== frame.contentWindow || !GATEWAY.has(origin)) return
    const outcome = outcomeIn(data)
    // The shopper is back, and the issuer has no result yet.
    if (outcome?.statusCode === AUTHORISING) lost.show()
    else if (outcome !== null) page.send({ type: 'finished', data: outcome })
  })
  send(action, fields)
  // The merchant's page focuses this frame when it receives `opened`; only then can the heading take the focus.
  addEventListener('focus', () => document.activeElement === document.body && heading.focus())
  heading.focus()
  page.send({ type: 'opened' })
}

/** Posts an HTML form into the frame, as EMV 3DS requires for the challenge request. */
function send(action: string, fields: ChallengeOrder['fields']): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = action
  form.target = 'bank'
  form.hidden = true
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

/** Extracts `messageData` with a `statusCode`, from an object or JSON text. Null for anything else. */
function outcomeIn(data: unknown): { readonly statusCode: unknown } | null {
  const { messageData } = Object(data) as { readonly messageData?: unknown }
  try {
    const read: unknown = typeof messageData === 'string' ? JSON.parse(messageData) : messageData
    return typeof read === 'object' && read !== null && 'statusCode' in read ? read : null
  } catch {
    return null
  }
}

function cross(): SVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 20 20')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', 'M4 4l12 12M16 4L4 16')
  svg.append(path)
  return svg
}

function made<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  element.className = className
  return element
}
