// src/acquirers/iso8583/message-codec.ts — packs and unpacks whole messages by the formats of a dialect.
import { packBitmap, unpackBitmap } from './bitmap.ts'
import type { Charset } from './code-pages.ts'
import { packBcd, packCharacters, unpackBcd, unpackCharacters } from './digits.ts'
import { packField, unpackField } from './field-codec.ts'
import type { BitmapPacking, FieldFormat, FieldValue } from './field-format.ts'
import { createReader, type Reader } from './reader.ts'
import { Refused } from './refused.ts'

/** Bit that announces the second bitmap, fields 65 to 128. */
const SECOND_BITMAP = 1
/** Bit of a third bitmap, which no message type of 1987 or 1993 uses. */
const THIRD_BITMAP = 65
const FIELDS_OF_A_BITMAP = 64

/** How messages begin, and the formats of their fields. */
export interface MessageFormat {
  readonly mti: 'ascii' | 'bcd' | 'ebcdic'
  readonly bitmap: BitmapPacking
  /** Sends the second bitmap also when it is empty. */
  readonly alwaysSecondary: boolean
  readonly codePage: Charset
  /** Formats of fields 2 to 128. A field without one can be neither sent nor received. */
  readonly fields: ReadonlyMap<number, FieldFormat>
}

export interface Message {
  /** Four digits. */
  readonly mti: string
  readonly fields: Readonly<Record<number, FieldValue>>
}

/** Where a field was found: its first byte, from 0 at the message type, and its bytes with those of its length. */
export interface Place {
  readonly offset: number
  readonly bytes: number
}

export interface UnpackedMessage extends Message {
  /** One or both bitmaps as they came, in hexadecimal: 16 or 32 digits. */
  readonly bitmap: string
  readonly places: Readonly<Record<number, Place>>
}

/** The bytes of a message, from the message type on. @throws Refused for a value that the dialect does not allow */
export function packMessage(format: MessageFormat, { mti, fields }: Message): Uint8Array {
  if (!/^\d{4}$/.test(mti)) throw new Refused('mti', 'must be four digits')
  const numbers = Object.keys(fields).map(Number)
  const packed = numbers
    .toSorted((one, other) => one - other)
    .map(number => {
      const field = format.fields.get(number)
      const value = fields[number]
      if (field === undefined || value === undefined) throw new Refused(String(number), 'has no format in this dialect')
      return packField(field, value)
    })
  return Buffer.concat([packType(format, mti), packBitmaps(format, numbers), ...packed])
}

/** The fields of a message. @throws Refused when the bytes are not as the dialect says */
export function unpackMessage(format: MessageFormat, bytes: Uint8Array): UnpackedMessage {
  const reader = createReader(bytes)
  const mti = unpackType(format, reader)
  const fields: Record<number, FieldValue> = {}
  const places: Record<number, Place> = {}
  const { bitmap, numbers } = unpackBitmaps(format, reader)
  for (const number of numbers) {
    const { offset } = reader
    if (number === THIRD_BITMAP) throw new Refused('65', 'announces a third bitmap', offset)
    const field = format.fields.get(number)
    if (field === undefined) throw new Refused(String(number), 'has no format in this dialect', offset)
    fields[number] = unpackField(field, reader)
    places[number] = { offset, bytes: reader.offset - offset }
  }
  if (reader.left > 0) throw new Refused('frame', `has ${reader.left} bytes after the last field`, reader.offset)
  return { mti, bitmap, fields, places }
}

function packType({ mti: as, codePage }: MessageFormat, mti: string): Uint8Array {
  return as === 'bcd' ? packBcd(mti, 'left0') : packCharacters(mti, as === 'ascii' ? 'ascii' : codePage, 'mti')
}

function unpackType({ mti: as, codePage }: MessageFormat, reader: Reader): string {
  if (as === 'bcd') return unpackBcd(reader.take(2, 'mti'), { count: 4, odd: 'left0', isTrack: false }, 'mti', 0)
  const mti = unpackCharacters(reader, 4, as === 'ascii' ? 'ascii' : codePage, 'mti')
  if (/^\d{4}$/.test(mti)) return mti
  throw new Refused('mti', 'must be four digits', 0)
}

function packBitmaps(format: MessageFormat, numbers: readonly number[]): Uint8Array {
  const { bitmap, codePage, alwaysSecondary } = format
  const later = numbers.filter(number => number > FIELDS_OF_A_BITMAP).map(number => number - FIELDS_OF_A_BITMAP)
  const first = numbers.filter(number => number <= FIELDS_OF_A_BITMAP)
  if (later.length === 0 && !alwaysSecondary) return packBitmap(first, bitmap, codePage)
  return Buffer.concat([packBitmap([SECOND_BITMAP, ...first], bitmap, codePage), packBitmap(later, bitmap, codePage)])
}

function unpackBitmaps({ bitmap: as, codePage }: MessageFormat, reader: Reader) {
  const first = unpackBitmap(reader, as, codePage)
  const second = first[0] === SECOND_BITMAP ? unpackBitmap(reader, as, codePage) : null
  const later = (second ?? []).map(number => number + FIELDS_OF_A_BITMAP)
  return {
    bitmap: hexOf(first) + (second === null ? '' : hexOf(second)),
    numbers: [...first.filter(number => number !== SECOND_BITMAP), ...later],
  }
}

function hexOf(numbers: readonly number[]): string {
  return Buffer.from(packBitmap(numbers, 'raw', 'ascii'))
    .toString('hex')
    .toUpperCase()
}
