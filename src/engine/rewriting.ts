// src/engine/rewriting.ts — stores old records and events whole, in batches while the gateway serves.
import { completeEventBody, completeRecordBody, SHORTENED_EVENTS, SHORTENED_KINDS } from './completion.ts'
import type { Alarm, Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { BodyChange, Store } from './ports/store.ts'

/** Rows looked at at a time. A batch takes some milliseconds of the writer. */
const BATCH = 500
/** Between two batches: a million rows take some minutes, and a tenth of the writer's time. */
const PAUSE_MS = 50
/** After a failure the store is not asked again at once. */
const FAILED_MS = 10 * 60 * 1_000
/** Batches between two lines of progress in the log. */
const BATCHES_A_LINE = 40

export interface Rewriting {
  /** Begins where an earlier run has got to. */
  start(): void
  stop(): void
}

/** What is rewritten in one go, from the first row to the last. */
interface Step {
  /** Names its progress in the store. */
  readonly name: string
  /** The rows behind a place, with what is to be changed in them. */
  batch(after: number): Promise<Batch>
}

interface Batch {
  readonly changes: { readonly records: readonly BodyChange[]; readonly events: readonly BodyChange[] }
  /** Place of the last row; null when there are no more. */
  readonly next: number | null
}

/** Builds it; nothing is rewritten before `start`. */
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
