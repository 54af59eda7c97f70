// src/acquirers/wallets/der.ts — reads ASN.1 as far as signed messages and certificates need it: tags below 31, and lengths
// given or open-ended (Apple's signatures are BER). Whatever else it meets is malformed. ADR 20.
import { Malformed } from './token-fields.ts'

/** One value. */
export interface Asn1 {
  /** The identifier octet, class and form included: 0x30 is a SEQUENCE. */
  readonly tag: number
  /** All its octets. */
  readonly raw: Uint8Array
  /** Those between its header and its end. */
  readonly content: Uint8Array
}

export const TAG = {
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** Context-specific and constructed. */
  context0: 0xa0,
  context1: 0xa1,
  context3: 0xa3,
} as const

const CONSTRUCTED = 0x20
/** Deeper than any certificate. */
const DEEPEST = 24

/** The one value that these octets are. @throws Malformed also when something follows it. */
export function readWhole(bytes: Uint8Array): Asn1 {
  const { value, end } = readAt(bytes, 0, 0)
  if (end !== bytes.length) throw new Malformed('octets after the value')
  return value
}

/** The values inside a constructed one. */
export function childrenOf(parent: Asn1): readonly Asn1[] {
  if ((parent.tag & CONSTRUCTED) === 0) throw new Malformed('a value without parts')
  const children: Asn1[] = []
  for (let offset = 0; offset < parent.content.length; ) {
    const { value, end } = readAt(parent.content, offset, 0)
    children.push(value)
    offset = end
  }
  return children
}

/** The same value, if it is what is expected here. */
export function expect(value: Asn1 | undefined, tag: number): Asn1 {
  if (value?.tag !== tag) throw new Malformed(`no value with tag ${tag}`)
  return value
}

/** An object identifier in dots. */
export function oidOf(value: Asn1 | undefined): string {
  const { content } = expect(value, TAG.oid)
  const arcs: number[] = []
  let arc = 0
  for (const octet of content) {
    arc = arc * 128 + (octet & 0x7f)
    if (arc > Number.MAX_SAFE_INTEGER / 128) throw new Malformed('an arc that is too large')
    if ((octet & 0x80) !== 0) continue
    arcs.push(arc)
    arc = 0
  }
  const [first = 0, ...rest] = arcs
  const top = Math.min(2, Math.floor(first / 40))
  return [top, first - top * 40, ...rest].join('.')
}

/** UTCTime or GeneralizedTime in UTC, epoch milliseconds. */
export function timeOf(value: Asn1 | undefined): number {
  const text = Buffer.from(value?.content ?? []).toString('latin1')
  const long = value?.tag === TAG.generalizedTime
  if (!long && value?.tag !== TAG.utcTime) throw new Malformed('no time')
  const match = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/.exec(text)
  if (match === null || (match[1]?.length === 4) !== long) throw new Malformed('a time in another form')
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number)
  // RFC 5280, 4.1.2.5.1.
  const fullYear = long ? year : year + (year >= 50 ? 1900 : 2000)
  return Date.UTC(fullYear, month - 1, day, hour, minute, second)
}

function readAt(bytes: Uint8Array, offset: number, depth: number): { readonly value: Asn1; readonly end: number } {
  if (depth > DEEPEST) throw new Malformed('too deep')
  const tag = bytes[offset]
  const first = bytes[offset + 1]
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new Malformed('no tag that is read here')
  if (first === 0x80) return readOpen(bytes, offset, tag, depth)
  const { length, start } =
    first < 0x80 ? { length: first, start: offset + 2 } : longLength(bytes, offset + 1, first & 0x7f)
  const end = start + length
  if (end > bytes.length) throw new Malformed('a length beyond the end')
  return { value: { tag, raw: bytes.subarray(offset, end), content: bytes.subarray(start, end) }, end }
}

function longLength(bytes: Uint8Array, at: number, count: number): { readonly length: number; readonly start: number } {
  if (count > 4) throw new Malformed('a length that is too long')
  let length = 0
  for (let place = 1; place <= count; place += 1) length = length * 256 + (bytes[at + place] ?? Number.NaN)
  if (Number.isNaN(length)) throw new Malformed('a length beyond the end')
  return { length, start: at + 1 + count }
}

/** A value that goes on until two zero octets. */
function readOpen(bytes: Uint8Array, offset: number, tag: number, depth: number) {
  if ((tag & CONSTRUCTED) === 0) throw new Malformed('an open end of a value without parts')
  let at = offset + 2
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) at = readAt(bytes, at, depth + 1).end
  return { value: { tag, raw: bytes.subarray(offset, at + 2), content: bytes.subarray(offset + 2, at) }, end: at + 2 }
}
