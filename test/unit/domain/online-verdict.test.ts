// test/unit/domain/online-verdict.test.ts — the verdict of an online payment in every state, and its ledger's limits.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { money } from '../../../src/domain/money.ts'
import { ONLINE_TYPES, type OnlineType } from '../../../src/domain/online/access-token.ts'
import { type MoneyState, statusOf } from '../../../src/domain/online/payment.ts'
import { decide } from '../../../src/domain/online/payment-decisions.ts'
import { type LedgerEntry, type Reservation, refusalReasonOf } from '../../../src/domain/online/payment-ledger.ts'
import { type PaymentStep, type PaymentVerdict, paymentVerdictOf } from '../../../src/domain/online/payment-verdict.ts'
import { aPayment, aSubmitted, everyPayment, nameOfPayment, ORDER } from '../../support/payment-states.ts'

const MOVES: Readonly<Record<OnlineType, 'yes' | 'no'>> = {
  ...{ SALE: 'yes', COLLECTION: 'yes', REFUND: 'yes', PREAUTH: 'no', VOID: 'no', ACCOUNT_VERIFICATION: 'no' },
}
const SUCCEEDED: Readonly<Record<OnlineType, PaymentStep>> = {
  ...{ SALE: 'settle_order', COLLECTION: 'settle_order', REFUND: 'record_refund', VOID: 'record_void' },
  ...{ PREAUTH: 'collect_or_void', ACCOUNT_VERIFICATION: 'accept_card' },
}
const AT_THE_ACQUIRER: Readonly<Record<MoneyState, PaymentVerdict['moneyTaken'] | 'moves'>> = {
  ...{ none: 'no', requested: 'unknown', unknown: 'unknown', approved: 'moves' },
  ...{ declined: 'no', reversing: 'unknown', reversed: 'no' },
}

test('money is taken by an approval of a type that moves money, and unknown while an answer may come', () => {
  for (const type of ONLINE_TYPES)
    for (const record of everyPayment(type)) {
      const taken = AT_THE_ACQUIRER[record.money]
      equal(paymentVerdictOf(record).moneyTaken, taken === 'moves' ? MOVES[type] : taken, nameOfPayment(record))
    }
})

test('a verdict is final when payment and money are settled; a retry is safe unless the status is 0 or 20', () => {
  for (const record of everyPayment())
    for (const statusCode of [0, 4, 5, 20, 30] as const) {
      const verdict = paymentVerdictOf({ ...record, statusCode })
      const over = record.progress === 'final' || record.progress === 'revoked'
      const final = over && verdict.moneyTaken !== 'unknown'
      equal(verdict.final, final, nameOfPayment(record))
      equal(verdict.safeToRetry, final && statusCode !== 0 && statusCode !== 20, nameOfPayment(record))
    }
})

test('if operator and acquirer disagree, the money is unknown until it is reversed', () => {
  const closure = { outcome: 'not_taken', operator: 'Ann', reason: 'It says so.', at: 1 } as const
  const closed = aSubmitted({ progress: 'final', statusCode: 30, money: 'reversing', closure })
  deepEqual(paymentVerdictOf(closed), { final: true, moneyTaken: 'no', safeToRetry: true, nextStep: 'try_again' })
  const contradicted = { ...closed, lateAnswer: { answer: 'approved', agrees: false, at: 2 } as const }
  const unknown = { final: false, moneyTaken: 'unknown', safeToRetry: false, nextStep: 'check_with_acquirer' }
  deepEqual(paymentVerdictOf(contradicted), unknown)
  deepEqual(paymentVerdictOf({ ...contradicted, money: 'reversed' }).moneyTaken, 'no')
})

