// test/api/online/jwt.test.ts — authentication of web shops by JWT, with the attacks of RFC 8725.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { test } from 'vitest'
import { createJwtAuthenticator } from '../../../src/api/merchant-jwt.ts'
import { encoded, GATEWAY_KEYS, GATEWAY_KID, jwtFor } from '../../support/merchant-jwts.ts'
import { refusedFieldIn } from '../../support/refused-field.ts'
import { aTokenRequest, openWebShop, type WebShop } from '../../support/web-shop.ts'

const STRANGER = generateKeyPairSync('rsa', { modulusLength: 2048 })
const HOUR = 3_600

/** Answer to a request with this Authorization header. */
async function tryWith(web: WebShop, authorization: string | undefined) {
  const headers: Record<string, string> = authorization === undefined ? { authorization: '' } : { authorization }
  return web.call('GET', '/v1/payment-methods', undefined, headers)
}

const now = (web: WebShop): number => Math.floor(web.shop.clock.now() / 1_000)

test('a valid token is accepted, with or without kid, and with the scheme in any case', async () => {
  const web = await openWebShop()
  for (const jwt of [web.jwt, jwtFor(web.apiKeyId, { header: { kid: GATEWAY_KID } })])
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) equal((await tryWith(web, `${scheme} ${jwt}`)).status, 200)
})

const PEM = GATEWAY_KEYS.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const STRANGERS_JWK = STRANGER.publicKey.export({ format: 'jwk' })

/** Makes a token from its parts. */
function byHand(head: object, body: unknown, sign: (text: string) => string): string {
  const text = `${encoded(head)}.${typeof body === 'string' ? body : encoded(body)}`
  return `${text}.${sign(text)}`
}

const rs256 = (text: string) => createSign('RSA-SHA256').update(text).sign(GATEWAY_KEYS.privateKey, 'base64url')

/** The line that names the faulty claim, or the faulty member of the header. */
function invalid(name: string): RegExp {
  return new RegExp(`^The ${name} of the JWT is missing or not valid\\.$`)
}

