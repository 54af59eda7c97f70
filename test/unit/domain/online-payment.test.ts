// test/unit/domain/online-payment.test.ts — properties of random histories of an online payment.

import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { ONLINE_TYPES, type OnlineType, type TokenOrder } from '../../../src/domain/online/access-token.ts'
import { apply, awaitsAcquirer, type OnlinePayment, timersOf } from '../../../src/domain/online/payment.ts'
import { decide, type OnlineCommand } from '../../../src/domain/online/payment-decisions.ts'
import { effectsOf, isStillNeeded } from '../../../src/domain/online/payment-effects.ts'
import { refundedOf } from '../../../src/domain/online/payment-ledger.ts'
import { paymentVerdictOf } from '../../../src/domain/online/payment-verdict.ts'
import { CHALLENGE, EXEMPTED, NAMES, ORDER, PROOF, SUBMISSION } from '../../support/payment-states.ts'

const authentication = (
  report: Extract<OnlineCommand, { type: 'authentication_reports' }>['report'],
): OnlineCommand => ({ type: 'authentication_reports', report })
const acquirer = (report: Extract<OnlineCommand, { type: 'acquirer_reports' }>['report']): OnlineCommand => ({
  type: 'acquirer_reports',
  report,
  names: NAMES,
})

const COMMANDS: readonly OnlineCommand[] = [
  { type: 'revoke' },
  { type: 'submit', submission: SUBMISSION },
  { type: 'submit', submission: { ...SUBMISSION, authenticate: false, original: 'o' } },
  authentication({ type: 'not_enrolled' }),
  authentication({ type: 'challenge_requested', challenge: CHALLENGE }),
  authentication({ type: 'authenticated', proof: PROOF }),
  authentication({ type: 'exempted', proof: EXEMPTED }),
  authentication({ type: 'authentication_failed', status: 'N', reason: 'not_authenticated' }),
  authentication({ type: 'authentication_failed', status: 'U', reason: 'unavailable' }),
  { type: 'give_up', reason: 'closed' },
  { type: 'resume' },
  { type: 'reservation_answered', refused: null, amountMinor: 1_000 },
  { type: 'reservation_answered', refused: 'no', amountMinor: 1_000 },
  acquirer({ type: 'authorisation_approved', authCode: '123456', reference: 'r' }),
  acquirer({ type: 'authorisation_declined', reason: 'do_not_honour', responseCode: '05' }),
  acquirer({ type: 'authorisation_declined', reason: 'authentication_required', responseCode: '65' }),
  acquirer({ type: 'authorisation_unanswered' }),
  acquirer({ type: 'reversed' }),
  { type: 'security_code_gone' },
  { type: 'booked' },
  { type: 'close', names: NAMES, outcome: 'taken', authCode: '654321', operator: 'Ann', reason: 'It says so.' },
  { type: 'close', names: NAMES, outcome: 'not_taken', authCode: '', operator: 'Ann', reason: 'It says so.' },
  ...(['expiry', 'look_up', 'challenge', 'pre_execute', 'settle'] as const).map(
    (timer): OnlineCommand => ({ type: 'time_is_up', timer }),
  ),
]

interface Step {
  readonly command: OnlineCommand
  readonly repetition: boolean
  readonly cardGone: boolean
  readonly waitMs: number
}

/** Ways that chance alone hardly ever takes; it goes on from there. */
const CLOSED: Pick<Extract<OnlineCommand, { type: 'close' }>, 'names' | 'operator' | 'reason'> = {
  ...{ names: NAMES, operator: 'Ann', reason: 'It says so.' },
}
const ASKED: readonly OnlineCommand[] = [
  { type: 'submit', submission: { ...SUBMISSION, authenticate: false, original: 'o' } },
  { type: 'reservation_answered', refused: null, amountMinor: 1_000 },
  acquirer({ type: 'authorisation_unanswered' }),
]
const OPENINGS: readonly (readonly OnlineCommand[])[] = [
  [],
  ASKED,
  [...ASKED, { type: 'close', ...CLOSED, outcome: 'not_taken', authCode: '' }],
  [...ASKED, { type: 'close', ...CLOSED, outcome: 'taken', authCode: '654321' }],
]

const CHANCE = fc.array(
  fc.record({
    command: fc.constantFrom(...COMMANDS),
    repetition: fc.boolean(),
    // Rare, or few payments would get further.
    cardGone: fc.nat(9).map(chance => chance === 0),
    waitMs: fc.nat(1_000_000),
  }),
  { maxLength: 30 },
)

const STEPS = fc
  .tuple(fc.constantFrom(...OPENINGS), CHANCE)
  .map(([opening, steps]): readonly Step[] => [
    ...opening.map(command => ({ command, repetition: false, cardGone: false, waitMs: 0 })),
    ...steps,
  ])

