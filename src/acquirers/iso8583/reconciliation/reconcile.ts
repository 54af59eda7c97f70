// src/acquirers/iso8583/reconciliation/reconcile.ts — compares totals with a host, and closes what both agree on. ADR 91.
import type { Clock } from '../../../engine/ports/clock.ts'
import { composeMessage, type Values } from '../compose.ts'
import type { HostConnection } from '../connection/host-connection.ts'
import type { Dialect } from '../dialect.ts'
import type { UnpackedMessage } from '../message-codec.ts'
import type { Journal } from '../orders/journal.ts'
import type { Numbers } from '../orders/numbers.ts'
import { identityOf } from '../orders/order-parts.ts'
import { codeOf } from '../orders/reading-answers.ts'
import { timesOf } from '../times.ts'
import { type Batch, batchesOf, TOTAL_NAMES, totalsValues } from './batches.ts'

export interface ReconciliationParts {
  readonly dialect: Dialect
  readonly connection: HostConnection
  readonly journal: Journal
  readonly numbers: Numbers
  readonly clock: Clock
  readonly settingsOf: (account: string) => Values
  readonly timeZone: string
}

/** What the host says. `unanswered`: nothing is known, and nothing was closed here. */
export type Verdict = 'balanced' | 'out_of_balance' | 'refused' | 'unanswered'

export interface Reconciled {
  readonly batch: Batch
  readonly verdict: Verdict
  /** Response code; null without an answer. */
  readonly code: string | null
  /** Totals of the host, by field, as far as its answer has them. */
  readonly theirs: Readonly<Record<number, string>>
  /** Whether the host has the same net amount; null when it does not say. */
  readonly isSameNet: boolean | null
  /** Whether the batch is closed: its orders are in no later one. */
  readonly isClosed: boolean
}

const SETTLEMENT = 66
const BALANCED = { '1987': ['00'], '1993': ['500'] } as const
const DIFFERENT = { '1987': ['95'], '1993': ['501'] } as const
/** Sendings of one reconciliation, where the dialect has a repetition. */
const MOST_TRIES = 3

/** Asks the host about each open batch. @throws Error when the dialect has no reconciliation; Refused when a field has no value */
export async function reconcile(parts: ReconciliationParts): Promise<readonly Reconciled[]> {
  const done: Reconciled[] = []
  for (const batch of batchesOf(parts.dialect, await parts.journal.all())) {
    const answer = await ask(parts, batch)
    const read = readAnswer(parts.dialect, batch, answer)
    if (read.isClosed) await close(parts, batch)
    done.push({ batch, ...read })
  }
  return done
}

async function ask({ dialect, connection, numbers, clock, settingsOf, timeZone }: ReconciliationParts, batch: Batch) {
  const message = dialect.messages.reconcile
  if (message === undefined) throw new Error('the dialect has no reconciliation')
  const { standard, timers } = dialect.document
  const times = timesOf(standard, clock.now(), timeZone)
  const date = standard === '1993' ? times[12].slice(0, 6) : (times[13] ?? '')
  const named = { 41: batch.terminal, ...(batch.merchant === '' ? {} : { 42: batch.merchant }) }
  const fixed = { ...settingsOf(batch.account), ...named, ...times, 15: date, ...totalsValues(dialect, batch) }
  const values = { ...fixed, 11: await numbers.stan(identityOf(dialect, fixed)) }
  const tries = message.repeat === null ? 1 : MOST_TRIES
  for (let sent = 0; sent < tries; sent += 1) {
    const slot = await connection.acquire(timers.connectMs)
    if (slot === null) continue
    const mti = sent === 0 ? message.mti : (message.repeat ?? message.mti)
    const outcome = await slot.send(composeMessage(message, values, mti), { limitMs: timers.answerMs })
    if (outcome.outcome === 'answered') return outcome.answer
  }
  return null
}

function readAnswer(dialect: Dialect, batch: Batch, answer: UnpackedMessage | null): Omit<Reconciled, 'batch'> {
  if (answer === null) return { verdict: 'unanswered', code: null, theirs: {}, isSameNet: null, isClosed: false }
  const { standard, reconciliation } = dialect.document
  const code = codeOf(answer)
  const places = TOTAL_NAMES.flatMap(name => reconciliation?.[name] ?? [])
  const numbers = [...places, ...(reconciliation?.net === undefined ? [] : [reconciliation.net])]
  const theirs = Object.fromEntries(
    numbers.flatMap(number => {
      const value = answer.fields[number]
      return typeof value === 'string' ? [[number, value] as const] : []
    }),
  )
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
