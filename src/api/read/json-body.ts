// src/api/read/json-body.ts — reads a request body as a JSON object.
import type { IncomingHttpHeaders } from 'node:http'
import { TextDecoder } from 'node:util'
import type { Refusal } from '../../domain/refusals.ts'
import { memoise } from '../../engine/memoise.ts'
import { parseExactly } from './exact-numbers.ts'
import { faultSaying, kindOf, refusedFor } from './field-fault.ts'
import { DEEPEST, isTooDeep } from './json-depth.ts'
import type { SentBody } from './raw-body.ts'

export type JsonObject = { readonly [name: string]: unknown }
export type Refused = { readonly refused: Refusal }

/** Media types of JSON: `application/json`, `text/json`, and every `+json` such as `application/connect.v2+json`. */
const JSON_TYPE = /^(?:(?:application|text)\/json|[a-z0-9!#$&^_.-]+\/[a-z0-9!#$&^_.-]+\+json)$/

/** Cached content types: each till product sends its own. */
const CACHED_TYPES = 64

/** Shared: it has no state between whole bodies, and creating one costs as much as decoding a body. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body as a JSON object. Refuses with `media_type_unknown`, `body_not_json` or `field_invalid`.
 * @param mayBeEmpty read an empty body as an empty object
 */
export function jsonIn(
  headers: IncomingHttpHeaders,
  sent: SentBody,
  mayBeEmpty: boolean,
): { readonly value: JsonObject } | Refused {
  if ('refused' in sent) return sent
  const decoder = decoderFor(headers)
  if (decoder === null) return { refused: { code: 'media_type_unknown' } }
  return mayBeEmpty && sent.bytes.length === 0 ? { value: {} } : parse(sent.bytes, decoder)
}

/**
 * Reads a body with a JSON content type as text, without parsing it.
 * @returns null when the bytes are not valid text
 */
export function textIn(headers: IncomingHttpHeaders, sent: SentBody): { readonly text: string | null } | Refused {
  if ('refused' in sent) return sent
  const decoder = decoderFor(headers)
  if (decoder === null) return { refused: { code: 'media_type_unknown' } }
  try {
    return { text: decoder.decode(sent.bytes) }
  } catch {
    return { text: null }
  }
}

/** Returns the decoder of a body. Null for another content type, a compressed body or an unknown charset. */
function decoderFor(headers: IncomingHttpHeaders): TextDecoder | null {
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

/** Returns the charset of a JSON content type. Null for other types. */
const charsetIn = memoise(CACHED_TYPES, (contentType): string | null => {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  // A body without a type is read as JSON.
  if (type.trim() !== '' && !JSON_TYPE.test(type.trim())) return null
  const named = parameters.map(parameter => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/.exec(parameter)?.[1]).find(Boolean)
  return named ?? 'utf-8'
})

function parse(bytes: Buffer, decoder: TextDecoder): { readonly value: JsonObject } | Refused {
  let value: unknown
  try {
    // The decoder drops a byte order mark.
    value = parseExactly(decoder.decode(bytes))
  } catch {
    return { refused: { code: 'body_not_json' } }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refusedFor(faultSaying('body', kindOf(value), 'an object'))
  if (isTooDeep(value))
    return refusedFor(faultSaying('body', 'is nested too deeply', `nested ${DEEPEST} levels at most`))
  return { value: value as JsonObject }
}
