// test/unit/simulator/ledger.test.ts — the ledger of the simulated acquirer: captures, reversals and pre-authorisations.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { money as moneyIn } from '../../../src/domain/money.ts'
import { oneClock } from '../../../src/engine/clocks.ts'
import type { AcquirerAnswer, CaptureOrder } from '../../../src/engine/ports/acquirer.ts'
import { createSimulatedAcquirer } from '../../../src/simulator/acquirer/acquirer.ts'
import { MOST_OPEN_HOLDS } from '../../../src/simulator/acquirer/pre-authorisations.ts'
import { createProcessMemory } from '../../../src/simulator/memory/process-memory.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { TestClock } from '../../support/test-clock.ts'

function open() {
  const acquirer = createSimulatedAcquirer({
    memory: createProcessMemory(),
    clocks: oneClock(new TestClock()),
    random: new SeededRandom(5),
  })
  const order = (orderId: string, amountMinor: number, cardToken = 'sim-visa-debit') => ({
    orderId,
    account: 'demo',
    amount: moneyIn(amountMinor, 'GBP'),
    cardToken,
  })
  return {
    acquirer,
    order,
    hold: async (orderId: string, amountMinor: number, card?: string) =>
      codeOf(await acquirer.authorise(order(orderId, amountMinor, card), 'hold')),
    capture: (orderId: string, amountMinor: number, rest: Partial<CaptureOrder> & { readonly authCode: string }) =>
      acquirer.capture({ ...order(orderId, amountMinor), preAuthorisedTotal: null, ...rest }),
    state: (orderId: string) => acquirer.ledger.find('demo', orderId)?.state,
    money: (orderId: string) => acquirer.ledger.moneyOf('demo', orderId),
  }
}

function codeOf(answer: AcquirerAnswer): string {
  if (answer.answer !== 'approved') throw new Error(`not approved: ${answer.answer}`)
  return answer.authCode
}

function reasonOf(answer: AcquirerAnswer): string {
  return answer.answer === 'declined' ? answer.reason : answer.answer
}

test('an authorisation code has six capitals or digits, the same for the same seed', async () => {
  const codes = [await open().hold('a', 1), await open().hold('a', 1)]
  equal(codes[0], codes[1])
  equal(/^[0-9A-Z]{6}$/.test(codes[0]!), true)
})

test('a capture uses all pre-authorisations of the card and releases the rest', async () => {
  const { hold, capture, state, money, acquirer } = open()
  const authCode = await hold('first', 10_000)
  await hold('second', 2_000)
  equal(reasonOf(await capture('taken', 11_500, { authCode, preAuthorisedTotal: moneyIn(12_000, 'GBP') })), 'approved')
  deepEqual([money('first'), money('second'), money('taken')], [0, 0, 11_500])
  deepEqual([state('first'), state('second'), state('taken')], ['captured', 'captured', 'captured'])
  deepEqual(acquirer.ledger.openHolds('demo', 'sim-visa-debit').orderIds, [])
})

test('a capture is declined when its code, card, amount, total or currency does not fit', async () => {
  const { hold, capture, money } = open()
  const authCode = await hold('held', 10_000)
  const tries = [
    await capture('code', 5_000, { authCode: 'NOSUCH' }),
    await capture('card', 5_000, { authCode, cardToken: 'sim-visa-credit' }),
    await capture('shop', 5_000, { authCode, account: 'other' }),
    await capture('amount', 10_001, { authCode }),
    await capture('total', 5_000, { authCode, preAuthorisedTotal: moneyIn(9_999, 'GBP') }),
    await capture('currency', 5_000, { authCode, amount: moneyIn(5_000, 'EUR') }),
  ]
  deepEqual(tries.map(reasonOf), [
    'no_pre_authorisation',
    'no_pre_authorisation',
    'no_pre_authorisation',
    'pre_authorisation_differs',
    'pre_authorisation_differs',
    'pre_authorisation_differs',
  ])
  equal(money('amount'), 0)
  equal(reasonOf(await capture('right', 10_000, { authCode, preAuthorisedTotal: moneyIn(10_000, 'GBP') })), 'approved')
  equal(reasonOf(await capture('twice', 1, { authCode })), 'no_pre_authorisation')
})

