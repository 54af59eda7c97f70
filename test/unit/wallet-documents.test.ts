// test/unit/wallet-documents.test.ts — the files with wallets' keys: what is read, and what is said of what is wrong.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'vitest'
import { readApplePay, readGooglePay } from '../../src/acquirers/wallets/documents.ts'
import { appleWorld, derOf } from '../support/apple-vectors.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const DER = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
const ROOT = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
const RSA_PEM = RSA.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${derOf((await appleWorld()).root).toString('base64')}\n-----END CERTIFICATE-----\n`

const GOOGLE = {
  gatewayId: 'tollgate',
  privateKeys: [PEM, DER],
  rootSigningKeys: {
    keys: [
      { keyValue: ROOT, protocolVersion: 'ECv1' },
      { keyValue: ROOT, protocolVersion: 'ECv2', keyExpiration: '2154841200000' },
      { keyValue: ROOT, protocolVersion: 'ECv2SigningOnly' },
    ],
  },
}
const APPLE = {
  rootCertificate: CERTIFICATE,
  merchants: [{ merchantIdentifier: 'merchant.example', privateKeys: [PEM], accounts: ['harbour'] }],
}

test('Google Pay is set up with keys in either form, and the roots of its protocol only', () => {
  const settings = readGooglePay(JSON.stringify(GOOGLE))
  ok('recipient' in settings)
  equal(settings.recipient, 'gateway:tollgate')
  equal(settings.privateKeys.length, 2)
  deepEqual(
    settings.rootKeys.map(({ expiresAt }) => expiresAt),
    [2_154_841_200_000],
  )
  const merchant = readGooglePay(JSON.stringify({ ...GOOGLE, gatewayId: undefined, merchantId: 'BCR2' }))
  equal('recipient' in merchant && merchant.recipient, 'merchant:BCR2')
  const list = readGooglePay(JSON.stringify({ ...GOOGLE, rootSigningKeys: GOOGLE.rootSigningKeys.keys }))
  ok('recipient' in list)
})

test('Apple Pay is set up with a root and its merchants', () => {
  const settings = readApplePay(JSON.stringify(APPLE))
  ok('root' in settings)
  deepEqual(
    settings.merchants.map(({ identifier, accounts, privateKeys }) => [identifier, accounts, privateKeys.length]),
    [['merchant.example', ['harbour'], 1]],
  )
  const all = readApplePay(JSON.stringify({ ...APPLE, merchants: [{ ...APPLE.merchants[0], accounts: undefined }] }))
  equal('merchants' in all && all.merchants[0]?.accounts, null)
})

for (const [reader, document, sentence] of [
  [readGooglePay, 'not json', /must be JSON/],
  [readGooglePay, [], /JSON object/],
  [readGooglePay, { ...GOOGLE, gatewayId: '' }, /gatewayId/],
  [readGooglePay, { ...GOOGLE, privateKeys: [] }, /privateKeys must list/],
  [readGooglePay, { ...GOOGLE, privateKeys: ['c2hvcnQ='] }, /P-256/],
  [readGooglePay, { ...GOOGLE, privateKeys: [RSA_PEM] }, /P-256/],
  [readGooglePay, { ...GOOGLE, rootSigningKeys: [] }, /ECv2/],
  [readGooglePay, { ...GOOGLE, rootSigningKeys: [{ keyValue: 'x', protocolVersion: 'ECv2' }] }, /rootSigningKeys/],
  [readApplePay, { ...APPLE, rootCertificate: PEM }, /rootCertificate/],
  [readApplePay, { ...APPLE, merchants: [] }, /merchants/],
  [readApplePay, { ...APPLE, merchants: [{ privateKeys: [PEM] }] }, /merchantIdentifier/],
  [readApplePay, { ...APPLE, merchants: [{ ...APPLE.merchants[0], accounts: 'harbour' }] }, /accounts/],
] as const)
  test(`a document with something wrong is refused with ${sentence}, and no key is in the sentence`, () => {
    const read = reader(typeof document === 'string' ? document : JSON.stringify(document))
    ok('problem' in read)
    match(read.problem, sentence)
    ok(!read.problem.includes('BEGIN') && !read.problem.includes(DER.slice(0, 20)))
  })
