// test/unit/domain/transitions.test.ts — every state table: other moves are refused, and every wait ends by time.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { TOKEN } from '../../../src/domain/access-token.ts'
import { KEY_STATUS } from '../../../src/domain/api-key.ts'
import { JWT_KEY_STATUS } from '../../../src/domain/jwt-key.ts'
import { accepts, next, type Table } from '../../../src/domain/machine.ts'
import { ACCOUNT_STATUS } from '../../../src/domain/merchant-account.ts'
import { MONEY, PAYMENT, RESERVATION } from '../../../src/domain/online-payment.ts'
import { LEDGER_ENTRY } from '../../../src/domain/payment-ledger.ts'
import { REPORT_PROGRESS } from '../../../src/domain/report.ts'
import { LOCK_STATE, TABLE_STATE } from '../../../src/domain/table.ts'
import { TERMINAL_STATUS } from '../../../src/domain/terminal.ts'
import { AUTHORISATION, CANCEL, PROGRESS, type Progress } from '../../../src/domain/terminal-transaction.ts'
import { decide, timersOf } from '../../../src/domain/terminal-transaction-decisions.ts'
import { AUTHENTICATION } from '../../../src/domain/three-d-secure.ts'
import { MESSAGE_STATE } from '../../../src/domain/till-message.ts'
import {
  DELIVERY_PROGRESS,
  type DeliveryProgress,
  decide as decideDelivery,
  isOpen,
  timersOf as timersOfDelivery,
  type WebhookDelivery,
} from '../../../src/domain/webhook-delivery.ts'
import { aTransaction } from '../../support/records.ts'

const TABLES: Record<string, Table<string, string>> = {
  PROGRESS,
  CANCEL,
  AUTHORISATION,
  REPORT_PROGRESS,
  TABLE_STATE,
  LOCK_STATE,
  MESSAGE_STATE,
  TOKEN,
  PAYMENT,
  AUTHENTICATION,
  RESERVATION,
  MONEY,
  LEDGER_ENTRY,
  JWT_KEY_STATUS,
  ACCOUNT_STATUS,
  KEY_STATUS,
  TERMINAL_STATUS,
  DELIVERY_PROGRESS,
}

/** Tables that do not begin with their first state only. */
const BEGINNINGS: Record<string, readonly string[]> = { DELIVERY_PROGRESS: ['held', 'queued', 'sending'] }

/** States that no move leaves. */
const ENDS: Record<string, readonly string[]> = {
  PROGRESS: ['finished'],
  CANCEL: ['done'],
  AUTHORISATION: ['declined', 'confirmed', 'reversed'],
  REPORT_PROGRESS: ['finished'],
  TABLE_STATE: [],
  LOCK_STATE: [],
  MESSAGE_STATE: ['sent', 'expired'],
  TOKEN: ['expired', 'revoked'],
  PAYMENT: ['final', 'revoked'],
  AUTHENTICATION: ['failed'],
  RESERVATION: ['refused', 'settled', 'released'],
  MONEY: ['approved', 'reversed'],
  LEDGER_ENTRY: ['released'],
  JWT_KEY_STATUS: ['revoked'],
  ACCOUNT_STATUS: ['revoked'],
  KEY_STATUS: ['revoked'],
  TERMINAL_STATUS: [],
  DELIVERY_PROGRESS: [],
}

test('a move that is in the table is made, and any other is refused', () => {
  const door: Table<'open' | 'shut', 'pushed' | 'pulled'> = { open: { pushed: 'shut' }, shut: { pulled: 'open' } }
  deepEqual([accepts(door, 'open', 'pushed'), accepts(door, 'open', 'pulled')], [true, false])
  equal(next(door, 'open', 'pushed'), 'shut')
  throws(() => next(door, 'open', 'pulled'), /illegal move: pulled in state open/)
})

for (const [name, table] of Object.entries(TABLES)) {
  const states = Object.keys(table)

  test(`${name}: every move leads to a state of the table, and what has ended stays so`, () => {
    for (const state of states)
      for (const [type, to] of Object.entries(table[state]!)) ok(states.includes(to!), `${state} ${type}`)
    const ends = states.filter(state => Object.keys(table[state]!).length === 0)
    deepEqual(ends, ENDS[name])
  })

  test(`${name}: every state can be reached from where it begins`, () => {
    const reached = new Set(BEGINNINGS[name] ?? [states[0]!])
    for (const state of reached) for (const to of Object.values(table[state]!)) if (to) reached.add(to)
    deepEqual([...reached].sort(), [...states].sort())
  })
}

test('every progress that waits has a timer, and the timer moves it on', () => {
  for (const progress of Object.keys(PROGRESS) as Progress[]) {
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
    const moves = decision.events.filter(({ type }) => accepts(PROGRESS, progress, type))
    ok(
      moves.some(({ type }) => next(PROGRESS, progress, type) !== progress),
      progress,
    )
  }
})

const DELIVERY: WebhookDelivery = {
  ...{ deliveryId: 'msg_1', merchantAccount: 'demo', url: 'https://shop.example/', subject: 'p1', orderId: 'A-1001' },
  ...{ merchantTransactionId: null, tokenReference: 'token_1', version: 1, progress: 'sending' },
  ...{ createdAt: 0, changedAt: 0, tries: 1, series: { firstTriedAt: null, failures: 0 }, nextTryAt: 10 },
  attempts: [],
}

test('every delivery that waits has a timer, and the timer moves it on', () => {
  for (const progress of Object.keys(DELIVERY_PROGRESS) as DeliveryProgress[]) {
    const record = { ...DELIVERY, progress }
    const timers = timersOfDelivery(record, 30_000)
    equal(timers.length, isOpen(record) ? 1 : 0, progress)
    for (const { name, dueAt } of timers) {
      const decision = decideDelivery(record, { type: 'time_is_up', timer: name, at: dueAt }, null)
      ok('events' in decision && decision.events.length === 1, progress)
      ok(next(DELIVERY_PROGRESS, progress, decision.events[0]!.type) !== progress)
    }
  }
})

test('a finished transaction sets no timer and takes no command', () => {
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

test('the time spent on a signature does not count against the terminal', () => {
  const record = aTransaction({ progress: 'applying_decision', signature: { askedAt: 10_000, answeredAt: 60_000 } })
  deepEqual(timersOf(record), [{ name: 'limit', dueAt: 200_000 + 50_000 }])
})
