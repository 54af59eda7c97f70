// src/acquirers/iso8583/sub-fields.ts — fields that contain others: tags with lengths, and fields under a bitmap of their own.
import { packBitmap, unpackBitmap } from './bitmap.ts'
import { packCharacters, packNumber, unpackCharacters, unpackNumber } from './digits.ts'
import type { FieldFormat, FieldValue, FixedNumber, Structure, SubField } from './field-format.ts'
import type { Reader } from './reader.ts'
import { Refused } from './refused.ts'

type Tags = Extract<Structure, { readonly kind: 'tlv' }>
type Nested = Extract<Structure, { readonly kind: 'bitmap' }>
type Composed = Exclude<Structure, { readonly kind: 'parts' }>

/** Longest tag of EMV and ISO 7816 that is in use. */
const LONGEST_TAG_BYTES = 4
/** Bytes of a length beyond 127: enough for any field. */
const LONGEST_LENGTH_BYTES = 3
/** Digits of a tag in a refusal: no more of a card than a receipt shows. */
const LONGEST_NAMED_TAG = 4
/** Bytes, as they are written in values. */
const HEX = /^(?:[\dA-F]{2})*$/

/** The content of a field with sub-fields. They are packed in the order given; under a bitmap by their numbers. */
export function packStructure(
  format: FieldFormat,
  structure: Composed,
  subFields: readonly SubField[],
  packField: (format: FieldFormat, value: FieldValue) => Uint8Array,
): Uint8Array {
  refuseDuplicates(format, subFields, null)
  switch (structure.kind) {
    case 'ber':
      return Buffer.concat(subFields.map(each => packBer(format, each)))
    case 'tlv':
      return Buffer.concat(subFields.map(each => packTag(format, structure, each)))
    case 'bitmap':
      return packNested(format, structure, subFields, packField)
  }
}

/** The sub-fields, in the order of the message. */
export function unpackStructure(
  format: FieldFormat,
  structure: Composed,
  reader: Reader,
  unpackField: (format: FieldFormat, reader: Reader) => FieldValue,
): readonly SubField[] {
  const found: SubField[] = []
  if (structure.kind === 'bitmap') {
    found.push(...unpackNested(format, structure, reader, unpackField))
    if (reader.left > 0)
      throw new Refused(format.id, `has ${reader.left} bytes after its last sub-field`, reader.offset)
    return found
  }
  while (reader.left > 0) {
    found.push(structure.kind === 'ber' ? unpackBer(format, reader) : unpackTag(format, structure, reader))
    refuseDuplicates(format, found, reader.offset)
  }
  return found
}

function refuseDuplicates({ id }: FieldFormat, subFields: readonly SubField[], offset: number | null): void {
  const last = subFields.at(-1)
  const twice =
    offset === null ? subFields.find(({ id }, at) => subFields.findIndex(each => each.id === id) < at) : last
  if (twice === undefined || subFields.filter(each => each.id === twice.id).length < 2) return
  throw new Refused(placeOf(id, twice.id), 'is there twice', offset)
}

/** Where the tags are not what the dialect says, a long one may be digits of the card, so it is not named. */
function placeOf(id: string, tag: string): string {
  return tag.length <= LONGEST_NAMED_TAG ? `${id}.${tag}` : id
}

// --- BER-TLV, as chips use it

function packBer({ id }: FieldFormat, { id: tag, value }: SubField): Uint8Array {
  const place = `${id}.${tag}`
  if (!isBerTag(tag)) throw new Refused(place, 'is not a tag of BER-TLV in capital hexadecimal digits')
  if (!HEX.test(value)) throw new Refused(place, 'must be bytes, written as pairs of hexadecimal digits in capitals')
  return Buffer.concat([Buffer.from(tag, 'hex'), berLength(value.length / 2), Buffer.from(value, 'hex')])
}

/** Whether hexadecimal digits are one whole tag. */
export function isBerTag(tag: string): boolean {
  if (!/^(?:[\dA-F]{2}){1,4}$/.test(tag)) return false
  const [first = 0, ...rest] = Buffer.from(tag, 'hex')
  if (first === 0) return false
  if (!goesOn(first)) return rest.length === 0
  return rest.length > 0 && rest.every((byte, index) => ((byte & 0x80) !== 0) === index < rest.length - 1)
}

function goesOn(first: number): boolean {
  return (first & 0x1f) === 0x1f
}

function berLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  const digits = length.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return Buffer.concat([Uint8Array.of(0x80 | bytes.length), bytes])
}