/** Name of the attack, the token, and the expected text. */
const ATTACKS: readonly (readonly [string, (web: WebShop) => string, RegExp])[] = [
  [
    'no signature, alg none',
    web => byHand({ alg: 'none', typ: 'JWT' }, uniqueKeys(web), () => ''),
    /not a JWT signed with RS256/,
  ],
  [
    'alg None in another case',
    web => byHand({ alg: 'NonE' }, uniqueKeys(web), () => ''),
    /not a JWT signed with RS256/,
  ],
  [
    'HS256 with the public key as its secret',
    web =>
      byHand({ alg: 'HS256', typ: 'JWT' }, uniqueKeys(web), text =>
        createHmac('sha256', PEM).update(text).digest('base64url'),
      ),
    /not a JWT signed with RS256/,
  ],
  [
    'RS256 announced, HMAC inside',
    web =>
      byHand({ alg: 'RS256' }, uniqueKeys(web), text => createHmac('sha256', PEM).update(text).digest('base64url')),
    /not signed by a key/,
  ],
  [
    'another algorithm of the same key',
    web => byHand({ alg: 'RS512' }, uniqueKeys(web), rs256),
    /not a JWT signed with RS256/,
  ],
  ['a stranger’s key', web => jwtFor(web.apiKeyId, { key: STRANGER.privateKey }), /not signed by a key/],
  [
    'a key that the token brings along',
    web => jwtFor(web.apiKeyId, { key: STRANGER.privateKey, header: { jwk: STRANGERS_JWK } }),
    /not signed by a key/,
  ],
  [
    'the address of a key set',
    web => jwtFor(web.apiKeyId, { key: STRANGER.privateKey, header: { jku: 'https://evil.example/keys' } }),
    /not signed by a key/,
  ],
  [
    'the address of a certificate',
    web => jwtFor(web.apiKeyId, { key: STRANGER.privateKey, header: { x5u: 'https://evil.example/c' } }),
    /not signed by a key/,
  ],
  [
    'a key id that is a path',
    web => jwtFor(web.apiKeyId, { header: { kid: '../../token-key.pem' } }),
    /not signed by a key/,
  ],
  ['a key id that is no text', web => jwtFor(web.apiKeyId, { header: { kid: { a: 1 } } }), invalid('kid')],
  ['an empty signature', web => byHand({ alg: 'RS256' }, uniqueKeys(web), () => ''), /not signed by a key/],
  [
    'a changed claim',
    web => jwtFor(web.apiKeyId).replace(/\.[^.]+\./, `.${encoded({ ...uniqueKeys(web), extra: 1 })}.`),
    /not signed by a key/,
  ],
  ['a nested token', web => jwtFor(web.apiKeyId, { header: { cty: 'JWT' } }), invalid('cty')],
  [
    'a demand that is not understood',
    web => jwtFor(web.apiKeyId, { header: { crit: ['b64'], b64: false } }),
    invalid('crit'),
  ],
  ['another kind of token', web => jwtFor(web.apiKeyId, { header: { typ: 'dpop+jwt' } }), invalid('typ')],
  ['a type that only ends right', web => jwtFor(web.apiKeyId, { header: { typ: 'text/jwt' } }), invalid('typ')],
  ['a type that is no text', web => jwtFor(web.apiKeyId, { header: { typ: { a: 1 } } }), invalid('typ')],
  ['claims that are a list', () => byHand({ alg: 'RS256' }, [1, 2], rs256), /not a JWT signed with RS256/],
  ['claims that are no JSON', () => byHand({ alg: 'RS256' }, 'AAAA', rs256), /not a JWT signed with RS256/],
  ['two parts', web => web.jwt.split('.').slice(0, 2).join('.'), /not a JWT signed with RS256/],
  ['five parts', web => `${web.jwt}.a.b`, /not a JWT signed with RS256/],
  [
    'a huge token',
    web => jwtFor(web.apiKeyId, { uniqueKeys: { padding: 'x'.repeat(8_000) } }),
    /not a JWT signed with RS256/,
  ],
  [
    'another audience',
    web => jwtFor(web.apiKeyId, { uniqueKeys: { aud: 'https://other.example' } }),
    /aud must be http:\/\/localhost/,
  ],
  ['no audience', web => jwtFor(web.apiKeyId, { uniqueKeys: { aud: undefined } }), /aud must be/],
  [
    'an audience that only begins right',
    web => jwtFor(web.apiKeyId, { uniqueKeys: { aud: 'http://localhost.evil.example' } }),
    /aud must be/,
  ],
  ['no expiry', web => jwtFor(web.apiKeyId, { uniqueKeys: { exp: undefined } }), invalid('exp')],
  ['an expiry that is text', web => jwtFor(web.apiKeyId, { uniqueKeys: { exp: '9999999999' } }), invalid('exp')],
  ['a begin that is text', web => jwtFor(web.apiKeyId, { uniqueKeys: { nbf: '1' } }), invalid('nbf')],
  ['a time of issue that is null', web => jwtFor(web.apiKeyId, { uniqueKeys: { iat: null } }), invalid('iat')],
  [
    'an API key that nobody has',
    () => jwtFor('00000000-0000-4000-8000-000000000000'),
    /apiKey of the JWT is not known/,
  ],
  ['no API key', () => jwtFor(''), /apiKey of the JWT is not known/],
  [
    'an API key that is an object',
    () => jwtFor('', { uniqueKeys: { apiKey: { $ne: null } } }),
    /apiKey of the JWT is not known/,
  ],
]

function uniqueKeys(web: WebShop) {
  return { aud: 'http://localhost', exp: now(web) + HOUR, iat: now(web), apiKey: web.apiKeyId }
}

for (const [name, make, line] of ATTACKS)
  test(`401: ${name}`, async () => {
    const web = await openWebShop()
    const answer = await tryWith(web, `Bearer ${make(web)}`)
    equal(answer.status, 401)
    match(answer.text, line)
    equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
    equal(answer.headers['www-authenticate'], 'Bearer realm="Tollgate"')
    ok(!answer.text.includes(make(web).slice(0, 40)))
  })

test('401: no header, an empty one, an API key instead', async () => {
  const web = await openWebShop()
  const basic = `Basic ${Buffer.from('u:demo-api-key').toString('base64')}`
  for (const header of [undefined, '', 'Bearer', 'Bearer ', basic])
    equal((await tryWith(web, header)).text, 'The Authorization header must hold a Bearer JWT.')
})

