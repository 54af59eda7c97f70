// src/simulator/wallets/apple-tokens.ts — makes Apple Pay tokens as a phone would, for a merchant of the sandbox.
import { createCipheriv, createHash, createPublicKey, diffieHellman, X509Certificate } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import type { Random } from '../../engine/ports/random.ts'
import { signatureOver } from './apple-signatures.ts'
import { issue } from './certificates.ts'
import { freshKeys, type WalletKeys } from './wallet-keys.ts'

/** Payment and card of a token. */
export interface WalletPurchase {
  readonly number: string
  readonly expiry: { readonly month: number; readonly year: number }
  readonly amountMinor: number
  readonly currencyNumeric: string
}

const YEAR_MS = 365 * 86_400_000
const TEST_MERCHANT = 'merchant.example.shop'
/** Extensions that mark Apple's certificates for payment tokens. */
const LEAF_MARK = '1.2.840.113635.100.6.29'
const INTERMEDIATE_MARK = '1.2.840.113635.100.6.2.14'

/** Creates certificates for the keys, and tokens under them. `at`: now, epoch milliseconds. */
export function createAppleTokens(keys: WalletKeys, random: Random, at: number) {
  const life = { from: at - 86_400_000, to: at + 20 * YEAR_MS }
  const authority = { ...life, authority: true }
  const root = issue({ ...authority, name: 'Tollgate Sandbox Root', marks: [] }, keys.appleRoot, null, random)
  const middle = issue(
    { ...authority, name: 'Tollgate Sandbox CA', marks: [INTERMEDIATE_MARK] },
    keys.appleIntermediate,
    root,
    random,
  )
  const leaf = issue(
    { ...life, authority: false, name: 'Tollgate Sandbox', marks: [LEAF_MARK] },
    keys.appleLeaf,
    middle,
    random,
  )
  const merchant = keys.appleMerchant

  return {
    settings: {
      root: new X509Certificate(Buffer.from(AsnConvert.serialize(root.certificate))),
      merchants: [{ identifier: TEST_MERCHANT, privateKeys: [merchant.privateKey], accounts: null }],
    },
    make(purchase: WalletPurchase, madeAt: number) {
      const ephemeral = freshKeys()
      const publicKey = createPublicKey(merchant.privateKey)
      const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey })
      const data = encrypt(shared, contentOf(purchase, random))
      const ephemeralPublicKey = ephemeral.publicKey.export({ type: 'spki', format: 'der' })
      const transactionId = Buffer.from(random.bytes(32))
      const signed = Buffer.concat([ephemeralPublicKey, data, transactionId])
      const spki = publicKey.export({ type: 'spki', format: 'der' })
      return {
        paymentData: {
          version: 'EC_v1',
          data: data.toString('base64'),
          signature: signatureOver(signed, { leaf, intermediate: middle, at: madeAt }).toString('base64'),
          header: {
            ephemeralPublicKey: ephemeralPublicKey.toString('base64'),
            publicKeyHash: createHash('sha256').update(spki).digest('base64'),
            transactionId: transactionId.toString('hex'),
          },
        },
        paymentMethod: { displayName: `Test ${purchase.number.slice(-4)}`, network: 'Test', type: 'debit' },
        transactionIdentifier: transactionId.toString('hex').toUpperCase(),
      }
    },
  }
}

function encrypt(shared: Buffer, content: object): Buffer {
  const key = createHash('sha256')
    .update(Buffer.from('00000001', 'hex'))
    .update(shared)
    .update(Buffer.from('\x0did-aes256-GCMApple', 'latin1'))
    .update(createHash('sha256').update(TEST_MERCHANT).digest())
    .digest()
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(16))
  return Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final(), cipher.getAuthTag()])
}

function contentOf({ number, expiry, amountMinor, currencyNumeric }: WalletPurchase, random: Random) {
  const two = (value: number) => String(value % 100).padStart(2, '0')
  return {
    applicationPrimaryAccountNumber: number,
    applicationExpirationDate: `${two(expiry.year)}${two(expiry.month)}31`,
    currencyCode: currencyNumeric,
    transactionAmount: amountMinor,
    deviceManufacturerIdentifier: '040010030273',
    paymentDataType: '3DSecure',
    paymentData: {
      onlinePaymentCryptogram: Buffer.from(random.bytes(20)).toString('base64'),
      eciIndicator: '5',
    },
  }
}
