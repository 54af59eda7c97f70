// test/unit/wallets/wallets.test.ts — wallet tokens: a valid one is opened, and each defect is refused.
// The tokens come from an implementation that shares no code with the program.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'vitest'
import type { WalletName, WalletOpened, WalletOrder, Wallets } from '../../../src/engine/ports/wallets.ts'
import { lookAtCard } from '../../../src/platform/card-rules.ts'
import { createAppleTokens } from '../../../src/simulator/wallets/apple-tokens.ts'
import { createGoogleTokens } from '../../../src/simulator/wallets/google-tokens.ts'
import { freshWalletKeys } from '../../../src/simulator/wallets/wallet-keys.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import type { ApplePaySettings } from '../../../src/wallets/apple-pay.ts'
import type { GooglePaySettings } from '../../../src/wallets/google-pay.ts'
import { createWallets } from '../../../src/wallets/wallets.ts'
import {
  type AppleWorld,
  appleToken,
  appleWorld,
  type ChainChanges,
  derOf,
  strangeRoot,
  type TokenChanges,
} from '../../support/apple-vectors.ts'
import {
  type GoogleChanges,
  type GoogleWorld,
  googleToken,
  googleWorld,
  NOW,
  pkcs8,
  spki,
} from '../../support/google-vectors.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { TestClock } from '../../support/test-clock.ts'

const clock = new TestClock(NOW)
const AMOUNT = { minor: 2599, currencyNumeric: '826' }
const google = await googleWorld()
const apple = await appleWorld()

async function googleSettings(
  world: GoogleWorld,
  changes: Partial<GooglePaySettings> = {},
): Promise<GooglePaySettings> {
  return {
    recipient: 'gateway:tollgate',
    privateKeys: [createPrivateKey({ key: await pkcs8(world.recipient.privateKey), format: 'der', type: 'pkcs8' })],
    rootKeys: [
      { key: createPublicKey({ key: await spki(world.root.publicKey), format: 'der', type: 'spki' }), expiresAt: null },
    ],
    ...changes,
  }
}

async function appleSettings(world: AppleWorld, accounts: readonly string[] | null = null): Promise<ApplePaySettings> {
  const key = createPrivateKey({ key: await pkcs8(world.merchant.privateKey), format: 'der', type: 'pkcs8' })
  return {
    root: new X509Certificate(derOf(world.root)),
    merchants: [{ identifier: 'merchant.example', privateKeys: [key], accounts }],
  }
}

async function wallets(changes: { google?: GooglePaySettings | null; apple?: ApplePaySettings | null } = {}) {
  const settings = {
    googlePay: changes.google === undefined ? await googleSettings(google) : changes.google,
    applePay: changes.apple === undefined ? await appleSettings(apple) : changes.apple,
  }
  return createWallets({ settings, store: openMemoryStore(), clock, rules: lookAtCard, provider: null })
}

function open(
  opener: Wallets,
  wallet: WalletName,
  token: unknown,
  changes: Partial<WalletOrder> = {},
): Promise<WalletOpened> {
  return opener.open(wallet, { account: 'demo', token, paymentId: 'p1', amount: AMOUNT, ...changes })
}

async function refusalOf(wallet: WalletName, token: unknown, opener?: Wallets): Promise<string> {
  const opened = await open(opener ?? (await wallets()), wallet, token)
  return 'refused' in opened ? opened.refused : 'opened'
}

test('a Google Pay token of a device gives number, expiry and cryptogram', async () => {
  const opened = await open(await wallets(), 'GOOGLE_PAY', await googleToken(google))
  ok('card' in opened)
  const { number, ...rest } = opened.card
  deepEqual([number.reveal(), number.scheme], ['4111111111111111', 'VISA'])
  deepEqual(rest, {
    wallet: 'GOOGLE_PAY',
    expiry: { month: 10, year: 2030 },
    holder: '',
    cryptogram: { value: 'AAAAAA1lV4WAAAAAAAAAAAAAAAA=', eci: '05' },
    amount: null,
  })
  ok(!JSON.stringify(opened).includes('4111111111111111'))
})

