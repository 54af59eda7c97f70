// test/browser/device-data.test.ts — the 3DS method in the form: a hidden frame shows the issuer's page, on a host of its own.
import { deepEqual, equal, match } from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { buildWeb } from '../../web/build.ts'
import type { Json } from '../peer/emv-shop.ts'
import { type EmvTown, openEmvTown } from '../peer/emv-town.ts'
import { TEST_CERT, TEST_KEY } from '../support/tls.ts'
import { openBrowser } from './support/browser.ts'
import { openReverseProxy, type ReverseProxy } from './support/reverse-proxy.ts'
import { openForm } from './support/shop-page.ts'
import { openShopServer, type ShopServer } from './support/shop-server.ts'

/** What the issuer's page does. */
type Conduct = 'notifies' | 'notifies from a frame' | 'misforms' | 'hangs' | 'is gone'

interface Issuer {
  readonly url: string
  does: Conduct
  /** What its page was sent, newest last. */
  readonly received: Json[]
  close(): void
}

async function openIssuer(): Promise<Issuer> {
  const server = createServer({ cert: TEST_CERT, key: TEST_KEY }, async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    if (issuer.does === 'is gone') return void response.writeHead(404).end('gone')
    const data = new URLSearchParams(text).get('threeDSMethodData') ?? ''
    const sent = JSON.parse(Buffer.from(data, 'base64url').toString('utf8')) as Readonly<Record<string, string>>
    issuer.received.push(sent)
    const name = issuer.does === 'misforms' ? 'threeDSMethodData' : 'threeDSServerTransID'
    const said = Buffer.from(JSON.stringify({ [name]: sent['threeDSServerTransID'] })).toString('base64url')
    const form =
      `<form method="post" action="${sent['threeDSMethodNotificationURL']}">` +
      `<input type="hidden" name="threeDSMethodData" value="${said}"></form><script>document.forms[0].submit()</script>`
    const inFrame = `<iframe srcdoc="${form.replaceAll('"', '&quot;')}"></iframe>`
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(issuer.does === 'hangs' ? '' : issuer.does === 'notifies from a frame' ? inFrame : form)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `https://acs.bank.example:${(server.address() as AddressInfo).port}/method`
  const issuer: Issuer = { url, does: 'notifies', received: [], close: () => void server.close() }
  return issuer
}

let issuer: Issuer
let town: EmvTown
let web: ReverseProxy
let shop: ShopServer
let browser: Browser
const open: { close(): unknown }[] = []

beforeAll(async () => {
  const keep = <Part extends { close(): unknown }>(part: Part): Part => {
    open.unshift(part)
    return part
  }
  await buildWeb()
  issuer = keep(await openIssuer())
  web = keep(await openReverseProxy('pay.example', true))
  const preqPath = `/with-method?url=${encodeURIComponent(issuer.url)}`
  town = keep(await openEmvTown({ preqPath, publicUrl: web.url }))
  await town.gateway.printed(/card ranges loaded/)
  web.forwardTo(town.listening())
  shop = keep(await openShopServer(web.url))
  browser = keep(await openBrowser())
}, 120_000)

afterAll(async () => {
  for (const part of open) await part.close()
})

beforeEach(() => {
  issuer.received.length = 0
})

/** The test ends the wait for the issuer itself. */
const BY_HAND = `{
  const set = window.setTimeout
  window.setTimeout = (call, ms, ...rest) => (ms === 10000 ? ((window.tenSecondsGone = call), 0) : set(call, ms, ...rest))
}`

test.each([
  ['notifies', 'Y'],
  ['notifies from a frame', 'Y'],
  ['misforms', 'Y'],
  ['hangs', 'N'],
  ['is gone', 'N'],
] as const)(
  'case 50: an issuer whose page %s is a %s in the AReq, and the payer pays',
  { timeout: 60_000 },
  async (does, expected) => {
    issuer.does = does
    const token = await town.accessToken()
    const form = await openForm(browser, web.url, shop, { token, init: BY_HAND }, { ignoreHTTPSErrors: true })
    const refused: string[] = []
    form.page.on('console', message => void (message.type() === 'error' && refused.push(message.text())))
    try {
      const arrived = form.page.waitForRequest(issuer.url)
      await form.fill({ number: '4456530000001096', cv2: '020' })
      await form.press()
      await (await arrived).response()
      if (expected === 'N') {
        const relay = form.page.frames().find(each => each.url().endsWith('/three-d-secure/device-data'))
        await relay?.evaluate('tenSecondsGone()')
      }
      const { kind, value } = await form.settled()
      deepEqual([kind, (value as { statusCode: number }).statusCode], ['resolved', 0])
      const { requests, invalid } = (await town.ask('/seen')) as {
        readonly requests: Json[]
        readonly invalid: unknown
      }
      deepEqual(invalid, [])
      const areq = requests.findLast(each => each['messageType'] === 'AReq')
      equal(areq?.['threeDSCompInd'], expected)
      // That of the form's page, not of the request of its script.
      match(String(areq?.['browserAcceptHeader']), /^text\/html,/)
      if (does !== 'is gone') equal(areq?.['threeDSServerTransID'], issuer.received[0]?.['threeDSServerTransID'])
      equal(await form.frame.locator('iframe').count(), 0)
      deepEqual(
        refused.filter(text => /content security policy/i.test(text)),
        [],
      )
    } finally {
      await form.close()
    }
  },
)

test('the pages of the merchant and of the gateway have no violations of their policies', () => {
  deepEqual(shop.reports, [])
  match(issuer.url, /^https:\/\/acs\.bank\.example:/)
})
