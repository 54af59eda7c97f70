// test/contract/payment-keys.suite.ts — contract of every store of payment keys: published codes and PIN blocks, and what it refuses.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { PinBlock } from '../../src/domain/chip-data.ts'
import type { KeyUse, MacRequest, PaymentKeys, PinTranslation } from '../../src/engine/ports/payment-keys.ts'

const DOUBLE = '0123456789ABCDEFFEDCBA9876543210'
const AES = '2B7E151628AED2A6ABF7158809CF4F3C'

export interface TestKey {
  readonly name: string
  readonly use: KeyUse
  readonly algorithm: 'tdes' | 'aes'
  readonly hex: string
}

/** The keys that are in each store under test. Published test keys. */
export const TEST_KEYS: readonly TestKey[] = [
  { name: 'host-mac', use: 'mac', algorithm: 'tdes', hex: DOUBLE },
  { name: 'host-mac-aes', use: 'mac', algorithm: 'aes', hex: AES },
  { name: 'host-pin', use: 'pin', algorithm: 'tdes', hex: 'FEDCBA98765432100123456789ABCDEF' },
  { name: 'host-pin-aes', use: 'pin', algorithm: 'aes', hex: AES },
  { name: 'terminals', use: 'terminals', algorithm: 'tdes', hex: DOUBLE },
]

export interface KeysUnderTest {
  readonly keys: PaymentKeys
  close(): Promise<void>
}

const TEXT = Buffer.from('Now is the time for all ')
const SIGN_ON = Buffer.from('0800822000000000000004000000000000000101000000000001301')
const NIST = Buffer.from('6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411', 'hex')
/** ANSI X9.24-1: PIN 1234 of card 4012345678909, by the first key of the terminal. */
const CARD = '4012345678909'
const PIN = new PinBlock('1B9C1845EB993A7A', 'FFFF9876543210E00001')

const request = (changes: Partial<MacRequest>): MacRequest => ({
  ...{ key: 'host-mac', algorithm: 'retail', padding: 'zeros', bytes: 8, message: TEXT },
  ...changes,
})
const translation = (changes: Partial<PinTranslation>): PinTranslation => ({
  ...{ from: 'terminals', to: 'host-pin', format: 'iso0', pin: PIN, cardNumber: CARD },
  ...changes,
})
const bytesOf = (hex: string) => Buffer.from(hex, 'hex')

