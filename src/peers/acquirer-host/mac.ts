// src/peers/acquirer-host/mac.ts — message authentication codes of ISO/IEC 9797-1, algorithm 3 (retail) and algorithm 1 (cbc).
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { MacForm } from './dialect.ts'

const BLOCK = 8
const KEY_BYTES = 16

/** A test key from hexadecimal digits. Null when it is not of 16 bytes. */
export function macKeyIn(text: string): Buffer | null {
  return new RegExp(`^[0-9A-Fa-f]{${2 * KEY_BYTES}}$`).test(text) ? Buffer.from(text, 'hex') : null
}

/** The code of a message, as long as the dialect says. */
export function macOf(message: Buffer, key: Buffer, { algorithm, bytes, padding }: MacForm): Buffer {
  const [left, right] = [key.subarray(0, BLOCK), key.subarray(BLOCK)]
  const whole = padding === 'zeros' ? message : Buffer.concat([message, Buffer.from([0x80])])
  const padded = Buffer.concat([whole, Buffer.alloc((BLOCK - (whole.length % BLOCK)) % BLOCK)])
  const cipherKey = algorithm === 'cbc' ? tripled(left, right) : tripled(left, left)
  let block: Buffer = Buffer.alloc(BLOCK)
  for (let at = 0; at < padded.length; at += BLOCK)
    block = encrypted(xor(block, padded.subarray(at, at + BLOCK)), cipherKey)
  const mac = algorithm === 'cbc' ? block : encrypted(decrypted(block, tripled(right, right)), cipherKey)
  return mac.subarray(0, bytes)
}

/** Single DES is that with three equal keys, which OpenSSL 3 still has. */
function tripled(first: Buffer, second: Buffer): Buffer {
  return Buffer.concat([first, second, first])
}

function encrypted(block: Buffer, key: Buffer): Buffer {
  return createCipheriv('des-ede3-ecb', key, null).setAutoPadding(false).update(block)
}

function decrypted(block: Buffer, key: Buffer): Buffer {
  return createDecipheriv('des-ede3-ecb', key, null).setAutoPadding(false).update(block)
}

function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)))
}
