// src/terminals/nexo/wire/additional-response.ts — decodes AdditionalResponse: form-encoded pairs, or JSON in base64. Pure.
import { type Members, membersOf, textOf } from './lenient.ts'

/** Values by name. Which names there are depends on the settings of the merchant's account: each may be missing. */
export type AdditionalResponse = ReadonlyMap<string, string>

const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^[A-Za-z0-9+/]{2}==$|^[A-Za-z0-9+/]{3}=$/

/** Decodes either form; the form may differ from answer to answer. What cannot be decoded is left out. Never throws. */
export function additionalResponseOf(value: unknown): AdditionalResponse {
  const text = textOf(value)
  const object = objectIn(text)
  return object === null ? pairsOf(text) : flattened(object)
}

/** Form-encoded pairs: the first of equal names counts, and a plus is a blank. */
export function pairsOf(text: string): AdditionalResponse {
  const pairs = new Map<string, string>()
  for (const pair of text.split('&')) {
    const [encodedName = '', ...rest] = pair.split('=')
    const name = decoded(encodedName)
    if (name !== '' && !pairs.has(name)) pairs.set(name, decoded(rest.join('=')))
  }
  return pairs
}

function decoded(text: string): string {
  const withBlanks = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(withBlanks)
  } catch {
    return withBlanks
  }
}

/** The JSON object in base64. Null when it is anything else: form-encoded text may look like base64. */
function objectIn(text: string): Members | null {
  if (!BASE64.test(text)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null
  } catch {
    return null
  }
}

/** One level of objects inside, such as `additionalData`, is lifted. */
function flattened(object: Members): AdditionalResponse {
  const pairs = new Map<string, string>()
  const add = ([name, value]: readonly [string, unknown]): void => {
    if (typeof value !== 'object' && !pairs.has(name)) pairs.set(name, String(value))
  }
  for (const each of Object.entries(object)) add(each)
  for (const value of Object.values(object)) for (const each of Object.entries(membersOf(value))) add(each)
  return pairs
}
