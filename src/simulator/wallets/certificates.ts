// src/simulator/wallets/certificates.ts — a root, an intermediate and a leaf as Apple has them, made afresh by each
// sandbox: nobody's real keys, and none that lie in a repository.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Random } from '../../engine/ports/random.ts'
import { bits, der, integer, octets, oid, sequence, setOf, utcTime, utf8 } from './der-writer.ts'

export interface TestCertificate {
  readonly raw: Buffer
  readonly subject: Buffer
  readonly serial: Buffer
  readonly key: KeyObject
}

export interface CertificateWish {
  readonly name: string
  readonly authority: boolean
  /** Object identifiers of marks, each an extension without a value. */
  readonly marks: readonly string[]
  readonly from: number
  readonly to: number
}

/** A pair of keys on P-256. */
export function freshKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** Issues a certificate for fresh keys. `issuer` null: signs itself. */
export function issue(wish: CertificateWish, issuer: TestCertificate | null, random: Random): TestCertificate {
  const { publicKey, privateKey } = freshKeys()
  const subject = sequence(setOf(sequence(oid('2.5.4.3'), utf8(wish.name))))
  const serial = integer(random.bytes(8))
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const body = sequence(
    der(0xa0, integer(Buffer.of(2))),
    serial,
    algorithm,
    issuer?.subject ?? subject,
    sequence(utcTime(wish.from), utcTime(wish.to)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensionsOf(wish))),
  )
  const raw = sequence(body, algorithm, bits(sign('sha256', body, issuer?.key ?? privateKey)))
  return { raw, subject, serial, key: privateKey }
}

function extensionsOf({ authority, marks }: CertificateWish): readonly Buffer[] {
  const yes = der(0x01, Buffer.of(0xff))
  const constraints = sequence(oid('2.5.29.19'), yes, octets(authority ? sequence(yes) : sequence()))
  return [constraints, ...marks.map(mark => sequence(oid(mark), octets(der(0x05))))]
}
