// src/acquirers/iso8583/reconciliation/batches.ts — the orders that no reconciliation has closed, by terminal and currency, with their totals. Pure.
import { currencies } from '../../../domain/currency.ts'
import type { Values } from '../compose.ts'
import type { Dialect } from '../dialect.ts'
import type { Structure } from '../field-format.ts'
import type { Noted, OrderNote } from '../orders/journal.ts'
import { composeParts, readParts } from '../parts.ts'
import { placeIn } from '../places.ts'
import { Refused } from '../refused.ts'

export interface Sum {
  readonly number: number
  readonly minor: number
}

/** An order that was taken and undone counts in both of its sums, as hosts count. ADR 91. */
export interface Totals {
  readonly sales: Sum
  readonly salesUndone: Sum
  readonly refunds: Sum
  readonly refundsUndone: Sum
}

/** Where a dialect sends totals. */
type TotalPlaces = NonNullable<Dialect['document']['reconciliation']>

export const TOTAL_NAMES = ['sales', 'salesUndone', 'refunds', 'refundsUndone'] as const

export interface Batch {
  /** What all its orders share. */
  readonly key: string
  readonly account: string
  readonly terminal: string
  readonly merchant: string
  readonly currency: string
  readonly totals: Totals
  /** Orders that the totals are of. */
  readonly orders: readonly Noted[]
  /** Orders whose end is not known yet, or that a person must look at. They count as not taken. */
  readonly open: readonly OrderNote[]
}

const OPEN: readonly OrderNote['phase'][] = ['sent', 'unanswered', 'reversing', 'stuck']

/** What the host is asked about, one batch for each message. */
export function batchesOf(dialect: Dialect, notes: readonly Noted[]): readonly Batch[] {
  const groups = new Map<string, Noted[]>()
  for (const noted of notes) {
    if (!movesMoney(noted.note) || noted.note.reconciledAt !== null) continue
    const key = keyOf(dialect, noted.note)
    groups.set(key, [...(groups.get(key) ?? []), noted])
  }
  return [...groups].flatMap(([key, group]) => {
    const [first] = group
    const counted = group.filter(({ note }) => isTaken(note))
    const open = group.map(({ note }) => note).filter(({ phase }) => OPEN.includes(phase))
    if (first === undefined || counted.length + open.length === 0) return []
    const { account, currency, sent } = first.note
    const [terminal, merchant] = [41, 42].map(number => (sent?.fields[number] ?? '').trim())
    const notesOf = counted.map(({ note }) => note)
    return [
      {
        key,
        account,
        terminal: terminal ?? '',
        merchant: merchant ?? '',
        currency,
        totals: totalsOf(notesOf),
        orders: counted,
        open,
      },
    ]
  })
}

/** Values of the fields of a reconciliation that the dialect names for totals, and of the currency. */
export function totalsValues({ document, format }: Dialect, { totals, currency }: Batch): Values {
  const { net, ...places }: Partial<TotalPlaces> = document.reconciliation ?? {}
  const numeric = currencies().find(({ code }) => code === currency)?.numeric ?? currency
  const values: Record<number, string> = { 50: format.fields.get(50)?.type === 'a' ? currency : numeric }
  const parts = new Map<number, Record<string, string>>()
  const sent = totalsFor(totals, places)
  for (const name of TOTAL_NAMES) {
    const [number, amount] = places[name] ?? []
    for (const [place, value] of [[number, sent[name].number] as const, [amount, sent[name].minor] as const]) {
      if (place === undefined) continue
      const { field, part } = placeIn(place)
      if (part === undefined) values[field] = String(value)
      else parts.set(field, { ...parts.get(field), [part]: String(value) })
    }
  }
  for (const [field, of] of parts) {
    const structure = format.fields.get(field)?.structure
    if (structure?.kind === 'parts') values[field] = composeParts(structure.parts, of, String(field))
  }
  if (net === undefined) return values
  const minor = netOf(totals)
  // The sign is the first of its characters. D: the cardholders pay more than they get back.
  const digits = String(Math.abs(minor)).padStart((format.fields.get(net)?.length ?? 1) - 1, '0')
  return { ...values, [net]: `${minor < 0 ? 'C' : 'D'}${digits}` }
}

/** The totals as the dialect sends them: what was undone is in no sum when it has no sum of its own. */
function totalsFor(totals: Totals, places: Partial<TotalPlaces>): Totals {
  const less = (sum: Sum, undone: Sum): Sum => ({
    number: sum.number - undone.number,
    minor: sum.minor - undone.minor,
  })
  const { sales, salesUndone, refunds, refundsUndone } = totals
  return {
    ...totals,
    sales: places.salesUndone === undefined ? less(sales, salesUndone) : sales,
    refunds: places.refundsUndone === undefined ? less(refunds, refundsUndone) : refunds,
  }
}

/** Totals in an answer by their places, which are fields or parts of one. What cannot be read is not there. */
export function totalsIn({ document, format }: Dialect, fields: Values): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const place of Object.values(document.reconciliation ?? {}).flat()) {
    const { field, part } = placeIn(place)
    const value = fields[field]
    if (typeof value !== 'string') continue
    const one = part === undefined ? value : partIn(format.fields.get(field)?.structure, value, part)
    if (one !== undefined) found[String(place)] = one
  }
  return found
}

function partIn(structure: Structure | null | undefined, value: string, part: string): string | undefined {
  if (structure?.kind !== 'parts') return undefined
  try {
    return readParts(structure, value, '')[0]?.[part]
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

/** What the shop gets: sales less refunds, without what was undone. */
export function netOf({ sales, salesUndone, refunds, refundsUndone }: Totals): number {
  return sales.minor - salesUndone.minor - (refunds.minor - refundsUndone.minor)
}

function movesMoney({ kind, sent }: OrderNote): boolean {
  return sent !== null && (kind === 'charge' || kind === 'capture' || kind === 'refund')
}

function isTaken({ phase, wasApproved }: OrderNote): boolean {
  return phase === 'approved' || (phase === 'undone' && wasApproved)
}

function totalsOf(notes: readonly OrderNote[]): Totals {
  const sum = (wanted: (note: OrderNote) => boolean): Sum => {
    const found = notes.filter(wanted)
    return { number: found.length, minor: found.reduce((all, { amountMinor }) => all + amountMinor, 0) }
  }
  const isSale = ({ kind }: OrderNote) => kind !== 'refund'
  const isUndone = ({ phase }: OrderNote) => phase === 'undone'
  return {
    sales: sum(isSale),
    salesUndone: sum(note => isSale(note) && isUndone(note)),
    refunds: sum(note => !isSale(note)),
    refundsUndone: sum(note => !isSale(note) && isUndone(note)),
  }
}

/** Orders that one message is about: of a terminal, and of a merchant and a currency where the message has them. */
function keyOf({ messages }: Dialect, { sent, currency }: OrderNote): string {
  const has = (field: number) => messages.reconcile?.fields.some(({ oneOf }) => oneOf.includes(field)) === true
  const fields = sent?.fields ?? {}
  return JSON.stringify([fields[41], has(42) ? fields[42] : null, has(50) ? currency : null])
}
