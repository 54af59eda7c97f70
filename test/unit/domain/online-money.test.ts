// test/unit/domain/online-money.test.ts — the money rules of an online payment and its authentication, in every state.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { accepts, allows } from '../../../src/domain/machine.ts'
import { ONLINE_TYPES, type TokenOrder } from '../../../src/domain/online/access-token.ts'
import { apply, type MoneyState, type OnlinePayment, TRANSITIONS } from '../../../src/domain/online/payment.ts'
import {
  decide,
  type OnlineAcquirerReport,
  type OnlineCommand,
  type OnlineFacts,
} from '../../../src/domain/online/payment-decisions.ts'
import { effectsOf, isStillNeeded } from '../../../src/domain/online/payment-effects.ts'
import type { OnlinePaymentEvent, Submission } from '../../../src/domain/online/payment-events.ts'
import type { AuthenticationFailure, AuthenticationReport } from '../../../src/domain/online/three-d-secure.ts'
import {
  aPayment,
  aSubmitted,
  CHALLENGE,
  EXEMPTED,
  everyPayment,
  MONEY_STATES,
  NAMES,
  nameOfPayment,
  ORDER,
  PAYMENT_EVENTS,
  PROOF,
  paymentEventInShort,
  SUBMISSION,
} from '../../support/payment-states.ts'

const FACTS: OnlineFacts = { at: 1_000, repetition: false, cardGone: false }

/** The events of a command, shortened; a refusal is its code. */
function follows(record: OnlinePayment, command: OnlineCommand, facts: Partial<OnlineFacts> = {}): readonly string[] {
  const decision = decide(record, command, { ...FACTS, ...facts })
  return 'events' in decision ? decision.events.map(paymentEventInShort) : [decision.refused.code]
}

const submit = (changes: Partial<Submission> = {}): OnlineCommand => ({
  type: 'submit',
  submission: { ...SUBMISSION, authenticate: false, ...changes },
})
const ordered = (changes: Partial<TokenOrder>) => ({ ...ORDER, ...changes })
const authenticated = (report: AuthenticationReport): OnlineCommand => ({ type: 'authentication_reports', report })
const answered = (report: OnlineAcquirerReport): OnlineCommand => ({
  ...{ type: 'acquirer_reports', report, names: NAMES },
})
const APPROVED: OnlineAcquirerReport = { type: 'authorisation_approved', authCode: '123456', reference: 'r' }
const DECLINED: OnlineAcquirerReport = {
  ...{ type: 'authorisation_declined', reason: 'do_not_honour', responseCode: '05' },
}
const UNANSWERED: OnlineAcquirerReport = { type: 'authorisation_unanswered' }
const REVERSED: OnlineAcquirerReport = { type: 'reversed' }
const REPORTS: readonly OnlineAcquirerReport[] = [APPROVED, DECLINED, UNANSWERED, REVERSED]

test('an access token pays once, within half an hour', () => {
  deepEqual(follows(aPayment(), submit()), ['submitted', 'authorise'])
  deepEqual(follows(aPayment(), submit(), { at: 30 * 60_000 - 1 }), ['submitted', 'authorise'])
  deepEqual(follows(aPayment(), submit(), { at: 30 * 60_000 }), ['access_token_spent'])
  for (const token of ['used', 'expired', 'revoked'] as const)
    deepEqual(follows(aPayment({ token }), submit()), ['access_token_spent'], token)
})

test('a payment with 3-D Secure is not authorised before the payer is authenticated', () => {
  deepEqual(follows(aPayment(), submit({ authenticate: true })), ['submitted', 'lookup'])
})

test('a collection, refund or void reserves its amount at the original payment first', () => {
  for (const transactionType of ONLINE_TYPES) {
    const linked = transactionType === 'COLLECTION' || transactionType === 'REFUND' || transactionType === 'VOID'
    const record = aPayment({ order: ordered({ transactionType }) })
    const expected = ['submitted', linked ? 'reservation_requested' : 'authorise']
    deepEqual(follows(record, submit({ original: 'o' })), expected, transactionType)
  }
})

