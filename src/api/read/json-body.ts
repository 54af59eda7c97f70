// src/api/read/json-body.ts — a request body, from bytes on a socket to a JSON object.
import type { IncomingMessage } from 'node:http'
import { TextDecoder } from 'node:util'
import type { Refusal } from '../../domain/refusals.ts'
import { memo } from '../memo.ts'
import { keepDigits } from './exact-numbers.ts'

export type JsonObject = { readonly [name: string]: unknown }
export type Refused = { readonly refused: Refusal }

/** JSON by any name: `application/json`, `text/json`, and every `+json` such as `application/connect.v2+json`. */
const JSON_TYPE = /^(?:(?:application|text)\/json|[a-z0-9!#$&^_.-]+\/[a-z0-9!#$&^_.-]+\+json)$/

/** Content types remembered: each till product sends its own one. */
const CACHED_TYPES = 64

/** One for all: it keeps nothing between whole bodies, and making one costs as much as reading one. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the body of a request as a JSON object.
 * @param limitBytes what is longer is refused, and the rest of it is not read
 * @param mayBeEmpty no bytes at all stand for an object without fields
 */
export function readJsonBody(
  request: IncomingMessage,
  limitBytes: number,
  mayBeEmpty: boolean,
): Promise<{ readonly value: JsonObject } | Refused> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.resolve(TOO_LARGE)
  const decoder = decoderFor(request)
  if (decoder === null) return Promise.resolve({ refused: { code: 'media_type_unknown' } })
  return collect(request, limitBytes).then(bytes => {
    if (bytes === null) return TOO_LARGE
    return mayBeEmpty && bytes.length === 0 ? { value: {} } : parse(bytes, decoder)
  })
}

const TOO_LARGE: Refused = { refused: { code: 'body_too_large' } }

/**
 * Reads the body of a request that is said to be JSON, whatever it really is.
 * @returns its text; null when the bytes are none
 */
export async function readText(
  request: IncomingMessage,
  limitBytes: number,
): Promise<{ readonly text: string | null } | Refused> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return { refused: { code: 'body_too_large' } }
  const decoder = decoderFor(request)
  if (decoder === null) return { refused: { code: 'media_type_unknown' } }
  const bytes = await collect(request, limitBytes)
  if (bytes === null) return { refused: { code: 'body_too_large' } }
  try {
    return { text: decoder.decode(bytes) }
  } catch {
    return { text: null }
  }
}

/** Null when the Content-Type is no JSON, or the bytes are packed or in letters that we cannot read. */
function decoderFor({ headers }: IncomingMessage): TextDecoder | null {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity') return null
  const charset = charsetIn(headers['content-type'] ?? '')
  if (charset === null || charset === 'utf-8') return charset === null ? null : UTF_8
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    return null
  }
}

/** The letters that a Content-Type of JSON is written in; null for any other type. */
const charsetIn = memo(CACHED_TYPES, (contentType): string | null => {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  // A body without a type is taken for JSON: nothing else is spoken here.
  if (type.trim() !== '' && !JSON_TYPE.test(type.trim())) return null
  const named = parameters.map(parameter => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/.exec(parameter)?.[1]).find(Boolean)
  return named ?? 'utf-8'
})

/** All bytes, or null when there are too many. Rejects when the sender goes away before the end. */
export function collect(request: IncomingMessage, limitBytes: number): Promise<Buffer | null> {
  // It has told so already, and will not again.
  if (request.destroyed) return Promise.reject(new SenderGone())
  const chunks: Buffer[] = []
  let length = 0
  let ended = false
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length <= limitBytes) chunks.push(chunk)
      else {
        request.off('data', onData)
        request.pause()
        resolve(null)
      }
    }
    request.on('data', onData)
    // Each settles it once; `once` would only make another function for each request.
    request.on('end', () => {
      ended = true
      const [only] = chunks
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
    })
    // It is closed after that.
    request.on('error', noted)
    request.on('close', () => {
      if (!ended) reject(new SenderGone())
    })
  })
}

function noted(): void {}

/** The sender went away in the middle of its request. Nobody is left to be answered. */
export class SenderGone extends Error {
  override readonly name = 'SenderGone'
}

function parse(bytes: Buffer, decoder: TextDecoder): { readonly value: JsonObject } | Refused {
  let value: unknown
  try {
    // The decoder drops a byte order mark.
    const text = decoder.decode(bytes)
    value = JSON.parse(text)
    const exact = keepDigits(text)
    if (exact !== text) value = JSON.parse(exact)
  } catch {
    return { refused: { code: 'body_not_json' } }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { refused: { code: 'field_invalid', field: 'body' } }
  return { value: value as JsonObject }
}
