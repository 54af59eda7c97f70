// src/terminals/nexo/codec.ts — encrypts, decrypts and authenticates messages with the key shared with a terminal.
import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { type Members, memberAt, membersOf, textOf } from './wire/lenient.ts'

/** A key as it is set up with the terminal's provider. */
export interface SharedKey {
  readonly identifier: string
  readonly version: number
  /** ASCII. */
  readonly passphrase: string
}

/** A shared key ready for use. Never logged. */
export interface DerivedKey extends Omit<SharedKey, 'passphrase'> {
  readonly mac: Buffer
  readonly cipher: Buffer
  readonly iv: Buffer
}

export type Envelope = 'SaleToPOIRequest' | 'SaleToPOIResponse'

/** A message: its header, and its body by the name of the body (`PaymentRequest`). */
export interface Message {
  readonly envelope: Envelope
  readonly header: Members
  readonly body: Members
}

export interface Decoded extends Message {
  /** Whether it was encrypted and authenticated. What came in clear text proves nothing about money. */
  readonly authentic: boolean
}

/** A message that cannot be read, or is not authentic. One error for every cause: a difference would help to forge messages. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage'
  constructor() {
    super('The message cannot be read or is not authentic.')
  }
}

const CRYPTO_VERSION = 1
const SALT = 'AdyenNexoV1Salt'
const ROUNDS = 4_000
const KEY_BYTES = 80
const NONCE_BYTES = 16
const CIPHER = 'aes-256-cbc'
/** Members of the header that the clear copy must share with the authenticated one. */
const BOUND = ['ServiceID', 'SaleID', 'POIID', 'MessageCategory', 'MessageType'] as const

/** Derives the keys of a passphrase. Takes some 10 ms, so callers keep the result. */
export function deriveKey({ identifier, version, passphrase }: SharedKey): DerivedKey {
  const bytes = pbkdf2Sync(Buffer.from(passphrase, 'latin1'), SALT, ROUNDS, KEY_BYTES, 'sha1')
  const [mac, cipher, iv] = [bytes.subarray(0, 32), bytes.subarray(32, 64), bytes.subarray(64)]
  return { identifier, version, mac, cipher, iv }
}

/** Encrypts a message. @param key without one it stays in clear text @param nonce 16 bytes that no message had before */
export function encode({ envelope, header, body }: Message, key: DerivedKey | undefined, nonce: Uint8Array): string {
  const text = JSON.stringify({ [envelope]: { MessageHeader: header, ...body } })
  if (key === undefined) return text
  const plain = Buffer.from(text, 'utf8')
  const cipher = createCipheriv(CIPHER, key.cipher, mixed(key.iv, nonce))
  const blob = Buffer.concat([cipher.update(plain), cipher.final()])
  const trailer = {
    ...{ AdyenCryptoVersion: CRYPTO_VERSION, KeyIdentifier: key.identifier, KeyVersion: key.version },
    ...{ Nonce: Buffer.from(nonce).toString('base64'), Hmac: macOf(key, plain).toString('base64') },
  }
  return JSON.stringify({
    [envelope]: { MessageHeader: header, NexoBlob: blob.toString('base64'), SecurityTrailer: trailer },
  })
}

/**
 * Reads a message, encrypted or in clear text.
 * @param keys all that the terminal may use, in any order
 * @throws UnreadableMessage
 */
export function decode(text: string, keys: readonly DerivedKey[]): Decoded {
  const [envelope, content] = enclosedIn(parsed(text))
  if (!Object.hasOwn(content, 'NexoBlob')) {
    const { MessageHeader: header, ...body } = content
    return { envelope, header: membersOf(header), body, authentic: false }
  }
  const plain = decrypted(content, keys)
  const [inner, { MessageHeader: header, ...body }] = enclosedIn(parsed(plain))
  const outer = membersOf(content['MessageHeader'])
  const isBound = BOUND.every(name => textOf(memberAt(header, name)) === textOf(memberAt(outer, name)))
  if (inner !== envelope || !isBound) throw new UnreadableMessage()
  return { envelope, header: membersOf(header), body, authentic: true }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnreadableMessage()
  }
}

function enclosedIn(message: unknown): readonly [Envelope, Members] {
  for (const envelope of ['SaleToPOIResponse', 'SaleToPOIRequest'] as const) {
    const content = memberAt(message, envelope)
    if (content !== undefined) return [envelope, membersOf(content)]
  }
  throw new UnreadableMessage()
}

function decrypted(content: Members, keys: readonly DerivedKey[]): string {
  const trailer = content['SecurityTrailer']
  const named = (name: string) => textOf(memberAt(trailer, name))
  const key = keys.find(
    ({ identifier, version }) => named('KeyIdentifier') === identifier && named('KeyVersion') === String(version),
  )
  const nonce = bytesOf(named('Nonce'))
  if (key === undefined || named('AdyenCryptoVersion') !== String(CRYPTO_VERSION) || nonce.length !== NONCE_BYTES)
    throw new UnreadableMessage()
  const plain = opened(key, nonce, bytesOf(textOf(content['NexoBlob'])))
  const [expected, given] = [macOf(key, plain), bytesOf(named('Hmac'))]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new UnreadableMessage()
  return plain.toString('utf8')
}

function opened(key: DerivedKey, nonce: Uint8Array, blob: Buffer): Buffer {
  try {
    const decipher = createDecipheriv(CIPHER, key.cipher, mixed(key.iv, nonce))
    return Buffer.concat([decipher.update(blob), decipher.final()])
  } catch {
    throw new UnreadableMessage()
  }
}

/** The bytes of base64; none when it is not base64, which Node would read as far as it can. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : Buffer.alloc(0)
}

function macOf(key: DerivedKey, plain: Buffer): Buffer {
  return createHmac('sha256', key.mac).update(plain).digest()
}

/** The IV of a message: that of the key, combined with the nonce byte by byte. */
function mixed(iv: Buffer, nonce: Uint8Array): Buffer {
  return Buffer.from(iv.map((byte, index) => byte ^ (nonce[index] ?? 0)))
}
