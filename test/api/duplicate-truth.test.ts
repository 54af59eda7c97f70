// test/api/duplicate-truth.test.ts — a DUPLICATE after a sale says what happened to its money, for every scenario and fault.
// An earlier sale of the same amount was paid. ADR 40.
import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { test } from 'vitest'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import { FAULT_NAMES, FAULTS } from '../../src/simulator/faults/catalogue.ts'
import { SCENARIO_NAMES } from '../../src/simulator/scenarios/built-in.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'
import type { Started } from '../support/till.ts'

const TID = 'VCMDEMOSIP0'
const AMOUNT = 2599
const MINUTE_MS = 60_000
/** Minutes after which every unknown answer is resolved. */
const PATIENCE = 60

/** Scenarios and faults. Faults of the request are left out: they start no transaction. */
const PLAYS = [
  ...SCENARIO_NAMES,
  ...FAULT_NAMES.filter(name => FAULTS[name].at !== 'request').map(name => `approved+${name}`),
  ...[
    'approved+link_lost_after_authorisation:250000+wrong_amount_at_end',
    'approved+answer_after_limit+wrong_amount_at_end',
  ],
]

async function verdictOf(shop: Shop, { requestId }: Started): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await shop.till.ask('GET', `/api/transactions/${requestId}`)
  return json['verdict'] as Readonly<Record<string, unknown>>
}

/** Plays a scenario after a paid sale, and advances time until its verdict is final. */
async function played(shop: Shop, play: string): Promise<{ readonly first: Started; readonly sale: Started }> {
  const first = await shop.till.sale(AMOUNT)
  equal((await shop.finished(first)).transactionResult, 'SUCCESSFUL')
  const headers = { 'Tollgate-Scenario': play }
  const body = { transactionType: 'SALE', amount: AMOUNT, currency: 'GBP' }
  const { json } = await shop.till.start(body, { headers })
  const sale = json as unknown as Started
  for (let minute = 0; minute < PATIENCE && (await verdictOf(shop, sale))['final'] !== true; minute += 1)
    await shop.clock.advance(MINUTE_MS)
  return { first, sale }
}

async function duplicateOf(shop: Shop) {
  return await shop.finished(await shop.till.started({ transactionType: 'DUPLICATE' }))
}

for (const play of PLAYS)
  test(`after ${play}`, async () => {
    const shop = await openShop({ terminal: TID })
    const { first, sale } = await played(shop, play)
    const { final, moneyTaken } = await verdictOf(shop, sale)
    equal(final, true)
    const told = await duplicateOf(shop)
    equal(
      told.transactionResult === 'SUCCESSFUL',
      moneyTaken === 'yes',
      `${told.transactionResult}, taken: ${moneyTaken}`,
    )
    const { amountTotal, transactionType } = await shop.till.look(sale)
    equal(told.transactionType, transactionType)
    notEqual(told.transactionId, (await shop.till.look(first)).transactionId)
    if (moneyTaken === 'yes') equal(told.amountTotal, amountTotal)
    // Repeating it changes nothing.
    for (let time = 0; time < 3; time += 1) equal((await duplicateOf(shop)).transactionResult, told.transactionResult)
  })

test('a duplicate of a sale that the terminal has lost says so each time', async () => {
  const shop = await openShop({ terminal: TID })
  await played(shop, 'approved+terminal_restarted')
  // More often than the number of transactions that are searched for the last sale.
  for (let time = 0; time < 25; time += 1) {
    const { transactionResult, amountTotal, userMessage } = await duplicateOf(shop)
    deepEqual([transactionResult, amountTotal], ['UNSUCCESSFUL', AMOUNT])
    equal(userMessage, 'The terminal has forgotten this transaction. No payment was taken.')
  }
})

/** A shop whose acquirer answers reversals with unknown until `comeBack` is called. */
async function slowToReverse(over: 'rest' | 'socket') {
  let isBack = false
  const comeBack = (): void => {
    isBack = true
  }
  const options = {
    terminal: TID,
    acquirer: (real: Acquirer): Acquirer => ({
      ...real,
      reverse: (...given) => (isBack ? real.reverse(...given) : Promise.resolve('unknown')),
    }),
  }
  const shop = await (over === 'rest' ? openShop(options) : openSocketShop(options))
  return { shop, comeBack }
}

const FORGETS = 'approved+terminal_restarted_after_approval'

test('during a reversal a duplicate answers that the outcome is unknown, and afterwards that no money was taken', async () => {
  const { shop, comeBack } = await slowToReverse('rest')
  await played(shop, FORGETS)
  const asked = await shop.till.started({ transactionType: 'DUPLICATE' })
  const meanwhile = await shop.finished(asked)
  deepEqual([meanwhile.transactionResult, meanwhile.amountTotal], ['TIMED_OUT', AMOUNT])
  match(meanwhile.userMessage ?? '', /^It is not known yet/)
  const verdict = { final: true, moneyTaken: 'unknown', safeToRetry: false, nextStep: 'await_reconciliation' }
  deepEqual(await verdictOf(shop, asked), verdict)
  comeBack()
  await shop.clock.advance(PATIENCE * MINUTE_MS)
  equal((await duplicateOf(shop)).transactionResult, 'UNSUCCESSFUL')
})

test('on a socket, a duplicate after the reversal does not repeat the unknown outcome', async () => {
  const { shop, comeBack } = await slowToReverse('socket')
  await shop.gateway.provisioning.configureTerminal('demo', TID, { printing: false })
  const till = await connectTill(shop)
  const sell = () => till.request('sale', { tid: TID, currency: 'GBP', amount: AMOUNT })
  const duplicate = async () =>
    (await till.answerTo(till.request('duplicate', { tid: TID }))).result?.['transactionResult']
  equal((await till.answerTo(sell())).result?.['transactionResult'], 'SUCCESSFUL')
  equal(await duplicate(), 'SUCCESSFUL')
  await shop.till.ask('POST', `/sandbox/terminals/${TID}/scenarios`, { body: { next: [FORGETS] } })
  equal((await till.answerTo(sell())).result?.['transactionResult'], 'TIMED_OUT')
  deepEqual([await duplicate(), await duplicate()], ['TIMED_OUT', 'TIMED_OUT'])
  comeBack()
  await shop.clock.advance(PATIENCE * MINUTE_MS)
  deepEqual([await duplicate(), await duplicate()], ['UNSUCCESSFUL', 'UNSUCCESSFUL'])
})

test('after the clock is set back, the last payment is still the newest one', async () => {
  const shop = await openShop({ terminal: TID })
  equal((await shop.finished(await shop.till.sale(AMOUNT))).transactionResult, 'SUCCESSFUL')
  const to = new Date(shop.gateway.clocks.of('demo').now() - PATIENCE * MINUTE_MS).toISOString()
  equal((await shop.till.ask('POST', '/sandbox/clock', { body: { do: 'set', to } })).status, 200)
  const headers = { 'Tollgate-Scenario': 'approved+terminal_restarted' }
  const { json } = await shop.till.start({ transactionType: 'SALE', amount: AMOUNT, currency: 'GBP' }, { headers })
  equal((await shop.finished(json as unknown as Started)).transactionResult, 'TIMED_OUT')
  equal((await duplicateOf(shop)).transactionResult, 'UNSUCCESSFUL')
})
