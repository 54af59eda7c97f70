// test/peer/device-data.test.ts — the 3DS method with the real program: pages, their policies, and what the AReq says.
import { deepEqual, equal, match } from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import type { Json } from './emv-shop.ts'
import { type EmvTown, openEmvTown } from './emv-town.ts'

const METHOD = 'https://acs.bank.example/method?of=us&for=cards'
const CARD = { cardName: 'John Watson', cardNumber: '4456530000001096', expiryDate: '12 / 30', cV2: '020' }
const BROWSER = {
  ...{ language: 'en-GB', javaEnabled: false, colourDepth: 24, screenHeight: 900, screenWidth: 1440 },
  timeZoneMinutes: -60,
}

let town: EmvTown
beforeAll(async () => {
  town = await openEmvTown({ preqPath: `/with-method?url=${encodeURIComponent(METHOD)}` })
  await town.gateway.printed(/card ranges loaded/)
}, 90_000)
afterAll(() => town?.close())

async function post(path: string, body: object): Promise<Json> {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return (await (await fetch(town.listening() + path, sent)).json()) as Json
}

const form = (path: string, fields: Readonly<Record<string, string>>) =>
  fetch(town.listening() + path, { method: 'POST', body: new URLSearchParams(fields) })

const begin = (token: string, changes: object = {}) => post(`/api/device-data/${token}`, { ...CARD, ...changes })

async function lastAreq(): Promise<Json> {
  const { requests, invalid } = (await town.ask('/seen')) as {
    readonly requests: readonly Json[]
    readonly invalid: unknown
  }
  deepEqual(invalid, [])
  return requests.findLast(each => each['messageType'] === 'AReq') ?? {}
}

test('case 50: the browser goes to the issuer’s page, which the policy allows, and the AReq says that it was there', async () => {
  const payment = await town.accessToken()
  const { formAction, token } = await begin(payment)
  equal(formAction, 'https://gateway.example/three-d-secure/device-data')
  const page = await form('/three-d-secure/device-data', { JWT: String(token) })
  const policy = page.headers.get('content-security-policy') ?? ''
  match(policy, /; frame-src https:\/\/acs\.bank\.example 'self' https:\/\/gateway\.example; /)
  match(policy, /; form-action https:\/\/acs\.bank\.example; /)
  const html = await page.text()
  match(html, /<form method="post" action="https:\/\/acs\.bank\.example\/method\?of=us&amp;for=cards" target="issuer">/)
  const data = /name="threeDSMethodData" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const { threeDSServerTransID, threeDSMethodNotificationURL } = JSON.parse(
    Buffer.from(data, 'base64url').toString('utf8'),
  ) as Readonly<Record<string, string>>
  equal(threeDSMethodNotificationURL, `https://gateway.example/three-d-secure/device-data/${String(token)}`)
  const said = Buffer.from(JSON.stringify({ threeDSServerTransID })).toString('base64url')
  const done = await form(new URL(threeDSMethodNotificationURL ?? '').pathname, { threeDSMethodData: said })
  match(done.headers.get('content-security-policy') ?? '', /frame-ancestors \*/)
  match(await done.text(), new RegExp(`data-message="{&quot;deviceData&quot;:&quot;${String(token)}&quot;}"`))
  equal((await post(`/api/payments/${payment}`, { ...CARD, browser: BROWSER }))['statusCode'], 0)
  const areq = await lastAreq()
  deepEqual([areq['threeDSCompInd'], areq['threeDSServerTransID']], ['Y', threeDSServerTransID])
})

test('case 50: without a word of the issuer the AReq says that it was not done', async () => {
  const payment = await town.accessToken()
  await begin(payment)
  equal((await post(`/api/payments/${payment}`, { ...CARD, browser: BROWSER }))['statusCode'], 0)
  equal((await lastAreq())['threeDSCompInd'], 'N')
})

test('the card of an earlier payment has the page of its issuer too', async () => {
  const first = await town.accessToken()
  equal((await post(`/api/payments/${first}`, { ...CARD, browser: BROWSER }))['statusCode'], 0)
  const again = await town.accessToken('1999', { crossReference: await town.referenceOf(first) })
  const { token } = await post(`/api/device-data/${again}`, { cV2: CARD.cV2 })
  const html = await (await form('/three-d-secure/device-data', { JWT: String(token) })).text()
  const data = /name="threeDSMethodData" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const { threeDSServerTransID } = JSON.parse(Buffer.from(data, 'base64url').toString('utf8')) as Json
  const said = Buffer.from(JSON.stringify({ threeDSServerTransID })).toString('base64url')
  await form(`/three-d-secure/device-data/${String(token)}`, { threeDSMethodData: said })
  equal((await post(`/api/payments/recurring/${again}`, { cV2: CARD.cV2, browser: BROWSER }))['statusCode'], 0)
  const areq = await lastAreq()
  deepEqual([areq['threeDSCompInd'], areq['threeDSServerTransID']], ['Y', threeDSServerTransID])
})

test('case 51: unknown steps get the same pages, which lead nowhere', async () => {
  for (const token of ['', 'x', '00'.repeat(30), `${'a'.repeat(40)}${Buffer.from('harbour').toString('hex')}`]) {
    const page = await form('/three-d-secure/device-data', { JWT: token })
    const html = await page.text()
    deepEqual([page.status, html.includes('<form'), html.includes('<iframe')], [200, false, false])
    if (token !== '')
      equal((await form(`/three-d-secure/device-data/${token}`, { threeDSMethodData: 'e30' })).status, 200)
  }
})

test('a card of another scheme has no step', async () => {
  deepEqual(await begin(await town.accessToken(), { cardNumber: '5100000000005460' }), { formAction: '', token: '' })
})