/** Plays commands on a payment and hands each record on the way to `see`. */
function walk(
  order: Partial<TokenOrder>,
  steps: readonly Step[],
  see: (record: OnlinePayment, before: OnlinePayment | null) => void,
): void {
  let at = 0
  let record = apply(null, {
    event: { type: 'issued', id: 'p', merchantAccount: 'demo', order: { ...ORDER, ...order } },
    at,
    report: 0,
  })
  see(record, null)
  for (const { command, repetition, cardGone, waitMs } of steps) {
    at += waitMs
    const decision = decide(record, command, { at, repetition, cardGone })
    if ('refused' in decision) continue
    for (const event of decision.events) {
      const before = record
      record = apply(record, { event, at, report: 0 })
      effectsOf(event, record)
      see(record, before)
    }
  }
}

const TYPES = fc.constantFrom<OnlineType>(...ONLINE_TYPES)

test('no history breaks TRANSITIONS, and an ended payment does not change its status', () => {
  fc.assert(
    fc.property(TYPES, fc.boolean(), STEPS, (transactionType, waitPreExecute, steps) => {
      walk({ transactionType, waitPreExecute }, steps, (record, before) => {
        if (before === null) return
        equal(record.version, before.version + 1)
        if (before.progress === 'final') deepEqual([record.progress, record.statusCode], ['final', before.statusCode])
        if (before.token !== 'issued') ok(record.token === before.token)
        if (record.statusCode === 0) equal(record.money, 'approved')
        if (record.crossReference !== '') equal(record.statusCode, 0)
      })
    }),
    { numRuns: 2_000 },
  )
})

test('a void is never reversed', () => {
  fc.assert(
    fc.property(STEPS, steps => {
      walk({ transactionType: 'VOID' }, steps, record => {
        ok(record.money !== 'reversing' && record.money !== 'reversed')
      })
    }),
    { numRuns: 2_000 },
  )
})

test('a payment that was safe to retry is never approved afterwards', () => {
  let seen = 0
  fc.assert(
    fc.property(TYPES, fc.boolean(), STEPS, (transactionType, waitPreExecute, steps) => {
      let promised = false
      walk({ transactionType, waitPreExecute }, steps, record => {
        if (promised) {
          seen += 1
          ok(record.money !== 'approved' && record.money !== 'requested' && record.money !== 'unknown')
        }
        promised ||= paymentVerdictOf(record).safeToRetry
      })
    }),
    { numRuns: 2_000 },
  )
  ok(seen > 0)
})

test('a payment closed by an operator keeps its status, and a contradicting answer of the acquirer is kept', () => {
  fc.assert(
    fc.property(TYPES, STEPS, (transactionType, steps) => {
      let contradicted = false
      walk({ transactionType }, steps, (record, before) => {
        const { closure, lateAnswer } = record
        if (closure === undefined) return equal(lateAnswer, undefined)
        if (record.progress !== 'final') return
        equal(record.statusCode, closure.outcome === 'taken' ? 0 : 30)
        contradicted ||= lateAnswer?.agrees === false
        if (contradicted) equal(lateAnswer?.agrees, false)
        const { moneyTaken, safeToRetry } = paymentVerdictOf(record)
        if (lateAnswer?.agrees === false && record.money !== 'reversed')
          deepEqual([moneyTaken, safeToRetry], ['unknown', false])
        if (before?.progress === 'final') ok(record.money === before.money || record.money === 'reversed')
      })
    }),
    { numRuns: 2_000 },
  )
})

test('an operator can close a payment after the acquirer was silent for a minute, or when its answer is unknown', () => {
  const record: OnlinePayment = {
    ...paid('SALE'),
    ...{ progress: 'processing', money: 'requested', statusCode: null, finishedAt: null, waitingSince: 1_000 },
  }
  const close: OnlineCommand = {
    ...{ type: 'close', names: NAMES, outcome: 'taken', authCode: '', operator: 'Ann', reason: 'It says so.' },
  }
  const facts = { repetition: false, cardGone: false }
  deepEqual(decide(record, close, { ...facts, at: 60_999 }), { refused: { code: 'payment_not_closable' } })
  const typesOf = (decision: ReturnType<typeof decide>) =>
    'events' in decision ? decision.events.map(({ type }) => type) : decision.refused
  deepEqual(typesOf(decide(record, close, { ...facts, at: 61_000 })), ['closed_as_taken', 'ended'])
  const unknown = { ...record, money: 'unknown' } as const
  deepEqual(typesOf(decide(unknown, close, { ...facts, at: 1_001 })), ['closed_as_taken', 'ended'])
  deepEqual(decide({ ...record, progress: 'waiting', money: 'none' }, close, { ...facts, at: 90_000 }), {
    refused: { code: 'payment_not_closable' },
  })
})

