// test/unit/domain/table-money.test.ts — money rules of a table's payments, in every state of the table.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { type Money, money } from '../../../src/domain/money.ts'
import {
  apply,
  type BegunPayment,
  type PatTable,
  sumsOf,
  type TableEvent,
  type TablePayment,
  type TableSums,
} from '../../../src/domain/tables/table.ts'
import {
  type BeginFacts,
  decide,
  effectsOf,
  type TableCommand,
  timersOf,
} from '../../../src/domain/tables/table-decisions.ts'

const TID = '22160002'
const FREE: BeginFacts = { isConnected: true, live: null }
const LOCK = { kind: 'terminal', by: TID, waiterId: '7', since: 0, renewedAt: 0, leaseMs: 900_000 } as const
const BEGUN: BegunPayment = {
  ...{ paymentId: 'p1', amountMinor: 3000, gratuityMinor: 500, requestId: 'r1', tid: TID, waiterId: '7', begunAt: 1 },
}
const TAKEN: Omit<TablePayment, 'takenAt' | 'waiterId'> = {
  ...{ paymentId: 'p1', amountMinor: 3000, cashbackMinor: 200, gratuityMinor: 500, authCode: 'A1' },
  ...{ cardSchemeName: 'VISA', paymentMethod: 'ICC_CHIP', requestId: 'r1', tid: TID },
}

/** A bill of 54.00 that the terminal has locked. */
function aTable(changes: Partial<PatTable> = {}): PatTable {
  return {
    ...{ tableId: 't1', merchantAccount: 'demo', host: 'gateway', name: 'Window 2', currency: 'GBP', state: 'open' },
    ...{ version: 3, amountMinor: 5400, waiterIds: [], bill: [], lock: LOCK, payments: [], begun: [], dropped: [] },
    ...{ told: 0, createdAt: 0, closedAt: null },
    ...changes,
  }
}

const LOCKS = {
  none: null,
  own: LOCK,
  another: { ...LOCK, by: '22160001' },
  till: { ...LOCK, kind: 'till', by: 'Till 1', waiterId: '', leaseMs: 0 },
  // A till may have the name of a terminal; the lock still belongs to the till.
  namesake: { ...LOCK, kind: 'till' },
} as const

function follows(table: PatTable | null, command: TableCommand, facts: BeginFacts = FREE): readonly string[] {
  const decision = decide(table, command, facts)
  return 'events' in decision ? decision.events.map(({ type }) => type) : [decision.refused.code]
}

const begin = (amountMinor: number, paymentId = 'p1'): TableCommand => ({
  ...{ type: 'begin_payment', paymentId, requestId: `r-${paymentId}`, tid: TID, amountMinor, gratuityMinor: 0 },
})
const record = (amountMinor: number, paymentId = 'p1'): TableCommand => {
  const { requestId: _, ...payment } = TAKEN
  return { type: 'record_payment', payment: { ...payment, paymentId, amountMinor } }
}
const taken: TableCommand = { type: 'payment_taken', payment: TAKEN }
const dropped: TableCommand = { type: 'payment_dropped', paymentId: 'p1', why: 'declined' }

test('the terminal that has locked an open table can take payments up to the open amount', () => {
  const expected = { none: 'table_not_held', own: null, another: 'table_locked', till: 'table_locked' }
  for (const [whose, refusal] of Object.entries({ ...expected, namesake: 'table_locked' }))
    for (const state of ['open', 'closed'] as const)
      for (const amountMinor of [1, 5400, 5401]) {
        const table = aTable({ state, lock: LOCKS[whose as keyof typeof LOCKS] })
        const over = amountMinor > 5400 ? 'table_overpaid' : null
        const code = state === 'closed' ? 'table_unknown' : (refusal ?? over)
        deepEqual(follows(table, begin(amountMinor)), [code ?? 'payment_begun'], `${whose} ${state} ${amountMinor}`)
        deepEqual(follows(table, record(amountMinor)), [code ?? 'payment_recorded'], `${whose} ${state} ${amountMinor}`)
      }
})

test('a begun payment reserves its amount, a taken one pays it, a dropped one frees it', () => {
  const begun = aTable({ begun: [BEGUN] })
  deepEqual(sumsOf(begun), inPounds({ paid: 0, cashback: 0, gratuity: 0, reserved: 3000, open: 2400 }))
  const paid = fold(begun, taken)
  deepEqual(sumsOf(paid), inPounds({ paid: 3000, cashback: 200, gratuity: 500, reserved: 0, open: 2400 }))
  const free = fold(begun, dropped)
  deepEqual(sumsOf(free), inPounds({ paid: 0, cashback: 0, gratuity: 0, reserved: 0, open: 5400 }))
  deepEqual(
    free.dropped.map(({ paymentId, why }) => [paymentId, why]),
    [['p1', 'declined']],
  )
})

function inPounds(minors: Readonly<Record<keyof TableSums, number>>): Readonly<Record<string, Money>> {
  return Object.fromEntries(Object.entries(minors).map(([name, minor]) => [name, money(minor, 'GBP')]))
}

function fold(table: PatTable, command: TableCommand): PatTable {
  const decision = decide(table, command, FREE)
  ok('events' in decision)
  return decision.events.reduce((sofar, event) => apply(sofar, { event, at: 9, report: 0 }), table)
}

