// src/simulator/wallets/der-writer.ts — writes ASN.1 for the certificates and signatures of the test wallets.

/** One value. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content])
}

/** The same with an open end, as Apple writes its signatures. */
export function openEnded(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.of(tag, 0x80), ...parts, Buffer.of(0, 0)])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
/** In the order that DER demands of a SET OF. */
export const setOf = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...[...parts].sort(Buffer.compare))
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes)
export const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.of(0), bytes)
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text, 'utf8'))

/** A whole number that is not negative, from its octets. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex(octet => octet !== 0)
  const digits = first === -1 ? Buffer.of(0) : bytes.subarray(first)
  return der(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.of(0) : Buffer.of(), digits)
}

/** An object identifier written in dots. */
export function oid(text: string): Buffer {
  const [top = 0, second = 0, ...rest] = text.split('.').map(Number)
  return der(0x06, Buffer.from([top * 40 + second, ...rest].flatMap(arcOf)))
}

/** Epoch milliseconds as UTCTime. */
export function utcTime(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, '')
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`, 'latin1'))
}

function arcOf(arc: number): readonly number[] {
  const octets = [arc % 128]
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) octets.unshift((rest % 128) + 128)
  return octets
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  if (length < 0x100) return Buffer.of(0x81, length)
  return Buffer.of(0x82, length >> 8, length & 0xff)
}
