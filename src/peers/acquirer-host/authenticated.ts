// src/peers/acquirer-host/authenticated.ts — packs and unpacks messages with their authentication code in field 64 or 128.
import { type Fields, type Message, pack } from './codec.ts'
import type { Dialect } from './dialect.ts'
import { macOf } from './mac.ts'

/** Bytes of the field; a shorter code has zeros behind it. */
const FIELD_BYTES = 8

/** Packs a message, with its code when there is a key and the dialect has codes. @throws Unreadable */
export function packWithCode({ mti, fields }: Message, dialect: Dialect, key: Buffer | null): Buffer {
  const { mac, packing } = dialect
  if (mac === null || key === null) return pack({ mti, fields }, packing)
  const field = codeField(fields)
  const body = pack({ mti, fields: { ...fields, [field]: '0'.repeat(2 * FIELD_BYTES) } }, packing)
  const input = body.subarray(0, body.length - codeSize(dialect, field))
  return pack({ mti, fields: { ...fields, [field]: inField(macOf(input, key, mac)) } }, packing)
}

/** Whether the code of a message is right. True when there is no key, or when the dialect has no codes. */
export function isAuthentic(body: Buffer, { fields }: Message, dialect: Dialect, key: Buffer | null): boolean {
  const { mac } = dialect
  if (mac === null || key === null) return true
  const field = fields[128] === undefined ? 64 : 128
  const input = body.subarray(0, body.length - codeSize(dialect, field))
  return fields[field] === inField(macOf(input, key, mac))
}

function codeField(fields: Fields): 64 | 128 {
  return Object.keys(fields).some(number => Number(number) > 64) ? 128 : 64
}

function codeSize({ packing }: Dialect, field: number): number {
  return packing.fields.get(field)?.as === 'hex' ? 2 * FIELD_BYTES : FIELD_BYTES
}

function inField(code: Buffer): string {
  return code
    .toString('hex')
    .toUpperCase()
    .padEnd(2 * FIELD_BYTES, '0')
}
