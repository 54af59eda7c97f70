// src/peers/acquirer-host/codec.ts — packs and unpacks messages of ISO 8583, from a packing as data.
import { bcdBytes, bcdDigits, bcdSize, type TextCode, textBytes, textOf } from './characters.ts'
import type { FieldPacking, LengthPacking, Packing } from './packing.ts'
import { Unreadable } from './unreadable.ts'

/** Values by field number: digits and text as they are, tracks with `=`, bytes as upper-case hexadecimal. */
export type Fields = Readonly<Record<number, string>>

export interface Message {
  /** Four digits. */
  readonly mti: string
  readonly fields: Fields
}

const SECONDARY = 1
const TERTIARY = 65
const BITMAP_BYTES = 8

/** Packs a message. @throws Unreadable naming the field that does not fit */
export function pack({ mti, fields }: Message, packing: Packing): Buffer {
  const numbers = Object.keys(fields).map(Number)
  const isDouble = packing.alwaysSecondary || numbers.some(number => number > 64)
  const bits = Buffer.alloc(isDouble ? 2 * BITMAP_BYTES : BITMAP_BYTES)
  for (const number of isDouble ? [SECONDARY, ...numbers] : numbers) setBit(bits, number)
  const parts = numbers.map(number => {
    const format = packing.fields.get(number)
    if (format === undefined) throw new Unreadable(number, 'has no format in this dialect')
    return packField(fields[number] ?? '', format, number)
  })
  const bitmap =
    packing.bitmap === 'raw' ? bits : textBytes(bits.toString('hex').toUpperCase(), hexCode(packing.bitmap), null)
  const type = packing.mti === 'bcd' ? bcdBytes(mti, 'left0', null) : textBytes(mti, packing.mti, null)
  return Buffer.concat([type, bitmap, ...parts])
}

/** A message as far as it was read. */
export interface Partly {
  mti: string
  readonly fields: Record<number, string>
}

/**
 * Unpacks a whole message.
 * @param seen gets what is read, also of a message that is refused
 * @throws Unreadable when it is too short or too long, or when a bit stands for a field without a format
 */
export function unpack(body: Buffer, packing: Packing, seen: Partly = { mti: '', fields: {} }): Message {
  let at = 0
  const take = (count: number, field: number | null): Buffer => {
    if (at + count > body.length) throw new Unreadable(field, `ends after ${body.length - at} of ${count} bytes`)
    at += count
    return body.subarray(at - count, at)
  }
  const mti = packing.mti === 'bcd' ? take(2, null).toString('hex') : textOf(take(4, null), textCode(packing), null)
  if (!/^\d{4}$/.test(mti)) throw new Unreadable(null, 'The message type is not of digits')
  seen.mti = mti
  const { fields } = seen
  const bits = takeBitmap(take, packing)
  for (let number = 2; number <= bits.length * 8; number += 1) {
    if (!hasBit(bits, number)) continue
    const format = number === TERTIARY ? undefined : packing.fields.get(number)
    if (format === undefined) throw new Unreadable(number, 'has no format in this dialect')
    fields[number] = unpackField(take, format, number)
  }
  if (at < body.length) throw new Unreadable(null, `There are ${body.length - at} bytes after the last field`)
  return { mti, fields }
}

type Take = (count: number, field: number | null) => Buffer

function takeBitmap(take: Take, packing: Packing): Buffer {
  const half = (): Buffer => {
    if (packing.bitmap === 'raw') return take(BITMAP_BYTES, null)
    const text = textOf(take(2 * BITMAP_BYTES, null), hexCode(packing.bitmap), null)
    if (!/^[0-9A-Fa-f]+$/.test(text)) throw new Unreadable(null, 'The bitmap is not hexadecimal')
    return Buffer.from(text, 'hex')
  }
  const first = half()
  return hasBit(first, SECONDARY) ? Buffer.concat([first, half()]) : first
}

function hexCode(as: FieldPacking['as']): TextCode {
  return as === 'hex-ebcdic' ? 'ebcdic' : 'ascii'
}

function textCode({ mti }: Packing): TextCode {
  return mti === 'ebcdic' ? 'ebcdic' : 'ascii'
}

function setBit(bits: Buffer, number: number): void {
  const byte = (number - 1) >> 3
  bits[byte] = (bits[byte] ?? 0) | (0x80 >> ((number - 1) & 7))
}

function hasBit(bits: Buffer, number: number): boolean {
  return ((bits[(number - 1) >> 3] ?? 0) & (0x80 >> ((number - 1) & 7))) !== 0
}

function packField(value: string, format: FieldPacking, number: number): Buffer {
  const { length, size } = format
  const whole = length === null ? filledUp(value, format) : value
  const count = format.kind === 'b' ? whole.length / 2 : whole.length - (format.kind === 'x' ? 1 : 0)
  if (!Number.isInteger(count)) throw new Unreadable(number, 'is half a byte too long')
  if (count > size) throw new Unreadable(number, `has ${count} of at most ${size}`)
  if (length === null && count < size) throw new Unreadable(number, `has ${count} of ${size}`)
  const data = dataBytes(whole, format, number)
  return length === null
    ? data
    : Buffer.concat([lengthBytes(countOf(whole, data, format, length), length, number), data])
}