test('a JWT without a scheme is accepted and never logged; other schemes and forms are refused', async () => {
  const web = await openWebShop()
  for (const header of [web.jwt, ` ${web.jwt} `]) equal((await tryWith(web, header)).status, 200, header.slice(0, 2))
  const [head = '', claims = '', signature = ''] = web.jwt.split('.')
  for (const header of [
    ...['Token', 'JWT', 'Basic', 'Digest', 'Bearer:'].map(scheme => `${scheme} ${web.jwt}`),
    ...[`${head}.${claims}`, `${head}.${claims}.`, `.${claims}.${signature}`, `${web.jwt}.x`, `${web.jwt}=`],
    ...[`${web.jwt}, ${web.jwt}`, `${web.jwt} ${web.jwt}`, `"${web.jwt}"`, `jwt=${web.jwt}`],
  ]) {
    const { status, text } = await tryWith(web, header)
    deepEqual([status, text], [401, 'The Authorization header must hold a Bearer JWT.'])
  }
  // A bare token is judged as any other.
  equal((await tryWith(web, jwtFor(web.apiKeyId, { key: STRANGER.privateKey }))).status, 401)
  const token = await web.call('POST', '/v1/access-tokens', aTokenRequest('B-1'), { authorization: web.jwt })
  equal(token.status, 200)
  ok(!JSON.stringify(web.shop.log.lines).includes(signature))
})

test('the type of a JWT may be written as a media type, in any case', async () => {
  const web = await openWebShop()
  for (const typ of ['JWT', 'jwt', 'application/jwt', 'application/JWT', 'Application/Jwt', undefined])
    equal((await tryWith(web, `Bearer ${jwtFor(web.apiKeyId, { header: { typ } })}`)).status, 200, String(typ))
})

test('exp, nbf and iat have a tolerance of a minute', async () => {
  const web = await openWebShop()
  const at = now(web)
  const tryClaims = async (changed: object) => {
    const answer = await tryWith(web, `Bearer ${jwtFor(web.apiKeyId, { uniqueKeys: { ...changed } })}`)
    return answer.status === 200 ? 'taken' : answer.text
  }
  const early = (claim: string) =>
    `The JWT is not valid yet: its ${claim} is in the future. Check the clock of the server that made it.`
  equal(await tryClaims({ exp: at - 59 }), 'taken')
  equal(await tryClaims({ exp: at - 60 }), 'The JWT has expired: its exp is in the past.')
  equal(await tryClaims({ nbf: at + 60 }), 'taken')
  equal(await tryClaims({ nbf: at + 61 }), early('nbf'))
  equal(await tryClaims({ iat: at + 60 }), 'taken')
  equal(await tryClaims({ iat: at + 61 }), early('iat'))
})

test('a token that was accepted before is refused after its expiry', async () => {
  const web = await openWebShop()
  const jwt = jwtFor(web.apiKeyId, { uniqueKeys: { exp: now(web) + HOUR } })
  equal((await tryWith(web, `Bearer ${jwt}`)).status, 200)
  await web.shop.clock.advance((HOUR + 60) * 1_000)
  equal((await tryWith(web, `Bearer ${jwt}`)).text, 'The JWT has expired: its exp is in the past.')
})

test('the tokens of a revoked API key or account are refused at once', async () => {
  const web = await openWebShop()
  const other = jwtFor(web.apiKeyId, { uniqueKeys: { jti: '2' } })
  for (const jwt of [web.jwt, other]) equal((await tryWith(web, `Bearer ${jwt}`)).status, 200)
  await web.shop.gateway.provisioning.revokeKey('demo', web.apiKeyId)
  for (const jwt of [web.jwt, other])
    deepEqual((await tryWith(web, `Bearer ${jwt}`)).text, 'The apiKey of the JWT is not known or was revoked.')
  const euro = await openWebShop({ account: 'demo-eur' })
  await euro.shop.gateway.provisioning.revokeAccount('demo-eur')
  equal((await tryWith(euro, `Bearer ${euro.jwt}`)).status, 401)
})

test('one of several audiences suffices; a final slash and the name of the local host do not matter', async () => {
  const web = await openWebShop()
  for (const aud of [
    ['https://other.example', 'http://localhost'],
    'http://localhost/',
    'http://127.0.0.1',
    'HTTP://LocalHost',
  ])
    equal((await tryWith(web, `Bearer ${jwtFor(web.apiKeyId, { uniqueKeys: { aud } })}`)).status, 200, String(aud))
})

