// src/store/sqlite/group-writer.ts — writes a group of changes in one SQL transaction, so that they share one fsync. What
// a change is refused for is looked up before anything of it is written, so a refused one leaves its neighbours alone.
import assert from 'node:assert/strict'
import type { Database } from 'better-sqlite3'
import { Fault } from '../../engine/fault.ts'
import type { AccountImage } from '../../engine/ports/account-images.ts'
import type { Commit, CommitResult, Key, Lease, RewriteBatch } from '../../engine/ports/store.ts'
import { faultOf } from './faults.ts'
import { prepareImageWrites } from './images.ts'
import { prepareWrites, type Writes } from './writes.ts'

/**
 * So many end a group. Larger ones cost less for each change: they share a sync, and the page at the end of every table and
 * index is written once for all. But with all who ask in the same group nobody is left to be read while it is written.
 */
export const FULL_GROUP = 96
/** So many are sent to the writer at a time, in the middle of a turn of the event loop: it works on them meanwhile. */
export const BATCH = 32

/** One thing to write. */
export type Work =
  | { readonly type: 'commit'; readonly commit: Commit }
  | { readonly type: 'effects_done'; readonly effectIds: readonly string[] }
  | {
      readonly type: 'put_image'
      readonly account: string
      readonly except: readonly string[]
      readonly image: AccountImage
    }
  | { readonly type: 'erase'; readonly records: readonly (Key & { readonly version: number })[] }
  | { readonly type: 'rewrite'; readonly batch: RewriteBatch }
  | { readonly type: 'forget_expired'; readonly now: number; readonly limit: number }
  /** Its outcome is the new fence of the only lane. */
  | { readonly type: 'claim' }

/** What became of it: the result of a change, the number of rows of other work, or what went wrong with this one alone. */
export type Outcome = CommitResult | number | { readonly error: unknown }

/** Writes groups, one after the other. When a method throws, the group is gone, and none of it counts as written. */
export interface GroupWriter {
  /** Writes these in the group that is open, or begins one. Nothing of it is there to be read before `end`. */
  add(works: readonly Work[]): void
  /** Ends the group, if one is open: all of it is on the disk then. Returns an outcome for each, in their order. */
  end(): readonly Outcome[]
  /**
   * Writes these as a group of their own, and does not wait for the disk: what is lost with the power is then found
   * undone, and done again. For bookkeeping, while no group is open.
   */
  writeUnsynced(works: readonly Work[]): readonly Outcome[]
}

/** @param options `outside`: for another program than the gateway, which is to read its events */
export function groupWriter(database: Database, { outside = false }: { readonly outside?: boolean } = {}): GroupWriter {
  const writes = prepareWrites(database)
  const putImage = prepareImageWrites(database)
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  /** The lane's fence as of the group that is open; read with the first commit that has a lease. */
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
   * A failing disk or a busy database is everybody's. What else is thrown is the bug of one change, and so rare that it
   * may cost the group a second, slower pass.
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
    const [asked, ended] = [works, outcomes]
    try {
      if (ended.length > 0) commit.run()
      return ended
    } catch (error) {
      undo()
      return readBack(asked, ended, error)
    } finally {
      close()
      undo()
    }
  }

  /**
   * A COMMIT that failed may have been carried out. A group is written whole or not at all, so its last written record tells.
   * @throws `error` when it is not there, Fault `store_gone` when the database does not answer.
   */
  function readBack(asked: readonly Work[], ended: readonly Outcome[], error: unknown): readonly Outcome[] {
    const last = asked.findLast((work, index) => work.type === 'commit' && ended[index] === 'written')
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

/** That an effect is done need not be durable: it may be performed twice. A sync for it would hold up real changes. */
export function isBookkeeping({ type }: Work): boolean {
  return type === 'effects_done'
}

/** Gives each its own savepoint: what one of them throws becomes its outcome. An error that ends it all is thrown. */
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
      return putImage(work.account, work.except, work.image)
    case 'erase':
      return work.records.filter(record => eraseRecord(writes, record)).length
    case 'rewrite':
      return rewrite(writes, work.batch)
    case 'forget_expired':
      return writes.forgetExpired.run(work.now, work.limit).changes
    case 'claim':
      return claim(writes)
  }
}