test('a repeated payment is not charged, whenever the repetition is detected', () => {
  const repetition = { repetition: true }
  deepEqual(follows(aPayment(), submit(), repetition), ['submitted', 'ended 20'])
  const lookedUp = aSubmitted({ authentication: 'looking_up' })
  deepEqual(follows(lookedUp, authenticated({ type: 'not_enrolled' }), repetition), ['not_enrolled', 'ended 20'])
  const proven = authenticated({ type: 'authenticated', proof: PROOF })
  deepEqual(follows(lookedUp, proven, repetition), ['authenticated', 'ended 20'])
  deepEqual(follows({ ...lookedUp, mustChallenge: true }, proven, repetition), ['authenticated', 'ended 20'])
  deepEqual(follows(aSubmitted({ progress: 'waiting' }), { type: 'resume' }, repetition), ['resumed', 'ended 20'])
  const reserved: OnlineCommand = { type: 'reservation_answered', refused: null, amountMinor: 1_000 }
  deepEqual(follows(aSubmitted({ reservation: 'requested' }), reserved, repetition), ['reserved', 'ended 20'])
})

test('without its card in the vault a payment ends with 30; a void needs no card', () => {
  for (const transactionType of ONLINE_TYPES) {
    const record = aPayment({ order: ordered({ transactionType }) })
    const expected = transactionType === 'VOID' ? 'reservation_requested' : 'ended 30'
    deepEqual(follows(record, submit(), { cardGone: true }), ['submitted', expected], transactionType)
  }
})

test('with waitPreExecute a card payment by the payer pauses before the authorisation', () => {
  const record = aPayment({ order: ordered({ waitPreExecute: true }) })
  const pauses = { card_form: true, saved_card: true, cross_reference: false, APPLE_PAY: false, GOOGLE_PAY: false }
  for (const [by, paused] of Object.entries(pauses))
    deepEqual(
      follows(record, submit({ by: by as Submission['by'] })),
      ['submitted', paused ? 'paused' : 'authorise'],
      by,
    )
})

test('only a paused payment can be resumed, and only within its time limit', () => {
  for (const record of everyPayment()) {
    const expected = record.progress === 'waiting' ? ['resumed', 'authorise'] : ['payment_not_paused']
    deepEqual(follows(record, { type: 'resume' }), expected, nameOfPayment(record))
    const lapsed = record.progress === 'waiting' ? ['ended 30'] : []
    deepEqual(follows(record, { type: 'time_is_up', timer: 'pre_execute' }), lapsed, nameOfPayment(record))
  }
  const late = aSubmitted({ progress: 'waiting' })
  deepEqual(follows(late, { type: 'resume' }, { at: 15 * 60_000 }), ['payment_not_paused'])
})

/** Events after an authentication report: without and with an issuer that requires a challenge. */
const AFTER_AUTHENTICATION: readonly [AuthenticationReport, readonly string[], readonly string[]][] = [
  [{ type: 'challenge_requested', challenge: CHALLENGE }, [], []],
  [{ type: 'authenticated', proof: PROOF }, ['authorise'], ['authorise']],
  [{ type: 'not_enrolled' }, ['authorise'], ['ended 30']],
  [{ type: 'exempted', proof: EXEMPTED }, ['authorise'], ['ended 30']],
  ...(
    [
      ['not_authenticated', 5],
      ['rejected', 5],
      ['cancelled', 5],
      ['timed_out', 5],
      ['unavailable', 30],
    ] as const
  ).map(([reason, status]): [AuthenticationReport, readonly string[], readonly string[]] => [
    { type: 'authentication_failed', status: 'N', reason },
    [`ended ${status}`],
    [`ended ${status}`],
  ]),
]
const MAY_REPORT = {
  looking_up: ['not_enrolled', 'challenge_requested', 'authenticated', 'exempted', 'authentication_failed'],
  challenged: ['authenticated', 'exempted', 'authentication_failed'],
} as const

test('a failed authentication ends the payment; a passed or unnecessary one leads to the authorisation', () => {
  for (const record of everyPayment())
    for (const [report, freely, insisted] of AFTER_AUTHENTICATION) {
      const waits = (MAY_REPORT as Record<string, readonly string[]>)[record.authentication] ?? []
      for (const mustChallenge of [false, true]) {
        const expected = waits.includes(report.type) ? [report.type, ...(mustChallenge ? insisted : freely)] : []
        const name = `${nameOfPayment(record)} ${report.type} ${mustChallenge}`
        deepEqual(follows({ ...record, mustChallenge }, authenticated(report)), expected, name)
      }
    }
})