test('a success is unpaid once it is voided, or it or its collection is refunded whole; not while that is being asked', () => {
  const verdictOf = (transactionType: OnlineType, ...entries: LedgerEntry[]) => {
    const order = { ...ORDER, transactionType }
    const { moneyTaken, safeToRetry, nextStep } = paymentVerdictOf(
      aSubmitted({ progress: 'final', money: 'approved', statusCode: 0, order, entries }),
    )
    return `${moneyTaken} ${safeToRetry} ${nextStep}`
  }
  const unpaid = 'no true treat_as_unpaid'
  for (const type of ['SALE', 'COLLECTION', 'PREAUTH'] as const) {
    const stands = `${MOVES[type]} false ${SUCCEEDED[type]}`
    equal(verdictOf(type), stands)
    for (const state of ['reserved', 'settled', 'released'] as const)
      equal(verdictOf(type, entry('VOID', 1_000, state)), state === 'settled' ? unpaid : stands, `${type} ${state}`)
  }
  for (const state of ['reserved', 'settled', 'released'] as const) {
    const stands = 'yes false settle_order'
    const whole = verdictOf('SALE', entry('REFUND', 400, 'settled'), entry('REFUND', 600, state))
    equal(whole, state === 'settled' ? unpaid : stands, state)
    equal(verdictOf('SALE', entry('REFUND', 999, state)), stands, state)
    const collected = `no false ${state === 'settled' ? 'read_collection' : 'collect_or_void'}`
    equal(verdictOf('PREAUTH', entry('COLLECTION', 700, state)), collected, state)
  }
  equal(verdictOf('PREAUTH', entry('COLLECTION', 700, 'refunded')), unpaid)
  // A check of 0.00 is not refunded whole because 0 of it was.
  const check = aSubmitted({ progress: 'final', money: 'approved', statusCode: 0 })
  const order = { ...ORDER, transactionType: 'ACCOUNT_VERIFICATION', amountMinor: 0 } as const
  equal(paymentVerdictOf({ ...check, order }).nextStep, 'accept_card')
})

test('after a success the next step is that of the type: an order is paid by a SALE or a COLLECTION only', () => {
  for (const type of ONLINE_TYPES) {
    const order = { ...ORDER, transactionType: type }
    const success = aSubmitted({ progress: 'final', money: 'approved', statusCode: 0, order })
    equal(paymentVerdictOf(success).nextStep, SUCCEEDED[type])
  }
})

test('the next step names what the payment waits for', () => {
  const step = (changes: Parameters<typeof aPayment>[0]) => paymentVerdictOf(aSubmitted(changes)).nextStep
  equal(paymentVerdictOf(aPayment()).nextStep, 'await_payer')
  equal(paymentVerdictOf(aPayment({ token: 'expired' })).nextStep, 'try_again')
  equal(step({ progress: 'authorizing' }), 'authenticate_payer')
  equal(step({ progress: 'waiting' }), 'resume_or_let_lapse')
  equal(step({ money: 'requested' }), 'wait')
  equal(step({ money: 'unknown' }), 'await_reconciliation')
  equal(step({ money: 'reversing' }), 'await_reconciliation')
  equal(step({ progress: 'revoked', money: 'none' }), 'try_again')
  equal(step({ progress: 'final', money: 'approved', statusCode: 0 }), 'settle_order')
  equal(step({ progress: 'final', money: 'none', statusCode: 20 }), 'check_earlier_payment')
  equal(step({ progress: 'final', money: 'declined', statusCode: 5 }), 'try_again')
})

test('each progress has its status', () => {
  const statuses = { none: null, processing: 40, authorizing: 3, waiting: 99, revoked: 90, final: 5 } as const
  for (const record of everyPayment())
    equal(statusOf({ ...record, statusCode: 5 }), statuses[record.progress], nameOfPayment(record))
})

const DAY_MS = 86_400_000
const entry = (type: LedgerEntry['type'], amountMinor: number, state: LedgerEntry['state']): LedgerEntry => ({
  ...{ by: 'x', type, amountMinor, state },
})
const refused = (
  type: Reservation['type'],
  amountMinor: number,
  on: OnlineType,
  entries: readonly LedgerEntry[] = [],
) =>
  refusalReasonOf(
    { by: 'l', type, amountMinor, currencyCode: '826' },
    { transactionType: on, amount: money(1_000, 'GBP'), successful: true, at: 0, entries },
    1,
  )

test('each type of payment allows certain linked payments', () => {
  const can: Readonly<Record<Reservation['type'], { readonly of: readonly OnlineType[]; readonly else: string }>> = {
    COLLECTION: { of: ['PREAUTH'], else: 'Only a PREAUTH can be collected' },
    REFUND: { of: ['SALE', 'COLLECTION'], else: 'Only a SALE or a COLLECTION can be refunded' },
    VOID: { of: ['SALE', 'COLLECTION', 'PREAUTH'], else: 'The referenced payment cannot be voided' },
  }
  for (const on of ONLINE_TYPES)
    for (const type of ['COLLECTION', 'REFUND', 'VOID'] as const)
      equal(refused(type, 1_000, on), can[type].of.includes(on) ? null : can[type].else, `${type} of ${on}`)
})

