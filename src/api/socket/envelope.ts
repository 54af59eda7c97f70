// src/api/socket/envelope.ts — parses a message of a till as a request, a reply or a fault.
import { isUtf8 } from 'node:buffer'
import type { Refusal } from '../../domain/refusals.ts'
import { parseExactly } from '../read/exact-numbers.ts'
import { INVALID_REQUEST, PARSE_ERROR, type RpcCode } from './rpc-codes.ts'

export const LARGEST_ID = 999_999

export type Envelope =
  | { readonly kind: 'request'; readonly id: number; readonly method: string; readonly params: unknown }
  | {
      readonly kind: 'reply'
      readonly id: number
      readonly reply: { readonly result: unknown } | { readonly error: unknown }
    }
  /** `id` is null when it could not be read. */
  | { readonly kind: 'fault'; readonly code: RpcCode; readonly id: number | null }

/** The refusal of a message that is no request. */
export function faultOf(code: RpcCode): Refusal {
  return { code: code === PARSE_ERROR ? 'body_not_json' : 'request_malformed' }
}

const BYTE_ORDER_MARK = '\uFEFF'

type Members = Readonly<Record<string, unknown>>

/** Members of a message. None of these names is inherited from Object.prototype. */
type Message = { readonly [Name in 'jsonrpc' | 'id' | 'method' | 'params' | 'result' | 'error']?: unknown }

const REQUEST_MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const REPLY_MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'result', 'error'])

/** Decodes a text or binary frame, without a byte order mark. Null when it is not valid UTF-8. */
export function textIn(bytes: Buffer): string | null {
  if (!isUtf8(bytes)) return null
  const text = bytes.toString('utf8')
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

/** Parses a message. @param text null when the frame was not valid UTF-8 */
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

/** Reads an id, an integer from 0 to 999999. Null for other values. See docs/websocket.md. */
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

/** Parses JSON. Undefined when it is not valid. */
function parse(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Members & Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
