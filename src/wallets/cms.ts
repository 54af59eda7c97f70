// src/wallets/cms.ts — parses the detached CMS signature (RFC 5652) of an Apple Pay token: one signer, ECDSA with SHA-256,
// signed attributes, embedded certificates. A library parses the structure, Node verifies the signature. ADR 43.
import { createHash, timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import { ContentInfo, id_data, id_signedData, SignedData, type SignerInfo } from '@peculiar/asn1-cms'
import { AsnConvert, AsnParser, AsnSerializer, OctetString } from '@peculiar/asn1-schema'
import { type Certificate as CertificateData, Time } from '@peculiar/asn1-x509'
import { fromBER, ObjectIdentifier, Set as SetOf } from 'asn1js'
import { Malformed } from './token-fields.ts'

const OID = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const

/** Limit of certificates; Apple sends two. */
const MOST_CERTIFICATES = 8
/** Parser limits; Apple's signatures are nested 10 deep and have about 240 values. */
const LIMITS = { maxDepth: 24, maxNodes: 2_000, parseEmbedded: false } as const

export interface Certificate {
  readonly x509: X509Certificate
  /** Object identifiers of its extensions, which Node's class does not expose. */
  readonly extensions: ReadonlySet<string>
}

export interface SignedMessage {
  readonly certificates: readonly Certificate[]
  readonly signer: Certificate
  /** Signing time claimed by the signer, epoch milliseconds. */
  readonly signedAt: number
  /** Whether the signature over this content is valid for the signer's key. Does not check the certificate chain. */
  signs(content: Uint8Array): boolean
}

/** Parses a signature. @throws Malformed when it does not have this form. */
export function readSignature(bytes: Uint8Array): SignedMessage {
  try {
    const { contentType, content } = parseWhole(bytes, ContentInfo)
    if (contentType !== id_signedData) throw new Malformed('no signed data')
    return signedMessageOf(parseWhole(content, SignedData))
  } catch (error) {
    // The libraries throw errors of many classes for invalid bytes.
    throw error instanceof Malformed ? error : new Malformed('no signature', { cause: error })
  }
}

function signedMessageOf({ encapContentInfo, certificates: given, signerInfos }: SignedData): SignedMessage {
  // A signature with embedded content proves that content, not the token's.
  if (encapContentInfo.eContent !== undefined) throw new Malformed('content inside')
  const found = [...(given ?? [])].map(({ certificate }) => certificate)
  if (found.length > MOST_CERTIFICATES) throw new Malformed('too many certificates')
  const [info, ...others] = signerInfos
  if (info === undefined || others.length > 0) throw new Malformed('not exactly one signer')
  if (info.digestAlgorithm.algorithm !== OID.sha256 || info.signatureAlgorithm.algorithm !== OID.ecdsaWithSha256)
    throw new Malformed('another algorithm')
  const certificates = found.map(certificateOf)
  const signer = certificates[found.findIndex(certificate => isNamedBy(certificate, info))]
  if (signer === undefined) throw new Malformed('no certificate of the signer')
  const { signedAt, digest, signed } = signedAttributesOf(info)
  return {
    certificates,
    signer,
    signedAt,
    signs(content) {
      const actual = createHash('sha256').update(content).digest()
      if (digest.length !== actual.length || !timingSafeEqual(digest, actual)) return false
      const { publicKey } = signer.x509
      return publicKey.asymmetricKeyType === 'ec' && verify('sha256', signed, publicKey, bytesIn(info.signature))
    },
  }
}

function signedAttributesOf({ signedAttrs = [] }: SignerInfo) {
  const attributes = new Map(signedAttrs.map(({ attrType, attrValues: [value] }) => [attrType, value]))
  if (attributes.size !== signedAttrs.length) throw new Malformed('an attribute twice')
  const attributeValue = (type: string): ArrayBuffer => {
    const value = attributes.get(type)
    if (value === undefined) throw new Malformed(`no attribute ${type}`)
    return value
  }
  if (!same(attributeValue(OID.contentType), new ObjectIdentifier({ value: id_data }).toBER()))
    throw new Malformed('another type of content')
  return {
    signedAt: AsnConvert.parse(attributeValue(OID.signingTime), Time).getTime().getTime(),
    digest: bytesIn(AsnConvert.parse(attributeValue(OID.messageDigest), OctetString)),
    // RFC 5652, section 5.4: the signature covers the attributes encoded as a SET, not with their tag in the message.
    signed: Buffer.from(new SetOf({ value: signedAttrs.map(each => AsnSerializer.toASN(each)) }).toBER()),
  }
}

function certificateOf(certificate: CertificateData | undefined): Certificate {
  if (certificate === undefined) throw new Malformed('a certificate of another kind')
  return {
    x509: new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))),
    extensions: new Set(certificate.tbsCertificate.extensions?.map(({ extnID }) => extnID)),
  }
}

function isNamedBy(certificate: CertificateData | undefined, { sid }: SignerInfo): boolean {
  const named = sid.issuerAndSerialNumber
  if (certificate === undefined || named === undefined) return false
  const { issuer, serialNumber } = certificate.tbsCertificate
  return (
    same(AsnConvert.serialize(issuer), AsnConvert.serialize(named.issuer)) && same(serialNumber, named.serialNumber)
  )
}

/** Parses bytes that contain exactly one value. @throws Malformed for extra bytes */
function parseWhole<T>(bytes: Uint8Array | ArrayBuffer, shape: new () => T): T {
  const { offset, result } = fromBER(bytes, LIMITS)
  if (offset !== bytes.byteLength) throw new Malformed(offset === -1 ? result.error : 'bytes after the value')
  return AsnParser.fromASN(result, shape, { berOptions: LIMITS })
}

function bytesIn({ buffer }: OctetString): Buffer {
  return Buffer.from(buffer)
}

function same(one: ArrayBuffer, other: ArrayBuffer): boolean {
  return Buffer.from(one).equals(Buffer.from(other))
}
