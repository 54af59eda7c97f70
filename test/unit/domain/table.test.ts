// test/unit/domain/table.test.ts — rules of a table for tills and terminals, and properties of its money.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import {
  apply,
  isFor,
  type PatTable,
  sumsOf,
  type TableEvent,
  type TablePayment,
} from '../../../src/domain/tables/table.ts'
import {
  type BeginFacts,
  decide,
  effectsOf,
  MOST_ATTEMPTS,
  MOST_OPEN_TABLES,
  type TableCommand,
  type TableFacts,
  type TillChange,
  timersOf,
} from '../../../src/domain/tables/table-decisions.ts'

const CREATE: TableCommand = {
  type: 'create',
  tableId: 't1',
  merchantAccount: 'demo',
  host: 'gateway',
  name: 'Window 2',
  currency: 'GBP',
  amountMinor: 5400,
  waiterIds: ['7'],
  bill: [],
}
const FREE: BeginFacts = { isConnected: true, live: null }
const TID = '22160002'

/** Decides and folds; throws on a refusal. */
function after(table: PatTable | null, command: TableCommand, facts: TableFacts = FREE, at = 1_000): PatTable {
  const decision = decide(table, command, facts)
  ok('events' in decision, JSON.stringify(decision))
  const folded = decision.events.reduce<PatTable | null>(
    (sofar, event) => apply(sofar, { event, at, report: 0 }),
    table,
  )
  ok(folded !== null)
  return folded
}

function refusalOf(table: PatTable | null, command: TableCommand, facts: TableFacts = FREE) {
  const decision = decide(table, command, facts)
  return 'refused' in decision ? decision.refused.code : null
}

const change = (change: TillChange, lastKnown = { amountMinor: 5400, paidMinor: 0 }): TableCommand => ({
  type: 'till_changes',
  lastKnown,
  change,
})
const lock = (tid = TID, override = false): TableCommand => ({
  type: 'lock_for_terminal',
  tid,
  waiterId: '7',
  override,
  leaseMs: 900_000,
})
const begin = (paymentId: string, amountMinor: number, gratuityMinor = 0, tid = TID): TableCommand => ({
  type: 'begin_payment',
  paymentId,
  requestId: `r-${paymentId}`,
  tid,
  amountMinor,
  gratuityMinor,
})
const taken = (paymentId: string, amountMinor: number, gratuityMinor = 0): TableCommand => ({
  type: 'payment_taken',
  payment: {
    ...{ paymentId, amountMinor, gratuityMinor, cashbackMinor: 0, tid: TID, requestId: `r-${paymentId}` },
    ...{ authCode: 'A1', cardSchemeName: 'VISA', paymentMethod: 'ICC_CHIP' },
  },
})
const byCash = (paymentId: string, amountMinor: number): TableCommand => ({
  type: 'record_payment',
  payment: {
    ...{ paymentId, amountMinor, gratuityMinor: 0, cashbackMinor: 0, tid: TID },
    ...{ authCode: '', cardSchemeName: '', paymentMethod: 'UNKNOWN' },
  },
})
const dropped = (paymentId: string): TableCommand => ({ type: 'payment_dropped', paymentId, why: 'declined' })

const opened = () => after(null, CREATE)
const held = () => after(opened(), lock())

test('a table without waiters is open to all waiters, one with waiters to these only', () => {
  ok(isFor(opened(), '7'))
  ok(!isFor(opened(), '8'))
  ok(isFor(after(opened(), change({ type: 'waiters', waiterIds: [] })), '8'))
})

test('a taken table name and too many tables are refused', () => {
  equal(refusalOf(null, CREATE, { nameTaken: true, openTables: 1 }), 'table_exists')
  equal(refusalOf(null, CREATE, { nameTaken: true, openTables: MOST_OPEN_TABLES }), 'table_exists')
  equal(refusalOf(null, CREATE, { nameTaken: false, openTables: MOST_OPEN_TABLES }), 'too_many_tables')
  equal(refusalOf(null, change({ type: 'close' })), 'table_unknown')
})

test('a payment under way reserves its amount, and payments cannot exceed the bill', () => {
  const table = after(held(), begin('p1', 3000, 500))
  deepEqual([sumsOf(table).reserved.minor, sumsOf(table).open.minor], [3000, 2400])
  equal(refusalOf(table, begin('p2', 2401)), 'table_overpaid')
  equal(refusalOf(table, byCash('p2', 2401)), 'table_overpaid')
  equal(refusalOf(table, begin('p2', 2400, 10_000)), null)
  deepEqual(sumsOf(after(table, dropped('p1'))).open.minor, 5400)
})

