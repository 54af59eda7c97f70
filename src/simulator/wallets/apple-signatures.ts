// src/simulator/wallets/apple-signatures.ts — signs a test token as Apple does: a detached CMS signature.
import { createHash, sign } from 'node:crypto'
import {
  Attribute,
  CertificateChoices,
  CertificateSet,
  CMSVersion,
  ContentInfo,
  DigestAlgorithmIdentifier,
  DigestAlgorithmIdentifiers,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  id_data,
  id_signedData,
  SignatureAlgorithmIdentifier,
  SignedData,
  SignerIdentifier,
  SignerInfo,
  SignerInfos,
} from '@peculiar/asn1-cms'
import { AsnConvert, AsnSerializer, OctetString } from '@peculiar/asn1-schema'
import { ObjectIdentifier, Set as SetOf, UTCTime } from 'asn1js'
import type { TestCertificate } from './certificates.ts'

const OID = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const

/** Returns the signature in DER. `at`: signing time, epoch milliseconds. */
export function signatureOver(
  content: Uint8Array,
  { leaf, intermediate, at }: { leaf: TestCertificate; intermediate: TestCertificate; at: number },
): Buffer {
  const digest = createHash('sha256').update(content).digest()
  // In the order that DER demands of a SET OF: by the encoded bytes, here the shortest first.
  const signedAttrs = [
    attribute(OID.contentType, new ObjectIdentifier({ value: id_data })),
    attribute(OID.signingTime, new UTCTime({ valueDate: new Date(at) })),
    attribute(OID.messageDigest, new OctetString(digest).toASN()),
  ]
  // RFC 5652, 5.4: the signature covers the attributes as a SET.
  const signed = Buffer.from(new SetOf({ value: signedAttrs.map(each => AsnSerializer.toASN(each)) }).toBER())
  const { issuer, serialNumber } = leaf.certificate.tbsCertificate
  const digestAlgorithm = new DigestAlgorithmIdentifier({ algorithm: OID.sha256 })
  const signer = new SignerInfo({
    version: CMSVersion.v1,
    sid: new SignerIdentifier({ issuerAndSerialNumber: new IssuerAndSerialNumber({ issuer, serialNumber }) }),
    digestAlgorithm,
    signedAttrs,
    signatureAlgorithm: new SignatureAlgorithmIdentifier({ algorithm: OID.ecdsaWithSha256 }),
    signature: new OctetString(sign('sha256', signed, leaf.key)),
  })
  const signedData = new SignedData({
    version: CMSVersion.v1,
    digestAlgorithms: new DigestAlgorithmIdentifiers([digestAlgorithm]),
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: id_data }),
    certificates: new CertificateSet(
      [leaf, intermediate].map(({ certificate }) => new CertificateChoices({ certificate })),
    ),
    signerInfos: new SignerInfos([signer]),
  })
  const contentInfo = new ContentInfo({ contentType: id_signedData, content: AsnConvert.serialize(signedData) })
  return Buffer.from(AsnConvert.serialize(contentInfo))
}

function attribute(attrType: string, value: { toBER(): ArrayBuffer }): Attribute {
  return new Attribute({ attrType, attrValues: [value.toBER()] })
}
