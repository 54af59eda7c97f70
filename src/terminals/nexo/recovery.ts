// src/terminals/nexo/recovery.ts — decides what to do about a payment whose answer is open. Pure.
import type { Status, Transport } from './wire/answers.ts'
import type { Verdict } from './wire/results.ts'

/** What is known of a payment that was sent. It is asked for until the truth is known, and never sent again. */
export interface Inquiry {
  readonly serviceId: string
  readonly transport: Transport
  /** Epoch milliseconds. */
  readonly sentAt: number
  /** Whether the connection on which it was sent still waits for the answer. */
  readonly line: 'open' | 'lost'
  /** Questions since the line was lost. */
  readonly tries: number
  /** When the line was lost, epoch milliseconds. */
  readonly lostAt: number
  /** Answers in a row that the terminal does not know the payment, on a lost line. */
  readonly missing: { readonly count: number; readonly firstAt: number }
  /** The provider's cloud said at once that it could not deliver the request. */
  readonly undelivered: boolean
  /** The response was a failure in words that are not known. */
  readonly doubted: boolean
  /** The till wants to cancel. */
  readonly cancelled: boolean
  /** The cloud has handed it over and said no more: its result is notified, or asked for now and then. */
  readonly handedOver: boolean
}

export type Input =
  /** A response to the payment, its own or repeated by the terminal. */
  | { readonly type: 'responded'; readonly verdict: Verdict; readonly repeated: boolean }
  /** The terminal has not taken the request at all. */
  | { readonly type: 'refused' }
  /** The provider's cloud says that it could not hand over the request. */
  | { readonly type: 'undelivered' }
  /** The line is gone, or what came on it proves nothing. */
  | { readonly type: 'line_lost' }
  | { readonly type: 'status'; readonly status: Exclude<Status, { readonly status: 'answered' }> }
  /** The cloud has handed over the request, and the connection has no more to say. */
  | { readonly type: 'handed_over' }
  /** It is on its way. */
  | { readonly type: 'sent' }
  /** The time of the last `wait` has come. */
  | { readonly type: 'time_came' }
  | { readonly type: 'cancel_wanted' }

export type Action =
  /** The response says how it ended. */
  | { readonly do: 'end'; readonly verdict: Extract<Verdict, { readonly verdict: 'ended' }> }
  /** The terminal has not begun it and will not: no money. */
  | { readonly do: 'deny'; readonly because: 'refused' | 'busy' | 'not_found' | 'undelivered' | 'unknown_failure' }
  /** Ask the terminal for its state now. */
  | { readonly do: 'ask' }
  | { readonly do: 'wait'; readonly until: number }
  /** Give up the line first: it is open, and the terminal says that it does not know the payment. */
  | { readonly do: 'hang_up'; readonly until: number }
  | { readonly do: 'abort'; readonly until: number }
  /** Nobody at the terminal can tell any more. */
  | { readonly do: 'give_up' }

/** When a terminal is asked beside the open line: by then its platform ends a payment. */
export const ASK_BESIDE_MS: Readonly<Record<Transport, number>> = { local: 120_000, cloud: 150_000 }
/** For so long a request may be on its way: that a terminal does not know it proves nothing. */
const ON_ITS_WAY_MS: Readonly<Record<Transport, number>> = { local: 0, cloud: 150_000 }
/** An answer within this time says what became of the request's delivery, not of the payment. */
const AT_ONCE_MS = 5_000
/** How long a terminal remembers a ServiceID. */
export const MEMORY_MS = 48 * 3_600_000
/** Answers in a row that deny a payment, and the time from the first to the last, before they are believed. */
const DENIALS = { count: 3, overMs: 15_000, everyMs: 5_000 } as const
/** Pauses between questions: the first five, then those of the first minute, then all others. */
const PAUSES = { first: 2_000, tries: 5, soon: 5_000, soonMs: 60_000, late: 15_000 } as const

const NEVER_MISSING = { count: 0, firstAt: 0 } as const

/** The inquiry of a payment that is being sent now. */
export function inquiryFor(serviceId: string, sentAt: number, transport: Transport): Inquiry {
  const fresh = {
    tries: 0,
    lostAt: sentAt,
    missing: NEVER_MISSING,
    undelivered: false,
    doubted: false,
    cancelled: false,
    handedOver: false,
  }
  return { serviceId, transport, sentAt, line: 'open', ...fresh }
}

/** The inquiry of a payment that an earlier process has sent. */
export function inquiryAfterRestart(serviceId: string, sentAt: number, transport: Transport, at: number): Inquiry {
  return { ...inquiryFor(serviceId, sentAt, transport), line: 'lost', lostAt: at }
}

export interface Step {
  readonly inquiry: Inquiry
  readonly action: Action
}

