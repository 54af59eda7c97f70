// test/peer/emv-payments.test.ts — payments of the real program, authenticated by a directory server that is another process.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serving } from '../cli/tollgate.ts'
import type { Json } from './emv-shop.ts'
import { type EmvTown, openEmvTown } from './emv-town.ts'

/** Test cards of the sandbox, whose simulated acquirer charges them, with the peer's answer. */
const FRICTIONLESS = ['4456530000001096', 'John Watson', '020']
const CHALLENGED = ['4456530000000007', 'Geoff Wayne', '020']
const EXEMPTED = ['4111111111111111', 'John Watson', '123']
const NOT_AUTHENTICATED = ['4976350000006891', 'Geoff Wayne', '342']
const OF_ANOTHER_SCHEME = ['5100000000005460', 'Luke Johns', '524']

const BROWSER = {
  ...{ language: 'en-GB', javaEnabled: false, colourDepth: 30, screenHeight: 900, screenWidth: 1440 },
  timeZoneMinutes: -60,
}

let town: EmvTown
beforeAll(async () => {
  town = await openEmvTown()
}, 90_000)
afterAll(() => town?.close())

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Json> {
  const answer = await fetch(town.listening() + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0',
      'accept-language': 'en-GB',
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Json
}

async function pay(token: string, [cardNumber, cardName, cV2]: readonly string[], browser: object | null = BROWSER) {
  const card = { cardName, cardNumber, expiryDate: '12 / 30', cV2 }
  return post(`/api/payments/${token}`, { ...card, browser })
}

/** The browser posts a form. */
const form = (path: string, fields: Readonly<Record<string, string>>) =>
  fetch(town.listening() + path, { method: 'POST', body: new URLSearchParams(fields) })

/** The browser comes back from the issuer. What it brings says that all is well. */
async function comeBack(md: unknown): Promise<string> {
  const cres = Buffer.from(JSON.stringify({ messageType: 'CRes', transStatus: 'Y' })).toString('base64url')
  const page = await (await form('/three-d-secure/return', { threeDSSessionData: String(md), cres })).text()
  return /data-message="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? page
}

test('a frictionless answer is a proof, with the browser of the payer in the request', async () => {
  const answer = await pay(await town.accessToken(), FRICTIONLESS)
  equal(answer['statusCode'], 0, JSON.stringify(answer))
  const { requests, invalid } = (await town.ask('/seen')) as {
    readonly requests: readonly Json[]
    readonly invalid: unknown[]
  }
  const areq = requests.findLast(each => each['messageType'] === 'AReq') ?? {}
  deepEqual(
    ['browserColorDepth', 'browserTZ', 'browserUserAgent', 'browserLanguage', 'purchaseAmount'].map(name => areq[name]),
    ['24', '-60', 'Mozilla/5.0', 'en-GB', '1999'],
  )
  match(String(areq['threeDSServerURL']), /\/3ds\/results\/harbour$/)
  equal(areq['notificationURL'], 'https://gateway.example/three-d-secure/return')
  deepEqual(invalid, [])
})

test('an exemption that the issuer takes note of goes to the acquirer, and leaves the merchant liable', async () => {
  const token = await town.accessToken('500')
  equal((await pay(token, EXEMPTED))['statusCode'], 0)
  const { requests } = (await town.ask('/seen')) as { readonly requests: readonly Json[] }
  equal(requests.findLast(each => each['messageType'] === 'AReq')?.['threeDSRequestorChallengeInd'], '05')
  const timeline = await town.timeline(token)
  const dataOf = (what: string) => timeline.find(each => each.what === what)?.data
  const { proof } = dataOf('exempted') as { readonly proof: Json }
  deepEqual(
    [proof['status'], proof['eci'], proof['liability'], proof['exemption']],
    ['I', '07', 'merchant', 'transaction_risk_analysis'],
  )
  equal(dataOf('charge')?.['exemption'], 'transaction_risk_analysis')
})

test('above the amount of the wish nothing is asked for', async () => {
  const token = await town.accessToken('501')
  equal((await pay(token, EXEMPTED))['statusCode'], 0)
  const { requests } = (await town.ask('/seen')) as { readonly requests: readonly Json[] }
  equal(requests.findLast(each => each['messageType'] === 'AReq')?.['threeDSRequestorChallengeInd'], '01')
  const charged = (await town.timeline(token)).find(({ what }) => what === 'charge')
  deepEqual([charged === undefined, charged?.data['exemption']], [false, undefined])
})

test('a later payment without its payer is authenticated on the strength of the first one, and so is the one after it', async () => {
  const first = await town.accessToken()
  equal((await pay(first, FRICTIONLESS))['statusCode'], 0)
  const prior = await town.proofOf(first)
  let reference = await town.referenceOf(first)
  for (const _ of ['second', 'third']) {
    const { token, outcome } = await town.repeat(reference)
    equal(outcome['statusCode'], 0, JSON.stringify(outcome))
    const { requests, invalid } = (await town.ask('/seen')) as {
      readonly requests: readonly Json[]
      readonly invalid: unknown[]
    }
    deepEqual(invalid, [])
    const areq = requests.findLast(each => each['messageType'] === 'AReq') ?? {}
    const { threeDSReqPriorAuthMethod, threeDSReqPriorRef } = areq['threeDSRequestorPriorAuthenticationInfo'] as Json
    deepEqual(
      [areq['deviceChannel'], areq['threeRIInd'], threeDSReqPriorAuthMethod, threeDSReqPriorRef],
      ['03', '01', '01', prior?.['acsTransactionId']],
    )
    const proof = await town.proofOf(token)
    deepEqual([proof?.['status'], proof?.['eci'], proof?.['liability']], ['Y', '05', 'issuer'])
    equal(proof?.['threeDSServerTransactionId'], areq['threeDSServerTransID'])
    reference = await town.referenceOf(token)
  }
})

test('a later payment whose first one was not authenticated is charged without asking the issuer', async () => {
  const first = await town.accessToken()
  equal((await pay(first, OF_ANOTHER_SCHEME))['statusCode'], 0)
  const count = async () => ((await town.ask('/seen'))['requests'] as readonly unknown[]).length
  const before = await count()
  equal((await town.repeat(await town.referenceOf(first))).outcome['statusCode'], 0)
  equal(await count(), before)
})

test('case 28: an issuer that does not authenticate the payer ends the payment', async () => {
  const { statusCode, reason } = await pay(await town.accessToken(), NOT_AUTHENTICATED)
  deepEqual([statusCode, reason], [5, 'not_authenticated'])
})

test('a payment without the data of its browser is not authenticated, and not charged', async () => {
  const { statusCode, reason } = await pay(await town.accessToken(), FRICTIONLESS, null)
  deepEqual([statusCode, reason], [30, 'authentication_unavailable'])
})

test('a card of another scheme counts as not enrolled, and the directory server is not asked', async () => {
  const count = async () => ((await town.ask('/seen'))['requests'] as readonly unknown[]).length
  const before = await count()
  equal((await pay(await town.accessToken(), OF_ANOTHER_SCHEME))['statusCode'], 0)
  equal(await count(), before)
})

test('a malformed member of the browser is refused by name', async () => {
  const { message } = await pay(await town.accessToken(), FRICTIONLESS, { ...BROWSER, colourDepth: 'many' })
  match(String(message), /browser\.colourDepth/)
})

test('case 27 and 29: the payer is sent to the issuer, and only the result of the directory server charges the card', async () => {
  const token = await town.accessToken()
  const { statusCode, stepUpUrl, md, jwt } = await pay(token, CHALLENGED)
  deepEqual([statusCode, stepUpUrl], [3, 'https://gateway.example/three-d-secure/challenge'])
  const page = await form('/three-d-secure/challenge', { JWT: String(jwt), MD: String(md) })
  match(page.headers.get('content-security-policy') ?? '', /; form-action https:\/\/acs\.example; /)
  const html = await page.text()
  match(html, /<form method="post" action="https:\/\/acs\.example\/challenge\?t=1">/)
  match(
    html,
    new RegExp(
      `name="creq" value="${String(jwt)}"><input type="hidden" name="threeDSSessionData" value="${String(md)}"`,
    ),
  )
  const creq = JSON.parse(Buffer.from(String(jwt), 'base64url').toString('utf8')) as Json
  deepEqual([creq['messageType'], creq['messageVersion'], creq['challengeWindowSize']], ['CReq', '2.2.0', '02'])
  const frame = await fetch(`${town.listening()}/three-ds?token=${token}`)
  match(frame.headers.get('content-security-policy') ?? '', /; frame-src 'self' https:\/\/acs\.example; /)

  equal((await town.ask('/result?status=Y'))['resultsStatus'], '01')
  match(await comeBack(md), /"statusCode":0/)
  equal((await town.ask('/result?status=Y'))['resultsStatus'], '01')
  equal((await town.ask('/result?status=N'))['errorCode'], '305')
})

test('case 29: what the browser brings back decides nothing while there is no result', {
  timeout: 40_000,
}, async () => {
  const { md } = await pay(await town.accessToken(), CHALLENGED)
  match(await comeBack(md), /"statusCode":3/)
  equal((await town.ask('/result?status=N'))['resultsStatus'], '01')
  match(await comeBack(md), /"statusCode":5/)
})

test('case 36 and 37: results with other ids, or with other certificates, are refused', async () => {
  const { md } = await pay(await town.accessToken(), CHALLENGED)
  const other = '00000000-0000-4000-8000-000000000000'
  equal((await town.ask(`/result?acsTransID=${other}`))['errorCode'], '301')
  for (const name of ['other-name', 'other-authority']) {
    const answer = await town.ask(`/result?cert=${name}.pem&key=${name}-key.pem`)
    ok('failed' in answer, `${name}: ${JSON.stringify(answer)}`)
  }
  equal((await town.ask('/result?status=Y'))['resultsStatus'], '01')
  match(await comeBack(md), /"statusCode":0/)
})

test('case 33: a gateway that is killed before the result takes it after its restart', {
  timeout: 60_000,
}, async () => {
  const token = await town.accessToken()
  const { statusCode, md } = await pay(token, CHALLENGED)
  equal(statusCode, 3)
  town.gateway.child.kill('SIGKILL')
  await town.gateway.ended
  equal((await town.ask('/result?status=Y'))['failed'], 'ECONNREFUSED')
  town.gateway = await serving(town.data, town.env)
  equal((await town.ask('/result?status=Y'))['resultsStatus'], '01')
  // The security code was in memory only, so the payer's form sends the card again.
  equal((await pay(token, CHALLENGED))['md'], md)
  match(await comeBack(md), /"statusCode":0/)
})

test('case 58: neither a card number nor an authentication value is in the log', () => {
  expect(town.gateway.said()).not.toMatch(/4456530000000007|4456530000001096|s3xYIbbZVSakGpUEaAtOfIt2Ohs/)
})
