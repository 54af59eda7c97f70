// test/browser/host-names.test.ts — payments through a web host whose name is not the public address of the gateway: 3-D Secure
// of each version works, and the browser needs no other host.
import { deepEqual, equal } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { ONLINE_TEST_CARDS } from '../../src/simulator/cards/online-test-cards.ts'
import { openBrowser } from './support/browser.ts'
import { openGateway, type RunningGateway } from './support/gateway.ts'
import { openReverseProxy, type ReverseProxy } from './support/reverse-proxy.ts'
import { openForm } from './support/shop-page.ts'
import { openShopServer, type ShopServer } from './support/shop-server.ts'

/** One card of each mode. */
const CARDS = ['2.0', '1.0', 'yes', 'frictionless 2.0'].map(mode => {
  const card = ONLINE_TEST_CARDS.find(each => each.mode === mode && each.expected === 0)
  if (card === undefined) throw new Error(`no card of mode ${mode}`)
  return card
})

describe.each([
  ['an API host and a web host', { publicUrl: true, secure: false }],
  ['a proxy that ends TLS and names the gateway by its inner address', { publicUrl: false, secure: true }],
])('%s', (_, { publicUrl, secure }) => {
  let browser: Browser
  let gateway: RunningGateway
  let shop: ShopServer
  let web: ReverseProxy
  const open: { close(): Promise<unknown> }[] = []

  beforeAll(async () => {
    const keep = <Part extends { close(): Promise<unknown> }>(part: Part): Part => {
      open.unshift(part)
      return part
    }
    web = keep(await openReverseProxy('web.pay.example', secure))
    gateway = keep(await openGateway(undefined, publicUrl ? 'https://api.pay.example' : ''))
    web.forwardTo(gateway.listening)
    shop = keep(await openShopServer(web.url))
    browser = keep(await openBrowser())
  })

  afterAll(async () => {
    for (const part of open) await part.close()
  })

  test.each(CARDS.map(card => [card.mode, card] as const))('a card of mode %s pays', async (_mode, card) => {
    const token = await gateway.token()
    const form = await openForm(browser, web.url, shop, { token }, { ignoreHTTPSErrors: true })
    const hosts = new Set<string>()
    form.page.context().on('request', request => hosts.add(new URL(request.url()).host))
    try {
      await form.fill({ number: card.number, cv2: card.securityCode, name: card.holder ?? 'Ann Example' })
      await form.press()
      if (card.mode !== 'frictionless 2.0') {
        const bank = form.page.frameLocator('iframe.threeDs').frameLocator('iframe')
        // A wrong code first: the issuer's page is left and opened again.
        if (card.password !== null) {
          await bank.getByLabel('One-time code').fill('0000')
          await bank.getByRole('button', { name: /confirm/i }).click()
          await bank.getByRole('alert').waitFor()
          await bank.getByLabel('One-time code').fill(card.password)
        }
        await bank.getByRole('button', { name: /confirm/i }).click()
      }
      const { kind, value } = await form.settled()
      deepEqual([kind, (value as { statusCode: number }).statusCode], ['resolved', 0])
      deepEqual([...hosts].toSorted(), [new URL(web.url).host])
      const { body } = await gateway.v1('GET', `/v1/payments/${token}`)
      equal((body as { statusCode: number }).statusCode, 0)
    } finally {
      await form.close()
    }
  })
})
