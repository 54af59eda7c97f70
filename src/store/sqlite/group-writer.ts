// src/store/sqlite/group-writer.ts — writes a group of changes in one SQL transaction with one fsync. Each change is checked
// before any part of it is written, so a refused one does not affect the others.
import assert from 'node:assert/strict'
import type { Database } from 'better-sqlite3'
import { Fault } from '../../engine/fault.ts'
import type { AccountImage } from '../../engine/ports/account-images.ts'
import type { Commit, CommitResult, ErasedRecord, Lease, RewriteBatch, TermsBatch } from '../../engine/ports/store.ts'
import { storedKey } from '../stored-keys.ts'
import { faultOf } from './faults.ts'
import { prepareImageWrites } from './images.ts'
import { changeTerms, enterTerms, removeTerms } from './term-writes.ts'
import { prepareWrites, type Writes } from './writes.ts'

/**
 * Works in a full group. Larger groups cost less per change, because they share a sync and the last page of every table and
 * index. But with all clients in one group, no requests are left to read while it is written.
 */
export const FULL_GROUP = 96
/** Works per batch. A full batch is sent within an event-loop turn, so that the writer works on it meanwhile. */
export const BATCH = 32

/** One piece of work for the writer. */
export type Work =
  | { readonly type: 'commit'; readonly commit: Commit }
  | { readonly type: 'effects_done'; readonly effectIds: readonly string[] }
  | {
      readonly type: 'put_image'
      readonly account: string
      readonly except: readonly string[]
      readonly image: AccountImage
      readonly lease: Lease | undefined
    }
  | { readonly type: 'erase'; readonly records: readonly ErasedRecord[] }
  | { readonly type: 'rewrite'; readonly batch: RewriteBatch }
  | { readonly type: 'enter_terms'; readonly batch: TermsBatch }
  | { readonly type: 'forget_expired'; readonly now: number; readonly limit: number }
  /** Its outcome is the new fence of the only lane. */
  | { readonly type: 'claim' }

/** The result of a commit, the number of rows of other work, or the error of this work alone. */
export type Outcome = CommitResult | number | { readonly error: unknown }

/** Writes groups, one after the other. When a method throws, the group is rolled back and none of it is written. */
export interface GroupWriter {
  /** Writes these in the open group, or begins one. Readers do not see them before `end`. */
  add(works: readonly Work[]): void
  /** Commits the open group, if any, to disk. Returns an outcome for each work, in order. */
  end(): readonly Outcome[]
  /**
   * Writes these as their own group without a sync. A power failure may undo it; the work is then repeated. For bookkeeping
   * only, while no group is open.
   */
  writeUnsynced(works: readonly Work[]): readonly Outcome[]
}

/**
 * Creates a group writer.
 * @param options `outside`: this program is not the gateway; its events are marked for the gateway to read
 */
export function groupWriter(database: Database, { outside = false }: { readonly outside?: boolean } = {}): GroupWriter {
  const writes = prepareWrites(database)
  const putImage = prepareImageWrites(database, writes)
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  /** The lane's fence for the open group; read with the first commit that has a lease. */
  let fence: number | null = null
  const isHeld = (lease: Lease): boolean => {
    fence ??= writes.fence.get() ?? 0
    return lease.fence === fence
  }
  const plainly = (work: Work) => perform({ writes, putImage, outside, isHeld }, work)
  const isolated = isolate(database, plainly)
  let works: Work[] = []
  let outcomes: Outcome[] = []
  let write = plainly

  function open(): void {
    begin.run()
    fence = null
  }

  function close(): void {
    works = []
    outcomes = []
    write = plainly
  }

  function undo(): void {
    if (database.inTransaction) rollback.run()
  }

  function add(added: readonly Work[]): void {
    try {
      works.push(...added)
      if (!database.inTransaction) open()
      for (const work of added) outcomes.push(write(work))
    } catch (error) {
      undo()
      isolateOrThrow(error)
    }
  }

  /**
   * A failing disk or a busy database fails the whole group. Any other error is a bug of one change: rare enough that the
   * group is written again, slower, with each change isolated.
   */
  function isolateOrThrow(error: unknown): void {
    if (works.length === 1 || write === isolated || faultOf(error, database.name) instanceof Fault) {
      close()
      throw error
    }
    const again = works
    close()
    write = isolated
    add(again)
  }

  function end(): readonly Outcome[] {
    const [group, ended] = [works, outcomes]
    try {
      if (ended.length > 0) commit.run()
      return ended
    } catch (error) {
      undo()
      return readBack(group, ended, error)
    } finally {
      close()
      undo()
    }
  }

  /**
   * Checks whether a failed COMMIT has taken effect. A group is written whole or not at all, so its last written record decides.
   * @throws `error` when it is not there, Fault `store_gone` when the database does not answer.
   */
  function readBack(group: readonly Work[], ended: readonly Outcome[], error: unknown): readonly Outcome[] {
    const last = group.findLast((work, index) => work.type === 'commit' && ended[index] === 'written')
    if (last?.type !== 'commit' || !isStored(last.commit)) throw error
    return ended
  }

  function isStored({ kind, account, id, version, body }: Commit): boolean {
    try {
      const stored = writes.storedBody.get(kind, account, id)
      return stored?.version === version && stored.body === body
    } catch (cause) {
      throw new Fault('store_gone', { cause, detail: database.name })
    }
  }

  return {
    add,
    end,
    writeUnsynced(works) {
      database.pragma('synchronous = NORMAL')
      try {
        add(works)
        return end()
      } finally {
        database.pragma('synchronous = FULL')
      }
    },
  }
}