/** Runs the whole contract. `make` opens a store with `TEST_KEYS`. */
export function exercisePaymentKeys(name: string, make: () => Promise<KeysUnderTest>): void {
  describe(`payment keys: ${name}`, () => {
    let under: KeysUnderTest
    beforeAll(async () => {
      under = await make()
    })
    afterAll(() => under.close())

    const macOf = async (changes: Partial<MacRequest>) => {
      const made = await under.keys.mac(request(changes))
      return 'refused' in made ? made.refused : Buffer.from(made.mac).toString('hex')
    }
    const blockOf = async (changes: Partial<PinTranslation> = {}) => {
      const made = await under.keys.translatePin(translation(changes))
      return 'refused' in made ? made.refused : Buffer.from(made.block)
    }

    test.each([
      ['ISO/IEC 9797-1, algorithm 3', {}, 'a1c72e74ea3fa9b6'],
      ['algorithm 3 of a message of odd length', { message: SIGN_ON }, '114230dae22f31c4'],
      ['the left half of it', { message: SIGN_ON, bytes: 4 }, '114230da'],
      ['ANSI X9.9', { algorithm: 'x9.9' }, '70a30640cc76dd8b'],
      ['RFC 4493, no bytes', { ...cmac(0) }, 'bb1d6929e9593728'],
      ['RFC 4493, a whole block', { ...cmac(16) }, '070a16b46b4d4144'],
      ['RFC 4493, 40 bytes', { ...cmac(40) }, 'dfa66747de9ae630'],
    ] as const)('codes: %s', async (_, changes, mac) => {
      equal(await macOf(changes), mac)
    })

    test.each(['zeros', '80'] as const)('codes: algorithm 1 with TDES, padded by %s', async padding => {
      for (const message of [TEXT, SIGN_ON]) {
        const filled = padding === 'zeros' ? message : Buffer.concat([message, Buffer.from([0x80])])
        const whole = Buffer.concat([filled, Buffer.alloc((8 - (filled.length % 8)) % 8)])
        const cipher = createCipheriv('des-ede3-cbc', bytesOf(DOUBLE + DOUBLE.slice(0, 16)), Buffer.alloc(8))
        const last = cipher.setAutoPadding(false).update(whole).subarray(-8)
        equal(await macOf({ algorithm: 'cbc', padding, message }), last.toString('hex'))
      }
    })

    test('a code is right for its message, length and padding only', async () => {
      const mac = bytesOf('a1c72e74ea3fa9b6')
      const check = async (changes: Partial<MacRequest>, given: Uint8Array = mac) => {
        const checked = await under.keys.verifyMac({ ...request(changes), mac: given })
        return 'refused' in checked ? checked.refused : checked.isRight
      }
      deepEqual(
        [
          await check({}),
          await check({ bytes: 4 }, mac.subarray(0, 4)),
          await check({ message: SIGN_ON }),
          await check({ padding: '80' }),
          await check({}, mac.subarray(0, 4)),
          await check({}, bytesOf('a1c72e74ea3fa9b7')),
        ],
        [true, true, false, false, false, false],
      )
    })

    test('a PIN block is encrypted anew in format 0', async () => {
      const clear = bytesOf('041274edcba9876f')
      deepEqual(await blockOf(), tdes(true, clear))
    })

    test('in format 3 it has another filling each time', async () => {
      const blocks = [await blockOf({ format: 'iso3' }), await blockOf({ format: 'iso3' })]
      ok(!Buffer.isBuffer(blocks[0]) || !Buffer.isBuffer(blocks[1]) || !blocks[0].equals(blocks[1]))
      for (const block of blocks) {
        ok(Buffer.isBuffer(block), String(block))
        const clear = tdes(false, block)
        for (let index = 0; index < 8; index += 1)
          clear[index] = (clear[index] ?? 0) ^ (bytesOf('0000401234567890')[index] ?? 0)
        ok(/^341234[a-f]{10}$/.test(clear.toString('hex')), clear.toString('hex'))
      }
    })

    test('in format 4 it is bound to the card number, by AES', async () => {
      const block = await blockOf({ format: 'iso4', to: 'host-pin-aes' })
      ok(Buffer.isBuffer(block), String(block))
      const decrypted = (given: Uint8Array) =>
        createDecipheriv('aes-128-ecb', bytesOf(AES), null).setAutoPadding(false).update(given)
      const card = bytesOf(`1${CARD}`.padEnd(32, '0'))
      const clear = decrypted(Buffer.from(decrypted(block).map((byte, index) => byte ^ (card[index] ?? 0))))
      equal(clear.subarray(0, 8).toString('hex'), '441234aaaaaaaaaa')
    })

    test.each([
      ['a key that it does not have', {}, { key: 'another' }, 'unknown_key'],
      ['a key of PINs for codes', {}, { key: 'host-pin' }, 'wrong_use'],
      ['a key of another cipher', {}, { key: 'host-mac-aes' }, 'wrong_use'],
    ] as const)('codes are refused for %s', async (_, __, changes, refused) => {
      equal(await macOf(changes), refused)
    })

    test.each([
      ['a key that it does not have', { to: 'another' }, 'unknown_key'],
      ['a key of codes as that of terminals', { from: 'host-mac' }, 'wrong_use'],
      ['a key of terminals as that of the host', { to: 'terminals' }, 'wrong_use'],
      ['a key of another cipher', { format: 'iso4' }, 'wrong_use'],
      ['another card number', { cardNumber: '4012345678917' }, 'wrong_pin_block'],
      ['another terminal', { pin: new PinBlock('1B9C1845EB993A7A', 'FFFF9876543210E00002') }, 'wrong_pin_block'],
      ['a terminal with AES', { pin: new PinBlock('0'.repeat(32), '0'.repeat(24)) }, 'not_supported'],
    ] as const)('PIN blocks are refused for %s', async (_, changes, refused) => {
      equal(await blockOf(changes), refused)
    })

    test('keys are listed by name, use and check value, and never themselves', async () => {
      const listed = await under.keys.list()
      ok(!('refused' in listed))
      deepEqual(
        listed.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
        [
          { name: 'host-mac', use: 'mac', algorithm: 'tdes', checkValue: '08D7B4' },
          { name: 'host-mac-aes', use: 'mac', algorithm: 'aes', checkValue: '7AD386' },
          {
            name: 'host-pin',
            use: 'pin',
            algorithm: 'tdes',
            checkValue: tdes(true, Buffer.alloc(8)).toString('hex').slice(0, 6).toUpperCase(),
          },
          { name: 'host-pin-aes', use: 'pin', algorithm: 'aes', checkValue: '7AD386' },
          { name: 'terminals', use: 'terminals', algorithm: 'tdes', checkValue: '08D7B4' },
        ],
      )
    })
  })
}

function cmac(bytes: number) {
  return { algorithm: 'cmac-aes', key: 'host-mac-aes', message: NIST.subarray(0, bytes) } as const
}

/** By the key `host-pin`. */
function tdes(encrypts: boolean, block: Uint8Array): Buffer {
  const key = bytesOf('FEDCBA98765432100123456789ABCDEFFEDCBA9876543210')
  const cipher = encrypts ? createCipheriv('des-ede3-ecb', key, null) : createDecipheriv('des-ede3-ecb', key, null)
  return cipher.setAutoPadding(false).update(block)
}
