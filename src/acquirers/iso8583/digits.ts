// src/acquirers/iso8583/digits.ts — packs digits as BCD, in characters and as binary numbers.
import { type Charset, decodeText, encodeText } from './code-pages.ts'
import type { FixedNumber, OddFiller } from './field-format.ts'
import { createReader, type Reader } from './reader.ts'
import { Refused } from './refused.ts'

/** Half byte between the parts of a track. */
const SEPARATOR = 'd'

/** Two digits a byte. `=` becomes the half byte D. */
export function packBcd(digits: string, odd: OddFiller): Uint8Array {
  const nibbles = digits.replaceAll('=', SEPARATOR)
  if (nibbles.length % 2 === 0) return Buffer.from(nibbles, 'hex')
  switch (odd) {
    case 'left0':
      return Buffer.from(`0${nibbles}`, 'hex')
    case 'right0':
      return Buffer.from(`${nibbles}0`, 'hex')
    case 'rightF':
      return Buffer.from(`${nibbles}f`, 'hex')
  }
}

/**
 * The digits of BCD bytes.
 * @param count number of digits; null when only the number of bytes is known. Then a filler F is recognised, and a filler 0 is not.
 * @param isTrack whether separators are allowed
 * @param offset of the first byte in the message
 */
export function unpackBcd(
  bytes: Uint8Array,
  { count, odd, isTrack }: { readonly count: number | null; readonly odd: OddFiller; readonly isTrack: boolean },
  field: string,
  offset: number,
): string {
  let nibbles = Buffer.from(bytes).toString('hex')
  if (count === null && odd === 'rightF' && nibbles.endsWith('f')) nibbles = nibbles.slice(0, -1)
  if (count !== null && count % 2 === 1) nibbles = withoutFiller(nibbles, odd, field, offset)
  const wrong = nibbles.search(isTrack ? /[^\dd]/ : /\D/)
  if (wrong >= 0) throw new Refused(field, 'a half byte is not a digit', offset + Math.floor(wrong / 2))
  return nibbles.replaceAll(SEPARATOR, '=')
}

function withoutFiller(nibbles: string, odd: OddFiller, field: string, offset: number): string {
  const filler = odd === 'rightF' ? 'f' : '0'
  const found = odd === 'left0' ? nibbles.charAt(0) : nibbles.slice(-1)
  if (found !== filler) {
    const at = odd === 'left0' ? offset : offset + nibbles.length / 2 - 1
    throw new Refused(field, `the filler of an odd number of digits is not ${filler.toUpperCase()}`, at)
  }
  return odd === 'left0' ? nibbles.slice(1) : nibbles.slice(0, -1)
}

/** Largest number that fits. */
function largest({ as, bytes }: FixedNumber): number {
  if (as === 'binary') return 256 ** bytes - 1
  return 10 ** (as === 'bcd' ? 2 * bytes : bytes) - 1
}

/** A whole number in a fixed number of bytes. @throws Refused when it does not fit */
export function packNumber(format: FixedNumber, number: number, codePage: Charset, field: string): Uint8Array {
  const { as, bytes } = format
  if (number > largest(format)) throw new Refused(field, `${number} does not fit into ${bytes} bytes (${as})`)
  switch (as) {
    case 'binary':
      return Buffer.from(number.toString(16).padStart(2 * bytes, '0'), 'hex')
    case 'bcd':
      return Buffer.from(String(number).padStart(2 * bytes, '0'), 'hex')
    case 'ascii':
    case 'ebcdic':
      return packCharacters(String(number).padStart(bytes, '0'), as === 'ascii' ? 'ascii' : codePage, field)
  }
}

/** The number that `packNumber` wrote. */
export function unpackNumber(format: FixedNumber, reader: Reader, codePage: Charset, field: string): number {
  const { as, bytes } = format
  const { offset } = reader
  const taken = reader.take(bytes, field)
  switch (as) {
    case 'binary':
      return Number.parseInt(Buffer.from(taken).toString('hex'), 16)
    case 'bcd':
      return Number(unpackBcd(taken, { count: 2 * bytes, odd: 'left0', isTrack: false }, field, offset))
    case 'ascii':
    case 'ebcdic': {
      const text = unpackCharacters(createReader(taken, offset), bytes, as === 'ascii' ? 'ascii' : codePage, field)
      if (/^\d+$/.test(text)) return Number(text)
      throw new Refused(field, 'a length or tag is not a number', offset)
    }
  }
}

/** Text as bytes. @throws Refused for a character that the charset does not have */
export function packCharacters(text: string, charset: Charset, field: string): Uint8Array {
  const bytes = encodeText(charset, text)
  if (!('wrongAt' in bytes)) return bytes
  throw new Refused(field, `character ${bytes.wrongAt + 1} does not exist in ${nameOf(charset)}`)
}

/** The next characters. */
export function unpackCharacters(reader: Reader, count: number, charset: Charset, field: string): string {
  const { offset } = reader
  const text = decodeText(charset, reader.take(count, field))
  if (typeof text === 'string') return text
  throw new Refused(field, `a byte is no printed character in ${nameOf(charset)}`, offset + text.wrongAt)
}

function nameOf(charset: Charset): string {
  return charset === 'ascii' ? 'ASCII' : `EBCDIC ${charset}`
}
