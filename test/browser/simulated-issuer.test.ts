// test/browser/simulated-issuer.test.ts — the challenge page of the simulated issuer, in a frame of a page on another host.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:https'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import type { Issued } from '../../src/peers/certificates.ts'
import { type DirectoryServer, openDirectoryServer } from '../../src/peers/directory-server/open.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { testAuthority } from '../support/authority.ts'
import { violationsOn } from './support/axe.ts'
import { openBrowser } from './support/browser.ts'
import { openShopServer, type ShopServer } from './support/shop-server.ts'

type Json = Readonly<Record<string, unknown>>

let peer: DirectoryServer
let browser: Browser
let shop: ShopServer
/** Where the payer comes back. */
let notified: ShopServer
let root: string
let client: Issued
const lines: string[] = []

beforeAll(async () => {
  const clock = systemClock()
  const authority = testAuthority('Root')
  root = authority.root
  client = authority.issue('localhost')
  peer = await openDirectoryServer({
    ...{ scheme: 'VISA', name: 'localhost', host: '127.0.0.1', port: 0, issuerPort: 0, controlPort: 0 },
    tls: { ca: root, server: authority.issue('localhost'), client: authority.issue('ds.example') },
    ...{ time: clock, uuid: randomUUID, onLine: line => lines.push(line) },
  })
  shop = await openShopServer('', 'shop.example', true)
  notified = await openShopServer('', 'gateway.example', true)
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  await shop?.close()
  await notified?.close()
  await peer?.close()
})

const AREQ: Json = {
  ...{ messageType: 'AReq', messageVersion: '2.2.0', messageCategory: '01', deviceChannel: '02' },
  ...{ acctNumber: '4456530000001096', threeDSServerRefNumber: 'R', threeDSRequestorID: 'R-1' },
  ...{ threeDSRequestorName: 'Harbour', threeDSRequestorURL: 'https://shop.example', mcc: '5411' },
  // Nobody listens there: the result is lost, and the payer comes back all the same.
  threeDSServerURL: 'https://localhost:1/results',
  ...{ acquirerBIN: '400000', acquirerMerchantID: '1', merchantCountryCode: '826', merchantName: 'Harbour & <Sons>' },
  ...{ threeDSRequestorAuthenticationInd: '01', threeDSRequestorChallengeInd: '03' },
  ...{ threeDSCompInd: 'U', browserAcceptHeader: 'text/html', browserUserAgent: 'x', browserJavascriptEnabled: true },
  ...{ browserJavaEnabled: false, browserLanguage: 'en', browserColorDepth: '24', browserScreenHeight: '900' },
  ...{ browserScreenWidth: '1440', browserTZ: '0', purchaseAmount: '1999', purchaseCurrency: '826' },
  ...{ purchaseExponent: '2', purchaseDate: '20261201120000' },
}

/** Asks for an authentication, as a 3DS Server does, and returns the payload for the browser. */
async function creq(): Promise<string> {
  const threeDSServerTransID = randomUUID()
  const tls = { ca: root, cert: client.cert, key: client.key }
  const asked = request({ method: 'POST', host: 'localhost', port: peer.port, path: '/areq', agent: false, ...tls })
  asked.end(JSON.stringify({ ...AREQ, threeDSServerTransID, notificationURL: `${notified.url}/done` }))
  const [response] = await once(asked, 'response')
  let text = ''
  for await (const chunk of response) text += String(chunk)
  const { transStatus, acsTransID } = JSON.parse(text) as Json
  equal(transStatus, 'C', text)
  const message = { messageType: 'CReq', messageVersion: '2.2.0', threeDSServerTransID, acsTransID }
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}

/** What the browser brought back last: the CRes, and the data of the session. */
function broughtBack() {
  const form = new URLSearchParams(notified.posted.at(-1))
  const cres = JSON.parse(Buffer.from(form.get('cres') ?? '', 'base64url').toString()) as Json
  return { cres, sessionData: form.get('threeDSSessionData') }
}

/** A shop's page whose frame shows the challenge. */
async function openChallenge(use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    const frame = `<form method="post" target="bank" action="https://localhost:${peer.issuerPort}/challenge"><input type="hidden" name="creq" value="${await creq()}"><input type="hidden" name="threeDSSessionData" value="md-1"></form><iframe name="bank" title="Your bank" width="400" height="600"></iframe><script>document.forms[0].submit()</script>`
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><main><h1>Shop</h1>${frame}</main></html>`
    await page.goto(shop.page({ html, policy: null }))
    await use(page)
  } finally {
    await context.close()
  }
}

test('a payer reads what is paid, is told of a wrong code, and comes back with the right one; by keyboard', () =>
  openChallenge(async page => {
    const bank = page.frameLocator('iframe')
    await bank.getByText('Harbour & <Sons>').waitFor()
    await bank.getByText('19.99').waitFor()
    const code = bank.getByLabel('One-time code')
    deepEqual(await violationsOn(page), [])
    await code.fill('0000')
    await code.press('Enter')
    await bank.getByRole('alert').waitFor()
    match((await bank.getByRole('alert').textContent()) ?? '', /wrong/)
    equal(await code.getAttribute('aria-invalid'), 'true')
    deepEqual(await violationsOn(page), [])
    await code.fill('1234')
    await code.press('Enter')
    await bank.getByRole('heading', { name: 'Done' }).waitFor()
    const { cres, sessionData } = broughtBack()
    deepEqual([cres['messageType'], cres['transStatus'], sessionData], ['CRes', 'Y', 'md-1'])
    ok(lines.some(line => /RReq .*result lost/.test(line)))
  }))

test('a payer who cancels comes back without an authentication', () =>
  openChallenge(async page => {
    const bank = page.frameLocator('iframe')
    await bank.getByRole('button', { name: 'Cancel' }).press('Enter')
    await bank.getByRole('heading', { name: 'Done' }).waitFor()
    equal(broughtBack().cres['transStatus'], 'N')
  }))
