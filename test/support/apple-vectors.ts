// test/support/apple-vectors.ts — Apple Pay tokens built from the public specification alone, with Web Cryptography and
// hand-written ASN.1, independent of the gateway's code.
import { webcrypto } from 'node:crypto'
import { derSignature, NOW, spki } from './google-vectors.ts'

const { subtle } = webcrypto
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const
const EXCHANGE = { name: 'ECDH', namedCurve: 'P-256' } as const
const DIGEST = { name: 'ECDSA', hash: 'SHA-256' } as const

// Object identifiers in DER.
const OID = {
  signedData: '06092a864886f70d010702',
  data: '06092a864886f70d010701',
  contentType: '06092a864886f70d010903',
  messageDigest: '06092a864886f70d010904',
  signingTime: '06092a864886f70d010905',
  sha256: '0609608648016503040201',
  ecdsa: '06082a8648ce3d040302',
  commonName: '0603550403',
  constraints: '0603551d13',
  /** 1.2.840.113635.100.6.29 */
  leaf: '06092a864886f76364061d',
  /** 1.2.840.113635.100.6.2.14 */
  intermediate: '060a2a864886f7636406020e',
} as const

interface Certificate {
  readonly hex: string
  readonly name: string
  readonly serial: string
  readonly keys: webcrypto.CryptoKeyPair
}

export interface AppleWorld {
  readonly root: Certificate
  readonly intermediate: Certificate
  readonly leaf: Certificate
  readonly merchant: webcrypto.CryptoKeyPair
}

/** Deviations of the certificates from valid ones. */
export interface ChainChanges {
  readonly leafMark?: boolean
  readonly intermediateMark?: boolean
  readonly intermediateIsAuthority?: boolean
  readonly leafIsAuthority?: boolean
  /** Issuer of the intermediate, instead of the root. */
  readonly root?: Certificate
  readonly leafEnds?: string
  readonly intermediateEnds?: string
}

export interface TokenChanges {
  readonly signedAt?: number
  readonly content?: Readonly<Record<string, unknown>>
  readonly identifier?: string
  readonly applicationData?: string
  /** Members of the header, instead of the correct ones; not signed. */
  readonly header?: Readonly<Record<string, unknown>>
  /** Content to sign, instead of the content that is sent. */
  readonly signedContent?: (content: Buffer) => Buffer
  readonly digest?: (digest: Buffer) => Buffer
  readonly signer?: webcrypto.CryptoKeyPair
  readonly version?: string
  /** With definite lengths instead of indefinite ones. */
  readonly definite?: boolean
  readonly withoutIntermediate?: boolean
  readonly twoSigners?: boolean
  /** Number of certificates besides leaf and intermediate. */
  readonly moreCertificates?: number
  readonly contentInside?: boolean
  readonly attributeTwice?: boolean
  /** Object identifiers in DER, instead of the correct ones. */
  readonly digestAlgorithm?: string
  readonly signatureAlgorithm?: string
  readonly contentType?: string
}

/** One value in DER: tag, length, content. */
function v(tag: string, ...contents: readonly string[]): string {
  const content = contents.join('')
  const length = content.length / 2
  if (length < 128) return tag + byte(length) + content
  return length < 256
    ? `${tag}81${byte(length)}${content}`
    : `${tag}82${length.toString(16).padStart(4, '0')}${content}`
}

const byte = (value: number) => value.toString(16).padStart(2, '0')
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const text = (value: string) => v('0c', hexOf(Buffer.from(value)))
const time = (value: string) => v('17', hexOf(Buffer.from(value)))
const open = (tag: string, ...contents: readonly string[]) => `${tag}80${contents.join('')}0000`

let serials = 0x1000

async function certificate(
  name: string,
  issuer: Certificate | null,
  { mark, authority, ends = '460101000000Z' }: { mark?: string; authority: boolean; ends?: string },
): Promise<Certificate> {
  const keys = await subtle.generateKey(CURVE, true, ['sign', 'verify'])
  const subject = v('30', v('31', v('30', OID.commonName, text(name))))
  serials += 1
  const serial = v('02', serials.toString(16).padStart(4, '0'))
  const extensions = [
    v('30', OID.constraints, '0101ff', v('04', authority ? v('30', '0101ff') : v('30'))),
    ...(mark === undefined ? [] : [v('30', mark, v('04', '0500'))]),
  ]
  const body = v(
    '30',
    v('a0', v('02', '02')),
    serial,
    v('30', OID.ecdsa),
    issuer?.name ?? subject,
    v('30', time('250101000000Z'), time(ends)),
    subject,
    hexOf(await spki(keys.publicKey)),
    v('a3', v('30', ...extensions)),
  )
  const signature = await signatureOver(body, issuer?.keys ?? keys)
  return { hex: v('30', body, v('30', OID.ecdsa), v('03', '00', signature)), name: subject, serial, keys }
}

async function signatureOver(hex: string, keys: webcrypto.CryptoKeyPair): Promise<string> {
  const made = await subtle.sign(DIGEST, keys.privateKey, Buffer.from(hex, 'hex'))
  return hexOf(derSignature(Buffer.from(made)))
}