test('a repeated payment command changes nothing, and a dropped payment id is not used again', () => {
  const under = after(held(), begin('p1', 3000))
  deepEqual(decide(under, begin('p1', 3000), FREE), { events: [] })
  const paid = after(under, taken('p1', 3000))
  deepEqual(decide(paid, begin('p1', 3000), FREE), { events: [] })
  deepEqual(decide(paid, taken('p1', 3000), FREE), { events: [] })
  deepEqual(decide(paid, dropped('p1'), FREE), { events: [] })
  const gone = after(under, dropped('p1'))
  deepEqual(decide(gone, dropped('p1'), FREE), { events: [] })
  equal(refusalOf(gone, begin('p1', 3000)), 'already_exists')
  equal(refusalOf(gone, byCash('p1', 3000)), 'already_exists')
})

test('only the terminal that has locked the table can begin payments', () => {
  equal(refusalOf(opened(), begin('p1', 1)), 'table_not_held')
  equal(refusalOf(held(), begin('p1', 1, 0, '22160001')), 'table_locked')
  const overridden = after(held(), change({ type: 'lock', by: 'Till 1', override: true }))
  equal(refusalOf(overridden, begin('p1', 1)), 'table_locked')
  // A payment that began before the override goes on and is recorded.
  const under = after(after(held(), begin('p1', 3000)), change({ type: 'lock', by: 'Till 1', override: true }))
  equal(sumsOf(after(under, taken('p1', 3000))).paid.minor, 3000)
})

test.each<[string, BeginFacts]>([
  ['terminal_unavailable', { isConnected: false, live: null }],
  ['terminal_busy', { ...FREE, live: { requestId: 'r', awaitsSignature: false } }],
  ['signature_pending', { ...FREE, live: { requestId: 'r', awaitsSignature: true } }],
])('a payment does not begin: %s', (code, facts) => {
  equal(refusalOf(held(), begin('p1', 3000), facts), code)
})

test('a payment of zero is refused, a gratuity alone is not', () => {
  equal(refusalOf(held(), begin('p1', 0)), 'field_invalid')
  equal(refusalOf(held(), begin('p1', 0, 100)), null)
})

test('a table cannot be closed while a payment is under way', () => {
  const under = after(held(), begin('p1', 3000))
  const close = change({ type: 'close' })
  deepEqual(decide(under, close, FREE), { refused: { code: 'table_payment_under_way', tid: TID } })
  equal(refusalOf(under, { type: 'unlock_for_terminal', tid: TID }), 'table_payment_under_way')
  equal(after(after(under, dropped('p1')), close).state, 'closed')
  const paid = after(under, taken('p1', 3000))
  equal(refusalOf(paid, close), 'table_paid_differs')
  const closed = after(paid, change({ type: 'close' }, { amountMinor: 5400, paidMinor: 3000 }))
  deepEqual([closed.state, closed.lock, sumsOf(closed).paid.minor], ['closed', null, 3000])
  for (const command of [close, lock(), begin('p2', 1), byCash('p2', 1)])
    equal(refusalOf(closed, command), 'table_unknown', command.type)
})

test('a taken payment is recorded even on a closed table where it never began', () => {
  const closed = after(opened(), change({ type: 'close' }))
  equal(sumsOf(after(closed, taken('p9', 700))).paid.minor, 700)
})

test('a bill reduced below the paid amount has a negative open amount', () => {
  const paid = after(after(held(), begin('p1', 5400)), taken('p1', 5400))
  const free = after(paid, { type: 'unlock_for_terminal', tid: TID })
  const seen = { amountMinor: 5400, paidMinor: 5400 }
  equal(sumsOf(after(free, change({ type: 'amount', amountMinor: 5000 }, seen))).open.minor, -400)
})

test("a terminal's lease starts with the lock, pauses during a payment, and restarts after it", () => {
  const table = after(opened(), lock(), FREE, 1_000)
  deepEqual(timersOf(table), [{ name: 'lease', dueAt: 901_000 }])
  const under = after(table, begin('p1', 3000), FREE, 2_000)
  deepEqual(timersOf(under), [])
  const paid = after(under, taken('p1', 3000), FREE, 60_000)
  deepEqual(timersOf(paid), [{ name: 'lease', dueAt: 960_000 }])
  equal(after(paid, { type: 'time_is_up' }).lock, null)
  const forEver = after(opened(), { ...lock(), leaseMs: 0 } as TableCommand)
  deepEqual(timersOf(forEver), [])
  deepEqual(timersOf(after(opened(), change({ type: 'lock', by: 'EPoS', override: false }))), [])
})

test('a repeated lock changes nothing, and another terminal takes it over only with an override', () => {
  deepEqual(decide(held(), lock(), FREE), { events: [] })
  equal(refusalOf(held(), lock('22160001')), 'table_locked')
  const other = after(held(), lock('22160001', true))
  equal(other.lock?.by, '22160001')
  // An unlock by the terminal that lost the lock changes nothing.
  deepEqual(decide(other, { type: 'unlock_for_terminal', tid: TID }, FREE), { events: [] })
})

