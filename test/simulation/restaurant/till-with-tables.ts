// test/simulation/restaurant/till-with-tables.ts — a POS table provider: it survives the gateway, locks and unlocks on
// request, records each payment once, and sometimes answers late or not at all. ADR 16.
import type { TillMessage } from '../../../src/domain/tables/pos-message.ts'
import type { Clock } from '../../../src/engine/ports/clock.ts'
import {
  type PosConnection,
  TILL_ANSWERS_WITHIN_MS,
  type TillAnswer,
  type TillLock,
} from '../../../src/services/tables/pos-connections.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

export interface TillTable {
  readonly name: string
  amountMinor: number
  lockedBy: string | null
  /** Time of the last lock, on the clock. */
  lockedAt: number
  /** Minor units off the bill, by payment id. */
  readonly payments: Map<string, number>
}

export interface TillWithTables {
  readonly tables: readonly TillTable[]
  readonly line: PosConnection
  /** Number of messages received. */
  heard: number
  /** Number of repeated payments. */
  repeated: number
  /** Probability per thousand of no answer to a request. */
  silence: number
  /** Probability per thousand of a late answer to a lock, which may exceed the time limit. */
  lateness: number
  /** Number of late answers to locks, and of those beyond the time limit. */
  late: number
  tooLate: number
  /** Number of locks that a person released while a terminal held them. */
  byHand: number
  /** A person at the till unlocks a table that a terminal holds. */
  unlockByHand(): void
  readonly paidMinor: (table: TillTable) => number
}

const NONE: TillAnswer<never> = { answer: 'none', says: null }

/** Longest delay of a late answer. Some exceed the time limit. */
export const LATEST_MS = TILL_ANSWERS_WITHIN_MS + 4_000

/** @param strict whether only the terminal that holds a lock can release it */
export function createTillWithTables(
  names: readonly string[],
  { random, clock, strict }: { readonly random: SeededRandom; readonly clock: Clock; readonly strict: boolean },
): TillWithTables {
  const tables = names.map(
    (name): TillTable => ({
      name,
      amountMinor: 1_000 + random.integer(20_000),
      lockedBy: null,
      lockedAt: 0,
      payments: new Map(),
    }),
  )
  const called = (name: string) => tables.find(table => table.name === name)
  const silent = () => till.silence > 0 && random.integer(1_000) < till.silence
  const paidMinor = ({ payments }: TillTable) => [...payments.values()].reduce((sum, each) => sum + each, 0)
  const locked = (tid: string, name: string): TillAnswer<TillLock> => {
    const table = called(name)
    if (silent() || table === undefined) return NONE
    if (table.lockedBy !== null && table.lockedBy !== tid) return { answer: 'given', value: { confirmed: false } }
    table.lockedBy = tid
    table.lockedAt = clock.now()
    const amountMinor = Math.max(table.amountMinor - paidMinor(table), 0)
    return { answer: 'given', value: { confirmed: true, amountMinor, currency: 'GBP' } }
  }
  const till: TillWithTables = {
    tables,
    heard: 0,
    repeated: 0,
    silence: 0,
    lateness: 0,
    late: 0,
    tooLate: 0,
    byHand: 0,
    unlockByHand() {
      const table = tables[random.integer(tables.length)]
      if (table === undefined || table.lockedBy === null) return
      table.lockedBy = null
      till.byHand += 1
    },
    paidMinor,
    line: {
      wantsFinalBill: true,
      async tables() {
        if (silent()) return NONE
        const open = tables.filter(table => paidMinor(table) < table.amountMinor)
        return { answer: 'given', value: { names: open.map(({ name }) => name), currency: 'GBP' } }
      },
      async lock({ tid }, name, tooLate) {
        // It decides at once, but its answer arrives late.
        const answer = locked(tid, name)
        if (answer.answer === 'none' || random.integer(1_000) >= till.lateness) return answer
        till.late += 1
        const afterMs = random.integer(LATEST_MS)
        const confirmed = answer.value.confirmed
        return new Promise(resolve => {
          if (afterMs < TILL_ANSWERS_WITHIN_MS) {
            clock.alarm(clock.now() + afterMs, () => resolve(answer))
            return
          }
          till.tooLate += 1
          clock.alarm(clock.now() + TILL_ANSWERS_WITHIN_MS, () => resolve(NONE))
          clock.alarm(clock.now() + afterMs, () => confirmed && tooLate())
        })
      },
      async bill(_, name) {
        return silent() ? NONE : { answer: 'given', value: [{ value: `Table ${name}  1.00`, type: 'TEXT' }] }
      },
      notify(message: TillMessage) {
        till.heard += 1
        const table = called(message.table)
        if (table === undefined) throw new Error(`there is no table ${message.table}`)
        if (message.type === 'unlock') {
          if (!strict || table.lockedBy === message.tid) table.lockedBy = null
        } else
          for (const { paymentId, amountMinor } of message.payments) {
            if (table.payments.has(paymentId)) till.repeated += 1
            table.payments.set(paymentId, amountMinor)
          }
        return true
      },
    },
  }
  return till
}
