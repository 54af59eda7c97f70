// test/api/ended-without-card.test.ts — what a transaction that ended without a card says of amounts, and that an end stays as it is.
import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SCENARIOS } from '../../src/simulator/scenarios/built-in.ts'
import { openShop, type Shop } from '../support/shop.ts'
import type { Started } from '../support/till.ts'

const HOUR_MS = 3_600_000
const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP', amountCashback: 1000 }

type Act = (shop: Shop, sale: Started) => Promise<unknown>

const press = (key: object) => async (shop: Shop, sale: Started) => {
  await shop.until(sale, 'PRESENT_CARD')
  equal((await shop.till.ask('POST', '/sandbox/terminals/22160001/keys', { body: key })).status, 200)
}
const cancel: Act = async (shop, sale) => {
  await shop.until(sale, 'PRESENT_CARD')
  await shop.till.cancel(sale)
}
const nothing: Act = async () => {}

/** How it ends without a card, and the result. */
const WITHOUT_CARD: readonly (readonly [string, string, Act])[] = [
  ['cancelled by the till', 'CANCELLED', cancel],
  ['cancelled on the terminal', 'CANCELLED', press({ key: 'cancel' })],
  ['nobody presents a card', 'CANCELLED', nothing],
  ['the line is lost before the card', 'TIMED_OUT', press({ key: 'unplug' })],
]

describe.each(['v0', 'v1', 'v2'])('in %s', version => {
  test.each(WITHOUT_CARD)('%s: the base is as asked, the total is 0', async (_, result, act) => {
    const shop = await openShop({ terminal: '22160001' })
    const sale = await shop.till.started({ ...SALE, amountCashback: 0 })
    await act(shop, sale)
    await shop.finished(sale)
    const { json } = await shop.till.read(sale, {
      headers: { accept: `application/connect.${version}+json`, 'software-house-id': 's', 'installer-id': 'i' },
    })
    const { transactionResult, amountBase, amountCashback, amountGratuity, amountTotal, currency } = json
    deepEqual([transactionResult, amountBase, amountCashback, amountGratuity], [result, 2599, 0, 0])
    deepEqual([amountTotal, currency], [0, 'GBP'])
  })
})

test.each(WITHOUT_CARD)('a DUPLICATE of one tells the same: %s', async (_, __, act) => {
  const shop = await openShop({ terminal: '22160001' })
  const sale = await shop.till.started(SALE)
  await act(shop, sale)
  const { amountBase, amountTotal } = await shop.finished(sale)
  await shop.till.ask('POST', '/sandbox/terminals/22160001/keys', { body: { key: 'plug_in' } })
  const copy = await shop.finished(await shop.till.started({ transactionType: 'DUPLICATE' }))
  deepEqual([copy.amountBase, copy.amountTotal], [amountBase, amountTotal])
})

describe.each(['SALE', 'PRE_AUTH'])('%s', transactionType => {
  test.each(Object.keys(SCENARIOS))(
    '%s: the total is the sum if a card was read, and the end stays as it is',
    async name => {
      const shop = await openShop()
      const body = { ...SALE, transactionType, ...(transactionType === 'SALE' ? {} : { amountCashback: undefined }) }
      const reply = await shop.till.start(body, { headers: { 'tollgate-scenario': name } })
      equal(reply.status, 201, reply.text)
      const sale = reply.json as unknown as Started
      const end = await shop.finished(sale)
      const { amountBase, amountCashback, amountGratuity, amountTotal, paymentMethod, transactionResult } = end
      const read = paymentMethod !== 'UNKNOWN'
      equal(amountBase, name === 'wrong_amount' ? amountBase : 2599)
      equal(amountTotal, read ? amountBase! + amountCashback! + amountGratuity! : 0, `${name} ${transactionResult}`)
      if (['SUCCESSFUL', 'DECLINED', 'VOID'].includes(transactionResult!)) equal(read, true)
      // Late answers, reversals and what the terminal says afterwards.
      await shop.clock.advance(HOUR_MS)
      deepEqual(await shop.till.look(sale), end)
    },
  )
})
