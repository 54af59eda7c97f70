// src/peers/acquirer-host/pin-block.ts — decrypts PIN blocks of ISO 9564-1, formats 0 and 3, and compares the PIN with that of test cards.
import { createDecipheriv } from 'node:crypto'
import type { Request } from './request.ts'

/** The PIN of every test card. */
const RIGHT_PIN = '1234'
const BLOCK_DIGITS = 16
const PIN_BLOCK = 52

/** Whether the PIN of a request is right. Null without a PIN, or without the key. */
export function checkedPin({ fields }: Pick<Request, 'fields'>, key: Buffer | null): 'right' | 'wrong' | null {
  const block = fields[PIN_BLOCK]
  if (key === null || block === undefined) return null
  if (!new RegExp(`^[\\dA-Fa-f]{${BLOCK_DIGITS}}$`).test(block)) return 'wrong'
  const cipher = createDecipheriv('des-ede3-ecb', Buffer.concat([key, key.subarray(0, 8)]), null)
  const field = cipher.setAutoPadding(false).update(Buffer.from(block, 'hex'))
  const number = (fields[2] || fields[35]?.split(/[=D]/)[0] || '').replace(/^0/, '')
  const card = Buffer.from(number.slice(-13, -1).padStart(BLOCK_DIGITS, '0'), 'hex')
  const clear = Buffer.from(field.map((byte, index) => byte ^ (card[index] ?? 0))).toString('hex')
  const [, pin] = /^04(\d{4})f{10}$/.exec(clear) ?? /^34(\d{4})[a-f]{10}$/.exec(clear) ?? []
  return pin === RIGHT_PIN ? 'right' : 'wrong'
}
