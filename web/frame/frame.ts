// web/frame/frame.ts — document of the form's frame: waits for `init` from the merchant's page, shows the form, pays.
import type { ColourScheme, FormKind, FormSettings, Message, Overlay, OverlayEnd, Rejection } from '../protocol.ts'
import './frame.css'
import { refusedField } from './errors.ts'
import { type CardForm, cardForm } from './form.ts'
import { PATHS, requestToken } from './gateway.ts'
import { listenToPage, type PageLink } from './page-link.ts'
import { type Paid, pay } from './payment.ts'
import { forShopper } from './rejections.ts'
import { applyStyles } from './style-rules.ts'
import { type Texts, textsOf } from './texts.ts'
import { openWallet } from './wallet.ts'

interface Session {
  readonly page: PageLink
  readonly settings: FormSettings
  readonly texts: Texts
  readonly language: string
  form: CardForm | null
  overlayEnded: ((ended: OverlayEnd) => void) | null
  expiry: ReturnType<typeof setTimeout> | undefined
}

/** Longest delay of a browser timer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1
const KIND = (document.body.dataset['form'] ?? 'card') as FormKind
/** Whether the gateway knew the token when it served the document. If not, nothing can be paid here. */
const KNOWN = document.body.dataset['token'] === 'known'
/** How far the gateway’s time is ahead of this browser’s, whose clock may be wrong. */
const AHEAD_MS = Number(document.body.dataset['now'] ?? Date.now()) - Date.now()
let token = new URLSearchParams(location.search).get('token') ?? ''
let session: Session | null = null

listenToPage('init', (message, page) => {
  if (message.type === 'init') {
    if (session === null) session = open(message.settings, page)
    return
  }
  if (session !== null) receive(session, message)
})

function open(settings: FormSettings, page: PageLink): Session {
  const { language, texts } = textsOf(settings.locale)
  const root = document.documentElement
  root.lang = language
  root.dir = settings.direction
  showIn(settings.colourScheme)
  document.title = texts.formTitle
  addFonts(settings.fontCss)
  const opened: Session = {
    ...{ page, settings, texts, language },
    form: null,
    overlayEnded: null,
    expiry: undefined,
  }
  const main = document.getElementById('root') ?? document.body
  if (KIND === 'wallet')
    openWallet(main, { ...opened, token: () => token, openOverlay: overlay => showOverlay(opened, overlay) })
  else {
    opened.form = buildForm(opened, KIND)
    main.replaceChildren(opened.form.root)
    const sheet = [...document.styleSheets].find(({ href }) => href?.startsWith(location.origin))
    if (sheet !== undefined) applyStyles(sheet, settings.styles)
    if (KNOWN) watchExpiry(opened, Number(document.body.dataset['usableMs']))
    else opened.form.showNotice(texts.unusable)
    opened.form.lock(!KNOWN)
  }
  reportHeight(main, page)
  page.send({ type: 'ready' })
  return opened
}

function showIn(scheme: ColourScheme): void {
  document.documentElement.dataset['scheme'] = scheme
}

function buildForm({ page, settings, texts, language }: Session, kind: 'card' | 'recurring'): CardForm {
  return cardForm({
    ...{ kind, settings, texts, language },
    now: () => Date.now() + AHEAD_MS,
    events: {
      errors: errors => page.send({ type: 'errors', errors }),
      blurred: valid => page.send({ type: 'blurred', valid }),
      fieldValid: field => page.send({ type: 'field-valid', field }),
      complete: () => page.send({ type: 'form-complete' }),
      submitted: () => page.send({ type: 'submitted' }),
    },
  })
}

function receive(session: Session, message: Message): void {
  const { page, form } = session
  switch (message.type) {
    case 'colour-scheme':
      showIn(message.colourScheme)
      return
    case 'token':
      return void swapToken(session, message.token)
    case 'validate': {
      const errors = form?.validate() ?? []
      if (errors.length > 0) page.send({ type: 'rejected', ask: message.ask, why: errors })
      else page.send({ type: 'answer', ask: message.ask, outcome: null })
      return
    }
    case 'pay':
      return void execute(session, message.ask, asRecord(message.info))
    case 'overlay-ended':
      session.overlayEnded?.(message.ended)
      session.overlayEnded = null
      return
    default:
      return
  }
}

