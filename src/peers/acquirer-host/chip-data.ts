// src/peers/acquirer-host/chip-data.ts — reads the tags of chip data (field 55) and compares its amount with the message.
import type { Fields } from './codec.ts'

const AMOUNT = '9F02'
/** Of the amount, what is paid out in cash. */
const OTHER_AMOUNT = '9F03'
const MORE_BYTES = 0x1f
const ANOTHER_BYTE = 0x80

/** Reads tags and values in hexadecimal. Null when a tag is cut off or comes twice. */
export function chipTags(hex: string): ReadonlyMap<string, string> | null {
  const bytes = Buffer.from(hex, 'hex')
  const tags = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const start = at
    at += 1
    if (((bytes[start] ?? 0) & MORE_BYTES) === MORE_BYTES) {
      do at += 1
      while (((bytes[at - 1] ?? 0) & ANOTHER_BYTE) !== 0 && at < bytes.length)
    }
    const tag = bytes.subarray(start, at).toString('hex').toUpperCase()
    const first = bytes[at]
    if (first === undefined) return null
    const more = first < ANOTHER_BYTE ? 0 : first - ANOTHER_BYTE
    if (more > 2 || at + 1 + more > bytes.length) return null
    const size = more === 0 ? first : bytes.readUIntBE(at + 1, more)
    at += 1 + more
    if (at + size > bytes.length || tags.has(tag)) return null
    tags.set(
      tag,
      bytes
        .subarray(at, at + size)
        .toString('hex')
        .toUpperCase(),
    )
    at += size
  }
  return tags
}

/** What is wrong with the chip data of a message; null for nothing. @param cash digits of the cash in field 54; null for none */
export function chipFault(fields: Fields, cash: string | null = null): string | null {
  if (fields[55] === undefined) return null
  const tags = chipTags(fields[55])
  if (tags === null) return 'cannot be read'
  const amount = tags.get(AMOUNT)
  if (amount !== undefined && fields[4] !== undefined && amount !== fields[4]) return 'has another amount'
  const other = tags.get(OTHER_AMOUNT)
  return other === undefined || Number(other) === Number(cash ?? 0) ? null : 'has another amount of cash'
}
