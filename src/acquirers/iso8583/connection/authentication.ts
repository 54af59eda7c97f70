// src/acquirers/iso8583/connection/authentication.ts — the MAC of messages, in field 64 or 128, made and checked by the key store. ADR 90.
import type { KeyRefusal, MacRequest, PaymentKeys } from '../../../engine/ports/payment-keys.ts'
import type { Dialect } from '../dialect.ts'
import type { Frame } from '../framing.ts'
import { type Message, packMessage, type UnpackedMessage, unpackMessage } from '../message-codec.ts'

export interface Authentication {
  /** The bytes of a message with its code. @param header goes before it @throws Refused for one that the dialect does not allow */
  pack(message: Message, header: Uint8Array): Promise<{ readonly bytes: Uint8Array } | { readonly refused: KeyRefusal }>
  /** Whether the code of a message is right. */
  check(frame: Frame, message: UnpackedMessage): Promise<'right' | 'wrong' | KeyRefusal>
}

/** Bytes of fields 64 and 128; a shorter code has zeros behind it. */
const FIELD_BYTES = 8

/** Null for a dialect without codes. @throws Error for one that has them, when there are no keys */
export function createAuthentication(dialect: Dialect, keys: PaymentKeys | null): Authentication | null {
  const { mac } = dialect.document
  if (mac === undefined) return null
  if (keys === null) throw new Error(`${dialect.document.name} has a mac, which needs keys`)

  const fieldOf = ({ fields }: Message): 64 | 128 => {
    if (mac.field !== 'auto') return mac.field === '64' ? 64 : 128
    return Object.keys(fields).some(number => Number(number) > 64) ? 128 : 64
  }
  /** What the code is of: everything before its field, with its bit in the bitmap. */
  const requestFor = (header: Uint8Array, bytes: Uint8Array, offset: number): MacRequest => {
    const { key, algorithm, padding } = mac
    const before = bytes.subarray(0, offset)
    const message = mac.from === 'header' ? Buffer.concat([header, before]) : before
    return { key, algorithm, padding, bytes: mac.bytes, message }
  }

  return {
    async pack({ mti, fields }, header) {
      const field = fieldOf({ mti, fields })
      const empty = { mti, fields: { ...fields, [field]: '0'.repeat(2 * FIELD_BYTES) } }
      const bytes = packMessage(dialect.format, empty)
      const { places } = unpackMessage(dialect.format, bytes)
      const made = await keys.mac(requestFor(header, bytes, places[field]?.offset ?? bytes.length))
      if ('refused' in made) return made
      const code = Buffer.from(made.mac).toString('hex').toUpperCase()
      const whole = { mti, fields: { ...fields, [field]: code.padEnd(2 * FIELD_BYTES, '0') } }
      return { bytes: packMessage(dialect.format, whole) }
    },
    async check({ header, message: bytes }, message) {
      const field = fieldOf(message)
      const [value, place] = [message.fields[field], message.places[field]]
      if (typeof value !== 'string' || place === undefined) return 'wrong'
      const given = Buffer.from(value, 'hex')
      if (given.subarray(mac.bytes).some(byte => byte !== 0)) return 'wrong'
      const request = requestFor(header, bytes, place.offset)
      const checked = await keys.verifyMac({ ...request, mac: given.subarray(0, mac.bytes) })
      if ('refused' in checked) return checked.refused
      return checked.isRight ? 'right' : 'wrong'
    },
  }
}
