// test/unit/simulator/outcome-override.test.ts — outcome overrides of the simulated acquirer in card tokens.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { money } from '../../../src/domain/money.ts'
import { oneClock } from '../../../src/engine/clocks.ts'
import type { AcquirerAnswer } from '../../../src/engine/ports/acquirer.ts'
import { createSimulatedAcquirer } from '../../../src/simulator/acquirer/acquirer.ts'
import { NO_OVERRIDE, type OutcomeOverride, readToken, tokenOf } from '../../../src/simulator/cards/card-token.ts'
import { createProcessMemory } from '../../../src/simulator/memory/process-memory.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { settleTurns, TestClock } from '../../support/test-clock.ts'

function open() {
  const clock = new TestClock()
  const clocks = oneClock(clock)
  const acquirer = createSimulatedAcquirer({ memory: createProcessMemory(), clocks, random: new SeededRandom(5) })
  const order = (override: Partial<OutcomeOverride>, card = 'sim-visa-debit') => ({
    orderId: 'o1',
    account: 'demo',
    amount: money(2599, 'GBP'),
    cardToken: tokenOf(card, { ...NO_OVERRIDE, ...override }),
  })
  return { clock, acquirer, order, money: () => acquirer.ledger.moneyOf('demo', 'o1') }
}

test('a card token is read back', () => {
  const overrides: readonly OutcomeOverride[] = [
    NO_OVERRIDE,
    { answer: 'insufficient_funds', slowMs: 5, lateMs: 0, unheard: true, reversalMs: 0 },
    { answer: 'nothing', slowMs: 0, lateMs: 210_000, unheard: false, reversalMs: 9 },
  ]
  for (const override of overrides)
    deepEqual(readToken(tokenOf('sim-amex', override)), { card: 'sim-amex', override }, tokenOf('sim-amex', override))
  equal(tokenOf('sim-amex', NO_OVERRIDE), 'sim-amex')
})

test('slowMs delays the answer', async () => {
  const { acquirer, clock, order, money } = open()
  let answer: AcquirerAnswer | null = null
  void acquirer.authorise(order({ slowMs: 20_000 }), 'charge').then(given => (answer = given))
  await clock.advance(19_999)
  deepEqual([answer, money()], [null, 0])
  await clock.advance(1)
  await settleTurns()
  deepEqual([(answer as AcquirerAnswer | null)?.answer, money()], ['approved', 2599])
})

test('with lateMs the answer is unknown until the approval', async () => {
  const { acquirer, clock, order, money } = open()
  const ask = async () => (await acquirer.authorise(order({ lateMs: 30_000 }), 'charge')).answer
  deepEqual([await ask(), await ask(), money()], ['unknown', 'unknown', 0])
  await clock.advance(29_999)
  equal(await ask(), 'unknown')
  await clock.advance(1)
  deepEqual([await ask(), money()], ['approved', 2599])
})

test('a late approval never comes after a reversal', async () => {
  const { acquirer, clock, order, money } = open()
  const late = order({ lateMs: 30_000 })
  equal((await acquirer.authorise(late, 'charge')).answer, 'unknown')
  equal(await acquirer.reverse({ orderId: 'o1', account: 'demo' }), 'reversed')
  await clock.advance(60_000)
  deepEqual([(await acquirer.authorise(late, 'charge')).answer, money()], ['declined', 0])
})

test('with reversalMs a reversal is unknown for so long after the first, and the money stays until then', async () => {
  const { acquirer, clock, order, money } = open()
  const reverse = () => acquirer.reverse({ orderId: 'o1', account: 'demo' })
  equal((await acquirer.authorise(order({ reversalMs: 60_000 }), 'charge')).answer, 'approved')
  await clock.advance(500_000)
  deepEqual([await reverse(), money()], ['unknown', 2599])
  await clock.advance(59_999)
  deepEqual([await reverse(), money()], ['unknown', 2599])
  await clock.advance(1)
  deepEqual([await reverse(), money(), await reverse()], ['reversed', 0, 'reversed'])
})

test('an approval without an answer moves money until it is reversed', async () => {
  const { acquirer, order, money } = open()
  deepEqual([(await acquirer.authorise(order({ unheard: true }), 'charge')).answer, money()], ['unknown', 2599])
  equal(await acquirer.reverse({ orderId: 'o1', account: 'demo' }), 'reversed')
  equal(money(), 0)
})

test('an answer override wins over amount and card, and captures match by the plain card', async () => {
  const { acquirer, order } = open()
  const declined = await acquirer.refund(order({ answer: 'lost_or_stolen' }))
  deepEqual(declined, { answer: 'declined', reason: 'lost_or_stolen', responseCode: '41' })
  const held = await acquirer.authorise({ ...order({ answer: 'approved' }, 'sim-visa-declined'), orderId: 'h' }, 'hold')
  const authCode = held.answer === 'approved' ? held.authCode : ''
  const taken = { ...order({}, 'sim-visa-declined'), orderId: 'c', authCode, preAuthorisedTotal: null }
  // The pre-authorisation is found; then the card declines.
  deepEqual((await acquirer.capture(taken)).answer, 'declined')
  const asked = { ...taken, orderId: 'd', cardToken: order({ answer: 'approved' }, 'sim-visa-declined').cardToken }
  equal((await acquirer.capture(asked)).answer, 'approved')
  equal((await acquirer.verify({ ...order({ answer: 'nothing' }), orderId: 'v' })).answer, 'unknown')
})
