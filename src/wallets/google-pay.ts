// src/wallets/google-pay.ts — verifies and decrypts Google Pay payment tokens of protocol ECv2. Source: Google's "Payment data
// cryptography for merchants".
import {
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import { CardNumber, type CardRules, readCardNumber } from '../domain/card-number.ts'
import type { GooglePaySheet } from '../engine/ports/wallets.ts'
import type { Opened } from './apple-pay.ts'
import { bytesOf, Malformed, objectOf, optionalTextOf, textOf } from './token-fields.ts'

export interface GooglePaySettings {
  /** `gateway:<id>`, or `merchant:<id>` for a merchant that decrypts tokens itself. */
  readonly recipient: string
  /** Newest first; older ones stay until no token for them is in use. */
  readonly privateKeys: readonly KeyObject[]
  /** Google's published root keys. `expiresAt`: epoch milliseconds; null for never. */
  readonly rootKeys: readonly { readonly key: KeyObject; readonly expiresAt: number | null }[]
  /** For Google's sheet in browsers; when absent, only tokens are accepted. */
  readonly sheet?: Pick<GooglePaySheet, 'environment' | 'merchantId' | 'merchantName' | 'countryCode'>
}

const PROTOCOL = 'ECv2'
const SENDER = 'Google'
const KEY_BYTES = 32

interface Encrypted {
  readonly message: Uint8Array
  readonly ephemeralPublicKey: Uint8Array
  readonly tag: Uint8Array
}

/** Verifies and decrypts a token. `account` must be its `gatewayMerchantId`. `at`: epoch milliseconds. */
export function openGooglePay(
  token: unknown,
  account: string,
  settings: GooglePaySettings,
  rules: CardRules,
  at: number,
): Opened {
  try {
    const outer = objectOf(typeof token === 'string' ? (JSON.parse(token) as unknown) : token)
    if (outer['protocolVersion'] !== PROTOCOL) return { refused: 'malformed' }
    const signingKey = intermediateKeyOf(outer, settings, at)
    if (signingKey === 'not_signed' || signingKey === 'expired') return { refused: signingKey }
    const signedMessage = textOf(outer['signedMessage'])
    const signed = lengthened(SENDER, settings.recipient, PROTOCOL, signedMessage)
    if (!isSigned(signed, signingKey, bytesOf(outer['signature']))) return { refused: 'not_signed' }
    const encrypted = encryptedIn(signedMessage)
    for (const key of settings.privateKeys) {
      const content = decrypt(encrypted, key)
      if (content !== null) return cardIn(objectOf(content), merchantOf(settings, account), rules, at)
    }
    return { refused: 'cannot_be_opened' }
  } catch (error) {
    if (error instanceof Malformed || error instanceof SyntaxError) return { refused: 'malformed' }
    throw error
  }
}

/** The intermediate signing key, if a root key has signed it and it has not expired. */
function intermediateKeyOf(
  outer: Readonly<Record<string, unknown>>,
  { rootKeys }: GooglePaySettings,
  at: number,
): KeyObject | 'not_signed' | 'expired' {
  const { signedKey, signatures } = objectOf(outer['intermediateSigningKey'])
  const text = textOf(signedKey)
  if (!Array.isArray(signatures) || signatures.length > 8) throw new Malformed('no signatures')
  const signed = lengthened(SENDER, PROTOCOL, text)
  const roots = rootKeys.filter(({ expiresAt }) => expiresAt === null || at < expiresAt)
  const isGenuine = signatures.some(signature => roots.some(({ key }) => isSigned(signed, key, bytesOf(signature))))
  if (!isGenuine) return 'not_signed'
  const { keyExpiration, keyValue } = objectOf(JSON.parse(text))
  if (at >= millisecondsOf(keyExpiration)) return 'expired'
  return publicKeyOf(bytesOf(keyValue))
}

/** Joins parts, each after its length as four bytes, little-endian. */
function lengthened(...parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap(part => {
      const bytes = Buffer.from(part, 'utf8')
      const length = Buffer.alloc(4)
      length.writeUInt32LE(bytes.length)
      return [length, bytes]
    }),
  )
}

function isSigned(signed: Buffer, key: KeyObject, signature: Uint8Array): boolean {
  return verify('sha256', signed, { key, dsaEncoding: 'der' }, signature)
}

