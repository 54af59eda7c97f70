// src/engine/rewriting.ts — brings what earlier versions stored up to date, in batches while the gateway runs: enters records
// into the indexes of lists, and completes records and events of version 0.1.
import { SEARCHED_KINDS, searchTermsOf } from './all-machines.ts'
import { completeEventBody, completeRecordBody, SHORTENED_EVENTS, SHORTENED_KINDS } from './completion.ts'
import type { Alarm, Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { BodyChange, RewriteProgress, Store, StoredRecord } from './ports/store.ts'
import { LEADS_AGAIN_MS } from './work-leases.ts'

/** Rows per batch. A batch takes the writer some milliseconds. */
const BATCH = 500
/** Pause between two batches: a million rows take some minutes, and a tenth of the writer's time. */
const PAUSE_MS = 50
/** Delay after a failure, in milliseconds. */
const FAILED_MS = 10 * 60 * 1_000
/** Batches per progress line in the log. */
const BATCHES_PER_LOG_LINE = 40

export interface Rewriting {
  /** Resumes where an earlier run stopped. */
  start(): void
  stop(): void
}

/** One pass over the rows of a kind. */
interface Step {
  /** Name of its progress in the store. */
  readonly name: string
  /** Message of its log lines. */
  readonly message: string
  /** Works on the rows after a position. Stores the changes with the progress. */
  batch(after: number): Promise<Batch>
}

interface Batch {
  /** Number of changed rows. */
  readonly written: number
  /** Position to go on after; null when there are no more rows. */
  readonly next: number | null
}

/** Creates the job. Nothing is rewritten before `start`. */
export function createRewriting(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Of several nodes one rewrites. Default: always this one. */
  readonly leads?: () => boolean
}): Rewriting {
  const { store, clock, log, leads = () => true } = parts
  const steps = [
    ...SEARCHED_KINDS.map(kind => terms(store, kind)),
    ...SHORTENED_KINDS.map(kind => recordsOf(store, kind)),
    events(store),
  ]
  let alarm: Alarm | null = null
  let stopped = false

  function later(ms: number, work: () => Promise<void>): void {
    if (!stopped) alarm = clock.alarm(clock.now() + ms, () => void work())
  }

  async function begin(index: number): Promise<void> {
    const step = steps[index]
    if (step === undefined || stopped) return
    if (!leads()) return later(LEADS_AGAIN_MS, () => begin(index))
    try {
      const { after, finished } = (await store.rewriteProgress(step.name)) ?? { after: 0, finished: false }
      if (finished) await begin(index + 1)
      else await goOn(index, step, after, { batches: 0, rewritten: 0 })
    } catch (error) {
      failed(index, step, error)
    }
  }

  async function goOn(index: number, step: Step, after: number, done: Done): Promise<void> {
    if (stopped) return
    if (!leads()) return begin(index)
    try {
      const { written, next } = await step.batch(after)
      const rewritten = done.rewritten + written
      const batches = done.batches + 1
      const isLogged = rewritten > 0 && (next === null || batches % BATCHES_PER_LOG_LINE === 0)
      if (isLogged) log.info({ step: step.name, rewritten, ...progressOf(after, next) }, step.message)
      if (next === null) await begin(index + 1)
      else later(PAUSE_MS, () => goOn(index, step, next, { batches, rewritten }))
    } catch (error) {
      failed(index, step, error)
    }
  }

  function failed(index: number, { name }: Step, error: unknown): void {
    if (stopped) return
    log.warn({ step: name, error: String(error) }, 'rewriting failed; retrying in ten minutes')
    later(FAILED_MS, () => begin(index))
  }

  return {
    start: () => void begin(0),
    stop() {
      stopped = true
      alarm?.cancel()
    },
  }
}

interface Done {
  readonly batches: number
  readonly rewritten: number
}

/** Name of the progress of a kind: until it is finished, its index lacks records. The number changes with the terms. ADR 55. */
export function termsName(kind: string): string {
  return `search terms 1: ${kind}`
}

function terms(store: Store, kind: string): Step {
  const name = termsName(kind)
  return {
    name,
    message: 'adding stored records to the list indexes',
    async batch(after) {
      const rows = await store.all(kind, { after, limit: BATCH })
      const records = rows.map(row => ({ ...keyOf(row), terms: searchTermsOf(row) ?? [] }))
      const next = rows.at(-1)?.position ?? null
      const changed = await store.enterTerms({ name, progress: progressOf(after, next), records })
      // A record that has changed since it was read is read again.
      return changed === 0 ? { written: records.length, next } : { written: 0, next: after }
    },
  }
}

function keyOf({ account, kind, id, version }: StoredRecord) {
  return { account, kind, id, version }
}

function progressOf(after: number, next: number | null): RewriteProgress {
  return { after: next ?? after, finished: next === null }
}

const COMPLETING = 'rewriting rows stored by version 0.1'

function recordsOf(store: Store, kind: string): Step {
  const name = `whole records: ${kind}`
  return {
    name,
    message: COMPLETING,
    async batch(after) {
      const rows = await store.all(kind, { after, limit: BATCH })
      const records = rows.flatMap(row => changeOf(row, row.position, completeRecordBody(kind, row.body)))
      const next = rows.at(-1)?.position ?? null
      const written = await store.rewrite({ name, progress: progressOf(after, next), records, events: [] })
      return { written, next }
    },
  }
}

function events(store: Store): Step {
  const name = 'whole events'
  return {
    name,
    message: COMPLETING,
    async batch(after) {
      const rows = await store.allEvents(after, BATCH)
      const events = rows
        .filter(({ type }) => SHORTENED_EVENTS.includes(type))
        .flatMap(row => changeOf(row, row.cursor, completeEventBody(row.kind, row.body)))
      const next = rows.at(-1)?.cursor ?? null
      const written = await store.rewrite({ name, progress: progressOf(after, next), records: [], events })
      return { written, next }
    },
  }
}

type Row = Pick<StoredRecord, 'account' | 'kind' | 'body'>

function changeOf({ account, kind, body: before }: Row, place: number, body: string): readonly BodyChange[] {
  return body === before ? [] : [{ account, kind, place, before, body }]
}
