// src/store/postgres/group-plan.ts — decides the commits of a group in their order, and collects what it writes.
import type { Commit, CommitResult, Idempotency } from '../../engine/ports/store.ts'
import { isAccountKey } from '../../engine/ports/store.ts'
import { dayOf } from '../days.ts'
import { type GroupState, heldKeyOf, nameOf, nameOfRecord, type RecordState, uniqueKeysOf } from './group-state.ts'

/** A record that the group writes, as its last commit leaves it. */
export interface WrittenRecord {
  readonly record: RecordState
  /** As it is stored; null for a new one. */
  readonly before: Pick<RecordState, 'version' | 'parent' | 'live' | 'lockKey'> | null
  at: number
  body: string
}

/** What is numbered, in the order of its numbers. */
export interface Numbered<Value> {
  readonly record: RecordState
  readonly value: Value
  number: number
}

export interface EnteredTerm {
  readonly record: RecordState
  readonly term: string
  readonly isEntered: boolean
}

export interface TakenKey {
  readonly record: RecordState
  /** As it is stored. */
  readonly key: string
}

/** What a group writes. Of several commits that write the same row, the last one counts. */
export interface GroupChanges {
  /** Keyed by `nameOfRecord`. */
  readonly records: Map<string, WrittenRecord>
  readonly events: Numbered<Commit['events'][number]>[]
  /** Keyed by `nameOf` account and effect id. */
  readonly effects: Map<string, Numbered<Commit['effects'][number]>>
  readonly doneEffects: { readonly account: string; readonly effectId: string }[]
  /** All timers of each record, keyed by `nameOfRecord`. */
  readonly timers: Map<string, { readonly record: RecordState; readonly timers: NonNullable<Commit['timers']> }>
  readonly uniqueKeys: TakenKey[]
  /** Keyed by the key. */
  readonly takenAccountKeys: Map<string, TakenKey>
  readonly freedAccountKeys: { readonly account: string; readonly key: string }[]
  /** Keyed by `nameOf` account and key. */
  readonly idempotency: Map<string, Idempotency & { readonly account: string }>
  readonly terms: Map<string, EnteredTerm>
  /** New records, for the index by day. */
  readonly days: { readonly record: RecordState; readonly day: number }[]
}

/** The result of a commit, or the error of this commit alone. */
export type Decided = CommitResult | { readonly error: unknown }

export function emptyChanges(): GroupChanges {
  return {
    ...{ records: new Map(), events: [], effects: new Map(), doneEffects: [], timers: new Map(), uniqueKeys: [] },
    ...{ takenAccountKeys: new Map(), freedAccountKeys: [], idempotency: new Map(), terms: new Map(), days: [] },
  }
}

/**
 * Decides a commit on the state that the database and the earlier commits of the group have left. A refused one changes neither.
 * Checks the idempotency key first: a repeated request must get the first answer again, not an error about a moved record or
 * about a terminal that is busy with the request itself.
 */
export function decideCommit(state: GroupState, changes: GroupChanges, commit: Commit): Decided {
  const { account, lease, idempotency } = commit
  if (lease !== undefined && state.fences.get(lease.lane) !== lease.fence) return 'lease_lost'
  if (idempotency !== null) {
    const expiresAt = state.idempotency.get(nameOf(account, idempotency.key))
    if (expiresAt !== undefined && expiresAt > commit.at) return 'idempotency_key_taken'
  }
  const before = state.records.get(nameOfRecord(commit))
  if (commit.expectedVersion === 0 ? before !== undefined : before?.version !== commit.expectedVersion)
    return 'version_moved'
  const lockKey = heldKeyOf(commit)
  if (lockKey !== null && lockKey !== before?.lockKey && isLocked(state, account, lockKey)) return 'lock_key_taken'
  if (uniqueKeysOf(commit).some(key => isTaken(state, commit, key))) return 'unique_key_taken'
  const twice = repeatedEffect(changes, commit)
  if (twice !== null) return { error: new Error(`effect ${twice} is not performed yet`) }
  const record = writeRecord(state, changes, commit, before)
  writeKeys(state, changes, commit, record)
  writeRest(changes, commit, record)
  return 'written'
}

/** The works of a group must be written one after the other. */
export class NotTogether extends Error {}

/**
 * Removes an effect. @throws NotTogether when the group itself is to insert it: only the database knows whether that may be. An effect
 * is performed after its commit, so this happens in no gateway.
 */
export function markDone(changes: GroupChanges, account: string, effectId: string): void {
  if (changes.effects.has(nameOf(account, effectId))) throw new NotTogether(`effect ${effectId} is added and done`)
  changes.doneEffects.push({ account, effectId })
}

