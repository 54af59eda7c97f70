// src/domain/redaction.ts — redacts secrets and card numbers in recorded messages, recorded requests and log lines.
import { LONGER_THAN_A_REFERENCE, replaceCardNumbers } from './card-numbers.ts'

/** Members that are always redacted, in any case of letters: card data, card tokens and credentials. */
const SECRET: ReadonlySet<string> = new Set([
  'apikey',
  'authorization',
  'cardnumber',
  'cardtoken',
  'cv2',
  'cvc',
  'cvc2',
  'cvv',
  'cvv2',
  'digits',
  'hash',
  'jwt',
  'key',
  'pan',
  'password',
  'pin',
  'secret',
  'securitycode',
  'token',
  'track1',
  'track2',
])

/** Stands for what was redacted. */
export const STRUCK_OUT = '[redacted]'
/** An Authorization header within a text. */
const CREDENTIALS = /\b(Basic|Bearer)\s+[\w.~+/=-]{6,}/gi
/** A signed or encrypted JWT, also without a scheme in front: its header is JSON, which begins so in base64url. */
const JWT = /\beyJ[\w-]{6,}(?:\.[\w-]*){2,4}/g
/** An API key as the gateway makes them. */
const API_KEY = /\btg_[\w-]{20,}/g
/** Begins every credential, JWT and API key. Nearly all texts end here. */
const MAY_HOLD_SECRET = /\b(?:(?:Basic|Bearer)\s|eyJ|tg_)/i
/** Members with addresses, whose query and user name may hold secrets. */
const ADDRESS = /ur[li]$/i
/** Maximum depth: deeper than any message; ends cycles. */
const DEEPEST = 12

/** Copies plain data without secrets and without anything that looks like a card number. */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return struckOut(value)
  if (typeof value === 'number') return redacted(String(value)) === STRUCK_OUT ? STRUCK_OUT : value
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return STRUCK_OUT
  if (Array.isArray(value)) return value.map(each => redacted(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [struckOut(name), redactedMember(name, each, depth + 1)]),
  )
}

/** Whether the name of a member says that its value is a secret. */
export function isSecretMember(name: string): boolean {
  return SECRET.has(name.toLowerCase())
}

/** Copies the value of a member as `redacted` does, which also depends on its name. */
export function redactedMember(name: string, value: unknown, depth = 0): unknown {
  if (isSecretMember(name)) return STRUCK_OUT
  return redacted(typeof value === 'string' && ADDRESS.test(name) ? bareAddress(value) : value, depth)
}

/** An address without user name, query and fragment. */
function bareAddress(address: string): string {
  return address.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//')
}

/** The text without card numbers, Authorization headers, JWTs and API keys. */
export function struckOut(text: string): string {
  const plain = MAY_HOLD_SECRET.test(text) ? withoutCredentials(text) : text
  return replaceCardNumbers(plain, () => STRUCK_OUT, LONGER_THAN_A_REFERENCE)
}

function withoutCredentials(text: string): string {
  return text.replace(CREDENTIALS, `$1 ${STRUCK_OUT}`).replace(JWT, STRUCK_OUT).replace(API_KEY, STRUCK_OUT)
}
