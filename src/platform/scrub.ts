// src/platform/scrub.ts — redacts secrets and card numbers from log lines.
// It is the last line of defence; callers must not rely on it.

import { struckOut } from '../domain/redaction.ts'
import { memoise } from '../engine/memoise.ts'

/** A field is redacted when its name ends in one of these words: `apiKey`, `access_token`, `x-api-key`. */
const SECRET_WORDS = new Set([
  'authorization',
  'authorisation',
  'cookie',
  'credentials',
  'cvc',
  'cvv',
  'jwt',
  'key',
  'pan',
  'password',
  'pin',
  'secret',
  'token',
])
/** A field is also redacted when its name, words joined, ends in one of these. */
const SECRET_ENDINGS = ['accountnumber', 'cardnumber', 'securitycode', 'track2']
/** Last words of fields with addresses, whose query is removed. */
const ADDRESS_WORDS = new Set(['url', 'uri', 'path', 'location', 'href'])

const STRUCK_OUT = '[redacted]'
/** Deepest nesting, deeper than any logged record. Ends circular references. */
const DEEPEST = 8

/** Treatment of a field by its name. */
type Nature = 'secret' | 'address' | 'plain'
/** Cached field names. The program writes a few dozen. */
const CACHED_NATURES = 512

/** Copies fields with secrets redacted. Errors become plain data. */
export function scrub(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return scrubRecord(fields, 0)
}

function scrubRecord(fields: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, scrubField(name, value, depth)]))
}

function scrubField(name: string, field: unknown, depth: number): unknown {
  if (field === null || field === undefined || typeof field === 'boolean') return field
  const nature = natureOf(name)
  if (nature === 'secret') return STRUCK_OUT
  const value = plainOf(field)
  return typeof value === 'string' && nature === 'address' ? struckOut(withoutQuery(value)) : scrubPlain(value, depth)
}

const natureOf = memoise(CACHED_NATURES, (name): Nature => {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  const joined = words.join('')
  if (SECRET_WORDS.has(last.replace(/s$/, '')) || SECRET_ENDINGS.some(ending => joined.endsWith(ending)))
    return 'secret'
  return ADDRESS_WORDS.has(last) ? 'address' : 'plain'
})

function scrubPlain(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return struckOut(value)
  if (typeof value === 'number') return struckOut(String(value)) === STRUCK_OUT ? STRUCK_OUT : value
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEEPEST) return '[too deep]'
  if (Array.isArray(value)) return value.map(each => scrubPlain(plainOf(each), depth + 1))
  return scrubRecord({ ...value }, depth + 1)
}

/** Converts a value as JSON does, but keeps the details of errors and hides bytes, which may be a key. */
function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Error)
    return { ...value, type: value.name, message: value.message, stack: value.stack, cause: value.cause }
  if (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function')
    return value.toJSON()
  return value
}

/** Splits a name into lower-case words: `apiKey` and `API_KEY` into `api` and `key`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '')
}
