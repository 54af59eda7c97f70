// test/unit/web/console-actions.test.ts — what can be done with a transaction, and what is left of its amount.
import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { actionsOn, leftMinor, sumOf } from '../../../web/console/actions/available.ts'
import { isClosable, leftOfPayment } from '../../../web/console/online/payment.ts'
import { lastFourOf } from '../../../web/console/transactions/in-full.ts'
import { totalMinorOf } from '../../../web/console/transactions/listed-transaction.ts'

const verdict = (moneyTaken: 'yes' | 'no' | 'unknown', nextStep = 'try_again') => ({
  ...{ final: moneyTaken !== 'unknown', moneyTaken, safeToRetry: moneyTaken === 'no', nextStep },
})

test.each([
  ['SALE', 'finished', verdict('yes', 'settle_bill'), ['refund']],
  ['COMPLETION', 'finished', verdict('yes', 'settle_bill'), ['refund']],
  ['REFUND', 'finished', verdict('yes', 'record_refund'), []],
  ['SALE', 'finished', verdict('no'), []],
  ['PRE_AUTH', 'finished', verdict('no', 'complete_pre_authorisation'), ['complete']],
  ['PRE_AUTH', 'finished', verdict('no'), []],
  ['SALE', 'started', verdict('unknown', 'wait'), ['cancel']],
  [
    'SALE',
    'awaiting_signature',
    verdict('unknown', 'decide_signature'),
    ['accept_signature', 'refuse_signature', 'cancel'],
  ],
  ['SALE', 'finished', verdict('unknown', 'check_terminal'), ['repeat', 'close']],
  ['SALE', 'finished', verdict('unknown', 'await_reconciliation'), ['repeat']],
  ['DUPLICATE', 'finished', verdict('unknown', 'check_terminal'), []],
])('%s, %s, %j offers %j', (transactionType, progress, its, expected) => {
  deepEqual(actionsOn({ transactionType, progress, verdict: its, authorisation: 'none' }), expected)
})

test('what somebody has closed, and its terminal contradicts, cannot be closed again', () => {
  const sale = { transactionType: 'SALE', progress: 'finished', verdict: verdict('unknown', 'check_terminal') }
  for (const authorisation of ['confirmed', 'declined']) deepEqual(actionsOn({ ...sale, authorisation }), ['repeat'])
})

test('what may still move is not offered again, and less than nothing is never left', () => {
  const sums = sumOf([
    { amountMinor: 500, verdict: verdict('yes') },
    { amountMinor: 300, verdict: verdict('no') },
    { amountMinor: 200, verdict: verdict('unknown') },
  ])
  deepEqual(sums, { movedMinor: 500, pendingMinor: 200 })
  equal(leftMinor(1_000, sums), 300)
  equal(leftMinor(600, sums), 0)
  const part = fc.record({
    amountMinor: fc.nat(9_999),
    verdict: fc.constantFrom('yes', 'no', 'unknown').map(each => verdict(each as 'yes')),
  })
  fc.assert(
    fc.property(fc.nat(99_999), fc.array(part), (total, parts) => {
      const left = leftMinor(total, sumOf(parts))
      equal(left >= 0 && left <= total, true)
    }),
  )
})

test('the total counts gratuity and cashback, and a card is known by its last four digits', () => {
  equal(totalMinorOf({ amountMinor: 1_000, totalMinor: 1_150 }), 1_150)
  equal(totalMinorOf({ amountMinor: 1_000, totalMinor: null }), 1_000)
  equal(lastFourOf({ connect: { primaryAccountNumber: '************0042' } }), '0042')
  for (const connect of [{}, { primaryAccountNumber: '' }]) equal(lastFourOf({ connect }), null)
})

test.each([
  ['SALE', 'yes', 'settle_order', [], 3_000],
  [
    'SALE',
    'yes',
    'settle_order',
    [
      ['REFUND', 500, 'settled'],
      ['REFUND', 700, 'reserved'],
      ['REFUND', 100, 'released'],
    ],
    1_800,
  ],
  ['SALE', 'no', 'treat_as_unpaid', [['VOID', 3_000, 'settled']], 0],
  ['SALE', 'yes', 'settle_order', [['VOID', 3_000, 'reserved']], 0],
  ['SALE', 'unknown', 'await_reconciliation', [], 0],
  ['PREAUTH', 'no', 'collect_or_void', [], 3_000],
  ['PREAUTH', 'no', 'collect_or_void', [['COLLECTION', 2_000, 'reserved']], 0],
  ['PREAUTH', 'no', 'collect_or_void', [['COLLECTION', 2_000, 'released']], 3_000],
  ['PREAUTH', 'no', 'read_collection', [['COLLECTION', 2_000, 'settled']], 0],
  ['REFUND', 'yes', 'record_refund', [], 0],
] as const)('of a %s (%s, %s) with %j %i is left', (transactionType, moneyTaken, nextStep, entries, left) => {
  const operations = entries.map(([type, amountMinor, state]) => ({
    payment: '',
    transactionType: type,
    amountMinor,
    state,
  }))
  const payment = { transactionType, amountMinor: 3_000, operations, verdict: verdict(moneyTaken, nextStep) }
  equal(leftOfPayment(payment), left)
})

test('a payment is closable while its acquirer owes an answer', () => {
  equal(isClosable({ progress: 'processing', money: 'unknown' }), true)
  equal(isClosable({ progress: 'final', money: 'reversing' }), false)
  equal(isClosable({ progress: 'processing', money: 'none' }), false)
})