test('a Google Pay token of a plain card gives no cryptogram, as a string or an object', async () => {
  const token = await googleToken(google, {
    details: { authMethod: 'PAN_ONLY', cryptogram: undefined, eciIndicator: undefined },
  })
  const opener = await wallets()
  for (const form of [token, JSON.stringify(token)]) {
    const opened = await open(opener, 'GOOGLE_PAY', form)
    equal('card' in opened && opened.card.cryptogram, null)
  }
})

const strangeKeys = await googleWorld()
for (const [what, changes, refusal] of [
  ['whose intermediate key another root has signed', { rootPrivateKey: strangeKeys.root.privateKey }, 'not_signed'],
  ['that another key has signed', { signingPrivateKey: strangeKeys.signing.privateKey }, 'not_signed'],
  ['that the root itself has signed', { signingPrivateKey: google.root.privateKey }, 'not_signed'],
  ['for another gateway', { recipientId: 'gateway:other' }, 'not_signed'],
  ['for a merchant', { recipientId: 'merchant:tollgate' }, 'not_signed'],
  ['of another sender', { sender: 'Moogle' }, 'not_signed'],
  ['whose intermediate key has expired', { keyExpiration: NOW }, 'expired'],
  ['that has expired', { messageExpiration: NOW }, 'expired'],
  ['that is good for a millisecond', { messageExpiration: NOW + 1 }, 'opened'],
  ['for another account', { content: { gatewayMerchantId: 'demo-eur' } }, 'other_recipient'],
  ['for no account', { content: { gatewayMerchantId: undefined } }, 'other_recipient'],
  ['for a bank account', { content: { paymentMethod: 'TRANSFER' } }, 'card_not_taken'],
  ['with a number that is none', { details: { pan: '4111111111111112' } }, 'card_not_taken'],
  ['of a scheme that is not taken', { details: { pan: '3530111333300000' } }, 'card_not_taken'],
  ['authenticated in a way that is not known', { details: { authMethod: 'OTHER' } }, 'card_not_taken'],
  ['without a cryptogram where one belongs', { details: { cryptogram: undefined } }, 'malformed'],
  ['without an expiry', { details: { expirationMonth: undefined } }, 'malformed'],
] satisfies [string, GoogleChanges, string][])
  test(`a Google Pay token ${what}: ${refusal}`, async () => {
    equal(await refusalOf('GOOGLE_PAY', await googleToken(google, changes)), refusal)
  })

test('an expired Google Pay root is not trusted, and an older private key still opens tokens', async () => {
  const settings = await googleSettings(google)
  const [root] = settings.rootKeys
  const expired = { ...settings, rootKeys: [{ key: root!.key, expiresAt: NOW }] }
  equal(await refusalOf('GOOGLE_PAY', await googleToken(google), await wallets({ google: expired })), 'not_signed')
  const { privateKeys } = await googleSettings(strangeKeys)
  const rotated = { ...settings, privateKeys: [...privateKeys, ...settings.privateKeys] }
  equal(await refusalOf('GOOGLE_PAY', await googleToken(google), await wallets({ google: rotated })), 'opened')
  const onlyOther = { ...settings, privateKeys }
  equal(
    await refusalOf('GOOGLE_PAY', await googleToken(google), await wallets({ google: onlyOther })),
    'cannot_be_opened',
  )
})

