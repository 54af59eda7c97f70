// test/api/late-truth.test.ts — a sale that times out while its terminal goes on: its verdict becomes final when the
// terminal reports, not at the next reconciliation attempt.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import type { TerminalDelivery, TerminalDriver } from '../../src/engine/ports/terminal.ts'
import { openShop, type Shop } from '../support/shop.ts'
import type { Started } from '../support/till.ts'

const TID = '22160001'
const LIMIT_MS = 200_000
/** After this time the gateway asks only once a minute. */
const LONG_MS = 100_000

const press = async (shop: Shop, body: object) => {
  const { status } = await shop.till.ask('POST', `/sandbox/terminals/${TID}/keys`, { body })
  equal(status, 200)
  await shop.settle()
}

/** An approved sale whose card stays in the terminal until after TIMED_OUT. */
async function cardLeftIn(): Promise<{ readonly shop: Shop; readonly sale: Started }> {
  const shop = await openShop({ terminal: TID })
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'PRESENT_CARD')
  await press(shop, { key: 'present_card', card: 'sim-visa-debit', how: 'insert' })
  await shop.until(sale, 'PIN_ENTRY')
  await press(shop, { key: 'pin', digits: '1234' })
  await shop.until(sale, 'REMOVE_CARD')
  await shop.clock.advance(LIMIT_MS)
  equal((await shop.till.look(sale)).transactionResult, 'TIMED_OUT')
  await shop.clock.advance(LONG_MS)
  deepEqual(await truth(shop, sale), { final: false, moneyTaken: 'unknown' })
  return { shop, sale }
}

async function truth(shop: Shop, { requestId }: Started) {
  const { json } = await shop.till.ask('GET', `/api/transactions/${requestId}`)
  const { final, moneyTaken } = json['verdict'] as { readonly final: boolean; readonly moneyTaken: string }
  return { final, moneyTaken }
}

test('when the card is removed, the terminal ends and the verdict says at once that money was taken', async () => {
  const { shop, sale } = await cardLeftIn()
  await press(shop, { key: 'remove_card' })
  await shop.clock.advance(1_000)
  deepEqual(await truth(shop, sale), { final: true, moneyTaken: 'yes' })
})

test('a terminal that lost the sale is asked when it reconnects, and the money is reversed', async () => {
  const { shop, sale } = await cardLeftIn()
  await press(shop, { key: 'unplug' })
  await shop.clock.advance(LONG_MS)
  deepEqual(await truth(shop, sale), { final: false, moneyTaken: 'unknown' })
  await press(shop, { key: 'plug_in' })
  deepEqual(await truth(shop, sale), { final: true, moneyTaken: 'no' })
})

/** The sale times out, and is known to be reversed soon after the connection is mended. */
async function reversedOnce(shop: Shop, sale: Started, mend: () => void): Promise<void> {
  await shop.clock.advance(LIMIT_MS)
  equal((await shop.till.look(sale)).transactionResult, 'TIMED_OUT')
  deepEqual(await truth(shop, sale), { final: false, moneyTaken: 'unknown' })
  mend()
  await shop.clock.advance(LONG_MS)
  deepEqual(await truth(shop, sale), { final: true, moneyTaken: 'no' })
}

test('a terminal that waits for a signature whose decision was lost ends after the time-out, and the money is reversed', async () => {
  let isLost = true
  const driver = (real: TerminalDriver): TerminalDriver => ({
    ...real,
    answerSignature: (...given) => (isLost ? Promise.reject(new Error('lost')) : real.answerSignature(...given)),
  })
  const shop = await openShop({ terminal: 'VCMDEMOSIS0', driver })
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  equal((await shop.till.sign(sale, true)).status, 202)
  await reversedOnce(shop, sale, () => {
    isLost = false
  })
})

test('a terminal that waits for a signature of which the gateway never heard ends after the time-out, and the money is reversed', async () => {
  let isLost = true
  const asks = ({ reports }: TerminalDelivery) => reports.some(({ type }) => type === 'signature_requested')
  const driver = (real: TerminalDriver): TerminalDriver => ({
    ...real,
    listen: (sink, ...rest) => {
      const report = (delivery: TerminalDelivery) =>
        isLost && asks(delivery) ? Promise.reject(new Error('lost')) : sink.report(delivery)
      return real.listen({ ...sink, report }, ...rest)
    },
  })
  const shop = await openShop({ terminal: 'VCMDEMOSIS0', driver })
  const sale = await shop.till.sale(2599)
  await reversedOnce(shop, sale, () => {
    isLost = false
  })
})

test('a late reversal does not free a terminal on which the next sale runs', async () => {
  let isBack = false
  const acquirer = (real: Acquirer): Acquirer => ({
    ...real,
    reverse: (...given) => (isBack ? real.reverse(...given) : Promise.resolve('unknown')),
  })
  const scripted = 'VCMDEMOSIP0'
  const shop = await openShop({ terminal: scripted, acquirer })
  const sell = async (play: string) => {
    const body = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
    return (await shop.till.start(body, { headers: { 'Tollgate-Scenario': play } })).json as unknown as Started
  }
  const sale = await sell('approved+terminal_restarted_after_approval')
  equal((await shop.finished(sale)).transactionResult, 'TIMED_OUT')
  await shop.until(await sell('nobody_presents_card'), 'PRESENT_CARD')
  const status = async () => (await shop.till.ask('GET', `/pac/terminals/${scripted}`)).json['status']
  equal(await status(), 'BUSY')
  isBack = true
  for (let seconds = 0; seconds < 50 && !(await truth(shop, sale)).final; seconds += 10)
    await shop.clock.advance(10_000)
  deepEqual(await truth(shop, sale), { final: true, moneyTaken: 'no' })
  equal(await status(), 'BUSY')
})