/** Marks of performed effects need no sync, because an effect may be performed twice. A sync would delay real changes. */
export function isBookkeeping({ type }: Work): boolean {
  return type === 'effects_done'
}

/** Runs each work in its own savepoint: its error becomes its outcome. An error that ends the transaction is thrown. */
function isolate(database: Database, write: (work: Work) => Outcome): (work: Work) => Outcome {
  const savepoint = database.transaction(write)
  return work => {
    try {
      return savepoint(work)
    } catch (error) {
      if (!database.inTransaction) throw error
      return { error }
    }
  }
}

interface Writing {
  readonly writes: Writes
  readonly putImage: ReturnType<typeof prepareImageWrites>
  readonly outside: boolean
  isHeld(lease: Lease): boolean
}

function perform(writing: Writing, work: Work): Outcome {
  const { writes, putImage } = writing
  switch (work.type) {
    case 'commit':
      return writeCommit(writing, work.commit)
    case 'effects_done':
      for (const effectId of work.effectIds) writes.deleteEffect.run(effectId)
      return work.effectIds.length
    case 'put_image':
      if (work.lease !== undefined && !writing.isHeld(work.lease)) return 'lease_lost'
      return putImage(work.account, work.except, work.image)
    case 'erase':
      return work.records.filter(record => eraseRecord(writes, record)).length
    case 'rewrite':
      return rewrite(writes, work.batch)
    case 'enter_terms':
      return enterTerms(writes, work.batch)
    case 'forget_expired':
      return writes.forgetExpired.run(work.now, work.limit).changes
    case 'claim':
      return claim(writes)
  }
}

/** A gateway claims with an empty cache, so the marked events of the command line are obsolete. */
function claim(writes: Writes): number {
  writes.forgetOthersEvents.run()
  const fence = writes.nextFence.get()
  assert(fence !== undefined, 'the migration has made the lane')
  return fence
}

/**
 * Checks the idempotency key first: a repeated request must get the first answer again, not an error about a moved record
 * or about a terminal that is busy with the request itself.
 */
function writeCommit({ writes, outside, isHeld }: Writing, commit: Commit): CommitResult {
  const { account, idempotency } = commit
  if (commit.lease !== undefined && !isHeld(commit.lease)) return 'lease_lost'
  if (idempotency !== null) {
    const expiresAt = writes.idempotencyExpiry.get(account, idempotency.key)
    if (expiresAt !== undefined && expiresAt > commit.at) return 'idempotency_key_taken'
  }
  const placed = commit.expectedVersion === 0 ? insertRow(writes, commit) : updateRow(writes, commit)
  if (typeof placed === 'string') return placed
  const { position, isNew } = placed
  if (commit.searchTerms !== undefined) changeTerms(writes, commit, commit.searchTerms, placed)
  for (const event of commit.events) {
    const written = writes.insertEvent.run(position, account, event.version, event.at, event.type, event.body)
    if (outside) writes.markOthersEvent.run(written.lastInsertRowid)
  }
  for (const effectId of commit.effectsDone) writes.deleteEffect.run(effectId)
  for (const effect of commit.effects) writes.insertEffect.run(effect.effectId, position, effect.type, effect.body)
  if (commit.timers !== null) {
    if (!isNew) writes.deleteTimers.run(position)
    for (const timer of commit.timers) writes.insertTimer.run(position, timer.name, timer.dueAt)
  }
  if (commit.uniqueKeys !== undefined)
    for (const uniqueKey of commit.uniqueKeys) writes.insertUniqueKey.run(storedKey(account, uniqueKey), position)
  if (idempotency !== null) {
    const { key, fingerprint, answer, expiresAt } = idempotency
    writes.writeIdempotency.run(account, key, fingerprint, answer, expiresAt)
  }
  return 'written'
}

