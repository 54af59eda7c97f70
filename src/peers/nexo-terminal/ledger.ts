// src/peers/nexo-terminal/ledger.ts — what the terminal took, by payment, and the totals of its periods.
import { type Members, textAt } from './messages.ts'
import type { Outcome } from './outcomes.ts'
import type { PaymentRequest } from './payment-request.ts'

export type EntryState = 'charged' | 'refunded' | 'held' | 'verified' | 'declined' | 'cancelled' | 'failed'

/** Amounts are in hundredths of the currency. */
export interface Entry {
  readonly kind: PaymentRequest['kind']
  readonly state: EntryState
  readonly serviceId: string
  readonly saleId: string
  /** The till's own id of the payment. */
  readonly saleTransactionId: string
  readonly transactionId: string
  readonly authCode: string
  readonly card: string
  readonly amountMinor: number
  /** What moved, with tip and cashback. */
  readonly takenMinor: number
  readonly cashbackMinor: number
  readonly tipMinor: number
  readonly currency: string
  /** The period in which it was made. */
  readonly period: number
  /** Epoch milliseconds. */
  readonly at: number
}

export interface Total {
  readonly number: number
  readonly minor: number
}

export interface Ledger {
  entries(): readonly Entry[]
  /** The period that runs. */
  period(): number
  add(entry: Entry): void
  /** Begins the next period. */
  closePeriod(): void
  /** Sums by currency. @param saleId of one till; null for all */
  totals(
    period: number,
    saleId?: string | null,
  ): ReadonlyMap<string, { readonly sales: Total; readonly refunds: Total }>
}

const FIRST_PERIOD = 1_000
const NOTHING: Total = { number: 0, minor: 0 }

/** Creates an empty ledger, in memory. */
export function createLedger(): Ledger {
  const entries: Entry[] = []
  let period = FIRST_PERIOD
  return {
    entries: () => entries,
    period: () => period,
    add(entry) {
      entries.push(entry)
    },
    closePeriod() {
      period += 1
    },
    totals(of, saleId = null) {
      const sums = new Map<string, { sales: Total; refunds: Total }>()
      for (const entry of entries) {
        if (entry.period !== of || (saleId !== null && entry.saleId !== saleId)) continue
        const { sales, refunds } = sums.get(entry.currency) ?? { sales: NOTHING, refunds: NOTHING }
        const add = ({ number, minor }: Total) => ({ number: number + 1, minor: minor + entry.takenMinor })
        if (entry.state === 'charged') sums.set(entry.currency, { sales: add(sales), refunds })
        if (entry.state === 'refunded') sums.set(entry.currency, { sales, refunds: add(refunds) })
      }
      return sums
    },
  }
}

/** State of a payment by its end. */
export function stateOf({ kind }: PaymentRequest, { response }: Outcome): EntryState {
  if (textAt(response, 'Result') !== 'Failure')
    return ({ charge: 'charged', refund: 'refunded', hold: 'held', verify: 'verified' } as const)[kind]
  const condition = textAt(response, 'ErrorCondition')
  if (condition === 'Aborted' || condition === 'Cancel') return 'cancelled'
  return DECLINES.has(condition) ? 'declined' : 'failed'
}

const DECLINES: ReadonlySet<string> = new Set(['Refusal', 'WrongPIN', 'InvalidCard', 'PaymentRestriction'])

/** Totals as the dialect has them. */
export function transactionTotals(sums: ReturnType<Ledger['totals']>): readonly Members[] {
  return [...sums].map(([PaymentCurrency, { sales, refunds }]) => ({
    ...{ PaymentInstrumentType: 'Card', CardBrand: 'visa', PaymentCurrency },
    PaymentTotals: [totalOf('Debit', sales), totalOf('Credit', refunds)].filter(each => each.TransactionCount > 0),
  }))
}

function totalOf(TransactionType: string, { number, minor }: Total) {
  return { TransactionType, TransactionCount: number, TransactionAmount: minor / 100 }
}
