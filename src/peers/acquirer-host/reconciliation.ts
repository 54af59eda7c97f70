// src/peers/acquirer-host/reconciliation.ts — compares the totals of a terminal with the ledger and closes its batch.

import { type HostParts, outcomeOf } from './answering.ts'
import type { Behaviour } from './behaviour.ts'
import type { Fields } from './codec.ts'
import type { TotalsFields } from './dialect.ts'
import type { Entry } from './ledger.ts'
import type { Packing } from './packing.ts'
import type { Request } from './request.ts'

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

/** Decides a reconciliation. The first entry is its own, the others are in the batch that it closes. */
export function reconcile(parts: HostParts, request: Request, { faults }: Behaviour, entry: Entry): readonly Entry[] {
  const { dialect } = parts
  const open = openEntries(parts, request)
  const totals = totalsOf(open)
  const own = dialect.totals === null ? {} : totalsFields(totals, dialect.totals, dialect.packing)
  const isSame = Object.entries(own).every(([number, value]) => sameTotal(request.fields[Number(number)], value))
  const isBalanced = isSame && !faults.has('out_of_balance')
  const answer = {
    ...own,
    ...(faults.has('out_of_balance') ? moved(own, dialect.totals) : {}),
    ...(request.fields[50] === undefined ? {} : { 50: request.fields[50] }),
    ...(dialect.totals !== null && dialect.packing.standard === '1987' ? { 66: isBalanced ? '1' : '2' } : {}),
    39: outcomeOf(dialect, isBalanced ? 'balanced' : 'out_of_balance'),
  }
  // A batch that differs is closed in 1993, and in 1987 when its transactions were uploaded.
  const closes = isBalanced || dialect.packing.standard === '1993' || request.fields[3]?.startsWith('96') === true
  const closed = closes ? open.map((each): Entry => ({ ...each, batch: entry.key })) : []
  return [{ ...entry, kind: 'reconciliation', state: 'done', answer }, ...closed]
}

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

function openEntries({ ledger }: HostParts, { terminal, merchant, fields }: Request): readonly Entry[] {
  return ledger
    .entries()
    .filter(entry => entry.terminal === terminal && entry.batch === null)
    .filter(entry => merchant === '' || entry.merchant === merchant)
    .filter(entry => fields[50] === undefined || entry.currency === fields[50])
    .filter(({ kind }) => kind === 'charge' || kind === 'capture' || kind === 'refund')
}

function totalsFields(totals: Totals, names: TotalsFields, packing: Packing): Fields {
  const fields: Record<number, string> = {}
  for (const name of ['refunds', 'refundsUndone', 'sales', 'salesUndone'] as const) {
    const [number, amount] = names[name]
    if (number !== undefined) fields[number] = digits(totals[name].number, number, packing)
    if (amount !== undefined) fields[amount] = digits(totals[name].minor, amount, packing)
  }
  if (names.net === null) return fields
  const { sales, salesUndone, refunds, refundsUndone } = totals
  const net = sales.minor - salesUndone.minor - (refunds.minor - refundsUndone.minor)
  return { ...fields, [names.net]: `${net < 0 ? 'C' : 'D'}${digits(Math.abs(net), names.net, packing)}` }
}

function digits(value: number, field: number, { fields }: Packing): string {
  return String(value).padStart(fields.get(field)?.size ?? 0, '0')
}

/** Whether a total is what the ledger says. The sign of zero means nothing. */
function sameTotal(sent: string | undefined, own: string): boolean {
  if (sent === undefined) return false
  return sent === own || (Number(sent.replace(/^[CD]/, '')) === 0 && Number(own.replace(/^[CD]/, '')) === 0)
}

/** Totals with one sale more, for a batch that shall not balance. */
function moved(own: Fields, names: TotalsFields | null): Fields {
  const number = names?.sales[0]
  if (number === undefined) return {}
  const value = own[number] ?? ''
  return { [number]: String(Number(value) + 1).padStart(value.length, '0') }
}
