// test/simulation/restaurant/till-with-tables.ts — a till that keeps its tables itself: it outlives the gateway, locks and
// unlocks as it is told, records each payment once, and now and then says nothing.
import type { TillMessage } from '../../../src/domain/till-message.ts'
import type { TillAnswer, TillLine } from '../../../src/engine/till-lines.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

export interface TillTable {
  readonly name: string
  amountMinor: number
  lockedBy: string | null
  /** By payment id, minor units off the bill. */
  readonly payments: Map<string, number>
}

export interface TillWithTables {
  readonly tables: readonly TillTable[]
  readonly line: TillLine
  /** Messages that came. */
  heard: number
  /** Payments that came more than once. */
  repeated: number
  /** Chances in a thousand that a question is not answered. */
  silence: number
  readonly paidMinor: (table: TillTable) => number
}

const NONE: TillAnswer<never> = { answer: 'none', says: null }

export function createTillWithTables(names: readonly string[], random: SeededRandom): TillWithTables {
  const tables = names.map(
    (name): TillTable => ({ name, amountMinor: 1_000 + random.integer(20_000), lockedBy: null, payments: new Map() }),
  )
  const called = (name: string) => tables.find(table => table.name === name)
  const silent = () => till.silence > 0 && random.integer(1_000) < till.silence
  const paidMinor = ({ payments }: TillTable) => [...payments.values()].reduce((sum, each) => sum + each, 0)
  const till: TillWithTables = {
    tables,
    heard: 0,
    repeated: 0,
    silence: 0,
    paidMinor,
    line: {
      wantsFinalBill: true,
      async tables() {
        if (silent()) return NONE
        const open = tables.filter(table => paidMinor(table) < table.amountMinor)
        return { answer: 'given', value: { names: open.map(({ name }) => name), currency: 'GBP' } }
      },
      async lock({ tid }, name) {
        const table = called(name)
        if (silent() || table === undefined) return NONE
        if (table.lockedBy !== null && table.lockedBy !== tid) return { answer: 'given', value: { confirmed: false } }
        table.lockedBy = tid
        const amountMinor = Math.max(table.amountMinor - paidMinor(table), 0)
        return { answer: 'given', value: { confirmed: true, amountMinor, currency: 'GBP' } }
      },
      async bill(_, name) {
        return silent() ? NONE : { answer: 'given', value: [{ value: `Table ${name}  1.00`, type: 'TEXT' }] }
      },
      tell(message: TillMessage) {
        till.heard += 1
        const table = called(message.table)
        if (table === undefined) throw new Error(`there is no table ${message.table}`)
        if (message.type === 'unlock') table.lockedBy = null
        else
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
