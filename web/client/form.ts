// web/client/form.ts — the page's side of a form: its frame, the questions that wait for an answer, the callbacks.
import type { FormKind, Message, Outcome, Rejection } from '../protocol.ts'
import { type FrameLink, openFrame } from './frame-link.ts'
import { HOST } from './host.ts'
import { openOverlay } from './overlay.ts'
import { openQuestions, type Wait } from './questions.ts'
import { type Config, callback, record, settingsOf, tokenOf } from './settings.ts'

/** Longer than the bank's page may take, with the calls around it: a promise that has not settled by then never would. */
const PAYMENT_LIMIT_MS = 17 * 60 * 1000
/** Longer than the frame may take to load: it answers by itself, without asking anybody. */
const VALIDATION_LIMIT_MS = 30_000

const UNKNOWN = 'The outcome of the payment is not known; ask the gateway for it before another try'
const NOT_LOADED = 'The form could not be loaded'
const PAYMENT: Wait = { limitMs: PAYMENT_LIMIT_MS, lost: UNKNOWN }
const VALIDATION: Wait = { limitMs: VALIDATION_LIMIT_MS, lost: 'The form did not answer' }

export interface Callbacks {
  /** The errors as they are now; empty when all is well. */
  readonly errors: (...told: readonly unknown[]) => void
  readonly submitted?: (...told: readonly unknown[]) => void
  readonly blurred?: (...told: readonly unknown[]) => void
  /** A wallet has paid. */
  readonly paid?: (...told: readonly unknown[]) => void
}

export interface Form {
  executePayment(info?: unknown): Promise<Outcome>
  validate(): Promise<void>
  updateAccessToken(details: unknown): void
}

/** Opens a form. It never throws: what is wrong is told to `onIframeLoadFailed`, and by whatever is asked of the form. */
export function openForm(kind: FormKind, given: unknown, tell: Callbacks): Form {
  const config: Config = record(given)
  const container = document.getElementById(String(config['containerId'] ?? ''))
  const failed = callback(config['onIframeLoadFailed'])
  const parts = { kind, config, tell, failed }
  const fault =
    HOST === null
      ? 'client.js must be loaded by a script element from the gateway, not copied or bundled'
      : container === null
        ? `There is no element with the id "${String(config['containerId'])}"`
        : null
  if (HOST !== null && container !== null) return liveForm(parts, HOST, container)
  // Later, so that the page has got its form before it hears of it.
  queueMicrotask(() => failed(new Error(fault ?? '')))
  const reject = () => quiet(Promise.reject<never>(fault))
  return { executePayment: reject, validate: reject, updateAccessToken() {} }
}

interface Parts {
  readonly kind: FormKind
  readonly config: Config
  readonly tell: Callbacks
  readonly failed: (...told: readonly unknown[]) => void
}

function liveForm({ kind, config, tell, failed }: Parts, host: string, container: Element): Form {
  const events = record(config['callbacks'])
  const questions = openQuestions(() => link.frame.isConnected, abandon)
  const settings = settingsOf(config, container)
  let token = tokenOf(config['paymentDetails'])
  let told = false
  let state: 'loading' | 'ready' | 'failed' = 'loading'
  let waiting: Message[] = []
  let running: Promise<Outcome> | null = null
  let overlay: { close(): void } | null = null

  const send = (message: Message): void => {
    if (state === 'ready') link.send(message)
    else waiting.push(message)
  }

  function ask(wait: Wait, message: (ask: number) => Message): Promise<Outcome | null> {
    if (state === 'failed') return Promise.reject({ statusCode: 500, message: NOT_LOADED })
    return questions.ask(wait, number => send(message(number)))
  }

  /** What was under way in the frame is lost, and what has not reached it must not be done later. */
  function abandon(message?: string): void {
    overlay?.close()
    waiting = waiting.filter(held => !('ask' in held))
    questions.abandon(message)
  }

  /** What it returns means nothing: each message is one call. */
  const hear = (message: Message): unknown => {
    switch (message.type) {
      case 'ready':
        if (state === 'ready') return
        state = 'ready'
        for (const held of waiting.splice(0)) link.send(held)
        if (!told) callback(config['onIframeLoaded'])()
        told = true
        return
      case 'height':
        link.frame.style.height = `${message.px}px`
        return
      case 'errors':
        return tell.errors(message.errors)
      case 'submitted':
        return tell.submitted?.(new Event('submit', { cancelable: true }))
      case 'blurred':
        return tell.blurred?.(message.valid)
      case 'field-valid':
        return callback(events['onFormFieldValid'])(message.field)
      case 'form-complete':
        return callback(events['onFormComplete'])()
      case 'answer':
        return questions.answered(message.ask, message.outcome)
      case 'rejected':
        return questions.rejected(message.ask, message.why)
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
        return tell.paid?.(message.outcome)
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
      // A frame that loads a second time was moved about on the page: what was under way in it is lost.
      if (state === 'ready') abandon()
      if (state === 'ready') state = 'loading'
      return { type: 'init', settings }
    },
    hear,
    failed() {
      if (state === 'ready') return
      state = 'failed'
      waiting = []
      abandon(NOT_LOADED)
      failed(new Error(`${host}/payment-form did not answer: blocked by a policy of the page, or not reachable`))
    },
  })
  link.frame.style.width = '100%'
  // So that the page does not jump when the form says how high it is.
  link.frame.style.height = kind === 'card' ? '21rem' : '6rem'

  async function pay(info: unknown): Promise<Outcome> {
    if (token === '') throw { statusCode: 404, message: 'No payment token was given' } satisfies Rejection
    const outcome = await ask(PAYMENT, number => ({ type: 'pay', ask: number, info: plain(info) }))
    return outcome ?? { statusCode: 500, authCode: '', message: UNKNOWN }
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
    validate: () => quiet(ask(VALIDATION, number => ({ type: 'validate', ask: number })).then(() => {})),
    updateAccessToken(details) {
      token = tokenOf(details)
      send({ type: 'token', token })
    },
  }
}

function pathOf(kind: FormKind, token: string, fonts: readonly string[]): string {
  const query = new URLSearchParams({ token, form: kind })
  for (const font of fonts) if (font.startsWith('https:')) query.append('font', new URL(font).origin)
  return `/payment-form?${query}`
}

/** Only data can be sent to the frame. */
function plain(info: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(info ?? {}))
  } catch {
    return {}
  }
}

/** Pages call `validate()` and leave it at that: a rejection nobody takes must not show up as an error. E-commerce 7.6. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
