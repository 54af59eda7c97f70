// src/acquirers/iso8583/bitmap.ts — packs the numbers of the fields as 64 bits, the leftmost for the first.
import type { Charset } from './code-pages.ts'
import { packCharacters, unpackCharacters } from './digits.ts'
import type { BitmapPacking } from './field-format.ts'
import type { Reader } from './reader.ts'
import { Refused } from './refused.ts'

const BITS = 64

/** @param numbers from 1 to 64 */
export function packBitmap(
  numbers: Iterable<number>,
  as: BitmapPacking,
  codePage: Charset,
  field = 'bitmap',
): Uint8Array {
  const bytes = Buffer.alloc(BITS / 8)
  for (const number of numbers) {
    const index = Math.floor((number - 1) / 8)
    bytes[index] = (bytes[index] ?? 0) | (0x80 >> ((number - 1) % 8))
  }
  if (as === 'raw') return bytes
  return packCharacters(bytes.toString('hex').toUpperCase(), as === 'hex' ? 'ascii' : codePage, field)
}

/** The numbers of the bits that are set, ascending from 1. */
export function unpackBitmap(
  reader: Reader,
  as: BitmapPacking,
  codePage: Charset,
  field = 'bitmap',
): readonly number[] {
  const bytes = as === 'raw' ? reader.take(BITS / 8, field) : hexBytes(reader, as === 'hex' ? 'ascii' : codePage, field)
  return Array.from({ length: BITS }, (_, bit) => bit + 1).filter(
    number => ((bytes[Math.floor((number - 1) / 8)] ?? 0) & (0x80 >> ((number - 1) % 8))) !== 0,
  )
}

function hexBytes(reader: Reader, charset: Charset, field: string): Uint8Array {
  const { offset } = reader
  const text = unpackCharacters(reader, BITS / 4, charset, field)
  const wrong = text.search(/[^\da-f]/i)
  if (wrong >= 0) throw new Refused(field, 'a character is not hexadecimal', offset + wrong)
  return Buffer.from(text, 'hex')
}
