// test/support/google-vectors.ts — Google Pay tokens built from the public specification alone, with Web Cryptography,
// independent of the gateway's code.
import { webcrypto } from 'node:crypto'

const { subtle } = webcrypto
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const
const EXCHANGE = { name: 'ECDH', namedCurve: 'P-256' } as const
const DIGEST = { name: 'ECDSA', hash: 'SHA-256' } as const

export interface GoogleWorld {
  readonly root: webcrypto.CryptoKeyPair
  readonly signing: webcrypto.CryptoKeyPair
  readonly recipient: webcrypto.CryptoKeyPair
}

/** Deviations from a valid token. */
export interface GoogleChanges {
  readonly recipientId?: string
  readonly keyExpiration?: number
  readonly messageExpiration?: number
  readonly content?: Readonly<Record<string, unknown>>
  readonly details?: Readonly<Record<string, unknown>>
  /** Signs the intermediate key, instead of the root. */
  readonly rootPrivateKey?: webcrypto.CryptoKey
  /** Signs the message, instead of the intermediate key. */
  readonly signingPrivateKey?: webcrypto.CryptoKey
  readonly sender?: string
}

export const NOW = Date.UTC(2026, 4, 6, 13, 3, 27)

/** New keys of Google and the gateway. */
export async function googleWorld(): Promise<GoogleWorld> {
  return {
    root: await subtle.generateKey(CURVE, true, ['sign', 'verify']),
    signing: await subtle.generateKey(CURVE, true, ['sign', 'verify']),
    recipient: await subtle.generateKey(EXCHANGE, true, ['deriveBits']),
  }
}

export async function spki(key: webcrypto.CryptoKey): Promise<Buffer> {
  return Buffer.from(await subtle.exportKey('spki', key))
}

export async function pkcs8(key: webcrypto.CryptoKey): Promise<Buffer> {
  return Buffer.from(await subtle.exportKey('pkcs8', key))
}

/** A token for `gateway:tollgate` and account `demo` with a device card, unless changed. */
export async function googleToken(world: GoogleWorld, changes: GoogleChanges = {}) {
  const { recipientId = 'gateway:tollgate', sender = 'Google' } = changes
  const signedKey = JSON.stringify({
    keyValue: (await spki(world.signing.publicKey)).toString('base64'),
    keyExpiration: String(changes.keyExpiration ?? NOW + 86_400_000),
  })
  const signedMessage = await messageFor(world, {
    gatewayMerchantId: 'demo',
    messageExpiration: String(changes.messageExpiration ?? NOW + 3_600_000),
    messageId: 'AH2Ejtc8qBlP',
    paymentMethod: 'CARD',
    paymentMethodDetails: {
      pan: '4111111111111111',
      expirationMonth: 10,
      expirationYear: 2030,
      authMethod: 'CRYPTOGRAM_3DS',
      cryptogram: 'AAAAAA1lV4WAAAAAAAAAAAAAAAA=',
      eciIndicator: '05',
      ...changes.details,
    },
    ...changes.content,
  })
  return {
    protocolVersion: 'ECv2',
    signature: await signed(
      changes.signingPrivateKey ?? world.signing.privateKey,
      framed([sender, recipientId, 'ECv2', signedMessage]),
    ),
    intermediateSigningKey: {
      signedKey,
      signatures: [await signed(changes.rootPrivateKey ?? world.root.privateKey, framed([sender, 'ECv2', signedKey]))],
    },
    signedMessage,
  }
}

async function messageFor(world: GoogleWorld, content: object): Promise<string> {
  const ephemeral = await subtle.generateKey(EXCHANGE, true, ['deriveBits'])
  const point = Buffer.from(await subtle.exportKey('raw', ephemeral.publicKey))
  const secret = await subtle.deriveBits({ name: 'ECDH', public: world.recipient.publicKey }, ephemeral.privateKey, 256)
  const input = await subtle.importKey('raw', Buffer.concat([point, Buffer.from(secret)]), 'HKDF', false, [
    'deriveBits',
  ])
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info: Buffer.from('Google') }
  const derived = Buffer.from(await subtle.deriveBits(hkdf, input, 512))
  const aes = await subtle.importKey('raw', derived.subarray(0, 32), 'AES-CTR', false, ['encrypt'])
  const ctr = { name: 'AES-CTR', counter: new Uint8Array(16), length: 128 }
  const encrypted = Buffer.from(await subtle.encrypt(ctr, aes, Buffer.from(JSON.stringify(content))))
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const mac = await subtle.importKey('raw', derived.subarray(32), hmac, false, ['sign'])
  return JSON.stringify({
    tag: Buffer.from(await subtle.sign('HMAC', mac, encrypted)).toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    encryptedMessage: encrypted.toString('base64'),
  })
}

function framed(parts: readonly string[]): Buffer {
  const chunks: Buffer[] = []
  for (const part of parts) {
    const bytes = Buffer.from(part)
    chunks.push(Buffer.from(new Uint32Array([bytes.length]).buffer), bytes)
  }
  return Buffer.concat(chunks)
}

async function signed(key: webcrypto.CryptoKey, bytes: Uint8Array): Promise<string> {
  return derSignature(Buffer.from(await subtle.sign(DIGEST, key, Buffer.from(bytes)))).toString('base64')
}

/** Web Cryptography concatenates r and s; DER has them as a SEQUENCE of two INTEGERs. */
export function derSignature(pair: Buffer): Buffer {
  const number = (bytes: Buffer) => {
    let hex = bytes.toString('hex').replace(/^(00)+/, '')
    if (Number.parseInt(hex.slice(0, 2), 16) > 0x7f) hex = `00${hex}`
    return `02${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`
  }
  const body = number(pair.subarray(0, 32)) + number(pair.subarray(32))
  return Buffer.from(`30${(body.length / 2).toString(16).padStart(2, '0')}${body}`, 'hex')
}
