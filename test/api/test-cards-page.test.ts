// test/api/test-cards-page.test.ts — the page with the test cards.
import { equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop } from '../support/shop.ts'

test('the page shows cards for forms with all their fields, and cards of terminals masked', async () => {
  const shop = await openShop()
  const page = await shop.till.ask('GET', '/docs/cards')
  equal(page.status, 200)
  match(page.headers['content-type'] ?? '', /^text\/html/)
  match(
    page.text,
    /<td>4456 5300 0000 1096<\/td><td>VISA<\/td><td>12\/30<\/td><td>020<\/td><td>John Watson<\/td><td>0 approved/,
  )
  match(page.text, /<td>4792 8400 0000 9202<\/td>.*<td>4 referred<\/td>/)
  match(page.text, /<td>sim-visa-debit<\/td>/)
  const { cards = [] } = shop.gateway.sandbox ?? {}
  ok(cards.length > 0)
  for (const { maskedNumber } of cards) ok(page.text.includes(maskedNumber), maskedNumber)
})

test('a live gateway shows no test cards', async () => {
  const shop = await openShop({ settings: { mode: 'live', publicKey: null, publicUrl: 'http://localhost' } })
  const page = await shop.till.ask('GET', '/docs/cards')
  match(page.text, /This gateway is live/)
  ok(!page.text.includes('1096'))
})
