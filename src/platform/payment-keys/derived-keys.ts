// src/platform/payment-keys/derived-keys.ts — the key of one PIN, derived from a base key and the terminal's serial number: DUKPT
// with TDES, ANSI X9.24-1.
import { DES_BLOCK, encryptDes, xor } from './block-ciphers.ts'

export const SERIAL_BYTES = 10
/** The last 21 bits of a key serial number count the transactions. */
const COUNTER_BITS = 21
const COUNTER_BYTES = 3
const VARIANT = Buffer.from('c0c0c0c000000000c0c0c0c000000000', 'hex')
const PIN_VARIANT = Buffer.from('00000000000000ff00000000000000ff', 'hex')

/** The key that encrypts the PIN of one transaction. @param serial key serial number, 10 bytes */
export function pinKeyOf(baseKey: Uint8Array, serial: Uint8Array): Buffer {
  const counter = Buffer.from(serial).readUIntBE(SERIAL_BYTES - COUNTER_BYTES, COUNTER_BYTES) % 2 ** COUNTER_BITS
  const start = withoutCounter(serial)
  const register = start.subarray(SERIAL_BYTES - DES_BLOCK)
  let key = initialKey(baseKey, start.subarray(0, DES_BLOCK))
  for (let bit = COUNTER_BITS - 1; bit >= 0; bit -= 1) {
    if (((counter >> bit) & 1) === 0) continue
    const at = DES_BLOCK - COUNTER_BYTES
    register.writeUIntBE(register.readUIntBE(at, COUNTER_BYTES) | (1 << bit), at, COUNTER_BYTES)
    key = next(key, register)
  }
  return xor(key, PIN_VARIANT)
}

function withoutCounter(serial: Uint8Array): Buffer {
  const cleared = Buffer.from(serial)
  const at = SERIAL_BYTES - COUNTER_BYTES
  const last = cleared.readUIntBE(at, COUNTER_BYTES)
  cleared.writeUIntBE(last - (last % 2 ** COUNTER_BITS), at, COUNTER_BYTES)
  return cleared
}

/** The key with which a terminal is delivered. */
function initialKey(baseKey: Uint8Array, serial: Uint8Array): Buffer {
  return Buffer.concat([encryptDes(baseKey, serial), encryptDes(xor(baseKey, VARIANT), serial)])
}

/** One step, which cannot be undone. */
function next(key: Buffer, register: Buffer): Buffer {
  const half = (of: Buffer) => {
    const [left, right] = [of.subarray(0, DES_BLOCK), of.subarray(DES_BLOCK)]
    return xor(encryptDes(left, xor(register, right)), right)
  }
  return Buffer.concat([half(xor(key, VARIANT)), half(key)])
}
