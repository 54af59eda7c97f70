// src/api/online/metadata.ts — reads the metadata of a payment: a shop's own texts by name.
import { faultSaying, kindOf } from '../read/field-fault.ts'
import { type Fields, wrong } from './fields.ts'

const MOST_KEYS = 50
const LONGEST_KEY = 64
const LONGEST_VALUE = 500

const ALLOWED =
  `an object of at most ${MOST_KEYS} texts of at most ${LONGEST_VALUE} characters, ` +
  `under names of at most ${LONGEST_KEY} characters`

export function readMetaData(fields: Fields): Readonly<Record<string, string>> | null {
  const sent = fields.raw('metaData')
  if (sent === undefined) return null
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return wrong(faultSaying('metaData', kindOf(sent), ALLOWED))
  const entries = Object.entries(sent)
  const fits = ([key, value]: [string, unknown]) =>
    key.length <= LONGEST_KEY && typeof value === 'string' && value.length <= LONGEST_VALUE && !value.includes('\u0000')
  // `Object.fromEntries` would set the prototype instead of a key.
  if (entries.length > MOST_KEYS || !entries.every(fits) || Object.hasOwn(sent, '__proto__'))
    return wrong(faultSaying('metaData', 'has too many entries, or one that is not allowed', ALLOWED))
  return Object.fromEntries(entries) as Record<string, string>
}
