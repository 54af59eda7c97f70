// web/client/form.ts — a form on the merchant's page: its frame, pending requests to it, and callbacks.
import type { FormKind, Message, Outcome, Rejection } from '../protocol.ts'
import { colourSchemeOf, watchColourScheme } from './colour-scheme.ts'
import { type FrameLink, openFrame } from './frame-link.ts'
import { HOST } from './host.ts'
import { openOverlay } from './overlay.ts'
import { openPendingRequests, type Wait } from './pending-requests.ts'
import { type Config, callback, record, settingsOf, tokenOf } from './settings.ts'

/** Longer than a challenge and the calls around it can take: a promise pending by then would never settle. */
const PAYMENT_LIMIT_MS = 17 * 60 * 1000
/** Longer than the frame takes to load. Validation makes no network calls. */
const VALIDATION_LIMIT_MS = 30_000

const UNKNOWN = 'It is not known yet whether you have paid. Please do not pay again before the shop has checked.'
const NOT_LOADED = 'The form could not be loaded'
const PAYMENT: Wait = { limitMs: PAYMENT_LIMIT_MS, lost: UNKNOWN }
const VALIDATION: Wait = { limitMs: VALIDATION_LIMIT_MS, lost: 'The form did not answer' }

export interface Callbacks {
  /** Called with the present errors; empty when the form is valid. */
  readonly errors: (...args: readonly unknown[]) => void
  readonly submitted?: (...args: readonly unknown[]) => void
  readonly blurred?: (...args: readonly unknown[]) => void
  /** Called with the outcome of a wallet payment. */
  readonly paid?: (...args: readonly unknown[]) => void
}

export interface Form {
  executePayment(info?: unknown): Promise<Outcome>
  validate(): Promise<void>
  updateAccessToken(details: unknown): void
}

/** Opens a form. Never throws: errors go to `onIframeLoadFailed`, and each call on the form rejects. */
export function openForm(kind: FormKind, given: unknown, callbacks: Callbacks): Form {
  const config: Config = record(given)
  const container = document.getElementById(String(config['containerId'] ?? ''))
  const failed = callback(config['onIframeLoadFailed'])
  const parts = { kind, config, callbacks, failed }
  const fault =
    HOST === null
      ? 'client.js must be loaded by a script element from the gateway, not copied or bundled'
      : container === null
        ? `There is no element with the id "${String(config['containerId'])}"`
        : null
  if (HOST !== null && container !== null) return liveForm(parts, HOST, container)
  // Deferred, so that the page has the form object before the callback.
  queueMicrotask(() => failed(new Error(fault ?? '')))
  const reject = () => quiet(Promise.reject<never>(fault))
  return { executePayment: reject, validate: reject, updateAccessToken() {} }
}

interface Parts {
  readonly kind: FormKind
  readonly config: Config
  readonly callbacks: Callbacks
  readonly failed: (...args: readonly unknown[]) => void
}