test('every wait has a timer that ends it, except reversals, voids and reservations', () => {
  fc.assert(
    fc.property(TYPES, fc.boolean(), STEPS, (transactionType, waitPreExecute, steps) => {
      let last: OnlinePayment | null = null
      walk({ transactionType, waitPreExecute }, steps, record => {
        last = record
      })
      const record = last as unknown as OnlinePayment
      const over =
        record.progress === 'final' ||
        record.progress === 'revoked' ||
        (record.progress === 'none' && record.token !== 'issued')
      const timers = timersOf(record)
      // The effect of a void is repeated until the acquirer answers; nothing else ends it.
      const voids = transactionType === 'VOID' && awaitsAcquirer(record)
      if (voids) equal(isStillNeeded('payment.authorise', record), true)
      if (over || voids || record.money === 'reversing' || record.reservation === 'requested')
        return equal(timers.length, 0)
      equal(timers.length, 1, JSON.stringify(record))
      const [timer] = timers
      const decision = decide(
        record,
        { type: 'time_is_up', timer: timer!.name },
        { at: timer!.dueAt, repetition: false, cardGone: false },
      )
      ok('events' in decision)
      const after = decision.events.reduce(
        (sofar, event) => apply(sofar, { event, at: timer!.dueAt, report: 0 }),
        record,
      )
      // Afterwards nothing waits for time: the payment has ended or is being reversed.
      deepEqual(timersOf(after), [])
    }),
    { numRuns: 2_000 },
  )
})

test('refunds never exceed the captured amount, in any order of reservations, settlements and releases', () => {
  const asked = fc.record({
    amountMinor: fc.integer({ min: 1, max: 600 }),
    kind: fc.constantFrom('REFUND', 'VOID', 'COLLECTION'),
    granted: fc.boolean(),
    settleLater: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(asked, { maxLength: 40 }),
      fc.constantFrom<OnlineType>('SALE', 'PREAUTH', 'COLLECTION'),
      (overrides, transactionType) => {
        let record: OnlinePayment = { ...paid(transactionType) }
        const open: { by: string; granted: boolean }[] = []
        const run = (command: OnlineCommand): boolean => {
          const decision = decide(record, command, { at: 1_000, repetition: false, cardGone: false })
          if ('refused' in decision) return false
          for (const event of decision.events) record = apply(record, { event, at: 1_000, report: 0 })
          return true
        }
        const close = ({ by, granted }: { by: string; granted: boolean }): void =>
          void run({ type: granted ? 'settle' : 'release', by })
        for (const [index, { amountMinor, kind, granted, settleLater }] of overrides.entries()) {
          const by = `l${index}`
          const reservation = { by, type: kind as 'REFUND', amountMinor, currencyCode: '826' }
          if (run({ type: 'reserve', reservation })) {
            if (settleLater) open.push({ by, granted })
            else close({ by, granted })
          }
          const live = record.entries.filter(({ state }) => state !== 'released')
          const collected = live.filter(({ type }) => type === 'COLLECTION')
          ok(refundedOf(record.entries, 'GBP').minor <= 1_000)
          ok(collected.length <= 1 && collected.every(entry => entry.amountMinor <= 1_000))
          if (live.some(({ type }) => type === 'VOID')) equal(live.length, 1)
          if (transactionType === 'PREAUTH') equal(refundedOf(record.entries, 'GBP').minor, 0)
          const left =
            1_000 -
            refundedOf(
              record.entries.filter(({ state }) => state === 'settled'),
              'GBP',
            ).minor
          const voided = record.entries.find(({ type, state }) => type === 'VOID' && state === 'settled')
          if (voided !== undefined) equal(voided.amountMinor, 1_000)
          equal(paymentVerdictOf(record).nextStep === 'treat_as_unpaid', voided !== undefined || left === 0)
        }
        for (const each of open) close(each)
        ok(refundedOf(record.entries, 'GBP').minor <= 1_000)
      },
    ),
    { numRuns: 1_000 },
  )
})

/** A payment that succeeded at time 0. */
function paid(transactionType: OnlineType): OnlinePayment {
  const record = apply(null, {
    event: { type: 'issued', id: 'p', merchantAccount: 'demo', order: { ...ORDER, transactionType } },
    at: 0,
    report: 0,
  })
  return {
    ...record,
    token: 'used',
    progress: 'final',
    money: 'approved',
    statusCode: 0,
    finishedAt: 0,
    submission: SUBMISSION,
  }
}

test('a repeated reservation is made once', () => {
  let record = paid('SALE')
  const reservation = { by: 'r', type: 'REFUND', amountMinor: 700, currencyCode: '826' } as const
  for (let times = 0; times < 2; times += 1) {
    const decision = decide(record, { type: 'reserve', reservation }, { at: 1, repetition: false, cardGone: false })
    ok('events' in decision)
    for (const event of decision.events) record = apply(record, { event, at: 1, report: 0 })
  }
  equal(record.entries.length, 1)
})