const PRIOR = { challenged: true, acsTransactionId: 'a', directoryServerTransactionId: 'd', at: 0 }

test('a payment without its payer goes on without a proof where no authentication is possible, and ends where it is denied', () => {
  const record = aSubmitted({ authentication: 'looking_up', submission: { ...SUBMISSION, prior: PRIOR } })
  for (const [status, reason, expected] of [
    ['U', 'unavailable', 'authorise'],
    ['U', 'not_authenticated', 'ended 5'],
    ['N', 'unavailable', 'ended 30'],
    ['N', 'not_authenticated', 'ended 5'],
    ['R', 'rejected', 'ended 5'],
  ] as const) {
    const report = authenticated({ type: 'authentication_failed', status, reason })
    deepEqual(follows(record, report), ['authentication_failed', expected], status)
    const repeated = expected === 'authorise' ? 'ended 20' : expected
    deepEqual(follows(record, report, { repetition: true }), ['authentication_failed', repeated], status)
  }
  deepEqual(follows(record, authenticated({ type: 'authenticated', proof: PROOF })), ['authenticated', 'authorise'])
  deepEqual(follows(record, authenticated({ type: 'not_enrolled' })), ['not_enrolled', 'authorise'])
  const late = { type: 'time_is_up', timer: 'look_up' } as const
  deepEqual(follows(record, late), ['authentication_failed', 'authorise'])
  deepEqual(follows({ ...record, submission: SUBMISSION }, late), ['authentication_failed', 'ended 30'])
})

test('an issuer that wants the payer of a payment without one gets no lookup: it declines', () => {
  const asked = aSubmitted({ money: 'requested', submission: { ...SUBMISSION, prior: PRIOR } })
  const wants = answered({ type: 'authorisation_declined', reason: 'authentication_required', responseCode: '65' })
  deepEqual(follows(asked, wants), ['authorisation_declined', 'ended 5'])
})

test('a payment pauses once, not again after a challenge that the issuer requires', () => {
  const order = ordered({ waitPreExecute: true })
  const record = aSubmitted({ order, authentication: 'looking_up' })
  const proven = authenticated({ type: 'authenticated', proof: PROOF })
  deepEqual(follows(record, proven), ['authenticated', 'paused'])
  deepEqual(follows({ ...record, mustChallenge: true }, proven), ['authenticated', 'authorise'])
})

test('a payer who cancels before the acquirer is asked pays nothing; later it changes nothing', () => {
  for (const record of everyPayment()) {
    const { progress, authentication, money } = record
    const isAsked = money === 'requested' || money === 'unknown'
    const looksUp = progress === 'processing' && authentication === 'looking_up' && !isAsked
    const fails = progress === 'authorizing' || looksUp ? ['authentication_failed', 'ended 5'] : []
    const expected = progress === 'waiting' ? ['ended 5'] : fails
    deepEqual(follows(record, { type: 'give_up', reason: 'closed' }), expected, nameOfPayment(record))
  }
})

test('a result counts for a payer who returned within fifteen minutes, and for nobody else', () => {
  const record = aSubmitted({ progress: 'authorizing', authentication: 'challenged', waitingSince: 1_000 })
  const limit = 1_000 + 15 * 60_000
  const proven = { type: 'authentication_reports', report: { type: 'authenticated', proof: PROOF } } as const
  const failed = ['authentication_failed', 'ended 5']
  deepEqual(follows(record, proven, { at: limit - 1 }), ['authenticated', 'authorise'])
  deepEqual(follows(record, proven, { at: limit }), failed)
  deepEqual(follows(record, { ...proven, returnedAt: limit - 1 }, { at: limit + 5_000 }), [
    'authenticated',
    'authorise',
  ])
  deepEqual(follows(record, { ...proven, returnedAt: limit }, { at: limit }), failed)
})

