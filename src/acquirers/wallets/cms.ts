// src/acquirers/wallets/cms.ts — a detached signature in the Cryptographic Message Syntax (RFC 5652), of the one shape that
// Apple Pay uses: one signer, ECDSA with SHA-256, signed attributes, certificates inside.
import { createHash, timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import { type Asn1, childrenOf, expect, oidOf, readWhole, TAG, timeOf } from './der.ts'
import { Malformed } from './token-fields.ts'

const OID = {
  signedData: '1.2.840.113549.1.7.2',
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const

/** Certificates that a message may bring along; Apple sends two. */
const MOST_CERTIFICATES = 8

export interface Certificate {
  readonly x509: X509Certificate
  readonly issuer: Uint8Array
  readonly serial: Uint8Array
  /** Object identifiers of its extensions. */
  readonly extensions: ReadonlySet<string>
}

export interface SignedMessage {
  readonly certificates: readonly Certificate[]
  readonly signer: Certificate
  /** Epoch milliseconds, as the signer says. */
  readonly signedAt: number
  /** Whether the signer's key made this signature over this content. Says nothing of whose key it is. */
  signs(content: Uint8Array): boolean
}

/** Reads a signature. @throws Malformed when it is none of this shape. */
export function readSignature(bytes: Uint8Array): SignedMessage {
  const [type, wrapped] = childrenOf(expect(readWhole(bytes), TAG.sequence))
  if (oidOf(type) !== OID.signedData) throw new Malformed('no signed data')
  const [signedData] = childrenOf(expect(wrapped, TAG.context0))
  const parts = childrenOf(expect(signedData, TAG.sequence))
  const [, , content] = parts
  // A signature that brings its own content would be right about that and say nothing of ours.
  if (childrenOf(expect(content, TAG.sequence)).length !== 1) throw new Malformed('content inside')
  const certificates = childrenOf(
    expect(
      parts.find(({ tag }) => tag === TAG.context0),
      TAG.context0,
    ),
  ).map(certificateOf)
  if (certificates.length > MOST_CERTIFICATES) throw new Malformed('too many certificates')
  const [signerInfo, ...others] = childrenOf(expect(parts.at(-1), TAG.set))
  if (others.length > 0) throw new Malformed('more than one signer')
  return signedBy(childrenOf(expect(signerInfo, TAG.sequence)), certificates)
}

function signedBy(parts: readonly Asn1[], certificates: readonly Certificate[]): SignedMessage {
  const [, sid, digestAlgorithm, attributes, signatureAlgorithm, signature] = parts
  if (algorithmOf(digestAlgorithm) !== OID.sha256 || algorithmOf(signatureAlgorithm) !== OID.ecdsaWithSha256)
    throw new Malformed('another algorithm')
  const signer = certificates.find(certificate => isNamedBy(certificate, sid))
  if (signer === undefined) throw new Malformed('the certificate of the signer is not there')
  const signedAttributes = expect(attributes, TAG.context0)
  const values = attributesOf(signedAttributes)
  if (oidOf(values.get(OID.contentType)) !== OID.data) throw new Malformed('another type of content')
  const digest = expect(values.get(OID.messageDigest), TAG.octets).content
  // RFC 5652, 5.4: what is signed is the SET, not its place in the message.
  const signed = Buffer.concat([Buffer.of(TAG.set), signedAttributes.raw.subarray(1)])
  const made = expect(signature, TAG.octets).content
  return {
    certificates,
    signer,
    signedAt: timeOf(values.get(OID.signingTime)),
    signs(content) {
      const found = createHash('sha256').update(content).digest()
      if (digest.length !== found.length || !timingSafeEqual(digest, found)) return false
      const { publicKey } = signer.x509
      return publicKey.asymmetricKeyType === 'ec' && verify('sha256', signed, publicKey, made)
    },
  }
}

function algorithmOf(value: Asn1 | undefined): string {
  return oidOf(childrenOf(expect(value, TAG.sequence))[0])
}

/** The first value of each attribute. One that stands twice is nobody's mistake. */
function attributesOf(attributes: Asn1): ReadonlyMap<string, Asn1 | undefined> {
  const found = new Map<string, Asn1 | undefined>()
  for (const attribute of childrenOf(attributes)) {
    const [type, values] = childrenOf(expect(attribute, TAG.sequence))
    const name = oidOf(type)
    if (found.has(name)) throw new Malformed('an attribute twice')
    found.set(name, childrenOf(expect(values, TAG.set))[0])
  }
  return found
}

function isNamedBy({ issuer, serial }: Certificate, sid: Asn1 | undefined): boolean {
  const [name, number] = childrenOf(expect(sid, TAG.sequence))
  return same(issuer, expect(name, TAG.sequence).raw) && same(serial, expect(number, TAG.integer).content)
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

/** RFC 5280: names, number and extensions, which the runtime's own reader does not give. */
function certificateOf(value: Asn1): Certificate {
  const [body] = childrenOf(expect(value, TAG.sequence))
  const parts = childrenOf(expect(body, TAG.sequence))
  const after = parts[0]?.tag === TAG.context0 ? 1 : 0
  const issuer = expect(parts[after + 2], TAG.sequence).raw
  const serial = expect(parts[after], TAG.integer).content
  const extensions = parts.find(({ tag }) => tag === TAG.context3)
  const list = extensions === undefined ? [] : childrenOf(expect(childrenOf(extensions)[0], TAG.sequence))
  return {
    x509: x509Of(value.raw),
    issuer,
    serial,
    extensions: new Set(list.map(extension => oidOf(childrenOf(expect(extension, TAG.sequence))[0]))),
  }
}

function x509Of(raw: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(raw)
  } catch (error) {
    throw new Malformed('no certificate', { cause: error })
  }
}