test('a Google Pay token with any text changed is refused', async () => {
  const opener = await wallets()
  const token = await googleToken(google)
  const flipped = (text: string) => `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`
  const inner = JSON.parse(token.signedMessage)
  for (const changed of [
    { ...token, protocolVersion: 'ECv1' },
    { ...token, protocolVersion: undefined },
    { ...token, signature: flipped(token.signature) },
    { ...token, signature: '' },
    { ...token, signature: undefined },
    { ...token, signedMessage: token.signedMessage.replace('tag', 'tog') },
    ...Object.keys(inner).map(name => ({
      ...token,
      signedMessage: JSON.stringify({ ...inner, [name]: flipped(inner[name]) }),
    })),
    { ...token, intermediateSigningKey: undefined },
    { ...token, intermediateSigningKey: { ...token.intermediateSigningKey, signatures: [] } },
    { ...token, intermediateSigningKey: { ...token.intermediateSigningKey, signatures: 'x' } },
    {
      ...token,
      intermediateSigningKey: {
        ...token.intermediateSigningKey,
        signedKey: token.intermediateSigningKey.signedKey.replace(/\d{13}/, '9999999999999'),
      },
    },
    (await googleToken(strangeKeys)) as object,
    null,
    [],
    'not json',
    '{}',
    7,
  ]) {
    const refusal = await refusalOf('GOOGLE_PAY', changed, opener)
    ok(refusal === 'not_signed' || refusal === 'malformed', `${refusal} for ${JSON.stringify(changed)}`)
  }
})

test('an Apple Pay token gives number, expiry, holder, cryptogram and amount, in both encodings of its signature', async () => {
  for (const definite of [false, true]) {
    const opened = await open(await wallets(), 'APPLE_PAY', await appleToken(apple, { definite }))
    ok('card' in opened, JSON.stringify(opened))
    const { number, ...rest } = opened.card
    equal(number.reveal(), '4111111111111111')
    deepEqual(rest, {
      wallet: 'APPLE_PAY',
      expiry: { month: 10, year: 2030 },
      holder: 'Ann Example',
      cryptogram: { value: 'Af9x/QwAA/DjmU65oyc1MAABAAA=', eci: '5' },
      amount: AMOUNT,
    })
  }
  equal(await refusalOf('APPLE_PAY', (await appleToken(apple)).paymentData), 'opened')
  equal(
    await refusalOf('APPLE_PAY', JSON.stringify(await appleToken(apple, { applicationData: 'ab'.repeat(32) }))),
    'opened',
  )
})

test('the currency signed in an Apple Pay token is compared without regard to its leading zeros', async () => {
  for (const [currencyCode, order, opened] of [
    ['036', '036', true],
    ['36', '036', true],
    [36, '036', true],
    ['8', '008', true],
    ['36', '360', false],
  ] as const) {
    const token = await appleToken(apple, { content: { currencyCode } })
    const amount = { ...AMOUNT, currencyNumeric: order }
    equal('card' in (await open(await wallets(), 'APPLE_PAY', token, { amount })), opened, `${currencyCode} ${order}`)
  }
})

for (const [what, changes, refusal] of [
  ['signed five minutes ago', { signedAt: NOW - 300_000 }, 'opened'],
  ['signed longer ago', { signedAt: NOW - 301_000 }, 'expired'],
  ['signed in the future', { signedAt: NOW + 301_000 }, 'expired'],
  ['signed over something else', { signedContent: (content: Buffer) => content.subarray(1) }, 'not_signed'],
  [
    'with another digest in its signature',
    { digest: (digest: Buffer) => digest.fill(0, 0, 1).fill(1, 1, 2) },
    'not_signed',
  ],
  ['with a digest that is too short', { digest: (digest: Buffer) => digest.subarray(1) }, 'not_signed'],
  ['signed with another key', { signer: strangeKeys.signing }, 'not_signed'],
  ['without the certificate between', { withoutIntermediate: true }, 'not_signed'],
  ['with two signers', { twoSigners: true }, 'malformed'],
  ['with eight certificates', { moreCertificates: 6 }, 'opened'],
  ['with nine certificates', { moreCertificates: 7 }, 'malformed'],
  ['whose signature brings content', { contentInside: true }, 'malformed'],
  ['whose signature has an attribute twice', { attributeTwice: true }, 'malformed'],
  ['whose signature is over another type of content', { contentType: '06092a864886f70d010702' }, 'malformed'],
  ['with a digest of SHA-512', { digestAlgorithm: '0609608648016503040203' }, 'malformed'],
  ['signed with SHA-384', { signatureAlgorithm: '06082a8648ce3d040303' }, 'malformed'],
  ['of another version', { version: 'RSA_v1' }, 'malformed'],
  [
    'whose indicator of electronic commerce is null',
    { content: { paymentData: { onlinePaymentCryptogram: 'Af9x', eciIndicator: null } } },
    'opened',
  ],
  ['whose data of the application is null', { header: { applicationData: null } }, 'opened'],
  ['whose data of the application is empty', { header: { applicationData: '' } }, 'opened'],
  ['whose data of the application is a number', { header: { applicationData: 7 } }, 'malformed'],
  ['for another merchant', { identifier: 'merchant.other' }, 'cannot_be_opened'],
  ['over another amount', { content: { transactionAmount: 2600 } }, 'other_amount'],
  ['in another currency', { content: { currencyCode: '978' } }, 'other_amount'],
  ['without an amount', { content: { transactionAmount: undefined } }, 'malformed'],
  [
    'with a number that is none',
    { content: { applicationPrimaryAccountNumber: '4111111111111112' } },
    'card_not_taken',
  ],
  ['with a PIN instead of a cryptogram', { content: { paymentDataType: 'EMV' } }, 'card_not_taken'],
] satisfies [string, TokenChanges, string][])
  test(`an Apple Pay token ${what}: ${refusal}`, async () => {
    equal(await refusalOf('APPLE_PAY', await appleToken(apple, changes)), refusal)
  })

