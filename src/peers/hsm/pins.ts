// src/peers/hsm/pins.ts — decrypts a terminal's PIN block, and encrypts the PIN for a host.
import { aesBlock, desBlock } from './codes.ts'

export type Format = 'iso0' | 'iso3' | 'iso4'

const MASK = 0xc0c0c0c000000000c0c0c0c000000000n
const PIN_MASK = 0x00000000000000ff00000000000000ffn
const COUNTER = 0x1f_ffffn
const LOW = (1n << 64n) - 1n

/** The key of one PIN by ANSI X9.24-1. @param serial ten bytes */
export function keyOfPin(base: Buffer, serial: Buffer): Buffer {
  const number = BigInt(`0x${serial.toString('hex')}`)
  const device = number & ~COUNTER
  const head = bytes(device >> 16n, 8)
  const other = bytes(numberIn(base) ^ MASK, 16)
  let key = numberIn(Buffer.concat([desBlock(base, 'encrypt', head), desBlock(other, 'encrypt', head)]))
  let register = device & LOW
  for (let bit = 1n << 20n; bit > 0n; bit >>= 1n) {
    if ((number & bit) === 0n) continue
    register |= bit
    key = (step(key ^ MASK, register) << 64n) | step(key, register)
  }
  return bytes(key ^ PIN_MASK, 16)
}

function step(key: bigint, register: bigint): bigint {
  const right = key & LOW
  return numberIn(desBlock(bytes(key >> 64n, 8), 'encrypt', bytes(register ^ right, 8))) ^ right
}

/** The PIN in a clear block; null when it is none. */
export function pinOf(block: Buffer, card: string): string | null {
  const text = bytes(numberIn(block) ^ cardPart(card), 8).toString('hex')
  const [, format = '', length = '', digits = ''] = /^([03])([4-9a-c])(.*)$/.exec(text) ?? []
  const pin = digits.slice(0, Number.parseInt(length, 16))
  const filling = format === '0' ? /^f*$/ : /^[a-f]*$/
  return /^\d+$/.test(pin) && filling.test(digits.slice(pin.length)) ? pin : null
}

/** @param random fills formats 3 and 4: 8 bytes */
export function blockFor(
  pin: string,
  {
    format,
    card,
    key,
    random,
  }: { readonly format: Format; readonly card: string; readonly key: Buffer; readonly random: Buffer },
): Buffer {
  const begins = `${format.slice(-1)}${pin.length.toString(16)}${pin}`
  if (format === 'iso4') {
    const account = `${Math.max(card.length - 12, 0)}${card.padStart(12, '0')}`.padEnd(32, '0')
    const first = aesBlock(key, Buffer.concat([Buffer.from(begins.padEnd(16, 'a'), 'hex'), random]))
    return aesBlock(key, bytes(numberIn(first) ^ BigInt(`0x${account}`), 16))
  }
  const filling = format === 'iso0' ? 'f'.repeat(16) : letters(random)
  return desBlock(key, 'encrypt', bytes(BigInt(`0x${(begins + filling).slice(0, 16)}`) ^ cardPart(card), 8))
}

/** Two of the letters a to f for each byte. */
function letters(random: Buffer): string {
  return [...random].map(byte => 'abcdef'.charAt(byte % 6) + 'abcdef'.charAt((byte >> 4) % 6)).join('')
}

function cardPart(card: string): bigint {
  return BigInt(`0x${card.slice(0, -1).slice(-12) || '0'}`)
}

function numberIn(block: Buffer): bigint {
  return BigInt(`0x${block.toString('hex')}`)
}

function bytes(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex')
}
