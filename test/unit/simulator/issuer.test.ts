// test/unit/simulator/issuer.test.ts — answers of the simulated issuer, and the test cards.
import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { issuerAnswerFor, RESPONSE_CODE } from '../../../src/simulator/acquirer/issuer.ts'
import { TEST_CARDS, testCardOf } from '../../../src/simulator/cards/test-cards.ts'

const BY_AMOUNT = [
  ['01', 'refer_to_issuer'],
  ['02', 'refer_to_issuer'],
  ['05', 'do_not_honour'],
  ['14', 'card_not_supported'],
  ['41', 'lost_or_stolen'],
  ['43', 'lost_or_stolen'],
  ['51', 'insufficient_funds'],
  ['54', 'expired_card'],
  ['55', 'incorrect_pin'],
] as const

test.each(BY_AMOUNT)('90,000.%s is declined: %s', (code, reason) => {
  deepEqual(issuerAnswerFor('sim-visa-debit', 9_000_000 + Number(code)), {
    answer: 'declined',
    reason,
    responseCode: code,
  })
})

test('90,000.91 gets no answer; 90,000.68 is approved and its answer lost', () => {
  deepEqual(issuerAnswerFor('sim-visa-debit', 9_000_091), { answer: 'silent' })
  deepEqual(issuerAnswerFor('sim-visa-debit', 9_000_068), { answer: 'approved_late' })
})

test('for other amounts the card decides', () => {
  for (const amountMinor of [0, 1, 8_999_999, 9_000_000, 9_000_099, 9_000_100, 9_000_151, 99_999_999])
    equal(issuerAnswerFor('sim-visa-debit', amountMinor).answer, 'approved', String(amountMinor))
})

test('every test card gets the answer of its issuer', () => {
  for (const { token, issuer } of TEST_CARDS) {
    const expected =
      issuer === 'approves'
        ? { answer: 'approved' }
        : { answer: 'declined', reason: issuer, responseCode: RESPONSE_CODE[issuer] }
    deepEqual(issuerAnswerFor(token, 100), expected, token)
  }
})

test('an unknown card is declined', () => {
  equal(issuerAnswerFor('4462030000000000', 100).answer, 'declined')
})

test('test cards have valid, unique numbers and tokens', () => {
  for (const { number, token, dateOfExpiry, applicationId } of TEST_CARDS) {
    equal(luhn(number), 0, number)
    match(token, /^sim-[a-z-]+$/)
    match(dateOfExpiry, /^(0[1-9]|1[0-2])\/\d\d$/)
    match(applicationId, /^A[0-9A-F]{9,31}$/)
    equal(testCardOf(token)?.number, number)
  }
  equal(new Set(TEST_CARDS.map(card => card.number)).size, TEST_CARDS.length)
  equal(new Set(TEST_CARDS.map(card => card.token)).size, TEST_CARDS.length)
})

function luhn(number: string): number {
  const digits = [...number].reverse().map(Number)
  const doubled = digits.map((digit, place) => (place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2))
  return doubled.reduce((sum, digit) => sum + digit, 0) % 10
}
