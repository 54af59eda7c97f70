// src/peers/hsm/codes.ts — message authentication codes by the chained modes of node:crypto.
import { createCipheriv, createDecipheriv } from 'node:crypto'

export type Algorithm = 'retail' | 'cbc' | 'x9.9' | 'cmac-aes'

const DES_BYTES = 8
const AES_BYTES = 16

/** @param key 8 to 24 bytes of TDES, or 16 to 32 of AES for `cmac-aes` */
export function codeOf(algorithm: Algorithm, padding: 'zeros' | '80', key: Buffer, message: Buffer): Buffer {
  if (algorithm === 'cmac-aes') return aesCode(key, message)
  const left = key.subarray(0, DES_BYTES)
  const ends = padding === '80' ? Buffer.concat([message, Buffer.from('80', 'hex')]) : message
  const whole = Buffer.concat([ends, Buffer.alloc((DES_BYTES - (ends.length % DES_BYTES)) % DES_BYTES)])
  const chain = createCipheriv('des-ede3-cbc', desKey(algorithm === 'cbc' ? key : left), Buffer.alloc(DES_BYTES))
  const last = chain.setAutoPadding(false).update(whole).subarray(-DES_BYTES)
  if (algorithm !== 'retail') return last
  return desBlock(left, 'encrypt', desBlock(key.subarray(DES_BYTES, 2 * DES_BYTES), 'decrypt', last))
}

/** A block under TDES; a key of 8 bytes is single DES. */
export function desBlock(key: Buffer, way: 'encrypt' | 'decrypt', block: Buffer): Buffer {
  const make = way === 'encrypt' ? createCipheriv : createDecipheriv
  return make('des-ede3-ecb', desKey(key), null).setAutoPadding(false).update(block)
}

/** A block under AES. */
export function aesBlock(key: Buffer, block: Buffer): Buffer {
  return createCipheriv(`aes-${8 * key.length}-ecb`, key, null)
    .setAutoPadding(false)
    .update(block)
}

function desKey(key: Buffer): Buffer {
  return key.length === 3 * DES_BYTES ? key : Buffer.concat([key, key, key]).subarray(0, 3 * DES_BYTES)
}

function aesCode(key: Buffer, message: Buffer): Buffer {
  const once = timesTwo(BigInt(`0x${aesBlock(key, Buffer.alloc(AES_BYTES)).toString('hex')}`))
  const isWhole = message.length > 0 && message.length % AES_BYTES === 0
  const ends = isWhole ? message : Buffer.concat([message, Buffer.from('80', 'hex')])
  const whole = Buffer.concat([ends, Buffer.alloc((AES_BYTES - (ends.length % AES_BYTES)) % AES_BYTES)])
  const mask = Buffer.from((isWhole ? once : timesTwo(once)).toString(16).padStart(2 * AES_BYTES, '0'), 'hex')
  const tail = whole.subarray(-AES_BYTES)
  for (const [index, byte] of mask.entries()) tail[index] = (tail[index] ?? 0) ^ byte
  const chain = createCipheriv(`aes-${8 * key.length}-cbc`, key, Buffer.alloc(AES_BYTES))
  return chain.setAutoPadding(false).update(whole).subarray(-AES_BYTES)
}

function timesTwo(value: bigint): bigint {
  const double = value << 1n
  return double >> 128n === 0n ? double : (double & ((1n << 128n) - 1n)) ^ 0x87n
}