function liveForm({ kind, config, callbacks, failed }: Parts, host: string, container: Element): Form {
  const events = record(config['callbacks'])
  const requests = openPendingRequests(() => link.frame.isConnected, abandon)
  const settings = settingsOf(config, container)
  let token = tokenOf(config['paymentDetails'])
  let isAnnounced = false
  let state: 'loading' | 'ready' | 'failed' = 'loading'
  let waiting: Message[] = []
  let running: Promise<Outcome> | null = null
  let overlay: { close(): void } | null = null

  const send = (message: Message): void => {
    if (state === 'ready') link.send(message)
    else waiting.push(message)
  }

  function request(wait: Wait, message: (number: number) => Message): Promise<Outcome | null> {
    if (state === 'failed') return Promise.reject({ statusCode: 500, message: NOT_LOADED })
    return requests.ask(wait, number => send(message(number)))
  }

  /** Rejects requests in progress, and drops those not sent yet. */
  function abandon(message?: string): void {
    overlay?.close()
    waiting = waiting.filter(each => !('ask' in each))
    requests.abandon(message)
  }

  /** The return value has no meaning: each branch is one call. */
  const receive = (message: Message): unknown => {
    switch (message.type) {
      case 'ready':
        if (state === 'ready') return
        state = 'ready'
        isLoading(link.frame, false)
        for (const message of waiting.splice(0)) link.send(message)
        if (!isAnnounced) callback(config['onIframeLoaded'])()
        isAnnounced = true
        return
      case 'height':
        link.frame.style.height = `${message.px}px`
        return
      case 'errors':
        return callbacks.errors(message.errors)
      case 'submitted':
        return callbacks.submitted?.(new Event('submit', { cancelable: true }))
      case 'blurred':
        return callbacks.blurred?.(message.valid)
      case 'field-valid':
        return callback(events['onFormFieldValid'])(message.field)
      case 'form-complete':
        return callback(events['onFormComplete'])()
      case 'answer':
        return requests.answered(message.ask, message.outcome)
      case 'rejected':
        return requests.rejected(message.ask, message.why)
      case 'overlay':
        overlay = openOverlay(
          host,
          token,
          message.overlay,
          ended => {
            overlay = null
            send({ type: 'overlay-ended', ended })
          },
          () => callback(events['onPaymentInitiated'])(),
        )
        return
      case 'wallet-approved':
        return callback(events['onPaymentInitiated'])()
      case 'wallet-cancelled':
        return callback(events['onPaymentCancelled'])()
      case 'paid':
        return callbacks.paid?.(message.outcome)
      default:
        return
    }
  }

  const link: FrameLink = openFrame({
    parent: container,
    host,
    path: pathOf(kind, token, settings.fontCss),
    title: 'Secure card payment',
    greeting() {
      // A second load means that the page moved the frame: its requests are lost.
      if (state === 'ready') abandon()
      if (state === 'ready') state = 'loading'
      return { type: 'init', settings: { ...settings, colourScheme: colourSchemeOf(container) } }
    },
    receive,
    failed() {
      if (state === 'ready') return
      state = 'failed'
      isLoading(link.frame, false)
      waiting = []
      abandon(NOT_LOADED)
      failed(new Error(`${host}/payment-form did not answer: blocked by a policy of the page, or not reachable`))
    },
  })
  link.frame.style.width = '100%'
  // Reserves space until the form reports its height, so that the page does not jump.
  link.frame.style.height = kind === 'card' ? '22rem' : '6rem'
  isLoading(link.frame, kind !== 'wallet')
  watchColourScheme(container, colourScheme => {
    if (state !== 'failed') send({ type: 'colour-scheme', colourScheme })
  })

  async function pay(info: unknown): Promise<Outcome> {
    if (token === '') throw { statusCode: 404, message: 'No payment token was given' } satisfies Rejection
    const outcome = await request(PAYMENT, number => ({ type: 'pay', ask: number, info: plain(info) }))
    return outcome ?? { statusCode: 500, authCode: '', message: UNKNOWN, reason: '' }
  }

  return {
    executePayment(info) {
      running ??= quiet(
        pay(info).finally(() => {
          running = null
        }),
      )
      return running
    },
    validate: () => quiet(request(VALIDATION, number => ({ type: 'validate', ask: number })).then(() => {})),
    updateAccessToken(details) {
      token = tokenOf(details)
      send({ type: 'token', token })
    },
  }
}

/** Grey fields where the form will be. Set by script, which a policy against inline styles allows. */
const PLACEHOLDER =
  'repeating-linear-gradient(transparent 0 2rem, rgb(128 128 128 / 0.16) 2rem 5rem, transparent 5rem 5.75rem)'

function isLoading(frame: HTMLIFrameElement, loading: boolean): void {
  frame.style.background = loading ? PLACEHOLDER : ''
  frame.setAttribute('aria-busy', String(loading))
}

function pathOf(kind: FormKind, token: string, fonts: readonly string[]): string {
  const query = new URLSearchParams({ token, form: kind })
  for (const font of fonts) if (font.startsWith('https:')) query.append('font', new URL(font).origin)
  return `/payment-form?${query}`
}

/** A deep copy as JSON: `postMessage` cannot send functions. An empty object when it cannot be copied. */
function plain(info: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(info ?? {}))
  } catch {
    return {}
  }
}

/** Marks the promise as handled: pages call `validate()` without catching, and that must not log an unhandled rejection. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
