// src/api/rpc/envelope.ts — a message from a till, from text to a request or a reply, or to what is wrong with it. The
// checks come in the order of terminal socket reference 2.5, steps 1 to 3.
import { isUtf8 } from 'node:buffer'
import { exactInteger, keepDigits } from '../read/exact-numbers.ts'
import { INVALID_REQUEST, PARSE_ERROR, type RpcCode } from './codes.ts'

export const LARGEST_ID = 999_999

export type Envelope =
  | { readonly kind: 'request'; readonly id: number; readonly method: string; readonly params: unknown }
  | {
      readonly kind: 'reply'
      readonly id: number
      readonly reply: { readonly result: unknown } | { readonly error: unknown }
    }
  /** `id` is null when none could be read. */
  | { readonly kind: 'fault'; readonly code: RpcCode; readonly id: number | null }

const BYTE_ORDER_MARK = '\uFEFF'

type Members = Readonly<Record<string, unknown>>

const REQUEST_MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const REPLY_MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'result', 'error'])

/** The text in a frame of either kind, without a byte order mark; null when it is none. */
export function textIn(bytes: Buffer): string | null {
  if (!isUtf8(bytes)) return null
  const text = bytes.toString('utf8')
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

/** Reads a message. Null: what came could not be read as text. */
export function readEnvelope(text: string | null): Envelope {
  const message = text === null ? undefined : parse(text)
  if (message === undefined) return { kind: 'fault', code: PARSE_ERROR, id: null }
  if (!isObject(message)) return { kind: 'fault', code: INVALID_REQUEST, id: null }
  const id = idOf(message)
  const wrong: Envelope = { kind: 'fault', code: INVALID_REQUEST, id }
  if (own(message, 'jsonrpc') !== '2.0' || id === null) return wrong
  const isReply = !Object.hasOwn(message, 'method') && ['result', 'error'].some(name => Object.hasOwn(message, name))
  const known = isReply ? REPLY_MEMBERS : REQUEST_MEMBERS
  if (Object.keys(message).some(name => !known.has(name))) return wrong
  if (isReply) return replyIn(message, id) ?? wrong
  const { method } = message
  return typeof method === 'string' ? { kind: 'request', id, method, params: own(message, 'params') } : wrong
}

/** An id is an integer from 0 to 999999. Seed §2.6. */
function idOf(message: Members): number | null {
  const id = own(message, 'id')
  return Number.isInteger(id) && Number(id) >= 0 && Number(id) <= LARGEST_ID ? Number(id) + 0 : null
}

function replyIn(message: Members, id: number): Envelope | null {
  const [hasResult, hasError] = [Object.hasOwn(message, 'result'), Object.hasOwn(message, 'error')]
  if (hasResult === hasError) return null
  return { kind: 'reply', id, reply: hasError ? { error: message['error'] } : { result: message['result'] } }
}

/** The value of a JSON text; undefined when it is none. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const exact = keepDigits(text)
    return exact === text ? value : withExactNumbers(JSON.parse(exact))
  } catch {
    return undefined
  }
}

/** Where a parser could have rounded, numbers count as what they say. They stand in a message and its params only. */
function withExactNumbers(message: unknown): unknown {
  if (!isObject(message)) return message
  const params = own(message, 'params')
  return { ...exactMembers(message), ...(isObject(params) ? { params: exactMembers(params) } : {}) }
}

function exactMembers(object: Members): Members {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, exactValue(value)]))
}

/** A number that is no integer is no value that any member takes. */
function exactValue(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('\u0000') ? (exactInteger(value) ?? Number.NaN) : value
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Own members only: a name such as `constructor` must not find anything. */
function own(message: Members, name: string): unknown {
  return Object.hasOwn(message, name) ? message[name] : undefined
}
