// src/api/read/json-body.ts — turns the bytes of a request body into a JSON object.
import type { IncomingHttpHeaders } from 'node:http'
import { TextDecoder } from 'node:util'
import type { Refusal } from '../../domain/refusals.ts'
import { memoise } from '../../engine/memoise.ts'
import { keepDigits } from './exact-numbers.ts'
import { isTooDeep } from './json-depth.ts'
import type { SentBody } from './raw-body.ts'

export type JsonObject = { readonly [name: string]: unknown }
export type Refused = { readonly refused: Refusal }

/** JSON by any name: `application/json`, `text/json`, and every `+json` such as `application/connect.v2+json`. */
const JSON_TYPE = /^(?:(?:application|text)\/json|[a-z0-9!#$&^_.-]+\/[a-z0-9!#$&^_.-]+\+json)$/

/** Content types remembered: each till product sends its own one. */
const CACHED_TYPES = 64

/** One for all: it keeps nothing between whole bodies, and making one costs as much as reading one. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** @param mayBeEmpty no bytes at all stand for an object without fields */
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
 * The text of a body that is said to be JSON, whatever it really is.
 * @returns null when the bytes are none
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

/** Null when the Content-Type is no JSON, or the bytes are packed or in letters that we cannot read. */
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

/** The letters that a Content-Type of JSON is written in; null for any other type. */
const charsetIn = memoise(CACHED_TYPES, (contentType): string | null => {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  // A body without a type is taken for JSON: nothing else is spoken here.
  if (type.trim() !== '' && !JSON_TYPE.test(type.trim())) return null
  const named = parameters.map(parameter => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/.exec(parameter)?.[1]).find(Boolean)
  return named ?? 'utf-8'
})

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
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isTooDeep(value))
    return { refused: { code: 'field_invalid', field: 'body' } }
  return { value: value as JsonObject }
}
