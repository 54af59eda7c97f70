// src/engine/fold.ts — folds events into a record, and into the commit that stores them.
import type { EventEnvelope, Timer } from '../domain/machine.ts'
import { decodeRecord } from './decoding.ts'
import type { Machine } from './machines.ts'
import type { Commit, Idempotency, Key, StoredEffect, StoredRecord, StoredTimer } from './ports/store.ts'
import { termChanges } from './search-terms.ts'

/** What a command adds to the commit of its events. */
export interface CommitOptions {
  readonly effectsDone?: readonly string[]
  readonly idempotency?: Idempotency
}

/** The part of a change that is published once it is written. */
export interface Published<R> {
  readonly record: R
  readonly effects: readonly StoredEffect[]
  /** All timers of the record from now on; null when they do not change. */
  readonly timers: readonly StoredTimer[] | null
}

/** The events and their results, in the form that the store takes. */
interface Folded<R> extends Published<R> {
  readonly events: Commit['events']
  /** Empty when the events take none. */
  readonly uniqueKeys: readonly string[]
  /** Undefined for kinds that are not searched. */
  readonly searchTerms: Commit['searchTerms']
}

const NONE: readonly never[] = []

/** Folds events into the record. Objects are built field by field: spreads cost more than the whole decision. */
export function fold<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
  machine: Machine<R, C, F, E>,
  { account, kind, id }: Key,
  before: R | null,
  { events, now, report }: { readonly events: readonly E[]; readonly now: number; readonly report: number },
): Folded<R> {
  const written: Commit['events'][number][] = []
  const effects: StoredEffect[] = []
  const uniqueKeys: string[] = []
  let record = before
  for (const event of events) {
    const envelope: EventEnvelope<E> = { event, at: now, report }
    record = machine.apply(record, envelope)
    written.push({ version: record.version, at: now, type: event.type, body: JSON.stringify(envelope) })
    for (const { id: effectId, type, payload } of machine.effectsOf(event, record))
      effects.push({ account, kind, id, effectId, type, body: JSON.stringify(payload) })
    if (machine.uniqueKeysOf !== undefined) uniqueKeys.push(...machine.uniqueKeysOf(event, record))
  }
  if (record === null) throw new Error(`${machine.kind}: no events to fold`)
  const changed = changedTimers(machine, before, record)
  const timers = changed?.map(({ name, dueAt }) => ({ account, kind, id, name, dueAt })) ?? null
  const searchTerms =
    machine.searchTermsOf === undefined
      ? undefined
      : termChanges(before === null ? NONE : machine.searchTermsOf(before), machine.searchTermsOf(record))
  return { record, events: written, effects, timers, uniqueKeys, searchTerms }
}

/** All search terms of a stored record. */
export function storedTermsOf<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
  machine: Machine<R, C, F, E>,
  { body }: StoredRecord,
): readonly string[] {
  return machine.searchTermsOf?.(decodeRecord(machine, body)) ?? NONE
}

/** All timers of the record from now on; null when they do not change. */
function changedTimers<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
  machine: Machine<R, C, F, E>,
  before: R | null,
  after: R,
): readonly Timer[] | null {
  const wanted = machine.timersOf(after)
  const had = before === null ? NONE : machine.timersOf(before)
  const same =
    wanted.length === had.length &&
    wanted.every((timer, index) => timer.name === had[index]?.name && timer.dueAt === had[index]?.dueAt)
  return same ? null : wanted
}

export function commitOf<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
  machine: Machine<R, C, F, E>,
  { account, kind, id }: Key,
  expectedVersion: number,
  { record, events, effects, timers, uniqueKeys, searchTerms }: Folded<R>,
  options: CommitOptions,
): Commit {
  const { parent, live, lockKey } = machine.indexColumnsOf(record)
  return {
    account,
    kind,
    id,
    parent,
    live,
    lockKey,
    expectedVersion,
    version: record.version,
    body: JSON.stringify(record),
    at: events.at(-1)?.at ?? 0,
    events,
    effects,
    effectsDone: options.effectsDone ?? NONE,
    timers,
    idempotency: options.idempotency ?? null,
    ...(uniqueKeys.length === 0 ? {} : { uniqueKeys }),
    ...(searchTerms === undefined ? {} : { searchTerms }),
  }
}
