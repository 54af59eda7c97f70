// src/peers/certificates.ts — a root of its own, and certificates issued by it.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
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
  readonly cert: string
  readonly key: string
}

export interface Authority {
  /** PEM. */
  readonly root: string
  /** Signs a certificate for a name, which is also its host. */
  issue(commonName: string, validity?: { readonly from: number; readonly to: number }): Issued
}

export interface AuthorityParts {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Makes so many random bytes. */
  readonly random: (bytes: number) => Uint8Array
  /** Name of the root. */
  readonly name: string
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const YEAR_MS = 365 * 86_400_000

/** Makes a root with a new key. */
export function createAuthority({ now, random, name: rootName }: AuthorityParts): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = nameOf(rootName)
  const valid = () => ({ from: now() - YEAR_MS, to: now() + YEAR_MS })
  const certified = (
    commonName: string,
    publicKey: KeyObject,
    isAuthority: boolean,
    { from, to } = valid(),
  ): string => {
    const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })
    const constraints = extension(id_ce_basicConstraints, new BasicConstraints({ cA: isAuthority }), true)
    const host = new SubjectAlternativeName([new GeneralName({ dNSName: commonName })])
    const tbsCertificate = new TBSCertificate({
      ...{ version: Version.v3, signature: algorithm, issuer: name, subject: nameOf(commonName) },
      serialNumber: Uint8Array.of(1, ...random(7)).buffer,
      validity: new Validity({ notBefore: new Date(from), notAfter: new Date(to) }),
      subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
      extensions: new Extensions(
        isAuthority ? [constraints] : [constraints, extension(id_ce_subjectAltName, host, false)],
      ),
    })
    const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), keys.privateKey)
    const signatureValue = new Uint8Array(signature).buffer
    return pemOf(new Certificate({ tbsCertificate, signatureAlgorithm: algorithm, signatureValue }))
  }
  return {
    root: certified(rootName, keys.publicKey, true),
    issue(commonName, validity) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const cert = certified(commonName, publicKey, false, validity)
      return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
    },
  }
}

function extension(extnID: string, value: object, critical: boolean): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })
}

function nameOf(commonName: string): Name {
  const value = new AttributeValue({ utf8String: commonName })
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])])
}

function pemOf(certificate: Certificate): string {
  const base64 = Buffer.from(AsnConvert.serialize(certificate)).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?!$)/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}
