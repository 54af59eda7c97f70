// test/unit/web/console-online.test.ts — online payments of the console in words.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { TOKEN_TRANSITIONS } from '../../../src/domain/online/access-token.ts'
import { STATUS_NAMES } from '../../../src/domain/online/payment.ts'
import { PAYMENT_STEPS } from '../../../src/domain/online/payment-verdict.ts'
import {
  addressOfPayment,
  cardOf,
  moneyOf,
  outcomeOf,
  STATUSES,
  verdictOf,
} from '../../../web/console/online/payment.ts'
import { shortTime } from '../../../web/console/parts/time.ts'
import { placeIn } from '../../../web/console/places.ts'

const verdict = { final: true, moneyTaken: 'yes', nextStep: 'settle_order' } as const

test('each status that the list can be narrowed to has a name', () => {
  deepEqual([...STATUSES.keys()].map(String).sort(), Object.keys(STATUS_NAMES).sort())
})

test('each state of an access token that nobody has paid with has a name', () => {
  for (const token of Object.keys(TOKEN_TRANSITIONS)) ok(outcomeOf({ statusCode: null, token }).name !== token, token)
  deepEqual(outcomeOf({ statusCode: 5, token: 'used' }), { name: 'Declined', tone: 'bad' })
  deepEqual(outcomeOf({ statusCode: 77, token: 'used' }), { name: 'Status 77', tone: 'quiet' })
})

test('a verdict says what is known of the money, and the next step in the words of the gateway', () => {
  equal(verdictOf({ verdict, transactionType: 'SALE' }), `Money was taken. ${PAYMENT_STEPS.settle_order}`)
  equal(moneyOf({ verdict, transactionType: 'REFUND' }), 'Money was given back.')
  equal(moneyOf({ verdict: { ...verdict, moneyTaken: 'no' }, transactionType: 'REFUND' }), 'No money moved.')
})

test('a card shows its last four digits, and an address names its payment', () => {
  equal(cardOf({ card: { number: '520000******0056', scheme: 'MASTERCARD' } }), 'MASTERCARD •••• 0056')
  equal(cardOf({ card: null }), '–')
  deepEqual(placeIn(addressOfPayment('ab12')), { page: 'online', id: 'ab12' })
  deepEqual(placeIn('#/online/webhooks'), { page: 'online', id: 'webhooks' })
})

test('the date of today is left out', () => {
  const at = new Date(2026, 4, 6, 13, 3, 27)
  const later = new Date(2026, 4, 6, 23, 59).getTime()
  equal(shortTime(at.toISOString(), later), at.toLocaleTimeString())
  equal(shortTime(at.toISOString(), later + 60_000), at.toLocaleString())
})
