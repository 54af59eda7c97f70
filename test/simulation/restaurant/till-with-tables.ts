// test/simulation/restaurant/till-with-tables.ts — a till that keeps its tables itself: it outlives the gateway, locks and
// unlocks as it is told, records each payment once, and now and then says nothing, or says it late. ADR 16.
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
  /** When it was locked last, by the clock. */
  lockedAt: number
  /** By payment id, minor units off the bill. */
  readonly payments: Map<string, number>
}

export interface TillWithTables {
  readonly tables: readonly TillTable[]
  readonly line: PosConnection
  /** Messages that came. */
  heard: number
  /** Payments that came more than once. */
  repeated: number
  /** Chances in a thousand that a question is not answered. */
  silence: number
  /** Chances in a thousand that a lock is answered only after a while, which may be too long. */
  lateness: number
  /** Locks that were answered late, and those among them whose time was over. */
  late: number
  tooLate: number
  /** Unlocked by a person while a terminal had it. */
  byHand: number
  /** Somebody at the till unlocks a table that a terminal has. */
  unlockByHand(): void
  readonly paidMinor: (table: TillTable) => number
}

const NONE: TillAnswer<never> = { answer: 'none', says: null }

/** The longest that a late answer takes: some come when their time is over. */
export const LATEST_MS = TILL_ANSWERS_WITHIN_MS + 4_000

/** @param strict whether it unlocks a table only for the terminal that has it; others do so for anybody */
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
        // It decides at once, and what it says is old when it arrives.
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
      tell(message: TillMessage) {
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
