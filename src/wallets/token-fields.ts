// src/wallets/token-fields.ts — parses the fields of wallet tokens.

/** Thrown for a token or signature that does not have the published form. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed('no object')
  return value as Readonly<Record<string, unknown>>
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Malformed('no text')
  return value
}

/** Reads an optional text. Empty when it is absent or null. */
export function optionalTextOf(value: unknown): string {
  return value === undefined || value === null ? '' : textOf(value)
}

export function bytesOf(value: unknown): Uint8Array {
  const text = textOf(value)
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new Malformed('no base64')
  return Buffer.from(text, 'base64')
}
