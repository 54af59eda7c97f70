// src/wallets/apple-pay.ts — verifies and decrypts Apple Pay payment tokens of version EC_v1. Source: Apple's "Payment Token
// Format Reference".
import {
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  type KeyObject,
  type X509Certificate,
} from 'node:crypto'
import { CardNumber, type CardRules, readCardNumber } from '../domain/card-number.ts'
import { numericCode } from '../domain/numeric-code.ts'
import type { WalletCard, WalletMessage, WalletRefusal } from '../engine/ports/wallets.ts'
import { type Certificate, readSignature, type SignedMessage } from './cms.ts'
import { bytesOf, Malformed, objectOf, optionalTextOf, textOf } from './token-fields.ts'

export interface AppleMerchant {
  /** Merchant identifier, as registered with Apple. */
  readonly identifier: string
  /** Payment processing keys, newest first; older ones stay until no token for them is in use. */
  readonly privateKeys: readonly KeyObject[]
  /** Accounts that take Apple Pay under this identifier; null for all. */
  readonly accounts: readonly string[] | null
  /** For Apple's sheet in browsers; when absent, only tokens are accepted. */
  readonly identity?: AppleIdentity
}

/** The merchant identity certificate with its key, PEM. It authenticates requests for sessions. */
export interface AppleIdentity {
  readonly certificate: string
  readonly privateKey: string
  /** Name of the shop in the sheet. */
  readonly displayName: string
  /** Country where the payment is processed, ISO 3166-1 alpha-2. */
  readonly countryCode: string
}

export interface ApplePaySettings {
  /** Apple's published root certificate, "Apple Root CA - G3". */
  readonly root: X509Certificate
  readonly merchants: readonly AppleMerchant[]
}

export type Opened =
  | { readonly card: WalletCard; readonly message: WalletMessage }
  | { readonly refused: WalletRefusal }

/** Extensions of Apple's certificates that sign payment tokens. */
const LEAF_MARK = '1.2.840.113635.100.6.29'
const INTERMEDIATE_MARK = '1.2.840.113635.100.6.2.14'
/** Maximum difference between the signature's time and the clock, in milliseconds: a token is used at once. */
const FRESH_MS = 5 * 60_000
const TAG_BYTES = 16

interface Token {
  readonly data: Uint8Array
  readonly signature: Uint8Array
  readonly publicKeyHash: string
  readonly ephemeralPublicKey: Uint8Array
  readonly transactionId: string
  readonly applicationData: Uint8Array
}

/** Verifies and decrypts a token. `token`: as the browser received it, or its `paymentData` alone. `at`: epoch milliseconds. */
export function openApplePay(
  token: unknown,
  account: string,
  settings: ApplePaySettings,
  rules: CardRules,
  at: number,
): Opened {
  try {
    const read = readToken(token)
    const signature = readSignature(read.signature)
    if (!isGenuine(signature, signedPartOf(read), settings.root, at)) return { refused: 'not_signed' }
    if (Math.abs(at - signature.signedAt) > FRESH_MS) return { refused: 'expired' }
    const recipient = recipientOf(read.publicKeyHash, account, settings)
    if (recipient === null) return { refused: 'other_recipient' }
    const opened = decrypt(read, recipient.key, recipient.identifier)
    return opened === null ? { refused: 'cannot_be_opened' } : cardIn(opened, read.transactionId, rules)
  } catch (error) {
    if (error instanceof Malformed || error instanceof SyntaxError) return { refused: 'malformed' }
    throw error
  }
}

function readToken(token: unknown): Token {
  const outer = objectOf(typeof token === 'string' ? (JSON.parse(token) as unknown) : token)
  const data = 'paymentData' in outer ? objectOf(outer['paymentData']) : outer
  const header = objectOf(data['header'])
  if (data['version'] !== 'EC_v1') throw new Malformed('another version')
  const transactionId = textOf(header['transactionId'])
  if (!/^([0-9a-f]{2}){1,64}$/i.test(transactionId)) throw new Malformed('no transaction id')
  return {
    data: bytesOf(data['data']),
    signature: bytesOf(data['signature']),
    publicKeyHash: textOf(header['publicKeyHash']),
    ephemeralPublicKey: bytesOf(header['ephemeralPublicKey']),
    transactionId,
    applicationData: Buffer.from(optionalTextOf(header['applicationData']), 'hex'),
  }
}

function signedPartOf({ ephemeralPublicKey, data, transactionId, applicationData }: Token): Uint8Array {
  return Buffer.concat([ephemeralPublicKey, data, Buffer.from(transactionId, 'hex'), applicationData])
}