/** The gateway that claims begins with an empty memory: events of the command line until now are no news to it. */
function claim(writes: Writes): number {
  writes.forgetOthersEvents.run()
  const fence = writes.nextFence.get()
  assert(fence !== undefined, 'the migration has made the lane')
  return fence
}

/**
 * The idempotency key comes first: whoever sends a request twice is to get the first answer again, and not hear that
 * the record has moved on or that the terminal is busy — with the very request he repeats.
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
  if (commit.uniqueKeys !== undefined) for (const claim of commit.uniqueKeys) writes.keepClaim.run(claim, position)
  if (idempotency !== null) {
    const { key, fingerprint, answer, expiresAt } = idempotency
    writes.keepIdempotency.run(account, key, fingerprint, answer, expiresAt)
  }
  return 'written'
}

function rewrite(writes: Writes, { name, progress, records, events }: RewriteBatch): number {
  let written = 0
  for (const { place, before, body } of records) written += writes.rewriteRecord.run(body, place, before).changes
  for (const { place, before, body } of events) written += writes.rewriteEvent.run(body, place, before).changes
  writes.keepProgress.run(name, progress.after, progress.finished ? 1 : 0)
  return written
}

interface WrittenRow {
  readonly position: number | bigint
  readonly isNew: boolean
}

/** One statement decides and writes: what is in the way is only looked for when it has written nothing. */
function insertRow(writes: Writes, commit: Commit): WrittenRow | CommitResult {
  const { kind, account, id, version, parent, body, at, uniqueKeys } = commit
  if (uniqueKeys !== undefined && isTaken(writes, uniqueKeys, undefined)) return inTheWay(writes, commit)
  const live = commit.live ? 1 : 0
  const lockKey = commit.live ? commit.lockKey : null
  const insert = writes.insertRecord
  const { changes, lastInsertRowid } = insert.run(kind, account, id, version, parent, live, lockKey, at, at, body)
  return changes === 1 ? { position: lastInsertRowid, isNew: true } : inTheWay(writes, commit)
}

/** Why a new record cannot be: in this order, whatever else there is. */
function inTheWay(writes: Writes, { kind, account, id, live, lockKey }: Commit): CommitResult {
  if (writes.record.get(kind, account, id) !== undefined) return 'version_moved'
  const held = live && lockKey !== null && writes.holder.get(lockKey) !== undefined
  return held ? 'lock_key_taken' : 'unique_key_taken'
}

function updateRow(writes: Writes, commit: Commit): WrittenRow | CommitResult {
  const { kind, account, id, version, parent, body, at, uniqueKeys } = commit
  const before = writes.record.get(kind, account, id)
  if (before === undefined || before.version !== commit.expectedVersion) return 'version_moved'
  const { position } = before
  const live = commit.live ? 1 : 0
  const lockKey = commit.live ? commit.lockKey : null
  if (lockKey !== null && lockKey !== before.lockKey && writes.holder.get(lockKey) !== undefined)
    return 'lock_key_taken'
  if (uniqueKeys !== undefined && isTaken(writes, uniqueKeys, before)) return 'unique_key_taken'
  // Most changes leave alone what is indexed, and then no index is touched.
  if (before.live === live && before.lockKey === lockKey && before.parent === parent)
    writes.updateBody.run(version, at, body, position)
  else writes.updateRecord.run(version, at, body, parent, live, lockKey, position)
  return { position, isNew: false }
}

/** Keys that were claimed for good are claimed by no record from then on. */
function eraseRecord(writes: Writes, { kind, account, id, version }: Key & { readonly version: number }): boolean {
  const before = writes.record.get(kind, account, id)
  if (before?.version !== version) return false
  const { position } = before
  for (const statement of [writes.deleteEvents, writes.deleteEffects, writes.deleteTimers, writes.orphanClaims])
    statement.run(position)
  writes.deleteRecord.run(position)
  return true
}

/** Whether another record has taken one of these for good. */
function isTaken(writes: Writes, uniqueKeys: readonly string[], before: Before): boolean {
  return uniqueKeys.some(claim => {
    const uniqueHolder = writes.uniqueHolder.get(claim)
    return uniqueHolder !== undefined && uniqueHolder !== before?.position
  })
}

type Before = ReturnType<Writes['record']['get']>