test('an abandoned pre-authorisation does not block a later one on the same card', async () => {
  const { hold, capture, state } = open()
  await hold('abandoned', 7_000)
  const authCode = await hold('later', 10_000)
  equal(reasonOf(await capture('taken', 8_150, { authCode, preAuthorisedTotal: moneyIn(10_000, 'GBP') })), 'approved')
  deepEqual([state('abandoned'), state('later')], ['held', 'captured'])
})

test('a reversed pre-authorisation is released', async () => {
  const { hold, capture, state, acquirer } = open()
  const authCode = await hold('held', 10_000)
  await acquirer.reverse({ orderId: 'held', account: 'demo' })
  equal(state('held'), 'released')
  equal(reasonOf(await capture('taken', 1, { authCode })), 'no_pre_authorisation')
})

test('a reversed capture opens its pre-authorisations again, in their order', async () => {
  const { hold, capture, state, money, acquirer } = open()
  const first = await hold('first', 4_000)
  await hold('second', 1_000)
  await capture('taken', 500, { authCode: first })
  await hold('third', 500)
  await acquirer.reverse({ orderId: 'taken', account: 'demo' })
  deepEqual([state('first'), state('second'), state('taken'), money('taken')], ['held', 'held', 'reversed', 0])
  const again = await capture('again', 5_500, { authCode: first, preAuthorisedTotal: moneyIn(5_500, 'GBP') })
  equal(reasonOf(again), 'approved')
})

test('a captured pre-authorisation that was reversed itself is not opened again with its capture', async () => {
  const { hold, capture, state, money, acquirer } = open()
  const authCode = await hold('held', 4_000)
  await capture('taken', 4_000, { authCode })
  await acquirer.reverse({ orderId: 'held', account: 'demo' })
  equal(money('taken'), 4_000)
  await acquirer.reverse({ orderId: 'taken', account: 'demo' })
  deepEqual([state('held'), state('taken')], ['released', 'reversed'])
})

test('at the limit of open pre-authorisations the oldest is released', async () => {
  const { hold, state, acquirer } = open()
  for (let count = 0; count <= MOST_OPEN_HOLDS; count++) await hold(`hold ${count}`, 1)
  equal(state('hold 0'), 'released')
  equal(state('hold 1'), 'held')
  equal(acquirer.ledger.openHolds('demo', 'sim-visa-debit').orderIds.length, MOST_OPEN_HOLDS)
})

test('a repeated order gets the lost answer, and its money moves once', async () => {
  const { acquirer, order, money } = open()
  const late = order('late', 9_000_068)
  equal((await acquirer.authorise(late, 'charge')).answer, 'unknown')
  equal(money('late'), 9_000_068)
  equal((await acquirer.authorise(late, 'charge')).answer, 'approved')
  equal(acquirer.ledger.list('demo').length, 1)
})

test('an order without an answer stays unknown, moves no money and can be reversed', async () => {
  const { acquirer, order, money, state } = open()
  const silent = order('silent', 9_000_091)
  equal((await acquirer.authorise(silent, 'charge')).answer, 'unknown')
  equal((await acquirer.authorise(silent, 'charge')).answer, 'unknown')
  await acquirer.reverse({ orderId: 'silent', account: 'demo' })
  equal((await acquirer.authorise(silent, 'charge')).answer, 'declined')
  deepEqual([state('silent'), money('silent')], ['reversed', 0])
})

test('the ledger lists the orders of an account, newest first, with signed money', async () => {
  const { acquirer, order, money } = open()
  await acquirer.authorise(order('sale', 2599), 'charge')
  await acquirer.refund(order('refund', 500))
  await acquirer.verify(order('check', 0))
  await acquirer.authorise({ ...order('elsewhere', 1), account: 'other' }, 'charge')
  deepEqual(
    acquirer.ledger.list('demo').map(({ orderId, kind, state }) => [orderId, kind, state]),
    [
      ['check', 'verify', 'verified'],
      ['refund', 'refund', 'refunded'],
      ['sale', 'charge', 'charged'],
    ],
  )
  deepEqual([money('sale'), money('refund'), money('check'), money('elsewhere')], [2599, -500, 0, 0])
})