function rewrite(writes: Writes, { name, progress, records, events }: RewriteBatch): number {
  let written = 0
  for (const { place, before, body } of records) written += writes.rewriteRecord.run(body, place, before).changes
  for (const { place, before, body } of events) written += writes.rewriteEvent.run(body, place, before).changes
  writes.writeProgress.run(name, progress.after, progress.finished ? 1 : 0)
  return written
}

export interface WrittenRow {
  readonly position: number | bigint
  readonly isNew: boolean
}

/** One statement checks and writes. The reason of a conflict is looked up only when it has written nothing. */
function insertRow(writes: Writes, commit: Commit): WrittenRow | CommitResult {
  const { kind, account, id, version, parent, body, at } = commit
  if (isTaken(writes, commit, undefined)) return conflictOf(writes, commit)
  const live = commit.live ? 1 : 0
  const lockKey = heldKeyOf(commit)
  const insert = writes.insertRecord
  const { changes, lastInsertRowid } = insert.run(kind, account, id, version, parent, live, lockKey, at, at, body)
  return changes === 1 ? { position: lastInsertRowid, isNew: true } : conflictOf(writes, commit)
}

/** The lock key that the record occupies, as it is stored. */
function heldKeyOf({ account, live, lockKey }: Commit): string | null {
  return live && lockKey !== null ? storedKey(account, lockKey) : null
}

/** Why a new record cannot be inserted; the first reason in this order. */
function conflictOf(writes: Writes, commit: Commit): CommitResult {
  if (writes.record.get(commit.kind, commit.account, commit.id) !== undefined) return 'version_moved'
  const lockKey = heldKeyOf(commit)
  const isLockTaken = lockKey !== null && writes.holder.get(lockKey) !== undefined
  return isLockTaken ? 'lock_key_taken' : 'unique_key_taken'
}

function updateRow(writes: Writes, commit: Commit): WrittenRow | CommitResult {
  const { kind, account, id, version, parent, body, at } = commit
  const before = writes.record.get(kind, account, id)
  if (before === undefined || before.version !== commit.expectedVersion) return 'version_moved'
  const { position } = before
  const live = commit.live ? 1 : 0
  const lockKey = heldKeyOf(commit)
  if (lockKey !== null && lockKey !== before.lockKey && writes.holder.get(lockKey) !== undefined)
    return 'lock_key_taken'
  if (isTaken(writes, commit, before)) return 'unique_key_taken'
  // Most changes do not affect indexed columns; then no index is written.
  if (before.live === live && before.lockKey === lockKey && before.parent === parent)
    writes.updateBody.run(version, at, body, position)
  else writes.updateRecord.run(version, at, body, parent, live, lockKey, position)
  return { position, isNew: false }
}

/** Erases a record. Its unique keys stay taken, without a record. */
function eraseRecord(writes: Writes, record: ErasedRecord): boolean {
  const { kind, account, id, version } = record
  const before = writes.record.get(kind, account, id)
  if (before?.version !== version) return false
  const { position } = before
  removeTerms(writes, record, record.terms ?? [], position)
  for (const statement of [writes.deleteEvents, writes.deleteEffects, writes.deleteTimers, writes.detachUniqueKeys])
    statement.run(position)
  writes.deleteRecord.run(position)
  return true
}

/** Whether another record has taken one of these keys. */
function isTaken(writes: Writes, { account, uniqueKeys = [] }: Commit, before: Before): boolean {
  return uniqueKeys.some(uniqueKey => {
    const uniqueHolder = writes.uniqueHolder.get(storedKey(account, uniqueKey))
    return uniqueHolder !== undefined && uniqueHolder !== before?.position
  })
}

type Before = ReturnType<Writes['record']['get']>