test('a payment ends without money when the payer or the directory server does not answer', () => {
  const silent: Readonly<Record<string, readonly [string, AuthenticationFailure, string]>> = {
    look_up: ['looking_up', 'unavailable', 'ended 30'],
    challenge: ['challenged', 'timed_out', 'ended 5'],
  }
  for (const record of everyPayment())
    for (const timer of ['look_up', 'challenge'] as const) {
      const [state, reason, end] = silent[timer]!
      const decision = decide(record, { type: 'time_is_up', timer }, FACTS)
      const events = 'events' in decision ? decision.events : []
      const expected = record.authentication === state ? ['authentication_failed', end] : []
      deepEqual(events.map(paymentEventInShort), expected, nameOfPayment(record))
      const [failed] = events
      if (failed?.type === 'authentication_failed') equal(failed.reason, reason)
    }
})

test('a refused reservation ends the payment, and a granted one leads to the authorisation', () => {
  for (const record of everyPayment('REFUND')) {
    const waits = record.reservation === 'requested'
    const granted = follows(record, { type: 'reservation_answered', refused: null, amountMinor: 1_000 })
    deepEqual(granted, waits ? ['reserved', 'authorise'] : [], nameOfPayment(record))
    const refused = follows(record, { type: 'reservation_answered', refused: 'no', amountMinor: 1_000 })
    deepEqual(refused, waits ? ['reservation_refused', 'ended 30'] : [], nameOfPayment(record))
  }
})

/** The end that an acquirer's answer leads to, by money state. An answer that is not listed is dropped. */
const ANSWERS: Readonly<Partial<Record<MoneyState, Readonly<Partial<Record<OnlineAcquirerReport['type'], string>>>>>> =
  {
    requested: {
      authorisation_approved: 'ended 0',
      authorisation_declined: 'ended 5',
      authorisation_unanswered: '',
    },
    unknown: { authorisation_approved: 'ended 0', authorisation_declined: 'ended 5' },
    reversing: { reversed: 'ended 30' },
  }

test('an approval ends with 0, a decline with 5, a reversal with 30, and a missing answer does not end', () => {
  for (const record of everyPayment().filter(({ progress }) => progress === 'processing'))
    for (const report of REPORTS) {
      const end = ANSWERS[record.money]?.[report.type]
      const expected = end === undefined ? [] : [report.type, end].filter(each => each !== '')
      deepEqual(follows(record, answered(report)), expected, `${nameOfPayment(record)} ${report.type}`)
    }
})

test('a decline ends as declined or referred; the issuer may require a challenge once, if 3-D Secure was offered', () => {
  const asked = aSubmitted({ money: 'requested' })
  const declinedWith = (reason: Extract<OnlineAcquirerReport, { type: 'authorisation_declined' }>['reason']) =>
    answered({ type: 'authorisation_declined', reason, responseCode: '65' })
  const wants = declinedWith('authentication_required')
  deepEqual(follows(asked, declinedWith('refer_to_issuer')), ['authorisation_declined', 'ended 4'])
  deepEqual(follows(asked, wants), ['authorisation_declined', 'lookup to challenge'])
  deepEqual(follows({ ...asked, mustChallenge: true }, wants), ['authorisation_declined', 'ended 5'])
  const moto = { ...asked, submission: { ...SUBMISSION, authenticate: false } }
  deepEqual(follows(moto, wants), ['authorisation_declined', 'ended 5'])
})

test('only a success gets a cross reference, and a payment method id only when the card is saved', () => {
  const names = (record: OnlinePayment, report: OnlineAcquirerReport) => {
    const decision = decide(record, answered(report), FACTS)
    const end = 'events' in decision ? decision.events.find(({ type }) => type === 'ended') : undefined
    return end?.type === 'ended' ? [end.crossReference, end.paymentMethodId] : null
  }
  const asked = aSubmitted({ money: 'requested' })
  deepEqual(names(asked, APPROVED), [NAMES.crossReference, null])
  const saving = { ...asked, submission: { ...SUBMISSION, saveCard: true } }
  deepEqual(names(saving, APPROVED), [NAMES.crossReference, NAMES.paymentMethodId])
  deepEqual(names(saving, DECLINED), ['', null])
})

