// test/unit/domain/transitions.test.ts — TRANSITIONS of every machine: ends, reachability, and timers of states that wait.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { TRANSITIONS as API_KEY } from '../../../src/domain/accounts/api-key.ts'
import { TRANSITIONS as JWT_KEY } from '../../../src/domain/accounts/jwt-key.ts'
import { TRANSITIONS as MERCHANT_ACCOUNT } from '../../../src/domain/accounts/merchant-account.ts'
import { TRANSITIONS as TERMINAL } from '../../../src/domain/accounts/terminal.ts'
import { type Progress, TRANSITIONS as TRANSACTION } from '../../../src/domain/counter/transaction.ts'
import { decide, timersOf } from '../../../src/domain/counter/transaction-decisions.ts'
import { accepts, moved, next, type SideBySide, type Transitions } from '../../../src/domain/machine.ts'
import { TRANSITIONS as PAYMENT } from '../../../src/domain/online/payment.ts'
import { TRANSITIONS as LEDGER_ENTRY } from '../../../src/domain/online/payment-ledger.ts'
import { TRANSITIONS as AUDIT_ENTRY } from '../../../src/domain/people/audit-entry.ts'
import { TRANSITIONS as SESSION } from '../../../src/domain/people/session.ts'
import { TRANSITIONS as USER } from '../../../src/domain/people/user.ts'
import { TRANSITIONS as REPORT } from '../../../src/domain/reports/report.ts'
import { TRANSITIONS as TILL_MESSAGE } from '../../../src/domain/tables/pos-message.ts'
import { TRANSITIONS as TABLE } from '../../../src/domain/tables/table.ts'
import {
  TRANSITIONS as DELIVERY,
  type DeliveryProgress,
  decide as decideDelivery,
  isOpen,
  timersOf as timersOfDelivery,
  type WebhookDelivery,
} from '../../../src/domain/webhooks/webhook-delivery.ts'
import { PAYMENT_EVENTS } from '../../support/payment-states.ts'
import { aTransaction } from '../../support/records.ts'
import { EVENTS } from '../../support/transaction-states.ts'

const MACHINES: Record<string, Transitions<string, string>> = {
  API_KEY,
  USER,
  SESSION,
  AUDIT_ENTRY,
  DELIVERY,
  JWT_KEY,
  LEDGER_ENTRY,
  MERCHANT_ACCOUNT,
  REPORT,
  TERMINAL,
  TILL_MESSAGE,
  ...named('TRANSACTION', TRANSACTION),
  ...named('TABLE', TABLE),
  ...named('PAYMENT', PAYMENT),
}

/** Names machines that run side by side: record and member. */
function named(record: string, machines: object): Record<string, Transitions<string, string>> {
  return Object.fromEntries(Object.entries(machines).map(([member, each]) => [`${record}.${member}`, each]))
}

/** First states of machines with several. The others begin with the first in their table. */
const BEGINNINGS: Record<string, readonly string[]> = { DELIVERY: ['held', 'queued', 'sending'] }

/** States that no transition leaves. */
const ENDS: Record<string, readonly string[]> = {
  API_KEY: ['revoked'],
  USER: ['ended'],
  SESSION: ['ended'],
  AUDIT_ENTRY: ['ended'],
  DELIVERY: [],
  JWT_KEY: ['revoked'],
  LEDGER_ENTRY: ['released', 'refunded'],
  MERCHANT_ACCOUNT: ['revoked'],
  REPORT: ['finished'],
  TERMINAL: [],
  TILL_MESSAGE: ['sent', 'expired'],
  'TRANSACTION.progress': ['finished'],
  'TRANSACTION.cancel': ['done'],
  'TRANSACTION.authorisation': ['declined', 'confirmed', 'reversed'],
  'TABLE.state': [],
  'TABLE.lock': [],
  'PAYMENT.token': ['expired', 'revoked'],
  'PAYMENT.progress': ['final', 'revoked'],
  'PAYMENT.authentication': ['failed'],
  'PAYMENT.reservation': ['refused', 'settled', 'released'],
  'PAYMENT.money': ['approved', 'reversed'],
}

test('a listed transition is made, and any other throws', () => {
  const door: Transitions<'open' | 'shut', 'pushed' | 'pulled'> = { open: { pushed: 'shut' }, shut: { pulled: 'open' } }
  deepEqual([accepts(door, 'open', 'pushed'), accepts(door, 'open', 'pulled')], [true, false])
  equal(next(door, 'open', 'pushed'), 'shut')
  throws(() => next(door, 'open', 'pulled'), /illegal move: pulled in state open/)
})

