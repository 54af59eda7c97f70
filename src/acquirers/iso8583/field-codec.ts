// src/acquirers/iso8583/field-codec.ts — packs and unpacks one field by its format.
import { packBcd, packCharacters, packNumber, unpackBcd, unpackCharacters, unpackNumber } from './digits.ts'
import type { FieldFormat, FieldType, FieldValue, LengthPrefix } from './field-format.ts'
import { createReader, type Reader } from './reader.ts'
import { Refused } from './refused.ts'
import { packStructure, unpackStructure } from './sub-fields.ts'

/** What each type holds. Bytes are written as hexadecimal here. */
const CONTENT: Readonly<Record<FieldType, { readonly form: RegExp; readonly says: string }>> = {
  n: { form: /^\d*$/, says: 'must be digits' },
  a: { form: /^[A-Za-z ]*$/, says: 'must be letters and blanks' },
  an: { form: /^[A-Za-z\d ]*$/, says: 'must be letters, digits and blanks' },
  ans: { form: /^[\x20-\x7e\xa0-\xff]*$/, says: 'must be printed characters of Latin-1' },
  ns: { form: /^[^A-Za-z]*$/, says: 'must be digits and special characters' },
  z: { form: /^[\d=]*$/, says: 'must be digits and the separator =' },
  b: { form: /^(?:[\dA-F]{2})*$/, says: 'must be bytes, written as pairs of hexadecimal digits in capitals' },
  'x+n': { form: /^[CD]\d+$/, says: 'must be C or D before digits' },
}

/**
 * The bytes of a field, its length in front. Shorter digits get zeros on the left, shorter text gets blanks on the right, where
 * the length is fixed.
 * @throws Refused for a value that the format does not allow
 */
export function packField(format: FieldFormat, value: FieldValue): Uint8Array {
  const { id, prefix } = format
  const text = textOf(format, value)
  const { form, says } = CONTENT[format.type]
  if (!form.test(text)) throw new Refused(id, says)
  const padded = prefix === null ? padTo(format, text) : text
  if (unitsOf(format, padded) > format.length)
    throw new Refused(id, `is longer than ${format.length}, with ${unitsOf(format, padded)}`)
  const content = packContent(format, padded)
  if (prefix === null) return content
  const count = lengthOf(prefix, format, padded, content)
  return Buffer.concat([packNumber(prefix, count, format.codePage, id), content])
}

/** The value of the next field. @throws Refused when the bytes are not as the format says */
export function unpackField(format: FieldFormat, reader: Reader): FieldValue {
  const { id, prefix, structure, type } = format
  const size = prefix === null ? sizeOf(format, format.length) : unpackLength(prefix, format, reader)
  const { offset } = reader
  const content = createReader(reader.take(size.bytes, id), offset)
  const text = unpackContent(format, content, size)
  const { form, says } = CONTENT[type]
  if (!form.test(text)) throw new Refused(id, says, offset)
  if (structure === null || structure.kind === 'parts') return text
  return unpackStructure(format, structure, createReader(Buffer.from(text, 'hex'), offset), unpackField)
}

function textOf(format: FieldFormat, value: FieldValue): string {
  const { id, structure } = format
  if (structure === null || structure.kind === 'parts') {
    if (typeof value === 'string') return value
    throw new Refused(id, 'has no sub-fields')
  }
  if (typeof value === 'string') throw new Refused(id, 'must be a list of its sub-fields')
  return Buffer.from(packStructure(format, structure, value, packField))
    .toString('hex')
    .toUpperCase()
}

function padTo({ id, type, length }: FieldFormat, text: string): string {
  switch (type) {
    case 'n':
      return text.padStart(length, '0')
    case 'x+n':
      return text.charAt(0) + text.slice(1).padStart(length - 1, '0')
    case 'b':
      if (text.length === 2 * length) return text
      throw new Refused(id, `must have ${length} bytes, not ${text.length / 2}`)
    case 'z':
      if (text.length === length) return text
      throw new Refused(id, `must have ${length} characters, not ${text.length}`)
    case 'a':
    case 'an':
    case 'ans':
    case 'ns':
      return text.padEnd(length, ' ')
  }
}