export async function appleWorld(changes: ChainChanges = {}): Promise<AppleWorld> {
  const root = await certificate('Root', null, { authority: true })
  const intermediate = await certificate('Intermediate', changes.root ?? root, {
    authority: changes.intermediateIsAuthority ?? true,
    ...(changes.intermediateMark === false ? {} : { mark: OID.intermediate }),
    ...(changes.intermediateEnds === undefined ? {} : { ends: changes.intermediateEnds }),
  })
  const leaf = await certificate('Leaf', intermediate, {
    authority: changes.leafIsAuthority ?? false,
    ...(changes.leafMark === false ? {} : { mark: OID.leaf }),
    ...(changes.leafEnds === undefined ? {} : { ends: changes.leafEnds }),
  })
  return { root, intermediate, leaf, merchant: await subtle.generateKey(EXCHANGE, true, ['deriveBits']) }
}

export async function strangeRoot(): Promise<Certificate> {
  return certificate('Root', null, { authority: true })
}

export function derOf({ hex }: { readonly hex: string }): Buffer {
  return Buffer.from(hex, 'hex')
}

const CONTENT = {
  applicationPrimaryAccountNumber: '4111111111111111',
  applicationExpirationDate: '301031',
  currencyCode: '826',
  transactionAmount: 2599,
  cardholderName: 'Ann Example',
  deviceManufacturerIdentifier: '040010030273',
  paymentDataType: '3DSecure',
  paymentData: { onlinePaymentCryptogram: 'Af9x/QwAA/DjmU65oyc1MAABAAA=', eciIndicator: '5' },
}

/** A token for 25.99 GBP and `merchant.example`, unless changed. */
export async function appleToken(world: AppleWorld, changes: TokenChanges = {}) {
  const ephemeral = await subtle.generateKey(EXCHANGE, true, ['deriveBits'])
  const ephemeralPublicKey = await spki(ephemeral.publicKey)
  const content = { ...CONTENT, ...changes.content }
  const data = await encrypted(world.merchant, ephemeral, changes.identifier ?? 'merchant.example', content)
  const transactionId = Buffer.from(await subtle.digest('SHA-256', ephemeralPublicKey))
  const applicationData = Buffer.from(changes.applicationData ?? '', 'hex')
  const whole = Buffer.concat([ephemeralPublicKey, data, transactionId, applicationData])
  const signature = await signatureFor(world, changes.signedContent?.(whole) ?? whole, changes)
  return {
    paymentData: {
      version: changes.version ?? 'EC_v1',
      data: data.toString('base64'),
      signature: Buffer.from(signature, 'hex').toString('base64'),
      header: {
        publicKeyHash: Buffer.from(await subtle.digest('SHA-256', await spki(world.merchant.publicKey))).toString(
          'base64',
        ),
        ephemeralPublicKey: ephemeralPublicKey.toString('base64'),
        transactionId: transactionId.toString('hex'),
        ...(changes.applicationData === undefined ? {} : { applicationData: changes.applicationData }),
        ...changes.header,
      },
    },
    paymentMethod: { displayName: 'Visa 1111', network: 'Visa', type: 'debit' },
    transactionIdentifier: transactionId.toString('hex'),
  }
}

async function encrypted(
  merchant: webcrypto.CryptoKeyPair,
  ephemeral: webcrypto.CryptoKeyPair,
  identifier: string,
  content: object,
) {
  const secret = await subtle.deriveBits({ name: 'ECDH', public: merchant.publicKey }, ephemeral.privateKey, 256)
  const party = await subtle.digest('SHA-256', Buffer.from(identifier))
  const input = [
    '00000001',
    hexOf(new Uint8Array(secret)),
    '0d',
    hexOf(Buffer.from('id-aes256-GCMApple')),
    hexOf(new Uint8Array(party)),
  ]
  const bytes = await subtle.digest('SHA-256', Buffer.from(input.join(''), 'hex'))
  const key = await subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt'])
  const gcm = { name: 'AES-GCM', iv: new Uint8Array(16), tagLength: 128 }
  return Buffer.from(await subtle.encrypt(gcm, key, Buffer.from(JSON.stringify(content))))
}

async function signatureFor(world: AppleWorld, content: Buffer, changes: TokenChanges): Promise<string> {
  const { leaf, intermediate } = world
  const found = Buffer.from(await subtle.digest('SHA-256', content))
  const at = new Date(changes.signedAt ?? NOW).toISOString().replace(/\D/g, '').slice(2, 14)
  const attributes = [
    v('30', OID.contentType, v('31', changes.contentType ?? OID.data)),
    ...Array.from({ length: changes.attributeTwice ? 2 : 1 }, () => v('30', OID.signingTime, v('31', time(`${at}Z`)))),
    v('30', OID.messageDigest, v('31', v('04', hexOf(changes.digest?.(found) ?? found)))),
  ].join('')
  const signature = await signatureOver(v('31', attributes), changes.signer ?? leaf.keys)
  const sha256 = v('30', changes.digestAlgorithm ?? OID.sha256, '0500')
  const signer = v(
    '30',
    v('02', '01'),
    v('30', intermediate.name, leaf.serial),
    sha256,
    v('a0', attributes),
    v('30', changes.signatureAlgorithm ?? OID.ecdsa),
    v('04', signature),
  )
  const wrap = changes.definite ? v : open
  const more = intermediate.hex.repeat(changes.moreCertificates ?? 0)
  const certificates = (changes.withoutIntermediate ? leaf.hex : leaf.hex + intermediate.hex) + more
  const inside = changes.contentInside ? wrap('a0', v('04', '00')) : ''
  const signers = v('31', changes.twoSigners ? signer + signer : signer)
  const signedData = wrap(
    '30',
    v('02', '01'),
    v('31', sha256),
    wrap('30', OID.data, inside),
    wrap('a0', certificates),
    signers,
  )
  return wrap('30', OID.signedData, wrap('a0', signedData))
}
