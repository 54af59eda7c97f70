// src/platform/vault/sealing.ts — envelope encryption by AES-256-GCM: a data key for each entry, sealed by a master key.
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Random } from '../../engine/ports/random.ts'

const CIPHER = 'aes-256-gcm'
/** Standard nonce of GCM. A master key seals far fewer than 2^32 data keys, so random nonces do not repeat. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
const DATA_KEY_BYTES = 32

/** A key that seals data keys, with the version by which entries name it. */
export interface MasterKey {
  readonly version: string
  readonly key: Uint8Array
}

/** The stored form of an entry. `dataKey` and `text` are base64 of nonce, ciphertext and tag. */
export interface Envelope {
  readonly keyVersion: string
  readonly dataKey: string
  readonly text: string
}

/** Identity of an entry, bound to both seals as additional data, so that an entry copied to another record does not open. */
export interface SealingContext {
  readonly account: string
  readonly kind: string
  readonly id: string
}

/** Derives the version of a master key from the key itself, so that it is the same wherever the key is stored. */
export function masterKeyOf(key: Uint8Array): MasterKey {
  return { version: createHmac('sha256', key).update('tollgate master key').digest('hex').slice(0, 12), key }
}

/** Seals a text with a new data key. */
export function sealEnvelope(master: MasterKey, place: SealingContext, text: string, random: Random): Envelope {
  const dataKey = random.bytes(DATA_KEY_BYTES)
  return {
    keyVersion: master.version,
    dataKey: seal(master.key, dataKey, boundTo('key', place), random),
    text: seal(dataKey, Buffer.from(text, 'utf8'), boundTo('text', place), random),
  }
}

/** Opens an envelope. Null when key, context or bytes differ from those that were sealed. */
export function openEnvelope(master: MasterKey, place: SealingContext, envelope: Envelope): string | null {
  const dataKey = open(master.key, envelope.dataKey, boundTo('key', place))
  const text = dataKey === null ? null : open(dataKey, envelope.text, boundTo('text', place))
  return text === null ? null : text.toString('utf8')
}

/** Seals the data key with another master key and leaves the text unchanged. Null when `from` does not open it. */
export function rewrapEnvelope(
  from: MasterKey,
  to: MasterKey,
  place: SealingContext,
  envelope: Envelope,
  random: Random,
): Envelope | null {
  const dataKey = open(from.key, envelope.dataKey, boundTo('key', place))
  if (dataKey === null) return null
  return { ...envelope, keyVersion: to.version, dataKey: seal(to.key, dataKey, boundTo('key', place), random) }
}

function boundTo(what: 'key' | 'text', { account, kind, id }: SealingContext): Buffer {
  return Buffer.from(JSON.stringify(['tollgate vault 1', what, account, kind, id]), 'utf8')
}

function seal(key: Uint8Array, bytes: Uint8Array, bound: Buffer, random: Random): string {
  const nonce = random.bytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(bound)
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

function open(key: Uint8Array, sealed: string, bound: Buffer): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(bound).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}
