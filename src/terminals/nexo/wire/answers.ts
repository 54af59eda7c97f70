// src/terminals/nexo/wire/answers.ts — tells apart what comes back from a terminal. Pure.
import { type Decoded, type DerivedKey, decode, UnreadableMessage } from '../codec.ts'
import { pairsOf } from './additional-response.ts'
import { countOf, listOf, type Members, memberAt, membersOf, parsed, textOf } from './lenient.ts'
import type { Category, Names } from './messages.ts'

/** What came back over HTTP. */
export interface Received {
  readonly status: number
  readonly text: string
}

export type Answer =
  /** An authentic response to this request: its body, such as that of `PaymentResponse`. */
  | { readonly answer: 'response'; readonly response: Members }
  /** Accepted without a word: how an Abort is answered. */
  | { readonly answer: 'accepted' }
  /** The terminal, or its provider, has not taken the request: the key does not fit, or the message does not. Nothing has begun. */
  | { readonly answer: 'refused'; readonly because: 'key' | 'message'; readonly detail: string }
  /** The provider's cloud says that it could not hand the request to the terminal. */
  | { readonly answer: 'undelivered' }
  /** Nothing is known: no answer, an answer that proves nothing, or one to another request. */
  | { readonly answer: 'none'; readonly because: string }

/** Longest text of a terminal that is logged. */
const LONGEST_DETAIL = 200

/** How messages get to a terminal: in the local network, or through the provider's cloud. */
export type Transport = 'local' | 'cloud'

/** Over what an answer came. */
export interface Way {
  readonly transport: Transport
  /** That the terminal may use. None: it answers in clear text, and the connection alone says who it is. */
  readonly keys: readonly DerivedKey[]
}

/** Reads an answer to a request. */
export function answerTo(category: Category, names: Names, received: Received, { transport, keys }: Way): Answer {
  const { status, text } = received
  if (status === 200 && (text.trim() === '' || text.trim().toLowerCase() === 'ok')) return { answer: 'accepted' }
  if (status === 401 || status === 403) return { answer: 'refused', because: 'key', detail: `HTTP ${status}` }
  const refusal = refusalIn(received) ?? (transport === 'cloud' ? refusalOfCloud(received) : null)
  if (refusal !== null) return refusal
  try {
    const decoded = decode(text, keys)
    if (transport === 'cloud' && !decoded.authentic && isUndelivered(names, decoded)) return { answer: 'undelivered' }
    const isTrusted = decoded.authentic || keys.length === 0
    return isTrusted ? authenticAnswer(category, names, decoded) : clearAnswer(decoded)
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error
    return { answer: 'none', because: status === 200 ? 'not readable, or not authentic' : `HTTP ${status}` }
  }
}

/** An error of the terminal's own server, before any payment application has seen the request. */
function refusalIn({ status, text }: Received): Answer | null {
  if (status < 400) return null
  const errors = errorsIn(text)
  if (/crypto error/i.test(errors)) return { answer: 'refused', because: 'key', detail: detailOf(errors) }
  if (status === 400 && /at toplevel|bad json/i.test(errors))
    return { answer: 'refused', because: 'message', detail: detailOf(errors) }
  return null
}

/** Problems of the request itself, which the provider's API finds before it hands the request on. */
const PROBLEMS: ReadonlySet<number> = new Set([400, 404, 422, 429])

function refusalOfCloud({ status, text }: Received): Answer | null {
  if (!PROBLEMS.has(status)) return null
  const problem = parsed(text)
  if (countOf(memberAt(problem, 'status')) !== status) return null
  const detail = [memberAt(problem, 'title'), memberAt(problem, 'detail')].map(textOf).filter(Boolean).join(': ')
  return { answer: 'refused', because: 'message', detail: detailOf(`HTTP ${status} ${detail}`) }
}

function isUndelivered({ serviceId }: Names, { header, body }: Decoded): boolean {
  if (textOf(header['ServiceID']) !== serviceId) return false
  const [response] = Object.entries(body).flatMap(([name, member]) => (name.endsWith('Response') ? [member] : []))
  const outcome = memberAt(response, 'Response')
  return (
    textOf(memberAt(outcome, 'Result')) === 'Failure' &&
    textOf(memberAt(outcome, 'ErrorCondition')) === 'UnreachableHost'
  )
}

