// src/peers/acquirer-host/characters.ts — digits and text as ASCII, BCD and EBCDIC bytes.
import { Unreadable } from './unreadable.ts'

export type TextCode = 'ascii' | 'ebcdic'
/** The half byte that fills up an odd number of BCD digits, and its side. */
export type OddDigits = 'left0' | 'right0' | 'rightF'

/** EBCDIC code page 037 of the characters from blank to ~. */
const CODE_PAGE = Buffer.from(
  '405a7f7b5b6c507d4d5d5c4e6b604b61f0f1f2f3f4f5f6f7f8f97a5e4c7e6e6f7cc1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e9' +
    'bae0bbb06d79818283848586878889919293949596979899a2a3a4a5a6a7a8a9c04fd0a1',
  'hex',
)
const FIRST = 0x20

/** Text as bytes. @throws Unreadable for a character that the code does not have */
export function textBytes(text: string, code: TextCode, field: number | null): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  for (const [index, byte] of bytes.entries()) {
    if (byte > 0x7e || text.charCodeAt(index) > 0x7e) throw new Unreadable(field, 'has a character beyond ASCII')
    if (code === 'ascii') continue
    const mapped = CODE_PAGE[byte - FIRST]
    if (mapped === undefined) throw new Unreadable(field, 'has a control character')
    bytes[index] = mapped
  }
  return bytes
}

/** Text from bytes. @throws Unreadable for a byte that stands for no character */
export function textOf(bytes: Buffer, code: TextCode, field: number | null): string {
  if (code === 'ascii') return bytes.toString('latin1')
  const characters = Array.from(bytes, byte => {
    const index = CODE_PAGE.indexOf(byte)
    if (index < 0) throw new Unreadable(field, 'has a byte that is no EBCDIC character')
    return String.fromCharCode(index + FIRST)
  })
  return characters.join('')
}

/** Digits (or the half bytes of a track) two in a byte. @throws Unreadable for anything else */
export function bcdBytes(digits: string, odd: OddDigits, field: number | null): Buffer {
  if (!/^[0-9A-F]*$/.test(digits)) throw new Unreadable(field, 'has a character that BCD cannot hold')
  if (digits.length % 2 === 0) return Buffer.from(digits, 'hex')
  const even = odd === 'left0' ? `0${digits}` : `${digits}${odd === 'right0' ? '0' : 'F'}`
  return Buffer.from(even, 'hex')
}

/**
 * Half bytes as upper-case characters.
 * @param count of them, without the one that fills up; null when only the bytes are known: then a trailing F is dropped
 * @throws Unreadable when the half byte that fills up is another one
 */
export function bcdDigits(bytes: Buffer, count: number | null, odd: OddDigits, field: number | null): string {
  const all = bytes.toString('hex').toUpperCase()
  if (count === null) return odd === 'rightF' ? all.replace(/F$/, '') : all
  if (count === all.length) return all
  const [filler, digits] = odd === 'left0' ? [all.slice(0, 1), all.slice(1)] : [all.slice(-1), all.slice(0, -1)]
  if (filler !== (odd === 'rightF' ? 'F' : '0')) throw new Unreadable(field, 'is filled up with another half byte')
  return digits
}

/** Bytes that hold so many BCD digits. */
export function bcdSize(digits: number): number {
  return Math.ceil(digits / 2)
}
