// src/simulator/wallets/google-tokens.ts — makes Google Pay tokens as Google would, for a gateway of the sandbox.
import { createCipheriv, createHmac, diffieHellman, hkdfSync, type KeyObject, sign } from 'node:crypto'
import type { Random } from '../../engine/ports/random.ts'
import type { WalletPurchase } from './apple-tokens.ts'
import { freshKeys, type WalletKeys } from './wallet-keys.ts'

const TEST_GATEWAY = 'tollgate'

const DAY_MS = 86_400_000
/** Lifetime of a token: about an hour, as Google's. */
const TOKEN_LIFE_MS = 3_600_000

/** `device`: a device account number with a cryptogram. `card`: a plain card number. */
export type AuthMethod = 'device' | 'card'

/** Creates tokens under the keys. `at`: now, epoch milliseconds. */
export function createGoogleTokens(keys: WalletKeys, random: Random, at: number) {
  const { googleRoot: root, googleSigning: signing, googleGateway: gateway } = keys
  const signedKey = JSON.stringify({
    keyExpiration: String(at + 3_650 * DAY_MS),
    keyValue: spkiOf(signing.publicKey).toString('base64'),
  })
  const keySignature = sign('sha256', joined('Google', 'ECv2', signedKey), root.privateKey).toString('base64')
  const recipient = `gateway:${TEST_GATEWAY}`
  return {
    settings: {
      recipient,
      privateKeys: [gateway.privateKey],
      rootKeys: [{ key: root.publicKey, expiresAt: null }],
    },
    make(purchase: WalletPurchase & { readonly account: string; readonly authMethod: AuthMethod }, madeAt: number) {
      const ephemeral = freshKeys()
      // A SubjectPublicKeyInfo of P-256 ends with the point.
      const point = spkiOf(ephemeral.publicKey).subarray(-65)
      const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: gateway.publicKey })
      const keys = Buffer.from(hkdfSync('sha256', Buffer.concat([point, shared]), Buffer.alloc(32), 'Google', 64))
      const cipher = createCipheriv('aes-256-ctr', keys.subarray(0, 32), Buffer.alloc(16))
      const message = Buffer.concat([
        cipher.update(JSON.stringify(contentOf(purchase, madeAt, random))),
        cipher.final(),
      ])
      const signedMessage = JSON.stringify({
        encryptedMessage: message.toString('base64'),
        ephemeralPublicKey: point.toString('base64'),
        tag: createHmac('sha256', keys.subarray(32)).update(message).digest('base64'),
      })
      const signed = joined('Google', recipient, 'ECv2', signedMessage)
      return {
        protocolVersion: 'ECv2',
        signature: sign('sha256', signed, signing.privateKey).toString('base64'),
        intermediateSigningKey: { signedKey, signatures: [keySignature] },
        signedMessage,
      }
    },
  }
}

function contentOf(
  {
    account,
    number,
    expiry,
    authMethod,
  }: WalletPurchase & { readonly account: string; readonly authMethod: AuthMethod },
  madeAt: number,
  random: Random,
) {
  const plain = { pan: number, expirationMonth: expiry.month, expirationYear: expiry.year }
  const cryptogram = Buffer.from(random.bytes(20)).toString('base64')
  return {
    gatewayMerchantId: account,
    messageId: Buffer.from(random.bytes(24)).toString('base64url'),
    messageExpiration: String(madeAt + TOKEN_LIFE_MS),
    paymentMethod: 'CARD',
    paymentMethodDetails:
      authMethod === 'card'
        ? { ...plain, authMethod: 'PAN_ONLY' }
        : { ...plain, authMethod: 'CRYPTOGRAM_3DS', cryptogram, eciIndicator: '05' },
  }
}

function spkiOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' })
}

function joined(...parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap(part => {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(Buffer.byteLength(part))
      return [length, Buffer.from(part)]
    }),
  )
}
