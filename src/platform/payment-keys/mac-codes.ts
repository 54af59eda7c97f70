// src/platform/payment-keys/mac-codes.ts — message authentication codes of ISO/IEC 9797-1, ANSI X9.9 and NIST SP 800-38B.
import type { MacAlgorithm, MacPadding } from '../../engine/ports/payment-keys.ts'
import { AES_BLOCK, DES_BLOCK, decryptDes, encryptAes, encryptDes, xor } from './block-ciphers.ts'

/** The whole code: 8 bytes, 16 of CMAC. */
export function macOf(algorithm: MacAlgorithm, padding: MacPadding, key: Uint8Array, message: Uint8Array): Buffer {
  const left = key.subarray(0, DES_BLOCK)
  switch (algorithm) {
    case 'retail': {
      const last = chained(padded(message, padding), block => encryptDes(left, block))
      return encryptDes(left, decryptDes(key.subarray(DES_BLOCK, 2 * DES_BLOCK), last))
    }
    case 'cbc':
      return chained(padded(message, padding), block => encryptDes(key, block))
    case 'x9.9':
      return chained(padded(message, padding), block => encryptDes(left, block))
    case 'cmac-aes':
      return cmacOf(key, message)
  }
}

function padded(message: Uint8Array, padding: MacPadding): Buffer {
  const whole = padding === 'zeros' ? Buffer.from(message) : Buffer.concat([message, Buffer.from([0x80])])
  return Buffer.concat([whole, Buffer.alloc((DES_BLOCK - (whole.length % DES_BLOCK)) % DES_BLOCK)])
}

function chained(message: Buffer, encrypt: (block: Buffer) => Buffer): Buffer {
  let block = Buffer.alloc(DES_BLOCK)
  for (let at = 0; at < message.length; at += DES_BLOCK)
    block = Buffer.from(encrypt(xor(block, message.subarray(at, at + DES_BLOCK))))
  return block
}

/** CMAC with AES. */
export function cmacOf(key: Uint8Array, message: Uint8Array): Buffer {
  const first = doubled(encryptAes(key, Buffer.alloc(AES_BLOCK)))
  const begun = Math.max(0, Math.ceil(message.length / AES_BLOCK) - 1) * AES_BLOCK
  const rest = message.subarray(begun)
  const last =
    rest.length === AES_BLOCK
      ? xor(rest, first)
      : xor(Buffer.concat([rest, Buffer.from([0x80]), Buffer.alloc(AES_BLOCK - rest.length - 1)]), doubled(first))
  let block: Buffer = Buffer.alloc(AES_BLOCK)
  for (let at = 0; at < begun; at += AES_BLOCK)
    block = encryptAes(key, xor(block, message.subarray(at, at + AES_BLOCK)))
  return encryptAes(key, xor(block, last))
}

/** Doubling in the field of 2^128 elements. */
function doubled(block: Buffer): Buffer {
  const shifted = Buffer.from(block.map((byte, index) => (byte << 1) | ((block[index + 1] ?? 0) >> 7)))
  if (((block[0] ?? 0) & 0x80) !== 0) shifted.writeUInt8(shifted.readUInt8(AES_BLOCK - 1) ^ 0x87, AES_BLOCK - 1)
  return shifted
}