test('merchantUrl must have a registered host of the account', async () => {
  const web = await openWebShop()
  const make = async (merchantUrl: unknown, more: object = {}) => {
    const answer = await web.call('POST', '/v1/access-tokens', { ...aTokenRequest('M-1'), merchantUrl, ...more })
    return answer.status === 200 ? 200 : `${answer.status} ${answer.text}`
  }
  for (const right of [
    'shop.example',
    'SHOP.Example',
    'https://shop.example/',
    'http://shop.example:8080/a?b#c',
    ' shop.example',
  ])
    equal(await make(right), 200, right)
  for (const wrong of [
    'www.shop.example',
    'shop.example.evil.example',
    'https://evil.example/shop.example',
    'evil@shop.example.evil',
  ])
    equal(await make(wrong), '401 The merchantUrl is not registered for this account.', wrong)
  equal(await make('', { gatewayUsername: 'shop.example', gatewayPassword: 'secret' }), 200)
  match(String(await make(undefined)), /^400 Invalid merchantUrl: it is missing\./)
})

test('a payment of another account cannot be read, resumed, revoked or refunded', async () => {
  const web = await openWebShop()
  const token = await web.token()
  await web.pay(token)
  const [key] = await web.shop.store.list('demo-eur', { kind: 'api-key', limit: 1 })
  const headers = { authorization: `Bearer ${jwtFor(key?.id ?? '')}` }
  equal((await web.call('GET', `/v1/payments/${token}`, undefined, headers)).status, 404)
  equal((await web.call('POST', `/v1/payments/${token}/resume`, undefined, headers)).status, 400)
  const revoke = await web.call('POST', `/v1/access-tokens/${token}/revoke`, undefined, headers)
  deepEqual([revoke.status, revoke.text], [400, 'Invalid access token'])
  const reference = await web.referenceOf(token)
  const made = await web.call(
    'POST',
    '/v1/access-tokens',
    { ...aTokenRequest('X'), transactionType: 'REFUND' },
    headers,
  )
  equal(made.status, 200, made.text)
  const theirs = await web.call(
    'POST',
    `/v1/cross-reference-payments/${made.json['id']}`,
    { crossReference: reference },
    headers,
  )
  deepEqual([theirs.status, refusedFieldIn(theirs.text)], [400, 'crossReference'])
})

test('a live gateway accepts tokens for TOLLGATE_PUBLIC_URL only, whatever the Host header', async () => {
  const live = { mode: 'live' as const }
  const unset = await openWebShop({ settings: live })
  const text =
    'The JWT is meant for another gateway. Its aud must be the address in TOLLGATE_PUBLIC_URL, which is not set here.'
  equal((await tryWith(unset, `Bearer ${unset.jwt}`)).text, text)
  const web = await openWebShop({ settings: { ...live, publicUrl: 'https://pay.example' } })
  equal((await tryWith(web, `Bearer ${web.jwt}`)).status, 401)
  const right = jwtFor(web.apiKeyId, { uniqueKeys: { aud: 'https://pay.example' } })
  equal((await tryWith(web, `Bearer ${right}`)).status, 200)
})

test('a token is checked again at each request of a connection', async () => {
  const web = await openWebShop()
  const { engine } = web.shop.gateway
  const { store, clock } = web.shop
  const gatewayKeys = [{ kid: GATEWAY_KID, key: GATEWAY_KEYS.publicKey }]
  const authenticator = createJwtAuthenticator({ engine, store, clock, gatewayKeys })
  const connection = {}
  const told = async (jwt: string) => {
    const found = await authenticator.identify(`Bearer ${jwt}`, 'http://localhost', connection)
    return 'refused' in found ? found.refused.code : found.account.id
  }
  const short = jwtFor(web.apiKeyId, { uniqueKeys: { exp: now(web) + HOUR } })
  equal(await told(short), 'demo')
  equal(await told(`${short}x`), 'jwt_signature_wrong')
  equal(await told(short), 'demo')
  deepEqual(await authenticator.identify(`Bearer ${short}`, 'http://other', connection), {
    refused: { code: 'jwt_audience_wrong', detail: 'http://other.' },
  })
  equal(await told(web.jwt), 'demo')
  await web.shop.clock.advance((HOUR + 60) * 1_000)
  equal(await told(short), 'jwt_expired')
  equal(await told(web.jwt), 'demo')
  await web.shop.gateway.provisioning.revokeKey('demo', web.apiKeyId)
  equal(await told(web.jwt), 'jwt_key_unknown')
})
