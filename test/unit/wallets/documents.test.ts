// test/unit/wallets/documents.test.ts — wallet documents: reading, and messages about errors.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'vitest'
import { readApplePay, readGooglePay } from '../../../src/wallets/documents.ts'
import { googleSheet } from '../../../src/wallets/google-sheet.ts'
import { IDENTITY_CERT, IDENTITY_KEY } from '../../support/apple-gateway.ts'
import { appleWorld, derOf } from '../../support/apple-vectors.ts'
import { TEST_KEY } from '../../support/tls.ts'

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

test('a Google Pay document takes keys in PEM or DER and keeps the roots of ECv2 only', () => {
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

test('an Apple Pay document has a root and merchants', () => {
  const settings = readApplePay(JSON.stringify(APPLE))
  ok('root' in settings)
  deepEqual(
    settings.merchants.map(({ identifier, accounts, privateKeys }) => [identifier, accounts, privateKeys.length]),
    [['merchant.example', ['harbour'], 1]],
  )
  const all = readApplePay(JSON.stringify({ ...APPLE, merchants: [{ ...APPLE.merchants[0], accounts: undefined }] }))
  equal('merchants' in all && all.merchants[0]?.accounts, null)
})

const SHEET = { merchantId: 'BCR2DN4', merchantName: 'Harbour Coffee', countryCode: 'GB' }
const IDENTITY = {
  ...{ certificate: IDENTITY_CERT, privateKey: IDENTITY_KEY },
  ...{ displayName: 'Harbour Coffee', countryCode: 'GB' },
}
const withIdentity = (changes: object) => ({
  ...APPLE,
  merchants: [{ ...APPLE.merchants[0], identity: { ...IDENTITY, ...changes } }],
})

test('the Google Pay sheet names the account at the gateway, or the merchant’s own key', () => {
  const sheetOf = (changes: object) => {
    const read = readGooglePay(JSON.stringify({ ...GOOGLE, ...changes }))
    ok('recipient' in read)
    return googleSheet(read, 'harbour')
  }
  equal(sheetOf({}), null)
  deepEqual(sheetOf({ sheet: SHEET }), {
    ...{ environment: 'PRODUCTION', ...SHEET },
    tokenization: {
      type: 'PAYMENT_GATEWAY',
      parameters: { gateway: 'tollgate', gatewayMerchantId: 'harbour' },
    },
  })
  const direct = sheetOf({
    ...{ gatewayId: undefined, merchantId: 'BCR2DN4' },
    sheet: { merchantName: 'Harbour', countryCode: 'GB', environment: 'TEST' },
  })
  // The last 65 octets of a P-256 public key are its uncompressed point.
  const publicKeyText = Buffer.from(ROOT, 'base64').subarray(-65).toString('base64')
  equal(direct?.environment, 'TEST')
  equal(direct?.merchantId, 'BCR2DN4')
  deepEqual(direct?.tokenization, {
    type: 'DIRECT',
    parameters: { protocolVersion: 'ECv2', publicKey: publicKeyText },
  })
})

test('an Apple Pay merchant can have an identity certificate and key for the sheet', () => {
  const read = readApplePay(JSON.stringify(withIdentity({})))
  ok('merchants' in read)
  deepEqual(read.merchants[0]?.identity, IDENTITY)
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
  [readGooglePay, { ...GOOGLE, sheet: 'yes' }, /sheet must be an object/],
  [readGooglePay, { ...GOOGLE, sheet: { ...SHEET, merchantId: undefined } }, /sheet.merchantId/],
  [readGooglePay, { ...GOOGLE, sheet: { ...SHEET, merchantName: 'x'.repeat(65) } }, /sheet.merchantName/],
  [readGooglePay, { ...GOOGLE, sheet: { ...SHEET, countryCode: 'gb' } }, /sheet.countryCode/],
  [readGooglePay, { ...GOOGLE, sheet: { ...SHEET, environment: 'LIVE' } }, /sheet.environment/],
  [readApplePay, withIdentity({ certificate: 'x' }), /identity.certificate must be/],
  [readApplePay, withIdentity({ privateKey: 'x' }), /identity.privateKey/],
  [readApplePay, withIdentity({ privateKey: TEST_KEY.toString() }), /do not belong together/],
  [readApplePay, withIdentity({ displayName: '' }), /identity.displayName/],
  [readApplePay, withIdentity({ countryCode: '826' }), /identity.countryCode/],
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
