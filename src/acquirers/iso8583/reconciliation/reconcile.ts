// src/acquirers/iso8583/reconciliation/reconcile.ts — compares totals with a host, and closes what both agree on. ADR 91.
import type { EffectId } from '../../../domain/ids.ts'
import type { Clock } from '../../../engine/ports/clock.ts'
import type { Dialect } from '../dialect.ts'
import type { DialectMessage } from '../dialect-messages.ts'
import type { UnpackedMessage } from '../message-codec.ts'
import type { Journal } from '../orders/journal.ts'
import { identityOf } from '../orders/order-parts.ts'
import { codeOf } from '../orders/reading-answers.ts'
import { timesOf } from '../times.ts'
import { askHost } from './asking.ts'
import { type Batch, batchesOf, totalsIn, totalsValues } from './batches.ts'
import { type NotUploaded, type UploadParts, uploadBatch } from './uploads.ts'

export interface ReconciliationParts extends UploadParts {
  readonly journal: Journal
  readonly clock: Clock
  readonly timeZone: string
}

/**
 * What the host says. `unanswered`: nothing is known, and nothing was closed here. `uploaded`: its totals differed, and it has
 * taken every order of the batch instead of its own.
 */
export type Verdict = 'balanced' | 'uploaded' | 'out_of_balance' | 'refused' | 'unanswered'

export interface Reconciled {
  readonly batch: Batch
  readonly verdict: Verdict
  /** Response code; null without an answer. */
  readonly code: string | null
  /** Totals of the host, by field or part of one, as far as its answer has them. */
  readonly theirs: Readonly<Record<string, string>>
  /** Whether the host has the same net amount; null when it does not say. */
  readonly isSameNet: boolean | null
  /** Whether the batch is closed: its orders are in no later one. */
  readonly isClosed: boolean
  /** Number of orders that the host took in an upload; null when nothing was uploaded. */
  readonly uploaded: number | null
  /** Orders that it did not take. The batch then stays open. */
  readonly notUploaded: readonly NotUploaded[]
  /** Orders that began during an upload. When the batch is closed the host may count them as never taken. */
  readonly meanwhile: readonly EffectId[]
}

type Read = Omit<Reconciled, 'batch' | 'uploaded' | 'notUploaded' | 'meanwhile'>

const NO_UPLOAD = { uploaded: null, notUploaded: [], meanwhile: [] } as const

const SETTLEMENT = 66
const BALANCED = { '1987': ['00'], '1993': ['500'] } as const
const DIFFERENT = { '1987': ['95'], '1993': ['501'] } as const

/** Asks the host about each open batch. @throws Error when the dialect has no reconciliation; Refused when a field has no value */
export async function reconcile(parts: ReconciliationParts): Promise<readonly Reconciled[]> {
  const done: Reconciled[] = []
  for (const batch of batchesOf(parts.dialect, await parts.journal.all())) {
    const result = await reconcileBatch(parts, batch)
    if (result.isClosed) await close(parts, batch)
    done.push(result)
  }
  return done
}

async function reconcileBatch(parts: ReconciliationParts, batch: Batch): Promise<Reconciled> {
  const { reconcile: message, upload, reconcileUploaded = message } = parts.dialect.messages
  if (message === undefined || reconcileUploaded === undefined) throw new Error('the dialect has no reconciliation')
  const first = await ask(parts, message, batch)
  if (first.verdict !== 'out_of_balance' || first.isClosed || upload === undefined || !canUpload(batch))
    return { batch, ...first, ...NO_UPLOAD }
  const uploads = await uploadBatch(parts, upload, batch)
  const before = await ordersSince(parts, batch)
  if (uploads.notUploaded.length > 0 || before.length > 0) return { batch, ...first, ...uploads, meanwhile: before }
  const last = await ask(parts, reconcileUploaded, batch)
  const verdict = last.verdict === 'balanced' ? 'uploaded' : last.verdict
  return { batch, ...last, verdict, ...uploads, meanwhile: await ordersSince(parts, batch) }
}

/** Orders of the gateway, which runs on, that came into a batch after it was read. */
async function ordersSince(
  { dialect, journal }: ReconciliationParts,
  { key, orders }: Batch,
): Promise<readonly EffectId[]> {
  const known = new Set(orders.map(({ note }) => note.orderId))
  const now = batchesOf(dialect, await journal.all()).filter(batch => batch.key === key)
  const all = now.flatMap(batch => [...batch.orders.map(({ note }) => note), ...batch.open])
  return all.filter(({ orderId, phase }) => !known.has(orderId) && phase !== 'stuck').map(({ orderId }) => orderId)
}

/** An order that is under way would be missing in the upload, and the host would drop it. One that is stuck is for a person. */
function canUpload({ open }: Batch): boolean {
  return open.every(({ phase }) => phase === 'stuck')
}

async function ask(parts: ReconciliationParts, message: DialectMessage, batch: Batch): Promise<Read> {
  const { dialect, numbers, clock, settingsOf, timeZone } = parts
  const { standard } = dialect.document
  const times = timesOf(standard, clock.now(), timeZone)
  const date = standard === '1993' ? times[12].slice(0, 6) : (times[13] ?? '')
  const named = { 41: batch.terminal, ...(batch.merchant === '' ? {} : { 42: batch.merchant }) }
  const fixed = { ...settingsOf(batch.account), ...named, ...times, 15: date, ...totalsValues(dialect, batch) }
  const values = { ...fixed, 11: await numbers.stan(identityOf(dialect, fixed)) }
  return readAnswer(dialect, batch, await askHost(parts, message, values))
}

function readAnswer(dialect: Dialect, batch: Batch, answer: UnpackedMessage | null): Read {
  if (answer === null) return { verdict: 'unanswered', code: null, theirs: {}, isSameNet: null, isClosed: false }
  const { standard, reconciliation } = dialect.document
  const code = codeOf(answer)
  const theirs = totalsIn(dialect, answer.fields)
  const { net } = reconciliation ?? {}
  const theirNet = net === undefined ? undefined : theirs[net]
  const isSameNet = net === undefined || theirNet === undefined ? null : theirNet === totalsValues(dialect, batch)[net]
  const said = { code, theirs, isSameNet }
  const settlement = answer.fields[SETTLEMENT]
  const says = (codes: readonly string[], digit: string) =>
    settlement === undefined ? codes.includes(code) : settlement === digit
  if (says(BALANCED[standard], '1')) return { ...said, verdict: 'balanced', isClosed: true }
  if (!says(DIFFERENT[standard], '2')) return { ...said, verdict: 'refused', isClosed: false }
  // A host of 1993 has closed the batch all the same.
  return { ...said, verdict: 'out_of_balance', isClosed: standard === '1993' }
}

async function close({ journal, clock }: ReconciliationParts, { orders }: Batch): Promise<void> {
  for (const { note } of orders)
    for (;;) {
      const noted = await journal.load(note.account, note.orderId)
      if (noted === null || (await journal.change(noted, { reconciledAt: clock.now() })) !== null) break
    }
}
