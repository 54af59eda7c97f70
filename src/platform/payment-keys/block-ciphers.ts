// src/platform/payment-keys/block-ciphers.ts — TDES and AES of single blocks.
import { createCipheriv, createDecipheriv } from 'node:crypto'

export const DES_BLOCK = 8
export const AES_BLOCK = 16

/** A key of 8, 16 or 24 bytes as 24. OpenSSL 3 has no single DES; TDES with three equal keys is the same. */
function threeKeys(key: Uint8Array): Buffer {
  if (key.length === 3 * DES_BLOCK) return Buffer.from(key)
  const [left, right] = [key.subarray(0, DES_BLOCK), key.length === DES_BLOCK ? key : key.subarray(DES_BLOCK)]
  return Buffer.concat([left, right, left])
}

export function encryptDes(key: Uint8Array, block: Uint8Array): Buffer {
  return createCipheriv('des-ede3-ecb', threeKeys(key), null).setAutoPadding(false).update(block)
}

export function decryptDes(key: Uint8Array, block: Uint8Array): Buffer {
  return createDecipheriv('des-ede3-ecb', threeKeys(key), null).setAutoPadding(false).update(block)
}

export function encryptAes(key: Uint8Array, block: Uint8Array): Buffer {
  return createCipheriv(`aes-${key.length * 8}-ecb`, key, null)
    .setAutoPadding(false)
    .update(block)
}

export function xor(one: Uint8Array, other: Uint8Array): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)))
}