test('a payment without an answer is reversed at its time limit or without its security code; a void is not', () => {
  for (const transactionType of ONLINE_TYPES)
    for (const record of everyPayment(transactionType)) {
      const asked = record.money === 'requested' || record.money === 'unknown'
      const undone = asked && transactionType !== 'VOID'
      const name = nameOfPayment(record)
      deepEqual(follows(record, { type: 'time_is_up', timer: 'settle' }), undone ? ['reverse unanswered'] : [], name)
      deepEqual(follows(record, { type: 'security_code_gone' }), undone ? ['reverse security_code_gone'] : [], name)
    }
})

test('only a payment that has not reached the acquirer can be revoked', () => {
  for (const record of everyPayment()) {
    const expected = record.progress === 'authorizing' ? ['revoked'] : ['payment_not_revocable']
    deepEqual(follows(record, { type: 'revoke' }), expected, nameOfPayment(record))
  }
  deepEqual(follows(aPayment(), { type: 'revoke' }), ['revoked'])
  deepEqual(follows(aPayment({ token: 'expired' }), { type: 'revoke' }), ['access_token_unknown'])
  deepEqual(follows(aPayment(), { type: 'revoke' }, { at: 30 * 60_000 }), ['access_token_unknown'])
})

const close = (outcome: 'taken' | 'not_taken'): OnlineCommand => ({
  ...{ type: 'close', names: NAMES, outcome, operator: 'Ann', reason: 'It says so.', authCode: '654321' },
})

test('an operator closes an open payment as taken, or as not taken with a reversal', () => {
  for (const transactionType of ['SALE', 'VOID'] as const)
    for (const record of everyPayment(transactionType)) {
      const isOpen = ['requested', 'unknown', 'reversing'].includes(record.money) && record.progress === 'processing'
      const undone = record.money !== 'reversing' && transactionType !== 'VOID' ? ['reverse closed'] : []
      const taken = isOpen ? ['closed_as_taken', 'ended 0'] : ['payment_not_closable']
      deepEqual(follows(record, close('taken'), { at: 60_000 }), taken, nameOfPayment(record))
      const not = isOpen ? ['closed_as_not_taken', ...undone, 'ended 30'] : ['payment_not_closable']
      deepEqual(follows(record, close('not_taken'), { at: 60_000 }), not, nameOfPayment(record))
    }
  deepEqual(follows(aSubmitted({ money: 'requested' }), close('taken'), { at: 59_999 }), ['payment_not_closable'])
})

test('an answer of the acquirer after an operator has closed the payment is recorded and moves no money', () => {
  const closed = (outcome: 'taken' | 'not_taken', money: MoneyState) =>
    aSubmitted({
      ...{ progress: 'final', statusCode: outcome === 'taken' ? 0 : 30, money },
      closure: { outcome, operator: 'Ann', reason: 'It says so.', at: 60_000 },
    })
  deepEqual(follows(closed('taken', 'approved'), answered(APPROVED)), ['answered_late approved'])
  deepEqual(follows(closed('taken', 'approved'), answered(DECLINED)), ['answered_late declined, against it'])
  deepEqual(follows(closed('not_taken', 'declined'), answered(APPROVED)), ['answered_late approved, against it'])
  deepEqual(follows(closed('not_taken', 'reversing'), answered(APPROVED)), ['answered_late approved, against it'])
  deepEqual(follows(closed('not_taken', 'reversing'), answered(REVERSED)), ['reversed'])
  deepEqual(follows(closed('taken', 'approved'), answered(UNANSWERED)), [])
})

test('a reservation is settled by a success and released by any other end', () => {
  for (const record of everyPayment('REFUND'))
    for (const statusCode of [0, 4, 5, 20, 30] as const) {
      const booked = statusCode === 0 ? 'reservation_settled' : 'reservation_released'
      const expected = record.reservation === 'reserved' ? [booked] : []
      deepEqual(follows({ ...record, statusCode }, { type: 'booked' }), expected, nameOfPayment(record))
    }
})