for (const [what, changes] of [
  ['without the mark of the leaf', { leafMark: false }],
  ['without the mark of the intermediate', { intermediateMark: false }],
  ['whose intermediate may not issue', { intermediateIsAuthority: false }],
  ['whose leaf may issue', { leafIsAuthority: true }],
  ['whose leaf has expired', { leafEnds: '260506130326Z' }],
  ['whose intermediate has expired', { intermediateEnds: '260506130326Z' }],
  ['under a root of the same name that is not the root', { root: await strangeRoot() }],
] satisfies [string, ChainChanges][])
  test(`an Apple Pay token with certificates ${what} is not signed`, async () => {
    const world = await appleWorld(changes)
    const opener = await wallets({ apple: await appleSettings(world) })
    equal(await refusalOf('APPLE_PAY', await appleToken(world), opener), 'not_signed')
  })

test('an Apple Pay token for another merchant or account is refused', async () => {
  const other = await appleWorld()
  const settings = await appleSettings(apple)
  const opener = await wallets({
    apple: { ...settings, merchants: [...settings.merchants, ...(await appleSettings(other)).merchants] },
  })
  equal(await refusalOf('APPLE_PAY', await appleToken(apple), opener), 'opened')
  const onlyOther = await wallets({ apple: { ...settings, merchants: (await appleSettings(other)).merchants } })
  equal(await refusalOf('APPLE_PAY', await appleToken(apple), onlyOther), 'other_recipient')
  const elsewhere = await wallets({ apple: await appleSettings(apple, ['harbour']) })
  equal(await refusalOf('APPLE_PAY', await appleToken(apple), elsewhere), 'not_configured')
})