/** Takes one input. @param at epoch milliseconds */
export function step(inquiry: Inquiry, input: Input, at: number): Step {
  switch (input.type) {
    case 'responded':
      return responded(inquiry, input, at)
    case 'refused':
      return { inquiry, action: { do: 'deny', because: 'refused' } }
    case 'undelivered':
      return undelivered(inquiry, at)
    case 'line_lost':
      return asking(lost(inquiry, at))
    case 'handed_over':
      return waiting({ ...lost(inquiry, at), handedOver: true }, at)
    case 'status':
      return statusCame(inquiry, input.status.status, at)
    case 'time_came':
      return at >= inquiry.sentAt + MEMORY_MS ? { inquiry, action: { do: 'give_up' } } : asking(inquiry)
    case 'sent':
      return waiting(inquiry, at)
    case 'cancel_wanted':
      return waiting({ ...inquiry, cancelled: true }, at)
  }
}

function responded(
  inquiry: Inquiry,
  { verdict, repeated }: Extract<Input, { readonly type: 'responded' }>,
  at: number,
): Step {
  switch (verdict.verdict) {
    case 'ended':
      return { inquiry, action: { do: 'end', verdict } }
    case 'busy':
      // It runs what we have sent: the message got there twice. Without a name it may be either.
      if (verdict.serviceId === inquiry.serviceId || verdict.serviceId === '' || repeated) break
      return { inquiry, action: { do: 'deny', because: 'busy' } }
    case 'doubtful':
      if (CONTRADICTIONS.has(verdict.condition)) break
      if (inquiry.doubted) return { inquiry, action: { do: 'deny', because: 'unknown_failure' } }
      return repeated ? waiting({ ...inquiry, doubted: true }, at) : asking({ ...lost(inquiry, at), doubted: true })
    case 'none':
      break
  }
  // A repeated response that says nothing must not be asked for without a pause.
  return repeated ? waiting(inquiry, at) : asking(lost(inquiry, at))
}

/** Conditions of a status that a response to a payment cannot have. */
const CONTRADICTIONS: ReadonlySet<string> = new Set(['InProgress', 'NotFound'])

/** The terminal is asked once before it is believed that nothing got there. Later the words may be about the payment. */
function undelivered(inquiry: Inquiry, at: number): Step {
  if (at - inquiry.sentAt > AT_ONCE_MS) return asking(lost(inquiry, at))
  return { inquiry: { ...lost(inquiry, at), undelivered: true }, action: { do: 'wait', until: at + PAUSES.first } }
}

type StatusCame = Extract<Input, { readonly type: 'status' }>['status']['status']

function statusCame(inquiry: Inquiry, status: StatusCame, at: number): Step {
  if (inquiry.undelivered && (status === 'not_found' || status === 'undelivered'))
    return { inquiry, action: { do: 'deny', because: 'undelivered' } }
  const known = { ...inquiry, undelivered: false, tries: inquiry.tries + 1 }
  switch (status) {
    case 'in_progress': {
      const running = { ...known, missing: NEVER_MISSING }
      const { action } = waiting(running, at)
      // The terminal still waits for the card although the till has cancelled: the abort got lost.
      return action.do === 'wait' && inquiry.cancelled
        ? { inquiry: running, action: { do: 'abort', until: action.until } }
        : { inquiry: running, action }
    }
    case 'not_found':
      return notFound(known, at)
    case 'undelivered':
    case 'no_statement':
      return waiting({ ...known, missing: NEVER_MISSING }, at)
  }
}

/** The request may still be on its way, so one denial proves nothing. */
function notFound(inquiry: Inquiry, at: number): Step {
  if (inquiry.line === 'open') {
    const action = { do: 'hang_up', until: at + DENIALS.everyMs } as const
    return { inquiry: { ...lost(inquiry, at), tries: inquiry.tries }, action }
  }
  const { count, firstAt } = inquiry.missing
  const missing = { count: count + 1, firstAt: count === 0 ? at : firstAt }
  const isBelieved =
    missing.count >= DENIALS.count &&
    at - missing.firstAt >= DENIALS.overMs &&
    at - inquiry.sentAt >= ON_ITS_WAY_MS[inquiry.transport]
  const action: Action = isBelieved ? { do: 'deny', because: 'not_found' } : { do: 'wait', until: at + DENIALS.everyMs }
  return { inquiry: { ...inquiry, missing }, action }
}

function lost(inquiry: Inquiry, at: number): Inquiry {
  return inquiry.line === 'lost' ? inquiry : { ...inquiry, line: 'lost', lostAt: at, tries: 0, missing: NEVER_MISSING }
}

function asking(inquiry: Inquiry): Step {
  return { inquiry, action: { do: 'ask' } }
}

function waiting(inquiry: Inquiry, at: number): Step {
  return { inquiry, action: { do: 'wait', until: nextQuestionAt(inquiry, at) } }
}

/** When to ask next, epoch milliseconds. */
function nextQuestionAt({ transport, line, sentAt, tries, lostAt, handedOver }: Inquiry, at: number): number {
  if (handedOver) return at + PAUSES.late
  if (line === 'open') return Math.max(sentAt + ASK_BESIDE_MS[transport], at + PAUSES.late)
  if (tries < PAUSES.tries) return at + PAUSES.first
  return at + (at - lostAt < PAUSES.soonMs ? PAUSES.soon : PAUSES.late)
}