test('an event moves each machine that knows it, and leaves the others', () => {
  interface Door {
    readonly leaf: 'open' | 'shut'
    readonly lock: 'locked' | 'unlocked'
  }
  const door: SideBySide<Door, 'shut' | 'locked' | 'knocked'> = {
    leaf: { open: { shut: 'shut' }, shut: { locked: 'shut' } },
    lock: { unlocked: { locked: 'locked' }, locked: {} },
  }
  const shut: Door = { leaf: 'shut', lock: 'unlocked' }
  deepEqual(moved<Door, 'shut' | 'locked' | 'knocked'>(door, { leaf: 'open', lock: 'unlocked' }, 'shut'), shut)
  deepEqual(moved<Door, 'shut' | 'locked' | 'knocked'>(door, shut, 'knocked'), shut)
  deepEqual(moved<Door, 'shut' | 'locked' | 'knocked'>(door, shut, 'locked'), { leaf: 'shut', lock: 'locked' })
  const ajar: Door = { leaf: 'open', lock: 'unlocked' }
  throws(() => moved<Door, 'shut' | 'locked' | 'knocked'>(door, ajar, 'locked'), /illegal move: locked in state open/)
})

/** Events without a transition. */
const MOVE_NOTHING = new Set([
  'paper_ran_out',
  'asked_too_late',
  'found_after_closing',
  'answered_late',
  'link_reserved',
  'link_settled',
  'link_released',
  'link_refunded',
])

test('every event has a transition in some machine, with known exceptions', () => {
  for (const [machines, events] of [
    [TRANSACTION, EVENTS],
    [PAYMENT, PAYMENT_EVENTS],
  ] as const) {
    const known = new Set(Object.values(named('', machines)).flatMap(rows => Object.values(rows).flatMap(Object.keys)))
    for (const { type } of events) equal(known.has(type), !MOVE_NOTHING.has(type), type)
  }
})

for (const [name, transitions] of Object.entries(MACHINES)) {
  const states = Object.keys(transitions)

  test(`${name}: only the known end states have no transition`, () => {
    const ends = states.filter(state => Object.keys(transitions[state]!).length === 0)
    deepEqual(ends, ENDS[name])
  })

  test(`${name}: every state can be reached`, () => {
    const reached = new Set(BEGINNINGS[name] ?? [states[0]!])
    for (const state of reached) for (const to of Object.values(transitions[state]!)) if (to) reached.add(to)
    deepEqual([...reached].sort(), [...states].sort())
  })
}

test('every progress of an unfinished transaction has a timer that ends it', () => {
  for (const progress of Object.keys(TRANSACTION.progress) as Progress[]) {
    if (progress === 'finished') continue
    const record = aTransaction({
      progress,
      signature: progress === 'awaiting_signature' ? { askedAt: 1_000, answeredAt: null } : null,
    })
    const timers = timersOf(record)
    equal(timers.length, 1, progress)
    const timer = timers[0]!.name === 'signature' ? 'signature' : 'limit'
    const decision = decide(record, { type: 'time_is_up', timer }, null)
    ok('events' in decision && decision.events.length > 0, progress)
    const moves = decision.events.filter(({ type }) => accepts(TRANSACTION.progress, progress, type))
    ok(
      moves.some(({ type }) => next(TRANSACTION.progress, progress, type) !== progress),
      progress,
    )
  }
})

const A_DELIVERY: WebhookDelivery = {
  ...{ deliveryId: 'msg_1', merchantAccount: 'demo', url: 'https://shop.example/', subject: 'p1', orderId: 'A-1001' },
  ...{ merchantTransactionId: null, tokenReference: 'token_1', version: 1, progress: 'sending' },
  ...{ createdAt: 0, changedAt: 0, tries: 1, series: { firstTriedAt: null, failures: 0 }, nextTryAt: 10 },
  attempts: [],
}

test('every open delivery has a timer that changes its progress', () => {
  for (const progress of Object.keys(DELIVERY) as DeliveryProgress[]) {
    const record = { ...A_DELIVERY, progress }
    const timers = timersOfDelivery(record, 30_000)
    equal(timers.length, isOpen(record) ? 1 : 0, progress)
    for (const { name, dueAt } of timers) {
      const decision = decideDelivery(record, { type: 'time_is_up', timer: name, at: dueAt }, null)
      ok('events' in decision && decision.events.length === 1, progress)
      ok(next(DELIVERY, progress, decision.events[0]!.type) !== progress)
    }
  }
})

test('a finished transaction has no timer and ignores commands', () => {
  const record = aTransaction({ progress: 'finished', result: 'SUCCESSFUL', finishedAt: 5 })
  deepEqual(timersOf(record), [])
  for (const command of [
    { type: 'cancel' },
    { type: 'decide_signature', accepted: true },
    { type: 'time_is_up', timer: 'limit' },
    { type: 'time_is_up', timer: 'signature' },
    { type: 'terminal_forgot' },
    { type: 'terminal_reports', sequence: 99, reports: [{ type: 'prompted', prompt: 'PRESENT_CARD' }] },
  ] as const)
    deepEqual(decide(record, command, null), { events: [] }, command.type)
})

test('the time limit excludes the wait for a signature', () => {
  const record = aTransaction({ progress: 'applying_decision', signature: { askedAt: 10_000, answeredAt: 60_000 } })
  deepEqual(timersOf(record), [{ name: 'limit', dueAt: 200_000 + 50_000 }])
})