/** Switches to another token and keeps the input. A token of another merchant needs another document: the frame reloads. */
async function swapToken(session: Session, fresh: string): Promise<void> {
  const previous = token
  token = fresh
  // The wallet's parameters are part of the document, and there is no input to keep.
  if (KIND === 'wallet') return loadWith(fresh)
  clearTimeout(session.expiry)
  session.form?.showNotice('')
  session.form?.renew()
  const answer = await requestToken(fresh, previous)
  if (answer === null || token !== fresh) return
  if (KNOWN && answer.state === 'known') return watchExpiry(session, answer.usableMs)
  loadWith(fresh)
}

function loadWith(fresh: string): void {
  const query = new URLSearchParams(location.search)
  query.set('token', fresh)
  location.replace(`${location.pathname}?${query}`)
}

async function execute(session: Session, ask: number, info: Readonly<Record<string, unknown>>): Promise<void> {
  const { page, form, texts, language } = session
  const reject = (why: Rejection) => page.send({ type: 'rejected', ask, why })
  if (form === null) return reject({ statusCode: 400, message: 'A wallet is paid with by its own button' })
  if (!KNOWN) return reject({ statusCode: 401, message: texts.unusable })
  const errors = form.validate()
  if (errors.length > 0) {
    form.focusFault()
    return reject(errors)
  }
  form.wait(true)
  const paid = await pay({
    token,
    path: (KIND === 'recurring' ? PATHS.recurring : PATHS.payment)(token),
    body: { ...info, ...withoutEmpty(form.body()) },
    locale: language,
    texts,
    openOverlay: overlay => showOverlay(session, overlay),
  })
  form.wait(false)
  answer(session, ask, paid)
}

function answer({ page, form, texts }: Session, ask: number, paid: Paid): void {
  if ('outcome' in paid) {
    if (paid.tooLate) form?.showNotice(texts.paidAnyway)
    page.send({ type: 'answer', ask, outcome: paid.outcome })
    return
  }
  const { rejected } = paid
  const { statusCode = null, message = '' } = typeof rejected === 'object' && 'statusCode' in rejected ? rejected : {}
  if (statusCode === 401) form?.showNotice(texts.expired)
  const refused = statusCode === 400 ? refusedField(message) : null
  const error = refused && form?.refuse(refused)
  if (error) form?.focusFault()
  page.send({ type: 'rejected', ask, why: error ? [error] : forShopper(rejected, texts) })
}

function showOverlay(session: Session, overlay: Overlay): Promise<OverlayEnd> {
  return new Promise(resolve => {
    session.overlayEnded = resolve
    session.page.send({ type: 'overlay', overlay })
  })
}

/** Shows a notice when the token expires; a new token removes it. */
function watchExpiry(session: Session, ms: number): void {
  const showExpired = () => session.form?.showNotice(session.texts.expired)
  if (ms > 0) session.expiry = setTimeout(showExpired, Math.min(ms, LONGEST_WAIT_MS))
  else showExpired()
}

/** Only https: a style sheet changed in transit could change what the shopper sees. */
function addFonts(addresses: readonly string[]): void {
  for (const address of addresses) {
    if (!address.startsWith('https:')) continue
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = address
    link.referrerPolicy = 'no-referrer'
    document.head.append(link)
  }
}

function reportHeight(main: Element, page: PageLink): void {
  let reportedPx = 0
  new ResizeObserver(() => {
    const px = Math.ceil(main.getBoundingClientRect().height)
    if (px !== reportedPx) page.send({ type: 'height', px })
    reportedPx = px
  }).observe(main)
}

/** Drops empty fields, so that values from the page apply. */
function withoutEmpty(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''))
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
