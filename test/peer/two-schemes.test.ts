// test/peer/two-schemes.test.ts — a directory server for each scheme: a card goes to that of its own, and so does its result.
import { equal, match } from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import type { Json } from './emv-shop.ts'
import { type EmvTown, openEmvTown } from './emv-town.ts'

const BROWSER = {
  ...{ language: 'en-GB', javaEnabled: false, colourDepth: 24, screenHeight: 900, screenWidth: 1440 },
  timeZoneMinutes: 0,
}
const VISA = ['4456530000001096', 'John Watson', '020']
const MASTERCARD = ['5200000000001096', 'John Watson', '020']
const AMEX = ['340000432128428', 'Jake Keaton', '3469']

let town: EmvTown
beforeAll(async () => {
  town = await openEmvTown({ schemes: ['VISA', 'MASTERCARD'] })
}, 90_000)
afterAll(() => town?.close())

async function pay([cardNumber, cardName, cV2]: readonly string[]): Promise<Json> {
  const answer = await fetch(`${town.listening()}/api/payments/${await town.accessToken()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0', 'accept-language': 'en-GB' },
    body: JSON.stringify({ cardName, cardNumber, expiryDate: '12 / 30', cV2, browser: BROWSER }),
  })
  return (await answer.json()) as Json
}

/** AReqs that the directory servers have received. */
async function areqs(): Promise<readonly Json[]> {
  const { requests } = (await town.ask('/seen')) as { readonly requests: readonly Json[] }
  return requests.filter(each => each['messageType'] === 'AReq')
}

test('each scheme is asked, and gets its results at an address of its own', async () => {
  equal((await pay(VISA))['statusCode'], 0)
  const { statusCode, md } = await pay(MASTERCARD)
  equal(statusCode, 3)
  const [visa, mastercard] = (await areqs()).map(areq => areq['threeDSServerURL'])
  match(String(mastercard), /^https:\/\/localhost:\d+\/3ds\/results\/harbour$/)
  equal(visa === mastercard, false)
  equal((await town.ask(`/result?url=${encodeURIComponent(String(visa))}`))['errorCode'], '301')
  equal((await town.ask('/result?status=Y'))['resultsStatus'], '01')
  const back = await fetch(`${town.listening()}/three-d-secure/return`, {
    method: 'POST',
    body: new URLSearchParams({ threeDSSessionData: String(md), cres: 'e30' }),
  })
  match((await back.text()).replaceAll('&quot;', '"'), /"statusCode":0/)
})

test('a card of a scheme without a directory server counts as not enrolled', async () => {
  const before = (await areqs()).length
  equal((await pay(AMEX))['statusCode'], 0)
  equal((await areqs()).length, before)
})