function unpackBer({ id }: FieldFormat, reader: Reader): SubField {
  const tag = unpackBerTag(id, reader)
  const place = placeOf(id, tag)
  const length = unpackBerLength(place, reader)
  return { id: tag, value: Buffer.from(reader.take(length, place)).toString('hex').toUpperCase() }
}

function unpackBerTag(id: string, reader: Reader): string {
  const { offset } = reader
  const bytes = [...reader.take(1, id)]
  if (goesOn(bytes[0] ?? 0))
    do bytes.push(...reader.take(1, id))
    while (((bytes.at(-1) ?? 0) & 0x80) !== 0 && bytes.length < LONGEST_TAG_BYTES)
  const tag = Buffer.from(bytes).toString('hex').toUpperCase()
  if (isBerTag(tag)) return tag
  throw new Refused(id, 'has a tag that is none of BER-TLV', offset)
}

function unpackBerLength(place: string, reader: Reader): number {
  const { offset } = reader
  const [first = 0] = reader.take(1, place)
  if (first < 0x80) return first
  const count = first & 0x7f
  if (count === 0 || count > LONGEST_LENGTH_BYTES) throw new Refused(place, 'has a length that is not definite', offset)
  return reader.take(count, place).reduce((length, byte) => length * 256 + byte, 0)
}

// --- private tags

function packTag({ id, codePage }: FieldFormat, tags: Tags, { id: tag, value }: SubField): Uint8Array {
  const place = `${id}.${tag}`
  const number = tagNumber(tags.tag, tag)
  if (number === null) throw new Refused(place, 'is not a tag of this field')
  if (tags.values === 'hex' && !HEX.test(value))
    throw new Refused(place, 'must be bytes, written as pairs of hexadecimal digits in capitals')
  const content =
    tags.values === 'hex'
      ? Buffer.from(value, 'hex')
      : packCharacters(value, tags.values === 'ascii' ? 'ascii' : codePage, place)
  return Buffer.concat([
    packNumber(tags.tag, number, codePage, place),
    packNumber(tags.length, content.length, codePage, place),
    content,
  ])
}

function unpackTag({ id, codePage }: FieldFormat, tags: Tags, reader: Reader): SubField {
  const tag = tagText(tags.tag, unpackNumber(tags.tag, reader, codePage, id))
  const place = placeOf(id, tag)
  const length = unpackNumber(tags.length, reader, codePage, place)
  if (tags.values === 'hex')
    return { id: tag, value: Buffer.from(reader.take(length, place)).toString('hex').toUpperCase() }
  return { id: tag, value: unpackCharacters(reader, length, tags.values === 'ascii' ? 'ascii' : codePage, place) }
}

/** Tags are written in their full width: `04`. Binary ones in hexadecimal. */
function tagText({ as, bytes }: FixedNumber, number: number): string {
  if (as === 'binary')
    return number
      .toString(16)
      .toUpperCase()
      .padStart(2 * bytes, '0')
  return String(number).padStart(as === 'bcd' ? 2 * bytes : bytes, '0')
}

/** The number of a tag; null when the text is none. */
export function tagNumber(format: FixedNumber, text: string): number | null {
  const number = Number.parseInt(text, format.as === 'binary' ? 16 : 10)
  return Number.isNaN(number) || tagText(format, number) !== text ? null : number
}

// --- fields under a bitmap of their own

function packNested(
  { id, codePage }: FieldFormat,
  { bitmap, fields }: Nested,
  subFields: readonly SubField[],
  packField: (format: FieldFormat, value: FieldValue) => Uint8Array,
): Uint8Array {
  const known = subFields.map(({ id: sub, value }) => {
    const format = fields.get(Number(sub))
    if (format === undefined) throw new Refused(`${id}.${sub}`, 'has no format in this dialect')
    return { number: Number(sub), bytes: packField(format, value) }
  })
  const ascending = known.toSorted((one, other) => one.number - other.number)
  const numbers = ascending.map(({ number }) => number)
  return Buffer.concat([packBitmap(numbers, bitmap, codePage, id), ...ascending.map(({ bytes }) => bytes)])
}

function unpackNested(
  { id, codePage }: FieldFormat,
  { bitmap, fields }: Nested,
  reader: Reader,
  unpackField: (format: FieldFormat, reader: Reader) => FieldValue,
): readonly SubField[] {
  return unpackBitmap(reader, bitmap, codePage, id).map(number => {
    const format = fields.get(number)
    if (format === undefined) throw new Refused(`${id}.${number}`, 'has no format in this dialect', reader.offset)
    const value = unpackField(format, reader)
    if (typeof value !== 'string') throw new Error(`field ${format.id} is nested twice`)
    return { id: String(number), value }
  })
}
