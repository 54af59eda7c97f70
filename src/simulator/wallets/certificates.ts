// src/simulator/wallets/certificates.ts — issues a root, an intermediate and a leaf in Apple's form. Each sandbox makes its
// own, so no key lies in the repository.
import { type KeyObject, sign } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  Extension,
  Extensions,
  id_ce_basicConstraints,
  Name,
  RelativeDistinguishedName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import type { Random } from '../../engine/ports/random.ts'
import type { KeyPair } from './wallet-keys.ts'

export interface TestCertificate {
  readonly certificate: Certificate
  readonly key: KeyObject
}

export interface CertificateRequest {
  readonly name: string
  readonly authority: boolean
  /** Object identifiers of marker extensions, which have no value. */
  readonly marks: readonly string[]
  readonly from: number
  readonly to: number
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const DER_NULL = [0x05, 0x00]

/** Issues a certificate for a key pair. `issuer` null: self-signed. */
export function issue(
  requested: CertificateRequest,
  { publicKey, privateKey }: KeyPair,
  issuer: TestCertificate | null,
  random: Random,
): TestCertificate {
  const subject = nameOf(requested.name)
  const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumberOf(random),
    signature: signatureAlgorithm,
    issuer: issuer?.certificate.tbsCertificate.subject ?? subject,
    validity: new Validity({ notBefore: new Date(requested.from), notAfter: new Date(requested.to) }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
    extensions: extensionsOf(requested),
  })
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), issuer?.key ?? privateKey)
  const signatureValue = new Uint8Array(signature).buffer
  return { certificate: new Certificate({ tbsCertificate, signatureAlgorithm, signatureValue }), key: privateKey }
}

function nameOf(commonName: string): Name {
  const value = new AttributeValue({ utf8String: commonName })
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])])
}

/** RFC 5280, 4.1.2.2: a positive number, so its first bit is 0; and DER allows no leading zero byte. */
function serialNumberOf(random: Random): ArrayBuffer {
  const [first = 0, ...rest] = random.bytes(8)
  return Uint8Array.of((first & 0x3f) | 0x40, ...rest).buffer
}

function extensionsOf({ authority, marks }: CertificateRequest): Extensions {
  const constraints = new OctetString(AsnConvert.serialize(new BasicConstraints({ cA: authority })))
  return new Extensions([
    new Extension({ extnID: id_ce_basicConstraints, critical: true, extnValue: constraints }),
    ...marks.map(extnID => new Extension({ extnID, extnValue: new OctetString(DER_NULL) })),
  ])
}