test('an Apple Pay token with any octet changed is refused', async () => {
  const opener = await wallets()
  const token = (await appleToken(apple)).paymentData
  const flip = (bytes: Buffer, at: number) => {
    const changed = Buffer.from(bytes)
    changed[at % bytes.length] = (changed[at % bytes.length] ?? 0) ^ 1
    return changed
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('data', 'signature', 'ephemeralPublicKey', 'transactionId'),
      fc.nat({ max: 4_000 }),
      async (field, at) => {
        const { header } = token
        const changed =
          field === 'transactionId'
            ? {
                ...token,
                header: {
                  ...header,
                  transactionId: flip(Buffer.from(header.transactionId, 'hex'), at).toString('hex'),
                },
              }
            : field === 'ephemeralPublicKey'
              ? {
                  ...token,
                  header: {
                    ...header,
                    ephemeralPublicKey: flip(Buffer.from(header.ephemeralPublicKey, 'base64'), at).toString('base64'),
                  },
                }
              : { ...token, [field]: flip(Buffer.from(token[field as 'data'], 'base64'), at).toString('base64') }
        const refusal = await refusalOf('APPLE_PAY', changed, opener)
        // Some octets of the envelope carry no meaning, such as versions and algorithm parameters.
        if (field === 'signature' && refusal === 'opened') return
        ok(refusal === 'not_signed' || refusal === 'malformed' || refusal === 'expired', `${field} ${at}: ${refusal}`)
      },
    ),
    { numRuns: 150 },
  )
  for (const changed of [
    { ...token, signature: '' },
    { ...token, signature: 'MA==' },
    ...['3080'.repeat(400), '3080'.repeat(100_000), '0500'.repeat(100_000), '30820000'].map(hex => ({
      ...token,
      signature: Buffer.from(hex, 'hex').toString('base64'),
    })),
    { ...token, signature: Buffer.concat([Buffer.from(token.signature, 'base64'), Buffer.of(0)]).toString('base64') },
    { ...token, signature: Buffer.from(token.signature, 'base64').subarray(0, -2).toString('base64') },
    { ...token, header: { ...token.header, transactionId: 'xyz' } },
    { ...token, header: undefined },
    {},
    null,
    'x',
  ])
    equal(await refusalOf('APPLE_PAY', changed, opener), 'malformed')
})

test('a token is opened again for the same payment only, never for another payment or account', async () => {
  const opener = await wallets()
  for (const [wallet, token] of [
    ['GOOGLE_PAY', await googleToken(google)],
    ['APPLE_PAY', await appleToken(apple)],
  ] as const) {
    ok('card' in (await open(opener, wallet, token)))
    ok('card' in (await open(opener, wallet, token)))
    deepEqual(await open(opener, wallet, token, { paymentId: 'p2' }), { refused: 'used_before' })
  }
  const token = await appleToken(apple)
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, index) => open(opener, 'APPLE_PAY', token, { paymentId: `p${index}` })),
  )
  equal(all.filter(opened => 'card' in opened).length, 1)
  const upper = { ...token, paymentData: { ...token.paymentData, header: { ...token.paymentData.header } } }
  upper.paymentData.header.transactionId = upper.paymentData.header.transactionId.toUpperCase()
  deepEqual(await open(opener, 'APPLE_PAY', upper, { paymentId: 'p200' }), { refused: 'used_before' })
  deepEqual(await open(opener, 'APPLE_PAY', token, { account: 'demo-eur', paymentId: 'p0' }), {
    refused: 'used_before',
  })
})

test('a wallet without a document is not offered and opens no token', async () => {
  const none = await wallets({ google: null, apple: null })
  deepEqual(none.offered('demo'), [])
  equal(await refusalOf('GOOGLE_PAY', await googleToken(google), none), 'not_configured')
  equal(await refusalOf('APPLE_PAY', await appleToken(apple), none), 'not_configured')
  deepEqual((await wallets()).offered('demo'), ['APPLE_PAY', 'GOOGLE_PAY'])
  deepEqual((await wallets({ apple: await appleSettings(apple, ['harbour']) })).offered('demo'), ['GOOGLE_PAY'])
})

test('tokens made by the sandbox are opened', async () => {
  const random = new SeededRandom(5)
  const keys = freshWalletKeys()
  const [phones, accounts] = [createAppleTokens(keys, random, NOW), createGoogleTokens(keys, random, NOW)]
  const opener = await wallets({ google: accounts.settings, apple: phones.settings })
  const purchase = {
    number: '5200000000000056',
    expiry: { month: 12, year: 2030 },
    amountMinor: 2599,
    currencyNumeric: '826',
  }
  const paid = await open(opener, 'APPLE_PAY', phones.make(purchase, NOW))
  equal('card' in paid && paid.card.number.reveal(), '5200000000000056')
  for (const [authMethod, plain] of [
    ['device', false],
    ['card', true],
  ] as const) {
    const opened = await open(opener, 'GOOGLE_PAY', accounts.make({ ...purchase, account: 'demo', authMethod }, NOW))
    equal('card' in opened && opened.card.cryptogram === null, plain)
  }
})
