// src/api/socket/envelope.ts — a message from a till, from text to a request or a reply, or to what is wrong with it. The
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

/** What may stand in a message. No object has any of these names without its being written there. */
type Message = { readonly [Name in 'jsonrpc' | 'id' | 'method' | 'params' | 'result' | 'error']?: unknown }

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
  const id = readId(message.id)
  if (message.jsonrpc !== '2.0' || id === null) return { kind: 'fault', code: INVALID_REQUEST, id }
  const { method } = message
  const isReply = method === undefined && (message.result !== undefined || message.error !== undefined)
  const read = isReply ? replyIn(message, id) : requestIn(message, id)
  return read ?? { kind: 'fault', code: INVALID_REQUEST, id }
}

/** An id is an integer from 0 to 999999. Seed §2.6. */
function readId(id: unknown): number | null {
  return typeof id === 'number' && Number.isInteger(id) && id >= 0 && id <= LARGEST_ID ? id + 0 : null
}

function requestIn(message: Message, id: number): Envelope | null {
  const { method, params } = message
  return typeof method === 'string' && hasOnly(message, REQUEST_MEMBERS)
    ? { kind: 'request', id, method, params }
    : null
}

function replyIn(message: Message, id: number): Envelope | null {
  const { result, error } = message
  if (!hasOnly(message, REPLY_MEMBERS) || (result === undefined) === (error === undefined)) return null
  return { kind: 'reply', id, reply: error === undefined ? { result } : { error } }
}

function hasOnly(message: Message, names: ReadonlySet<string>): boolean {
  for (const name of Object.keys(message)) if (!names.has(name)) return false
  return true
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
  const { params } = message
  return { ...exactMembers(message), ...(isObject(params) ? { params: exactMembers(params) } : {}) }
}

function exactMembers(object: Members): Members {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, exactValue(value)]))
}

/** A number that is no integer is no value that any member takes. */
function exactValue(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('\u0000') ? (exactInteger(value) ?? Number.NaN) : value
}

function isObject(value: unknown): value is Members & Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