function filledUp(value: string, { kind, size }: FieldPacking): string {
  if (kind === 'n') return value.padStart(size, '0')
  return kind === 'text' ? value.padEnd(size) : value
}

function dataBytes(value: string, { kind, as, odd, separator, sign }: FieldPacking, number: number): Buffer {
  if (as === 'raw' || as === 'hex' || as === 'hex-ebcdic') {
    if (!/^[0-9A-Fa-f]*$/.test(value)) throw new Unreadable(number, 'is not hexadecimal')
    return as === 'raw' ? Buffer.from(value, 'hex') : textBytes(value.toUpperCase(), hexCode(as), number)
  }
  if (kind === 'x' && as === 'bcd')
    return Buffer.concat([textBytes(value.slice(0, 1), sign, number), bcdBytes(value.slice(1), odd, number)])
  if (as === 'bcd') return bcdBytes(kind === 'z' ? value.replace('=', 'D') : value, odd, number)
  return textBytes(kind === 'z' ? value.replace('=', separator) : value, as, number)
}

/** What the length of a field says. */
function countOf(value: string, data: Buffer, { as }: FieldPacking, { counts }: LengthPacking): number {
  return counts === 'bytes' || as === 'raw' ? data.length : value.length
}

function lengthBytes(count: number, { as, bytes }: LengthPacking, number: number): Buffer {
  if (as === 'binary')
    return Buffer.from(
      count
        .toString(16)
        .padStart(2 * bytes, '0')
        .slice(-2 * bytes),
      'hex',
    )
  const digits = String(count).padStart(as === 'bcd' ? 2 * bytes : bytes, '0')
  return as === 'bcd' ? bcdBytes(digits, 'left0', number) : textBytes(digits, as, number)
}

function unpackField(take: Take, format: FieldPacking, number: number): string {
  const { kind, as, size, length, odd, sign } = format
  if (length === null) {
    if (as === 'raw') return hexOf(take(size, number))
    if (as === 'hex' || as === 'hex-ebcdic') return hexText(take(2 * size, number), format, number)
    if (as === 'bcd') {
      const before = kind === 'x' ? textOf(take(1, number), sign, number) : ''
      return before + track(bcdDigits(take(bcdSize(size), number), size, odd, number), kind)
    }
    return track(textOf(take(size + (kind === 'x' ? 1 : 0), number), as, number), kind)
  }
  const count = takeLength(take, length, number)
  const most =
    kind === 'b' && as !== 'raw' ? 2 * size : as === 'bcd' && length.counts === 'bytes' ? bcdSize(size) : size
  if (count > most) throw new Unreadable(number, `announces ${count} of at most ${most}`)
  if (as === 'raw') return hexOf(take(count, number))
  if (as === 'hex' || as === 'hex-ebcdic') return hexText(take(count, number), format, number)
  if (as !== 'bcd') return track(textOf(take(count, number), as, number), kind)
  const isOfBytes = length.counts === 'bytes'
  return track(bcdDigits(take(isOfBytes ? count : bcdSize(count), number), isOfBytes ? null : count, odd, number), kind)
}

function takeLength(take: Take, { as, bytes }: LengthPacking, number: number): number {
  const read = take(bytes, number)
  const digits = as === 'binary' || as === 'bcd' ? read.toString('hex') : textOf(read, as, number)
  if (as !== 'binary' && !/^\d+$/.test(digits)) throw new Unreadable(number, 'has a length that is not of digits')
  return Number.parseInt(digits, as === 'binary' ? 16 : 10)
}

function hexOf(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase()
}

function hexText(bytes: Buffer, { as }: FieldPacking, number: number): string {
  const text = textOf(bytes, hexCode(as), number).toUpperCase()
  if (!/^(?:[0-9A-F]{2})*$/.test(text)) throw new Unreadable(number, 'is not hexadecimal')
  return text
}

/** Tracks have one form: the separator is `=`. */
function track(text: string, kind: FieldPacking['kind']): string {
  return kind === 'z' ? text.replace('D', '=') : text
}

/** What is wrong with the characters of a value, which its bytes do not show; null for nothing. */
export function valueFault(value: string, { kind }: FieldPacking): string | null {
  switch (kind) {
    case 'n':
      return /^\d*$/.test(value) ? null : 'is not of digits'
    case 'x':
      return /^[CD]\d+$/.test(value) ? null : 'does not begin with C or D'
    case 'z':
      return /^\d*=?\d*$/.test(value) ? null : 'is no track'
    case 'text':
      return /^[\x20-\x7e]*$/.test(value) ? null : 'has a control character'
    case 'b':
      return null
  }
}
