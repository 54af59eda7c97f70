// test/api/sandbox-wallets.test.ts — wallet tokens that a sandbox makes, and opens again.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop } from '../support/shop.ts'

const WISH = { cardNumber: '5200 0000 0000 0056', expiryDate: '12/30', amount: 2599, currencyCode: '826' }

test('a sandbox makes tokens of both wallets for a test card, and they open as that card', async () => {
  const shop = await openShop()
  deepEqual(shop.gateway.wallets.offered('demo'), ['APPLE_PAY', 'GOOGLE_PAY'])
  for (const [wallet, authMethod, plain] of [
    ['APPLE_PAY', 'device', false],
    ['GOOGLE_PAY', 'device', false],
    ['GOOGLE_PAY', 'card', true],
  ] as const) {
    const reply = await shop.till.ask('POST', '/sandbox/wallet-tokens', { body: { ...WISH, wallet, authMethod } })
    equal(reply.status, 201)
    ok(!reply.text.includes('5200000000000056'))
    const opened = await shop.gateway.wallets.open(wallet, {
      account: 'demo',
      token: reply.json['token'],
      paymentId: `${wallet}-${authMethod}`,
      amount: { minor: 2599, currencyNumeric: '826' },
    })
    ok('card' in opened, JSON.stringify(opened))
    equal(opened.card.number.reveal(), '5200000000000056')
    equal(opened.card.cryptogram === null, plain)
  }
})

test('a wallet token is for its account only, and is not made for an invalid card', async () => {
  const shop = await openShop()
  const { json } = await shop.till.ask('POST', '/sandbox/wallet-tokens', { body: { ...WISH, wallet: 'GOOGLE_PAY' } })
  const order = { token: json['token'], paymentId: 'p1', amount: { minor: 2599, currencyNumeric: '826' } }
  const opened = await shop.gateway.wallets.open('GOOGLE_PAY', { ...order, account: 'demo-eur' })
  deepEqual(opened, { refused: 'other_recipient' })
  for (const [change, field] of [
    [{ cardNumber: '5200000000000057' }, 'cardNumber'],
    [{ expiryDate: '13/30' }, 'expiryDate'],
    [{ expiryDate: '01/20' }, 'expiryDate'],
    [{ wallet: 'PURSE' }, 'wallet'],
  ] as const) {
    const reply = await shop.till.ask('POST', '/sandbox/wallet-tokens', {
      body: { wallet: 'APPLE_PAY', ...WISH, ...change },
    })
    deepEqual([reply.status, reply.json['field']], [422, field])
  }
})
