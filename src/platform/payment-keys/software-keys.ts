// src/platform/payment-keys/software-keys.ts — payment keys in the gateway's own store, sealed by the keys of the vault. For tests
// only: the keys and the PIN are in the memory of the gateway. ADR 90.
import { timingSafeEqual } from 'node:crypto'
import type { KeyUse, PaymentKey, PaymentKeys } from '../../engine/ports/payment-keys.ts'
import type { Key } from '../../engine/ports/store.ts'
import { VAULT_ACCOUNT, type VaultKind, writeEntry } from '../vault/entries.ts'
import { sealEnvelope } from '../vault/sealing.ts'
import { openEntry, type VaultParts } from '../vault/vault.ts'
import { DES_BLOCK, decryptDes, encryptDes } from './block-ciphers.ts'
import { pinKeyOf, SERIAL_BYTES } from './derived-keys.ts'
import { cmacOf, macOf } from './mac-codes.ts'
import { encryptedPin, pinIn } from './pin-blocks.ts'

/** A key in clear, as its parts were typed in. */
export interface ClearKey {
  readonly name: string
  readonly use: KeyUse
  readonly algorithm: PaymentKey['algorithm']
  readonly bytes: Uint8Array
}

export interface SoftwareKeys extends PaymentKeys {
  list(): Promise<readonly PaymentKey[]>
  /** Stores a key, or replaces the one of the same name. */
  put(key: ClearKey): Promise<PaymentKey>
  /** Whether there was one. */
  remove(name: string): Promise<boolean>
}

interface StoredKey extends PaymentKey {
  readonly hex: string
}

const KIND = 'vault-payment-key' satisfies VaultKind
/** More than an installation with several acquirers has. */
const MOST_KEYS = 1_000
const CHECK_BYTES = 3

const UNKNOWN = { refused: 'unknown_key' } as const
const WRONG_USE = { refused: 'wrong_use' } as const
const NOT_SUPPORTED = { refused: 'not_supported' } as const

export function createSoftwareKeys(parts: VaultParts): SoftwareKeys {
  const { store, ring, random, clock } = parts
  const at = (name: string): Key => ({ account: VAULT_ACCOUNT, kind: KIND, id: name })

  async function stored(name: string): Promise<StoredKey | null> {
    const text = await openEntry(parts, at(name))
    return text === null ? null : (JSON.parse(text) as StoredKey)
  }

  async function keyFor(name: string, use: KeyUse, algorithm: PaymentKey['algorithm']) {
    const found = await stored(name)
    if (found === null) return UNKNOWN
    return found.use === use && found.algorithm === algorithm ? { bytes: Buffer.from(found.hex, 'hex') } : WRONG_USE
  }

  const mac: PaymentKeys['mac'] = async ({ key, algorithm, padding, bytes, message }) => {
    const found = await keyFor(key, 'mac', algorithm === 'cmac-aes' ? 'aes' : 'tdes')
    if ('refused' in found) return found
    // Two different keys are what this algorithm is about.
    if (algorithm === 'retail' && found.bytes.length < 2 * DES_BLOCK) return WRONG_USE
    return { mac: macOf(algorithm, padding, found.bytes, message).subarray(0, bytes) }
  }

  return {
    mac,
    async verifyMac({ mac: given, ...request }) {
      const made = await mac(request)
      if ('refused' in made) return made
      return { isRight: made.mac.length === given.length && timingSafeEqual(made.mac, given) }
    },
    async translatePin({ from, to, format, pin, cardNumber }) {
      const base = await keyFor(from, 'terminals', 'tdes')
      if ('refused' in base) return base
      const own = await keyFor(to, 'pin', format === 'iso4' ? 'aes' : 'tdes')
      if ('refused' in own) return own
      const [block, serial] = [pin.reveal().block, pin.reveal().keySerialNumber].map(hex => Buffer.from(hex, 'hex'))
      if (block?.length !== DES_BLOCK || serial?.length !== SERIAL_BYTES) return NOT_SUPPORTED
      const digits = pinIn(decryptDes(pinKeyOf(base.bytes, serial), block), cardNumber)
      if (digits === null) return { refused: 'wrong_pin_block' }
      return { block: encryptedPin(digits, { format, cardNumber, key: own.bytes }, random) }
    },
    async list() {
      const records = await store.all(KIND, { limit: MOST_KEYS })
      const keys = await Promise.all(records.map(({ id }) => stored(id)))
      return keys.filter(key => key !== null).map(({ hex: _, ...known }) => known)
    },
    async put({ name, use, algorithm, bytes }) {
      const known: PaymentKey = { name, use, algorithm, checkValue: checkValueOf(algorithm, bytes) }
      const text = JSON.stringify({ ...known, hex: Buffer.from(bytes).toString('hex') } satisfies StoredKey)
      for (;;) {
        const version = (await store.load(at(name)))?.version ?? 0
        const entry = { ...sealEnvelope(ring.current, at(name), text, random), owner: name, keptAt: clock.now() }
        if ((await writeEntry(store, at(name), version, entry, clock.now())) === 'written') return known
      }
    },
    async remove(name) {
      for (;;) {
        const record = await store.load(at(name))
        if (record === null) return false
        if ((await store.erase([record])) === 1) return true
      }
    },
  }
}

/** Shows that two people have the same key. */
export function checkValueOf(algorithm: PaymentKey['algorithm'], key: Uint8Array): string {
  const zeros = algorithm === 'aes' ? cmacOf(key, Buffer.alloc(16)) : encryptDes(key, Buffer.alloc(DES_BLOCK))
  return zeros.subarray(0, CHECK_BYTES).toString('hex').toUpperCase()
}