const CARD_PAYMENT: Omit<TablePayment, 'takenAt'> = {
  ...{ paymentId: 'p1', amountMinor: 3000, cashbackMinor: 0, gratuityMinor: 0, requestId: 'r-p1', tid: TID },
  ...{ waiterId: '7', authCode: 'A1', cardSchemeName: 'VISA', paymentMethod: 'ICC_CHIP' },
}
const OTHER_EVENTS: { readonly [Type in Exclude<TableEvent['type'], 'payment_begun'>]: TableEvent & { type: Type } } = {
  created: {
    ...{ type: 'created', tableId: 't1', merchantAccount: 'demo', host: 'gateway', name: 'Window 2', currency: 'GBP' },
    ...{ amountMinor: 5400, waiterIds: [], bill: [] },
  },
  amount_changed: { type: 'amount_changed', amountMinor: 6000 },
  bill_changed: { type: 'bill_changed', bill: [] },
  waiters_changed: { type: 'waiters_changed', waiterIds: [] },
  locked: { type: 'locked', kind: 'terminal', by: TID, waiterId: '7', leaseMs: 0, overrode: null },
  unlocked: { type: 'unlocked', why: 'asked', by: TID },
  payment_recorded: { type: 'payment_recorded', ...CARD_PAYMENT },
  payment_dropped: { type: 'payment_dropped', paymentId: 'p1', why: 'declined' },
  payments_told: { type: 'payments_told', from: 0, upTo: 1 },
  closed: { type: 'closed' },
}

test('payment_begun is the only event with an effect on a table of the gateway', () => {
  const table = held()
  const decision = decide(table, begin('p1', 3000), FREE)
  const [event] = 'events' in decision ? decision.events : []
  ok(event !== undefined)
  const now = apply(table, { event, at: 1, report: 0 })
  deepEqual(effectsOf(event, now), [
    {
      id: `t1.${now.version}.table.start_payment`,
      type: 'table.start_payment',
      payload: { type: 'table.start_payment', paymentId: 'p1' },
    },
  ])
  for (const other of Object.values(OTHER_EVENTS)) deepEqual(effectsOf(other, table), [], other.type)
})

test('a table takes a limited number of attempts', () => {
  let table = held()
  for (let number = 0; number < MOST_ATTEMPTS; number += 1)
    table = after(after(table, begin(`p${number}`, 100)), dropped(`p${number}`))
  equal(refusalOf(table, begin('last', 100)), 'table_attempts_exhausted')
})

const SOME_ID = fc.constantFrom('p1', 'p2', 'p3', 'p4')
const SOME_TID = fc.constantFrom(TID, '22160001')
const SOME_AMOUNT = fc.integer({ min: 0, max: 6_000 })
const COMMANDS: fc.Arbitrary<TableCommand> = fc.oneof(
  fc.tuple(SOME_ID, SOME_AMOUNT, SOME_AMOUNT, SOME_TID).map(args => begin(...args)),
  fc.tuple(SOME_ID, SOME_AMOUNT).map(args => byCash(...args)),
  SOME_ID.map(dropped),
  fc.tuple(SOME_TID, fc.boolean()).map(args => lock(...args)),
  SOME_TID.map(tid => ({ type: 'unlock_for_terminal', tid }) as const),
  fc.constant<TableCommand>({ type: 'time_is_up' }),
  fc.boolean().map(override => change({ type: 'lock', by: 'Till 1', override })),
  fc.boolean().map(override => change({ type: 'unlock', by: 'Till 1', override })),
)

test('in random histories no payment counts twice and payments never exceed an unchanged bill', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(COMMANDS, fc.boolean()), { maxLength: 60 }), steps => {
      let table = opened()
      for (const [command, settles] of steps) {
        // The till reads the table before it changes it.
        const { paid, cashback } = sumsOf(table)
        const lastKnown = { amountMinor: table.amountMinor, paidMinor: paid.minor + cashback.minor }
        const seen = command.type === 'till_changes' ? { ...command, lastKnown } : command
        const decision = decide(table, seen, FREE)
        if ('events' in decision) table = fold(table, decision.events)
        const [under] = table.begun
        if (settles && under !== undefined)
          table = after(table, taken(under.paymentId, under.amountMinor, under.gratuityMinor))
        const { open } = sumsOf(table)
        ok(open.minor >= 0, `open ${open.minor}`)
        const ids = [...table.payments, ...table.begun, ...table.dropped].map(({ paymentId }) => paymentId)
        equal(new Set(ids).size, ids.length)
      }
    }),
    { numRuns: 500, seed: 14 },
  )
})

function fold(table: PatTable, events: readonly TableEvent[]): PatTable {
  return events.reduce((sofar, event) => apply(sofar, { event, at: 1, report: 0 }), table)
}
