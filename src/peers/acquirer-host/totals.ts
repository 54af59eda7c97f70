// src/peers/acquirer-host/totals.ts — sums of ledger entries, and their places in the messages of a reconciliation.
import type { Fields } from './codec.ts'
import type { Place, TotalsPlaces } from './dialect.ts'
import type { Entry } from './ledger.ts'
import type { Packing } from './packing.ts'

export interface Sum {
  readonly number: number
  readonly minor: number
}

/** Of the messages of a terminal that no reconciliation has closed. What was undone counts in both of its sums. */
export interface Totals {
  readonly sales: Sum
  readonly salesUndone: Sum
  readonly refunds: Sum
  readonly refundsUndone: Sum
}

const NAMES = ['sales', 'salesUndone', 'refunds', 'refundsUndone'] as const

/** Sums of entries. */
export function totalsOf(entries: readonly Entry[]): Totals {
  const sum = (wanted: (entry: Entry) => boolean): Sum => {
    const found = entries.filter(wanted)
    return { number: found.length, minor: found.reduce((all, { amountMinor }) => all + amountMinor, 0) }
  }
  const isSale = ({ kind, state }: Entry) => (kind === 'charge' || kind === 'capture') && state !== 'undecided'
  const isTaken = ({ state }: Entry) => state !== 'declined' && state !== 'undecided'
  return {
    sales: sum(entry => isSale(entry) && isTaken(entry)),
    salesUndone: sum(entry => isSale(entry) && entry.state === 'reversed'),
    refunds: sum(entry => entry.kind === 'refund' && isTaken(entry)),
    refundsUndone: sum(entry => entry.kind === 'refund' && entry.state === 'reversed'),
  }
}

/** The fields that hold the totals. */
export function totalsFields(totals: Totals, places: TotalsPlaces, packing: Packing): Fields {
  const texts: Record<number, string> = {}
  const put = ({ field, from, size, of }: Place, value: number) => {
    const before = texts[field] ?? '0'.repeat(of)
    texts[field] = before.slice(0, from) + String(value).padStart(size, '0') + before.slice(from + size)
  }
  const shown = {
    ...totals,
    ...(places.salesUndone === null ? { sales: less(totals.sales, totals.salesUndone) } : {}),
    ...(places.refundsUndone === null ? { refunds: less(totals.refunds, totals.refundsUndone) } : {}),
  }
  for (const name of NAMES) {
    const [number, amount] = places[name] ?? []
    if (number !== undefined) put(number, shown[name].number)
    if (amount !== undefined) put(amount, shown[name].minor)
  }
  if (places.net === null) return texts
  const { sales, salesUndone, refunds, refundsUndone } = totals
  const net = sales.minor - salesUndone.minor - (refunds.minor - refundsUndone.minor)
  const digits = String(Math.abs(net)).padStart(packing.fields.get(places.net)?.size ?? 0, '0')
  return { ...texts, [places.net]: `${net < 0 ? 'C' : 'D'}${digits}` }
}

/** Whether a field with totals is what the ledger says. The sign of zero means nothing. */
export function isSameTotal(sent: string | undefined, own: string): boolean {
  if (sent === undefined) return false
  return sent === own || (Number(sent.replace(/^[CD]/, '')) === 0 && Number(own.replace(/^[CD]/, '')) === 0)
}

/** Totals with one sale more, for a batch that shall not balance. */
export function withOneSaleMore(totals: Totals): Totals {
  return { ...totals, sales: { ...totals.sales, number: totals.sales.number + 1 } }
}

function less(sum: Sum, undone: Sum): Sum {
  return { number: sum.number - undone.number, minor: sum.minor - undone.minor }
}