test('a taken payment is recorded once, whatever the lock and state of the table', () => {
  for (const state of ['open', 'closed'] as const)
    for (const lock of Object.values(LOCKS)) {
      const table = aTable({ state, lock, begun: [BEGUN] })
      deepEqual(follows(table, taken), ['payment_recorded'])
      const paid = fold(table, taken)
      deepEqual([paid.payments.length, paid.begun.length, paid.payments[0]?.waiterId], [1, 0, '7'])
      deepEqual(follows(paid, taken), [])
      deepEqual(follows(paid, dropped), [])
    }
})

test('only a payment that is under way can be dropped', () => {
  deepEqual(follows(aTable(), dropped), [])
  deepEqual(follows(aTable({ begun: [BEGUN] }), dropped), ['payment_dropped'])
  deepEqual(follows(fold(aTable({ begun: [BEGUN] }), dropped), dropped), [])
})

test('a terminal that is not connected takes no payment of a table', () => {
  deepEqual(follows(aTable(), begin(1), { ...FREE, isConnected: false }), ['terminal_unavailable'])
})

test('a table is neither closed nor unlocked while a payment is under way', () => {
  const seen = { amountMinor: 5400, paidMinor: 0 }
  const close: TableCommand = { type: 'till_changes', lastKnown: seen, change: { type: 'close' } }
  const unlock: TableCommand = { type: 'unlock_for_terminal', tid: TID }
  for (const command of [close, unlock])
    deepEqual(follows(aTable({ begun: [BEGUN] }), command), ['table_payment_under_way'])
  deepEqual(follows(aTable(), close), ['closed'])
  deepEqual(follows(aTable(), unlock), ['unlocked'])
  deepEqual(timersOf(aTable({ begun: [BEGUN] })), [])
  deepEqual(follows(aTable({ begun: [BEGUN] }), { type: 'time_is_up' }), [])
})

test('a till changes a table only when it knows the current amount and what was paid, with cashback', () => {
  const paid = fold(aTable({ begun: [BEGUN] }), taken)
  const amount = (paidMinor: number, amountMinor = 5400): TableCommand => ({
    type: 'till_changes',
    lastKnown: { amountMinor, paidMinor },
    change: { type: 'amount', amountMinor: 6000 },
  })
  const free = { ...paid, lock: null }
  deepEqual(follows(free, amount(3200)), ['amount_changed'])
  deepEqual(follows(free, amount(3000)), ['table_paid_differs'])
  deepEqual(follows(free, amount(3200, 5399)), ['table_amount_differs'])
  deepEqual(follows(paid, amount(3200)), ['table_locked'])
  equal(fold(free, amount(3200)).amountMinor, 6000)
})

test('a closed table records payments that were under way, and allows nothing else', () => {
  const closed = aTable({ state: 'closed', lock: null })
  const applied = (event: TableEvent) => () => apply(closed, { event, at: 1, report: 0 })
  throws(applied({ type: 'payment_begun', ...BEGUN }), /illegal move/)
  throws(applied({ type: 'amount_changed', amountMinor: 1 }), /illegal move/)
  throws(applied({ type: 'closed' }), /illegal move/)
  equal(applied({ type: 'payment_recorded', ...TAKEN, waiterId: '' })().payments.length, 1)
})

test('a POS table provider gets each payment once, when the bill is paid or the table session ends', () => {
  const atTill = (changes: Partial<PatTable>) => aTable({ host: 'till', begun: [BEGUN], ...changes })
  deepEqual(follows(atTill({}), taken), ['payment_recorded'])
  deepEqual(follows(atTill({ amountMinor: 3000 }), taken), ['payment_recorded', 'payments_told'])
  deepEqual(follows(atTill({ lock: null }), taken), ['payment_recorded', 'payments_told', 'closed'])
  deepEqual(follows(atTill({ lock: null }), dropped), ['payment_dropped', 'closed'])
  // The outcome of another payment is still open.
  const two = [BEGUN, { ...BEGUN, paymentId: 'p2', requestId: 'r2' }]
  deepEqual(follows(atTill({ lock: null, begun: two }), taken), ['payment_recorded'])
  const known = fold(atTill({}), taken)
  deepEqual(timersOf(known).at(-1), { name: 'tell', dueAt: 9 + 60_000 })
  deepEqual(follows(known, { type: 'tell_till' }), ['payments_told'])
  deepEqual(follows(fold(known, { type: 'tell_till' }), { type: 'tell_till' }), [])
})

test('the message to a POS table provider covers all payments that it has not got yet', () => {
  const known = fold(aTable({ host: 'till', begun: [BEGUN] }), taken)
  const decision = decide(known, { type: 'tell_till' }, null)
  const [event] = 'events' in decision ? decision.events : []
  deepEqual(event, { type: 'payments_told', from: 0, upTo: 1 })
  deepEqual(
    effectsOf(event!, { ...known, told: 1 }).map(({ payload }) => payload),
    [{ type: 'table.tell_payments', from: 0, upTo: 1 }],
  )
  deepEqual(effectsOf(event!, aTable()), [])
})