function isLocked(state: GroupState, account: string, key: string): boolean {
  return state.lockKeys.has(nameOf(account, key)) || (isAccountKey(key) && state.accountKeys.has(key))
}

/** Whether another record has taken this key, or one that is erased. */
function isTaken(state: GroupState, { account, kind, id }: Commit, key: string): boolean {
  const holders = [
    state.uniqueKeys.get(nameOf(account, key)),
    isAccountKey(key) ? state.accountKeys.get(key) : undefined,
  ]
  return holders.some(
    holder => holder !== undefined && (holder.account !== account || holder.kind !== kind || holder.id !== id),
  )
}

/** An effect that is inserted twice in this group; null when there is none. The database finds those of earlier groups. */
function repeatedEffect({ effects }: GroupChanges, { account, effectsDone, effects: added }: Commit): string | null {
  const seen = new Set<string>()
  for (const { effectId } of added) {
    const isPending = effects.has(nameOf(account, effectId)) && !effectsDone.includes(effectId)
    if (isPending || seen.has(effectId)) return effectId
    seen.add(effectId)
  }
  return null
}

function writeRecord(
  state: GroupState,
  changes: GroupChanges,
  commit: Commit,
  before: RecordState | undefined,
): RecordState {
  const { account, kind, id, version, parent, live, at, body } = commit
  const lockKey = heldKeyOf(commit)
  const name = nameOfRecord(commit)
  const record = before ?? { account, kind, id, version, parent, live, lockKey: null, position: null, createdAt: at }
  const written = changes.records.get(name)
  if (written === undefined) {
    const columns = before === undefined ? null : { ...before }
    changes.records.set(name, { record, before: columns, at, body })
  } else Object.assign(written, { at, body })
  if (record.lockKey !== lockKey) {
    if (record.lockKey !== null) freeLockKey(state, changes, account, record.lockKey)
    if (lockKey !== null) {
      state.lockKeys.set(nameOf(account, lockKey), { account, kind, id })
      if (isAccountKey(lockKey)) takeAccountKey(state, changes, record, lockKey)
    }
  }
  Object.assign(record, { version, parent, live, lockKey })
  state.records.set(name, record)
  return record
}

function freeLockKey(state: GroupState, changes: GroupChanges, account: string, key: string): void {
  state.lockKeys.delete(nameOf(account, key))
  if (!isAccountKey(key)) return
  state.accountKeys.delete(key)
  if (!changes.takenAccountKeys.delete(key)) changes.freedAccountKeys.push({ account, key })
}

function takeAccountKey(state: GroupState, changes: GroupChanges, record: RecordState, key: string): void {
  const { account, kind, id } = record
  state.accountKeys.set(key, { account, kind, id })
  changes.takenAccountKeys.set(key, { record, key })
}

function writeKeys(state: GroupState, changes: GroupChanges, commit: Commit, record: RecordState): void {
  const { account, kind, id, idempotency } = commit
  for (const key of uniqueKeysOf(commit)) {
    const name = nameOf(account, key)
    // Taking a key again changes nothing.
    if (state.uniqueKeys.has(name)) continue
    state.uniqueKeys.set(name, { account, kind, id })
    changes.uniqueKeys.push({ record, key })
    if (isAccountKey(key)) takeAccountKey(state, changes, record, key)
  }
  if (idempotency === null) return
  const name = nameOf(account, idempotency.key)
  state.idempotency.set(name, idempotency.expiresAt)
  changes.idempotency.set(name, { ...idempotency, account })
}

function writeRest(changes: GroupChanges, commit: Commit, record: RecordState): void {
  const { account, events, effects, effectsDone, timers, searchTerms, expectedVersion, at } = commit
  for (const value of events) changes.events.push({ record, value, number: 0 })
  for (const effectId of effectsDone) markDone(changes, account, effectId)
  for (const value of effects) changes.effects.set(nameOf(account, value.effectId), { record, value, number: 0 })
  if (timers !== null) changes.timers.set(nameOfRecord(commit), { record, timers })
  if (searchTerms === undefined) return
  if (expectedVersion === 0) changes.days.push({ record, day: dayOf(at) })
  for (const term of searchTerms.removed) changes.terms.set(termName(record, term), { record, term, isEntered: false })
  for (const term of searchTerms.added) changes.terms.set(termName(record, term), { record, term, isEntered: true })
}

function termName(record: RecordState, term: string): string {
  return nameOf(nameOfRecord(record), term)
}
