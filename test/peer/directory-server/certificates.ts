// test/peer/directory-server/certificates.ts — an authority of its own for each run, and certificates that it signs.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_subjectAltName,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'

export interface Issued {
  /** PEM */
  readonly certificate: string
  /** PEM */
  readonly privateKey: string
}

export interface Authority extends Issued {
  /** Signs a certificate for a name, which is also its host. */
  issue(name: string, dates?: { readonly from: Date; readonly to: Date }): Issued
}

const ECDSA_WITH_SHA256 = new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })
const COMMON_NAME = '2.5.4.3'
const DAYS = { from: new Date('2020-01-01T00:00:00Z'), to: new Date('2049-01-01T00:00:00Z') }

/** Creates an authority. */
export function createAuthority(name: string): Authority {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = certify(name, pair.publicKey, { name, key: pair.privateKey, authority: true, ...DAYS })
  return {
    certificate: own,
    privateKey: pemOf(pair.privateKey),
    issue(host, dates = DAYS) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const certificate = certify(host, publicKey, { name, key: pair.privateKey, authority: false, ...dates })
      return { certificate, privateKey: pemOf(privateKey) }
    },
  }
}

interface Signer {
  readonly name: string
  readonly key: KeyObject
  readonly authority: boolean
  readonly from: Date
  readonly to: Date
}

function certify(subject: string, publicKey: KeyObject, { name, key, authority, from, to }: Signer): string {
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: Uint8Array.of(0x40, ...randomBytes(7)).buffer,
    signature: ECDSA_WITH_SHA256,
    issuer: nameOf(name),
    validity: new Validity({ notBefore: from, notAfter: to }),
    subject: nameOf(subject),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
    extensions: new Extensions([
      extension(id_ce_basicConstraints, AsnConvert.serialize(new BasicConstraints({ cA: authority })), true),
      ...(authority ? [] : [extension(id_ce_subjectAltName, AsnConvert.serialize(hostOf(subject)), false)]),
    ]),
  })
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), key)
  const signatureValue = new Uint8Array(signature).buffer
  const whole = new Certificate({ tbsCertificate, signatureAlgorithm: ECDSA_WITH_SHA256, signatureValue })
  const base64 = Buffer.from(AsnConvert.serialize(whole)).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?!$)/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

function extension(extnID: string, value: ArrayBuffer, critical: boolean): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(value) })
}

function hostOf(name: string): SubjectAlternativeName {
  return new SubjectAlternativeName([new GeneralName({ dNSName: name })])
}

function nameOf(commonName: string): Name {
  const value = new AttributeValue({ utf8String: commonName })
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])])
}

function pemOf(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }))
}