test('a collection takes at most the pre-authorised amount, once; refunds return at most the captured amount', () => {
  const tooMuch = 'More than was captured cannot be refunded'
  equal(refused('COLLECTION', 1_001, 'PREAUTH'), 'More than was authorised cannot be collected')
  equal(refused('REFUND', 1_001, 'SALE'), tooMuch)
  for (const state of ['reserved', 'settled', 'released', 'refunded'] as const) {
    const unlessReleased = (reason: string) => (state === 'released' ? null : reason)
    const collected = unlessReleased('The referenced payment was collected already')
    equal(refused('COLLECTION', 1, 'PREAUTH', [entry('COLLECTION', 1, state)]), collected, state)
    equal(refused('VOID', 0, 'PREAUTH', [entry('COLLECTION', 1, state)]), collected, state)
    equal(refused('REFUND', 601, 'SALE', [entry('REFUND', 400, state)]), unlessReleased(tooMuch), state)
    equal(refused('REFUND', 600, 'SALE', [entry('REFUND', 400, state)]), null, state)
    const refunded = unlessReleased('The referenced payment was refunded already')
    equal(refused('VOID', 0, 'SALE', [entry('REFUND', 1, state)]), refunded, state)
    const voided = unlessReleased('The referenced payment was voided')
    for (const type of ['REFUND', 'VOID'] as const)
      equal(refused(type, 1, 'SALE', [entry('VOID', 0, state)]), voided, `${type} ${state}`)
  }
})

test('a linked payment is refused on an unsuccessful payment, in another currency, or after too many', () => {
  const reservation = { by: 'l', type: 'REFUND', amountMinor: 1, currencyCode: '826' } as const
  const subject = { transactionType: 'SALE', amount: money(1_000, 'GBP'), at: 0, entries: [] } as const
  equal(refusalReasonOf(reservation, { ...subject, successful: true }, 1), null)
  equal(refusalReasonOf(reservation, { ...subject, successful: false }, 1), 'The referenced payment was not successful')
  const foreign = refusalReasonOf({ ...reservation, currencyCode: '978' }, { ...subject, successful: true }, 1)
  equal(foreign, 'The currency differs from that of the referenced payment')
  const many = Array.from({ length: 200 }, () => entry('REFUND', 0, 'settled'))
  equal(
    refusalReasonOf(reservation, { ...subject, successful: true, entries: many }, 1),
    'Too many operations on one payment',
  )
})

test('a capture can be voided until the end of its day, a pre-authorisation for seven days', () => {
  const voided = (transactionType: OnlineType, paidAt: number, at: number) =>
    refusalReasonOf(
      { by: 'l', type: 'VOID', amountMinor: 0, currencyCode: '826' },
      { transactionType, amount: money(1, 'GBP'), successful: true, at: paidAt, entries: [] },
      at,
    )
  const late = 'It is too late to void the referenced payment'
  for (const paidAt of [0, DAY_MS - 1])
    deepEqual([voided('SALE', paidAt, DAY_MS - 1), voided('SALE', paidAt, DAY_MS)], [null, late])
  deepEqual([voided('PREAUTH', 5, 5 + 7 * DAY_MS), voided('PREAUTH', 5, 6 + 7 * DAY_MS)], [null, late])
})

test('a reservation is checked against the amount of the order and needs status 0', () => {
  const reserve = (statusCode: 0 | 5, amountMinor: number) => {
    const record = aSubmitted({ progress: 'final', statusCode, finishedAt: 0, money: 'approved' })
    const reservation = { by: 'l', type: 'REFUND', amountMinor, currencyCode: '826' } as const
    const decision = decide(record, { type: 'reserve', reservation }, { at: 1, repetition: false, cardGone: false })
    return 'events' in decision ? decision.events.map(({ type }) => type) : decision.refused
  }
  deepEqual(reserve(0, 1_000), ['link_reserved'])
  const refusedAs = (detail: string) => ({ code: 'linked_payment_refused', detail })
  deepEqual(reserve(0, 1_001), refusedAs('More than was captured cannot be refunded'))
  deepEqual(reserve(5, 1_000), refusedAs('The referenced payment was not successful'))
})

test('a reservation is settled or released once; only reopen releases a settled one', () => {
  const type = (state: LedgerEntry['state'], command: 'settle' | 'release' | 'reopen' | 'refunded') => {
    const record = aSubmitted({ progress: 'final', statusCode: 0, entries: [entry('COLLECTION', 1, state)] })
    const decision = decide(record, { type: command, by: 'x' }, { at: 1, repetition: false, cardGone: false })
    return 'events' in decision ? (decision.events[0]?.type ?? null) : null
  }
  const of = (state: LedgerEntry['state']) =>
    (['settle', 'release', 'reopen', 'refunded'] as const).map(command => type(state, command))
  deepEqual(of('reserved'), ['link_settled', 'link_released', 'link_released', null])
  deepEqual(of('settled'), [null, null, 'link_released', 'link_refunded'])
  deepEqual(of('released'), [null, null, null, null])
  deepEqual(of('refunded'), [null, null, null, null])
})
