// src/three-d-secure/emv/base64url.ts — base64url of messages that pass through the browser, and base64 of values.

/** Longest text that is decoded: `cres` and `threeDSMethodData` are a few hundred characters. */
const LONGEST = 1_048_576

/** Without padding, as the specification writes it. */
export function toBase64url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url')
}

/**
 * The text in base64url. Padding and white space are accepted. Null when anything else is not of the alphabet, or the bytes
 * are not UTF-8.
 * @param lenient also accepts `+` and `/` of plain base64, which some issuers send
 */
export function fromBase64url(encoded: string, { lenient = false } = {}): string | null {
  if (encoded.length > LONGEST) return null
  const compact = encoded.replace(/\s/g, '').replace(/={1,2}$/, '')
  const plain = lenient ? compact.replaceAll('+', '-').replaceAll('/', '_') : compact
  // One character left over holds six bits, which are no byte.
  if (!/^[A-Za-z0-9_-]+$/.test(plain) || plain.length % 4 === 1) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(plain, 'base64url'))
  } catch {
    return null
  }
}

/** Bytes of an authentication value, from base64 or base64url with or without padding. */
export function valueBytes(value: string): Uint8Array {
  return Uint8Array.from(Buffer.from(value, 'base64'))
}