/** Length in the unit of the format: digits, characters or bytes. */
function unitsOf({ type }: FieldFormat, text: string): number {
  return type === 'b' ? text.length / 2 : text.length
}

function packContent(format: FieldFormat, text: string): Uint8Array {
  const { id, type, as, odd, separator, codePage, signCharset } = format
  const written = type === 'z' && as !== 'bcd' ? text.replaceAll('=', separator) : text
  switch (as) {
    case 'ascii':
    case 'hex':
      return packCharacters(written, 'ascii', id)
    case 'ebcdic':
    case 'hex-ebcdic':
      return packCharacters(written, codePage, id)
    case 'raw':
      return Buffer.from(text, 'hex')
    case 'bcd':
      if (type !== 'x+n') return packBcd(text, odd)
      return Buffer.concat([packCharacters(text.charAt(0), signCharset, id), packBcd(text.slice(1), odd)])
  }
}

/** Size of a content: bytes in the message, and digits or characters where they are known. */
interface Size {
  readonly bytes: number
  readonly count: number | null
}

function sizeOf({ type, as }: FieldFormat, units: number): Size {
  if (type === 'b') return { bytes: as === 'raw' ? units : 2 * units, count: units }
  if (as !== 'bcd') return { bytes: units, count: units }
  return { bytes: type === 'x+n' ? 1 + Math.ceil((units - 1) / 2) : Math.ceil(units / 2), count: units }
}

function lengthOf({ counts }: LengthPrefix, format: FieldFormat, text: string, content: Uint8Array): number {
  if (format.type === 'b') return counts === 'bytes' || format.as === 'raw' ? text.length / 2 : text.length
  return counts === 'bytes' ? content.length : text.length
}

function unpackLength(prefix: LengthPrefix, format: FieldFormat, reader: Reader): Size {
  const { id, type, as, length, codePage } = format
  const { offset } = reader
  const count = unpackNumber(prefix, reader, codePage, id)
  const isBytesOfBcd = as === 'bcd' && prefix.counts === 'bytes'
  const isHexDigits = type === 'b' && as !== 'raw' && prefix.counts === 'digits'
  if (isHexDigits && count % 2 === 1) throw new Refused(id, 'has an odd number of hexadecimal digits', offset)
  const most = isBytesOfBcd ? Math.ceil(length / 2) : isHexDigits ? 2 * length : length
  if (count > most) throw new Refused(id, `says a length above ${most}, which is the most`, offset)
  if (isBytesOfBcd) return { bytes: count, count: null }
  return sizeOf(format, isHexDigits ? count / 2 : count)
}

function unpackContent(format: FieldFormat, reader: Reader, { bytes, count }: Size): string {
  const { id, type, as, odd, codePage, signCharset, length } = format
  const { offset } = reader
  switch (as) {
    case 'ascii':
    case 'ebcdic': {
      const text = unpackCharacters(reader, bytes, as === 'ascii' ? 'ascii' : codePage, id)
      return type === 'z' ? text.replaceAll('D', '=') : text
    }
    case 'hex':
    case 'hex-ebcdic':
      return unpackCharacters(reader, bytes, as === 'hex' ? 'ascii' : codePage, id).toUpperCase()
    case 'raw':
      return Buffer.from(reader.take(bytes, id)).toString('hex').toUpperCase()
    case 'bcd': {
      const isTrack = type === 'z'
      if (type === 'x+n') {
        const sign = unpackCharacters(reader, 1, signCharset, id)
        const digits = { count: length - 1, odd, isTrack }
        return sign + unpackBcd(reader.take(bytes - 1, id), digits, id, offset + 1)
      }
      const text = unpackBcd(reader.take(bytes, id), { count, odd, isTrack }, id, offset)
      // Only the filler can be one digit more than the longest value.
      return text.length > length ? withoutExtraDigit(format, text, offset) : text
    }
  }
}

function withoutExtraDigit({ id, odd }: FieldFormat, text: string, offset: number): string {
  const extra = odd === 'left0' ? text.charAt(0) : text.slice(-1)
  if (extra !== '0') throw new Refused(id, 'has one digit too many', offset)
  return odd === 'left0' ? text.slice(1) : text.slice(0, -1)
}
