// test/browser/support/shop-server.ts — a merchant's site: pages on the merchant's host with the strictest policy of the
// guide, and a record of violations.
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { TEST_CERT, TEST_KEY } from '../../support/tls.ts'
import { SHOP_SCRIPT, SHOP_STYLE } from './shop-script.ts'

export interface ShopPage {
  readonly html: string
  /** Replaces the page's content security policy; null for none. */
  readonly policy?: string | null
}

export interface ShopServer {
  /** On the merchant's host. */
  readonly url: string
  /** Policy violations reported by browsers. */
  readonly reports: readonly string[]
  /** Bodies of forms posted to the shop, newest last. */
  readonly posted: readonly string[]
  /** Publishes a page; returns its address. */
  page(page: ShopPage): string
  close(): Promise<void>
}

/** The policy in docs/script-security.md. */
function strictPolicy(gateway: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${gateway}/assets/js/`,
    "style-src 'self'",
    `frame-src ${gateway}`,
    "form-action 'self'",
    'report-uri /reports',
  ].join('; ')
}

/** Starts the site. */
export async function openShopServer(gateway: string, host = 'shop.example', secure = false): Promise<ShopServer> {
  const reports: string[] = []
  const posted: string[] = []
  const pages: ShopPage[] = []
  const answer: RequestListener = async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop.example')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    if (pathname === '/reports') reports.push(body)
    if (pathname === '/done') posted.push(body)
    const page = pages[Number(/^\/page\/(\d+)$/.exec(pathname)?.[1] ?? -1)]
    if (page !== undefined) {
      const policy = page.policy === undefined ? strictPolicy(gateway) : page.policy
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        ...(policy === null ? {} : { 'content-security-policy': policy }),
      })
      response.end(page.html)
      return
    }
    const file = FILES[pathname]
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' })
    response.end(file?.text ?? '')
  }
  // The certificate is for another name; the browser context ignores that.
  const server = secure ? createSecureServer({ cert: TEST_CERT, key: TEST_KEY }, answer) : createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `${secure ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`
  return {
    url,
    reports,
    posted,
    page: page => `${url}/page/${pages.push(page) - 1}`,
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

const FILES: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  '/shop.js': { type: 'text/javascript; charset=utf-8', text: SHOP_SCRIPT },
  '/shop.css': { type: 'text/css; charset=utf-8', text: SHOP_STYLE },
  '/done': {
    type: 'text/html; charset=utf-8',
    text: '<!doctype html><html lang="en"><title>Done</title><h1>Done</h1>',
  },
}
