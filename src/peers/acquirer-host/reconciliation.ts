// src/peers/acquirer-host/reconciliation.ts — compares the totals of a terminal with the ledger and closes its batch; takes uploads.

import { type HostParts, outcomeOf } from './answering.ts'
import type { Behaviour } from './behaviour.ts'
import type { Fields } from './codec.ts'
import type { Entry, EntryKind, EntryState } from './ledger.ts'
import { keyOf, momentOf, type Request } from './request.ts'
import { isSameTotal, type Totals, totalsFields, totalsOf, withOneSaleMore } from './totals.ts'

/** Processing code of a reconciliation after an upload. */
const AFTER_UPLOAD = '96'
/** Processing code of a refund. */
const REFUND = '20'

/** Decides a reconciliation. The first entry is its own, the others are in the batch that it closes. */
export function reconcile(parts: HostParts, request: Request, { faults }: Behaviour, entry: Entry): readonly Entry[] {
  const { dialect } = parts
  const open = openEntries(parts, request)
  const isAfterUpload = request.fields[3]?.startsWith(AFTER_UPLOAD) === true
  const uploads = isAfterUpload ? openUploads(parts, request) : []
  const standing = isAfterUpload ? uploadedOf(open, uploads) : open
  const totals = totalsOf(standing)
  const { totals: places, packing } = dialect
  const fieldsOf = (sums: Totals): Fields => (places === null ? {} : totalsFields(sums, places, packing))
  const own = fieldsOf(totals)
  const isSame = Object.entries(own).every(([number, value]) => isSameTotal(request.fields[Number(number)], value))
  const isBalanced = isSame && !faults.has('out_of_balance')
  const answer = {
    ...(faults.has('out_of_balance') ? fieldsOf(withOneSaleMore(totals)) : own),
    ...(request.fields[50] === undefined ? {} : { 50: request.fields[50] }),
    ...(places !== null && packing.standard === '1987' ? { 66: isBalanced ? '1' : '2' } : {}),
    39: outcomeOf(dialect, isBalanced ? 'balanced' : 'out_of_balance'),
  }
  // A batch that differs is closed in 1993.
  const closes = isBalanced || packing.standard === '1993'
  const closed = closes ? [...open, ...uploads].map((each): Entry => ({ ...each, batch: entry.key })) : []
  const dropped = closed.map(each => (isAfterUpload && !isStanding(each, standing) ? notTaken(each) : each))
  return [{ ...entry, kind: 'reconciliation', state: 'done', answer }, ...dropped]
}

/** Takes an uploaded transaction. The first entry is that of the upload; the second is the transaction, when it was not known or not taken. */
export function takeUpload({ dialect, ledger }: HostParts, request: Request, entry: Entry): readonly Entry[] {
  const key = keyOf('2', { ...request, moment: momentOf(request.fields) })
  const known = ledger.find(key)
  const kind = request.fields[3]?.startsWith(REFUND) === true ? 'refund' : 'charge'
  const upload: Entry = {
    ...{ ...entry, kind: 'upload', state: 'done', original: key },
    answer: { 39: outcomeOf(dialect, 'approved') },
  }
  if (known !== null && known.takenMinor === request.amountMinor) return [upload]
  if (known !== null && known.batch !== null)
    return [{ ...upload, answer: { 39: outcomeOf(dialect, 'not_supported') } }]
  const taken: Entry = {
    ...(known ?? { ...entry, key, kind, mti: '0200', content: '', answer: {}, authCode: request.fields[38] ?? '' }),
    ...{ state: takenAs(known?.kind ?? kind) },
    ...{ amountMinor: request.amountMinor, takenMinor: request.amountMinor },
  }
  return [upload, taken]
}

function takenAs(kind: EntryKind): EntryState {
  if (kind === 'refund') return 'refunded'
  return kind === 'capture' ? 'captured' : 'charged'
}

function openEntries({ ledger }: HostParts, { terminal, merchant, fields }: Request): readonly Entry[] {
  return ledger
    .entries()
    .filter(entry => entry.terminal === terminal && entry.batch === null)
    .filter(entry => merchant === '' || entry.merchant === merchant)
    .filter(entry => fields[50] === undefined || entry.currency === fields[50])
    .filter(({ kind }) => kind === 'charge' || kind === 'capture' || kind === 'refund')
}

function openUploads({ ledger }: HostParts, { terminal, merchant }: Request): readonly Entry[] {
  return ledger
    .entries()
    .filter(entry => entry.kind === 'upload' && entry.terminal === terminal && entry.batch === null)
    .filter(entry => merchant === '' || entry.merchant === merchant)
}

/** What the uploads leave of a batch. */
function uploadedOf(open: readonly Entry[], uploads: readonly Entry[]): readonly Entry[] {
  const named = new Set(uploads.map(({ original }) => original))
  return open.filter(({ key }) => named.has(key))
}

function isStanding({ key, kind }: Entry, standing: readonly Entry[]): boolean {
  return kind === 'upload' || standing.some(each => each.key === key)
}

/** A transaction of the batch that was not uploaded, so it counts as never taken. */
function notTaken(entry: Entry): Entry {
  return entry.state === 'declined' ? entry : { ...entry, state: 'reversed', takenMinor: 0 }
}