/** Parses a public key in SubjectPublicKeyInfo form. @throws Malformed unless it is on P-256 */
function publicKeyOf(der: Uint8Array): KeyObject {
  try {
    const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // Thrown below.
  }
  throw new Malformed('no key on P-256')
}

function encryptedIn(signedMessage: string): Encrypted {
  const { encryptedMessage, ephemeralPublicKey, tag } = objectOf(JSON.parse(signedMessage))
  return { message: bytesOf(encryptedMessage), ephemeralPublicKey: bytesOf(ephemeralPublicKey), tag: bytesOf(tag) }
}

/** ECIES: derives the encryption key and the MAC key from the ephemeral key and the shared secret. Null when the tag differs. */
function decrypt({ message, ephemeralPublicKey, tag }: Encrypted, privateKey: KeyObject): unknown {
  const shared = sharedSecret(privateKey, ephemeralPublicKey)
  if (shared === null) return null
  const material = Buffer.concat([ephemeralPublicKey, shared])
  const keys = Buffer.from(hkdfSync('sha256', material, Buffer.alloc(KEY_BYTES), SENDER, 2 * KEY_BYTES))
  const expected = createHmac('sha256', keys.subarray(KEY_BYTES)).update(message).digest()
  if (tag.length !== expected.length || !timingSafeEqual(tag, expected)) return null
  const decipher = createDecipheriv('aes-256-ctr', keys.subarray(0, KEY_BYTES), Buffer.alloc(16))
  return JSON.parse(Buffer.concat([decipher.update(message), decipher.final()]).toString('utf8'))
}

/** The ephemeral key is an uncompressed point on P-256. Null when it is malformed or not on the curve. */
function sharedSecret(privateKey: KeyObject, point: Uint8Array): Buffer | null {
  if (point.length !== 1 + 2 * KEY_BYTES || point[0] !== 4) return null
  const coordinate = (from: number) => Buffer.from(point.subarray(from, from + KEY_BYTES)).toString('base64url')
  try {
    const key = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(1 + KEY_BYTES) }
    return diffieHellman({ privateKey, publicKey: createPublicKey({ key, format: 'jwk' }) })
  } catch {
    return null
  }
}

/** The `gatewayMerchantId` that a token must have; undefined for a merchant that decrypts tokens itself. */
function merchantOf({ recipient }: GooglePaySettings, account: string): string | undefined {
  return recipient.startsWith('gateway:') ? account : undefined
}

function cardIn(
  content: Readonly<Record<string, unknown>>,
  merchant: string | undefined,
  rules: CardRules,
  at: number,
): Opened {
  if (at >= millisecondsOf(content['messageExpiration'])) return { refused: 'expired' }
  if (merchant !== undefined && content['gatewayMerchantId'] !== merchant) return { refused: 'other_recipient' }
  if (content['paymentMethod'] !== 'CARD') return { refused: 'card_not_taken' }
  const details = objectOf(content['paymentMethodDetails'])
  const number = readCardNumber(textOf(details['pan']), rules)
  if (!(number instanceof CardNumber)) return { refused: 'card_not_taken' }
  const { expirationMonth: month, expirationYear: year, authMethod, cryptogram, eciIndicator } = details
  if (typeof month !== 'number' || typeof year !== 'number') throw new Malformed('no expiry')
  if (authMethod !== 'PAN_ONLY' && authMethod !== 'CRYPTOGRAM_3DS') return { refused: 'card_not_taken' }
  const eci = optionalTextOf(eciIndicator)
  const card = {
    wallet: 'GOOGLE_PAY',
    number,
    expiry: { month, year },
    holder: '',
    cryptogram: authMethod === 'PAN_ONLY' ? null : { value: textOf(cryptogram), eci },
    amount: null,
  } as const
  const message = {
    id: textOf(content['messageId']),
    gatewayMerchantId: optionalTextOf(content['gatewayMerchantId']),
    expiration: textOf(content['messageExpiration']),
  }
  return { card, message }
}

/** Parses epoch milliseconds in Google's form, a string of digits. @throws Malformed otherwise */
function millisecondsOf(value: unknown): number {
  const text = textOf(value)
  if (!/^\d{1,15}$/.test(text)) throw new Malformed('no time')
  return Number(text)
}
