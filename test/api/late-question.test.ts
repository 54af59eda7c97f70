// test/api/late-question.test.ts — a terminal that waits for an approval of a sale that was given up is told "too late", and
// the acquirer ends with nothing held and nothing charged.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { createLedger } from '../../src/simulator/acquirer/ledger.ts'
import { moneyOfAccount } from '../support/acquirer-book.ts'
import { openShop, type Shop } from '../support/shop.ts'
import type { Started } from '../support/till.ts'

const TID = 'VCMDEMOSIP0'
const LIMIT_MS = 200_000
const TOO_LATE = ['TOO LATE', 'NOTHING WAS CHARGED']

/** How a transaction is given up, and when its terminal asks or is answered. The scenario does both. */
const WAYS = {
  'time-out, asked afterwards: the line was lost before the question': {
    scenario: `approved+link_lost_before_authorisation:${LIMIT_MS + 50_000}`,
  },
  'time-out, asked afterwards: the terminal is slow': { scenario: 'approved+slow_terminal:45000' },
  'time-out while the acquirer is silent': { scenario: 'approved+acquirer_silent' },
  'time-out while the acquirer has the money and cannot say so': { scenario: 'approved+approval_unknown' },
  'time-out before a late approval': { scenario: `approved+approval_late:${LIMIT_MS + 20_000}` },
  'time-out with the approval on its way: the line was lost': {
    scenario: `approved+link_lost_during_authorisation:${LIMIT_MS + 50_000}`,
  },
  'time-out with a decline on its way: the line was lost': {
    scenario: `declined+link_lost_during_authorisation:${LIMIT_MS + 50_000}`,
  },
} as const

const start = async (shop: Shop, transactionType: string, scenario: string) => {
  const body = { transactionType, amount: 2599, currency: 'GBP' }
  return (await shop.till.start(body, { headers: { 'Tollgate-Scenario': scenario } })).json as unknown as Started
}

const screen = async (shop: Shop) => (await shop.till.ask('GET', `/sandbox/terminals/${TID}`)).json['lines'] as string[]

const verdict = async (shop: Shop, { requestId }: Started) =>
  (await shop.till.ask('GET', `/api/transactions/${requestId}`)).json['verdict'] as Record<string, unknown>

/** The ledger has neither a charge nor a hold. */
function isClear({ memory }: Shop): void {
  equal(moneyOfAccount(memory, 'demo'), 0)
  const open = createLedger(memory)
    .list('demo')
    .filter(({ state }) => ['charged', 'held', 'captured', 'refunded', 'undecided'].includes(state))
  deepEqual(open, [])
}

for (const [way, { scenario }] of Object.entries(WAYS))
  for (const transactionType of ['SALE', 'PRE_AUTH', 'REFUND'])
    test(`${way}: the ${transactionType} takes and holds nothing, and the terminal says so`, async () => {
      const shop = await openShop()
      const sale = await start(shop, transactionType, scenario)
      equal((await shop.finished(sale)).transactionResult, 'TIMED_OUT')
      const body = await shop.till.look(sale)
      for (let seconds = 0; seconds < 600 && (await screen(shop)).at(-1) !== 'READY'; seconds += 5)
        await shop.clock.advance(5_000)
      await shop.clock.advance(5_000)
      deepEqual((await screen(shop)).slice(0, -1), ['LAST: UNSUCCESSFUL', ...TOO_LATE])
      isClear(shop)
      const { final, moneyTaken, safeToRetry } = await verdict(shop, sale)
      deepEqual({ final, moneyTaken, safeToRetry }, { final: true, moneyTaken: 'no', safeToRetry: true })
      deepEqual(await shop.till.look(sale), body)
    })

test('a terminal that is reachable at the time limit is told at once, not after ten minutes', async () => {
  const shop = await openShop()
  const sale = await start(shop, 'SALE', 'approved+acquirer_silent')
  await shop.finished(sale)
  await shop.clock.advance(2_000)
  deepEqual((await screen(shop)).slice(0, 3), ['LAST: UNSUCCESSFUL', ...TOO_LATE])
})

test('a terminal is told before the reversal, which its acquirer does not answer for a minute', async () => {
  const shop = await openShop()
  const sale = await start(shop, 'SALE', 'approved+approval_unknown+reversal_unanswered:60000')
  await shop.finished(sale)
  await shop.clock.advance(2_000)
  deepEqual((await screen(shop)).slice(0, 3), ['LAST: UNSUCCESSFUL', ...TOO_LATE])
  deepEqual((await verdict(shop, sale))['moneyTaken'], 'unknown')
  await shop.clock.advance(180_000)
  isClear(shop)
  deepEqual((await verdict(shop, sale))['moneyTaken'], 'no')
})

test('a terminal that accepts a cancel and asks all the same is told, and the cancel is done', async () => {
  const shop = await openShop()
  const sale = await start(shop, 'SALE', 'approved+cancel_ignored+slow_terminal:1000')
  await shop.until(sale, 'PRESENT_CARD')
  await shop.till.cancel(sale)
  const end = await shop.finished(sale)
  ok(['CANCELLED', 'UNSUCCESSFUL'].includes(end.transactionResult ?? ''), String(end.transactionResult))
  deepEqual((await screen(shop)).slice(0, 3), ['LAST: UNSUCCESSFUL', ...TOO_LATE])
  isClear(shop)
  equal((await verdict(shop, sale))['moneyTaken'], 'no')
})

for (const scenario of ['approved+terminal_restarted', 'approved+terminal_restarted_after_approval'])
  test(`${scenario}: a terminal that has forgotten the sale is not disturbed, and nothing is charged`, async () => {
    const shop = await openShop()
    const sale = await start(shop, 'SALE', scenario)
    await shop.finished(sale)
    await shop.clock.advance(60_000)
    deepEqual(await screen(shop), ['READY'])
    isClear(shop)
  })

test('a question after a paid sale is not answered with "too late": the sale stands', async () => {
  const shop = await openShop()
  const sale = await start(shop, 'SALE', 'approved')
  equal((await shop.finished(sale)).transactionResult, 'SUCCESSFUL')
  deepEqual(await screen(shop), ['LAST: SUCCESSFUL', 'READY'])
  equal(moneyOfAccount(shop.memory, 'demo'), 2599)
})
