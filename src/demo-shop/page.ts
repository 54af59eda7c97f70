// src/demo-shop/page.ts — the pages of the demo shop.
import { readFileSync } from 'node:fs'
import { escapeHtml } from '../api/describe/pages/html.ts'
import { publishedScripts, webEntry } from '../api/describe/pages/web-files.ts'
import type { Headers } from '../api/operation.ts'
import { PACKAGE_FOLDER } from '../api/package-folder.ts'
import type { DemoCard } from '../api/parts.ts'

/** The headers of docs/script-security.md for merchants, with shop and gateway on one host. */
export const DEMO_HEADERS: Headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
}

/** Goods of the shop, in pence. */
export const GOODS = [
  { name: 'Harbour blend, 250 g', amount: 895, note: 'Chocolate and hazelnut' },
  { name: 'Night ferry, 250 g', amount: 1_050, note: 'Dark and full' },
  { name: 'Brewing course for two', amount: 6_400, note: 'Reserved now, collected on the day' },
] as const

/** The page of the shop. */
export function demoPage(cards: readonly DemoCard[]): Uint8Array {
  const client = publishedScripts().scripts['client.js']
  return demoDocument(
    'Harbour Coffee — demo shop',
    `<script src="${client?.versioned}" integrity="${client?.integrity}" defer></script>
<script src="${webEntry('demo').script}" defer></script>`,
    `<section class="goods" aria-labelledby="goods"><h2 id="goods">Choose</h2><div class="cards">${GOODS.map(good).join('')}</div></section>
<section class="pay" id="checkout" aria-labelledby="pay" hidden>
<h2 id="pay">Pay <span id="price"></span></h2>
<p id="order" class="quiet"></p>
<div id="wallet"></div>
<div id="card-form"></div>
<label class="save"><input type="checkbox" id="save"> Save this card for next time</label>
<p><button type="button" id="pay-button" class="main">Pay</button></p>
<p id="outcome" role="status"></p>
</section>
<section aria-labelledby="orders"><h2 id="orders">Orders</h2><div id="order-list"><p class="quiet">None yet.</p></div></section>
<section aria-labelledby="webhooks"><h2 id="webhooks">Webhooks, as they arrive</h2><ol id="webhook-list" class="quiet"></ol></section>
<section aria-labelledby="cards"><h2 id="cards">Test cards</h2>
<div class="wide" tabindex="0" role="group" aria-label="Table of test cards"><table><thead><tr><th>Number and name</th><th>Expiry</th><th>CV2</th><th>3-D Secure</th><th>Ends with</th></tr></thead>
<tbody>${cards.map(cardRow).join('')}</tbody></table></div></section>
<section aria-labelledby="source"><h2 id="source">How it is made</h2>
<details><summary>The shop’s server</summary><pre tabindex="0"><code>${escapeHtml(sourceOf('shop'))}</code></pre></details>
<details><summary>The Checkout button</summary><pre tabindex="0"><code>${escapeHtml(CHECKOUT_SAMPLE)}</code></pre></details>
</section>`,
  )
}

/** A page with the Checkout button. */
export function demoCheckoutPage(token: string, amount: number, what: string, orderId: string): Uint8Array {
  const checkout = publishedScripts().scripts['checkout.js']
  return demoDocument(
    'Checkout — Harbour Coffee',
    '',
    `<section class="pay"><h2>${escapeHtml(what)}</h2>
<form action="/demo/checkout/${encodeURIComponent(orderId)}" method="post">
<script src="${checkout?.versioned}" integrity="${checkout?.integrity}" class="connect-checkout-btn"
 data-access-token="${escapeHtml(token)}" data-amount="${amount}" data-currency-code="826"
 data-description="Harbour Coffee" data-display-email="true"></script>
</form>
<p><a href="/demo">Back to the shop</a></p></section>`,
  )
}

function demoDocument(title: string, head: string, body: string): Uint8Array {
  const { style } = webEntry('demo')
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
${head}
</head>
<body>
<header class="top"><p class="brand">Harbour Coffee</p><p class="test">Demo shop, no money moves</p><a href="/">Tollgate</a></header>
<main>
<h1 class="unseen">Harbour Coffee, a demo shop</h1>
${body}
</main>
</body>
</html>
`)
}

function good({ name, amount, note }: (typeof GOODS)[number], index: number): string {
  const price = `£${(amount / 100).toFixed(2)}`
  const reserve = index === GOODS.length - 1
  return `<article class="good good-${index}"><h3>${escapeHtml(name)}</h3><p class="quiet">${escapeHtml(note)}</p><p class="price">${price}</p>
<p class="buttons"><button type="button" class="main" data-good="${index}" data-kind="${reserve ? 'PREAUTH' : 'SALE'}">${reserve ? 'Reserve' : 'Buy'}<span class="unseen"> ${escapeHtml(name)}</span></button>
<a class="second" href="/demo/checkout?good=${index}">Checkout<span class="unseen"> ${escapeHtml(name)}</span></a></p></article>`
}

function cardRow({ number, holder, expiry, securityCode, mode, password, expected }: DemoCard): string {
  const ends = { 0: 'paid', 4: 'referred', 5: 'declined' }[expected] ?? String(expected)
  const secure = password === null ? mode : `${mode}, code ${password}`
  const grouped = number.replace(/(\d{4})(?=\d)/g, '$1 ')
  const named = holder === null ? grouped : `${grouped}, ${holder}`
  const cells = [named, expiry ?? 'any', securityCode, secure, `${expected} ${ends}`]
  return `<tr>${cells.map(cell => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`
}

/** The source of a file. The package contains it beside the built program. */
function sourceOf(name: 'shop'): string {
  return readFileSync(new URL(`src/demo-shop/${name}.ts`, PACKAGE_FOLDER), 'utf8')
}

const CHECKOUT_SAMPLE = `<form action="/done" method="post">
<script src="https://pay.example/assets/js/checkout.js" class="connect-checkout-btn"
  data-access-token="…" data-amount="895" data-currency-code="826"
  data-description="Harbour Coffee" data-display-email="true"></script>
</form>`