/** Whether the signature is valid and its chain is Apple's leaf, Apple's intermediate and the root. */
function isGenuine(signature: SignedMessage, content: Uint8Array, root: X509Certificate, at: number): boolean {
  const { signer, certificates } = signature
  if (!signer.extensions.has(LEAF_MARK) || !isValidAt(signer.x509, at) || signer.x509.ca) return false
  const issuer = certificates.find(
    certificate =>
      certificate !== signer && certificate.extensions.has(INTERMEDIATE_MARK) && issues(certificate.x509, signer),
  )
  if (issuer === undefined || !issuer.x509.ca || !isValidAt(issuer.x509, at)) return false
  return issues(root, issuer) && isValidAt(root, at) && signature.signs(content)
}

function issues(issuer: X509Certificate, { x509 }: Certificate): boolean {
  return x509.checkIssued(issuer) && x509.verify(issuer.publicKey)
}

function isValidAt({ validFrom, validTo }: X509Certificate, at: number): boolean {
  return Date.parse(validFrom) <= at && at <= Date.parse(validTo)
}

function recipientOf(publicKeyHash: string, account: string, { merchants }: ApplePaySettings) {
  for (const { identifier, privateKeys, accounts } of merchants) {
    if (accounts !== null && !accounts.includes(account)) continue
    const key = privateKeys.find(privateKey => hashOfPublicKey(privateKey) === publicKeyHash)
    if (key !== undefined) return { key, identifier }
  }
  return null
}

/** SHA-256 of the public key's X.509 form, base64. */
function hashOfPublicKey(privateKey: KeyObject): string {
  const der = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(der).digest('base64')
}

function decrypt({ data, ephemeralPublicKey }: Token, key: KeyObject, identifier: string): unknown {
  const shared = sharedSecret(key, ephemeralPublicKey)
  if (shared === null || data.length <= TAG_BYTES) return null
  // NIST SP 800-56A, one round of SHA-256: counter, shared secret, and algorithm, sender and recipient.
  const symmetric = createHash('sha256')
    .update(Buffer.of(0, 0, 0, 1))
    .update(shared)
    .update('\x0did-aes256-GCM', 'latin1')
    .update('Apple', 'latin1')
    .update(createHash('sha256').update(identifier, 'utf8').digest())
    .digest()
  const decipher = createDecipheriv('aes-256-gcm', symmetric, Buffer.alloc(16), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(data.subarray(-TAG_BYTES))
  try {
    const text = Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
    return JSON.parse(text)
  } catch {
    return null
  }
}

function sharedSecret(privateKey: KeyObject, ephemeralPublicKey: Uint8Array): Buffer | null {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(ephemeralPublicKey), format: 'der', type: 'spki' })
    if (publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return null
    return diffieHellman({ privateKey, publicKey })
  } catch {
    return null
  }
}

function cardIn(opened: unknown, messageId: string, rules: CardRules): Opened {
  const content = objectOf(opened)
  const number = readCardNumber(textOf(content['applicationPrimaryAccountNumber']), rules)
  if (!(number instanceof CardNumber)) return { refused: 'card_not_taken' }
  const [, year = '', month = ''] = /^(\d{2})(\d{2})\d{2}$/.exec(textOf(content['applicationExpirationDate'])) ?? []
  if (year === '' || content['paymentDataType'] !== '3DSecure') return { refused: 'card_not_taken' }
  const { onlinePaymentCryptogram, eciIndicator } = objectOf(content['paymentData'])
  const minor = content['transactionAmount']
  if (typeof minor !== 'number' || !Number.isSafeInteger(minor)) throw new Malformed('no amount')
  const card: WalletCard = {
    wallet: 'APPLE_PAY',
    number,
    expiry: { month: Number(month), year: 2000 + Number(year) },
    holder: typeof content['cardholderName'] === 'string' ? content['cardholderName'] : '',
    cryptogram: { value: textOf(onlinePaymentCryptogram), eci: optionalTextOf(eciIndicator) },
    amount: { minor, currencyNumeric: currencyIn(content) },
  }
  return { card, message: { id: messageId.toLowerCase(), gatewayMerchantId: '', expiration: '' } }
}

function currencyIn({ currencyCode }: Readonly<Record<string, unknown>>): string {
  const digits = typeof currencyCode === 'number' ? String(currencyCode) : textOf(currencyCode)
  return numericCode(digits) ?? digits
}
