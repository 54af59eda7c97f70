// src/engine/rewriting.ts — completes stored records and events of version 0.1, in batches while the gateway runs.
import { completeEventBody, completeRecordBody, SHORTENED_EVENTS, SHORTENED_KINDS } from './completion.ts'
import type { Alarm, Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { BodyChange, Store } from './ports/store.ts'

/** Rows per batch. A batch takes the writer some milliseconds. */
const BATCH = 500
/** Pause between two batches: a million rows take some minutes, and a tenth of the writer's time. */
const PAUSE_MS = 50
/** Delay after a failure, in milliseconds. */
const FAILED_MS = 10 * 60 * 1_000
/** Batches per progress line in the log. */
const BATCHES_A_LINE = 40

export interface Rewriting {
  /** Resumes where an earlier run stopped. */
  start(): void
  stop(): void
}

/** One pass over the rows of a kind. */
interface Step {
  /** Name of its progress in the store. */
  readonly name: string
  /** Reads the rows after a position and computes their changes. */
  batch(after: number): Promise<Batch>
}

interface Batch {
  readonly changes: { readonly records: readonly BodyChange[]; readonly events: readonly BodyChange[] }
  /** Position of the last row; null when there are no more. */
  readonly next: number | null
}

/** Creates the job. Nothing is rewritten before `start`. */
export function createRewriting(parts: { readonly store: Store; readonly clock: Clock; readonly log: Log }): Rewriting {
  const { store, clock, log } = parts
  const steps = [...SHORTENED_KINDS.map(kind => recordsOf(store, kind)), events(store)]
  let alarm: Alarm | null = null
  let stopped = false

  function later(ms: number, work: () => Promise<void>): void {
    if (!stopped) alarm = clock.alarm(clock.now() + ms, () => void work())
  }

  async function begin(index: number): Promise<void> {
    const step = steps[index]
    if (step === undefined || stopped) return
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
    try {
      const { changes, next } = await step.batch(after)
      const progress = { after: next ?? after, finished: next === null }
      const rewritten = done.rewritten + (await store.rewrite({ name: step.name, progress, ...changes }))
      const batches = done.batches + 1
      const isLine = rewritten > 0 && (next === null || batches % BATCHES_A_LINE === 0)
      if (isLine) log.info({ step: step.name, rewritten, ...progress }, 'rewriting what version 0.1 stored')
      if (next === null) await begin(index + 1)
      else later(PAUSE_MS, () => goOn(index, step, next, { batches, rewritten }))
    } catch (error) {
      failed(index, step, error)
    }
  }

  function failed(index: number, { name }: Step, error: unknown): void {
    if (stopped) return
    log.warn({ step: name, error: String(error) }, 'rewriting has failed and is tried again in ten minutes')
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

function recordsOf(store: Store, kind: string): Step {
  return {
    name: `whole records: ${kind}`,
    async batch(after) {
      const rows = await store.all(kind, { after, limit: BATCH })
      const records = rows.flatMap(({ position, body }) => changeOf(position, body, completeRecordBody(kind, body)))
      return { changes: { records, events: [] }, next: rows.at(-1)?.position ?? null }
    },
  }
}

function events(store: Store): Step {
  return {
    name: 'whole events',
    async batch(after) {
      const rows = await store.allEvents(after, BATCH)
      const events = rows
        .filter(({ type }) => SHORTENED_EVENTS.includes(type))
        .flatMap(({ cursor, kind, body }) => changeOf(cursor, body, completeEventBody(kind, body)))
      return { changes: { records: [], events }, next: rows.at(-1)?.cursor ?? null }
    },
  }
}

function changeOf(place: number, before: string, body: string): readonly BodyChange[] {
  return body === before ? [] : [{ place, before, body }]
}