function errorsIn(text: string): string {
  const answer = parsed(text)
  return answer === null ? text : listOf(memberAt(answer, 'errors')).map(textOf).join('; ')
}

function authenticAnswer(category: Category, { saleId, poiId, serviceId }: Names, { header, body }: Decoded): Answer {
  const member = `${category}Response`
  const isOurs =
    textOf(header['ServiceID']) === serviceId &&
    textOf(header['SaleID']) === saleId &&
    textOf(header['POIID']) === poiId
  if (!isOurs) return { answer: 'none', because: 'an answer to another request' }
  if (Object.hasOwn(body, member)) return { answer: 'response', response: membersOf(body[member]) }
  return eventAnswer(body) ?? { answer: 'none', because: 'an answer of another kind' }
}

/**
 * An answer in clear text although there is a key. It may be forged, so it never proves a result; a terminal that has no key yet
 * says so in clear text, and has not begun anything.
 */
function clearAnswer({ body }: Decoded): Answer {
  const event = eventAnswer(body)
  if (event !== null) return event
  const response = Object.entries(body).find(([name]) => name.endsWith('Response'))?.[1]
  const outcome = memberAt(response, 'Response')
  if (textOf(memberAt(outcome, 'ErrorCondition')) !== 'MessageFormat')
    return { answer: 'none', because: 'an answer in clear text' }
  const detail = textOf(memberAt(outcome, 'AdditionalResponse'))
  const isKey = /crypto|NexoBlob/i.test(detail)
  return { answer: 'refused', because: isKey ? 'key' : 'message', detail: detailOf(detail) }
}

/** A notification in place of an answer: our message was rejected, or something did not get through. */
function eventAnswer(body: Members): Answer | null {
  const event = memberAt(body, 'EventNotification')
  if (event === undefined) return null
  const details = pairsOf(textOf(memberAt(event, 'EventDetails')))
  const message = details.get('message') ?? textOf(memberAt(event, 'EventToNotify'))
  if (/not a JSON ?Object/i.test(message)) return { answer: 'refused', because: 'message', detail: detailOf(message) }
  return { answer: 'none', because: detailOf(`a notification: ${message}`) }
}

function detailOf(text: string): string {
  return text.slice(0, LONGEST_DETAIL)
}

/** Reading of a TransactionStatus response. */
export type Status =
  | { readonly status: 'answered'; readonly header: Members; readonly payment: Members }
  | { readonly status: 'in_progress' }
  | { readonly status: 'not_found' }
  /** The provider's cloud cannot reach the terminal now. */
  | { readonly status: 'undelivered' }
  /** Busy, out of order, or a repetition of something else: says nothing about the payment. */
  | { readonly status: 'no_statement'; readonly because: string }

/** Reads the answer to a question for a payment. @param serviceId of the payment; null for the last one, whichever it is */
export function statusOf(answer: Answer, serviceId: string | null): Status {
  if (answer.answer === 'undelivered') return { status: 'undelivered' }
  if (answer.answer !== 'response')
    return { status: 'no_statement', because: answer.answer === 'none' ? answer.because : answer.answer }
  const outcome = memberAt(answer.response, 'Response')
  const condition = textOf(memberAt(outcome, 'ErrorCondition'))
  if (textOf(memberAt(outcome, 'Result')) !== 'Success') {
    if (condition === 'InProgress') return { status: 'in_progress' }
    return condition === 'NotFound' ? { status: 'not_found' } : { status: 'no_statement', because: condition }
  }
  const repeated = memberAt(answer.response, 'RepeatedMessageResponse')
  const header = membersOf(memberAt(repeated, 'MessageHeader'))
  const payment =
    memberAt(repeated, 'RepeatedResponseMessageBody', 'PaymentResponse') ?? memberAt(repeated, 'PaymentResponse')
  if (payment === undefined) return { status: 'no_statement', because: 'nothing repeated' }
  if (serviceId !== null && textOf(header['ServiceID']) !== serviceId)
    return { status: 'no_statement', because: 'another payment repeated' }
  return { status: 'answered', header, payment: membersOf(payment) }
}
