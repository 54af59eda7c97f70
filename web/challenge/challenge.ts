// web/challenge/challenge.ts — the frame over the shop's page: a bar with a way out, and under it the page of the bank.
import type { ChallengeOrder, Message } from '../protocol.ts'
import './challenge.css'
import { listenToPage, type PageLink } from '../frame/page-link.ts'
import { textsOf } from '../frame/texts.ts'

/** When the shopper is told that the bank is slow. */
const SLOW_MS = 12_000
/**
 * When the shopper is asked whether there is anything to see. A page that refuses its frame loads as any other for us, and no
 * browser tells the difference. Whoever has put a hand on the bank's page is not asked. ADR 24.
 */
const UNSEEN_MS = 6_000

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
  close.addEventListener('click', () => page.tell({ type: 'closed' }))
  bar.append(heading, close)
  const status = made('p', 'status')
  status.setAttribute('role', 'status')
  status.textContent = texts.bankWaiting
  const frame = made('iframe', 'bank')
  frame.name = 'bank'
  frame.title = texts.bankTitle
  root.replaceChildren(bar, status, frame)
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') page.tell({ type: 'closed' })
  })
  const say = (sentence: string) => () => {
    status.textContent = document.activeElement === frame ? '' : sentence
  }
  let limit = setTimeout(say(texts.bankSlow), SLOW_MS)
  frame.addEventListener('load', () => {
    // The first document is the empty one that every frame begins with.
    if (frame.contentDocument?.URL === 'about:blank') return
    status.textContent = ''
    clearTimeout(limit)
    limit = setTimeout(say(texts.bankUnseen), UNSEEN_MS)
  })
  // The focus has gone into the bank's page, by its own doing or the shopper's.
  addEventListener('blur', () => {
    if (document.activeElement === frame) status.textContent = ''
  })
  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    // The bank's own page has nothing to tell us; ours, to which it leads back, has.
    if (source !== frame.contentWindow || origin !== location.origin) return
    const told = outcomeIn(data)
    if (told !== null) page.tell({ type: 'finished', data: told })
  })
  send(action, fields)
  // The page gives us the focus when it hears that we are there; only then can it go on to the heading.
  addEventListener('focus', () => document.activeElement === document.body && heading.focus())
  heading.focus()
  page.tell({ type: 'opened' })
}

/** Leads the frame to the bank by an ordinary form, as the schemes have it. E-commerce 9.4. */
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

/** `messageData` with a `statusCode`, as an object or as its text. E-commerce 9.4. */
function outcomeIn(data: unknown): unknown {
  const { messageData } = Object(data) as { readonly messageData?: unknown }
  try {
    const told: unknown = typeof messageData === 'string' ? JSON.parse(messageData) : messageData
    return typeof told === 'object' && told !== null && 'statusCode' in told ? told : null
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