/** The state after each event about money, from every state that allows the event. */
const MONEY_AFTER: Readonly<Partial<Record<OnlinePaymentEvent['type'], MoneyState>>> = {
  authorisation_requested: 'requested',
  authorisation_approved: 'approved',
  authorisation_declined: 'declined',
  authorisation_unanswered: 'unknown',
  reversal_requested: 'reversing',
  reversed: 'reversed',
  closed_as_taken: 'approved',
  closed_as_not_taken: 'declined',
}

test('money moves along its transitions and no other way, and an event that is not about money leaves it', () => {
  for (const money of MONEY_STATES)
    for (const event of PAYMENT_EVENTS.filter(({ type }) => MONEY_AFTER[type] !== undefined)) {
      const fold = () => apply(aSubmitted({ money }), { event, at: 1, report: 0 })
      // A reversal that is under way goes on.
      const staysSo = money === 'reversing' && event.type === 'closed_as_not_taken'
      const name = `${money} ${event.type}`
      if (accepts(TRANSITIONS.money, money, event.type))
        equal(fold().money, staysSo ? money : MONEY_AFTER[event.type], name)
      else throws(fold, /illegal move/, name)
    }
  const others = PAYMENT_EVENTS.filter(({ type }) => MONEY_AFTER[type] === undefined)
  const left = new Set<string>()
  for (const record of everyPayment().flatMap(used => [used, { ...used, token: 'issued' as const }]))
    for (const event of others) {
      if (!allows(TRANSITIONS, record, event.type)) continue
      left.add(event.type)
      equal(apply(record, { event, at: 1, report: 0 }).money, record.money, `${nameOfPayment(record)} ${event.type}`)
    }
  // Each of these events is allowed in some state.
  equal(left.size, others.length)
})

const END = { statusCode: 5, message: 'Card declined', crossReference: '', paymentMethodId: null } as const

/** The effect of each event. `ended` and `revoked` follow below. */
const ASKED_FOR: Readonly<Partial<Record<OnlinePaymentEvent['type'], string>>> = {
  lookup_requested: 'payment.look_up',
  reservation_requested: 'payment.reserve',
  authorisation_requested: 'payment.authorise',
  reversal_requested: 'payment.reverse',
}
const typesOf = (event: OnlinePaymentEvent, record: OnlinePayment) => effectsOf(event, record).map(({ type }) => type)

test('only requests for authorisation and reversal have an effect on money', () => {
  for (const event of PAYMENT_EVENTS.filter(({ type }) => type !== 'ended' && type !== 'revoked'))
    for (const record of everyPayment()) {
      const asked = ASKED_FOR[event.type]
      deepEqual(typesOf(event, record), asked === undefined ? [] : [asked], `${nameOfPayment(record)} ${event.type}`)
    }
  for (const record of everyPayment())
    for (const statusCode of [0, 4, 5, 20, 30] as const) {
      const book = record.reservation === 'reserved' ? ['payment.book'] : []
      const forget = statusCode === 0 ? [] : ['payment.forget_card']
      deepEqual(typesOf({ type: 'ended', ...END, statusCode }, record), [...book, ...forget], nameOfPayment(record))
    }
})

test('an effect is performed while it has a purpose', () => {
  for (const record of everyPayment()) {
    const wanted = {
      'payment.look_up': record.authentication === 'looking_up',
      'payment.reserve': record.reservation === 'requested',
      'payment.authorise': record.money === 'requested' || record.money === 'unknown',
      'payment.reverse': record.money === 'reversing',
      'payment.book': record.reservation === 'reserved',
      'payment.forget_card': true,
    } as const
    for (const [type, expected] of Object.entries(wanted))
      equal(isStillNeeded(type as keyof typeof wanted, record), expected, `${nameOfPayment(record)} ${type}`)
  }
})

test('the order id at the acquirer is the effect id, a new one for each authorisation', () => {
  const event: OnlinePaymentEvent = { type: 'authorisation_requested' }
  const first = apply(aSubmitted(), { event, at: 1, report: 0 })
  equal(first.authorisationId, effectsOf(event, first)[0]?.id)
  const declined = apply(first, { event: DECLINED, at: 2, report: 0 })
  equal(declined.authorisationId, first.authorisationId)
  const again = apply(declined, { event, at: 3, report: 0 })
  ok(again.authorisationId !== first.authorisationId)
  deepEqual([again.money, again.declineReason], ['requested', null])
})
