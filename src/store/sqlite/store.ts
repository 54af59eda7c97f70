// src/store/sqlite/store.ts — the store on SQLite: one database file in the data directory, one writer thread.
import { once } from 'node:events'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { Fault } from '../../engine/fault.ts'
import type { AccountImages } from '../../engine/ports/account-images.ts'
import type { Claim, Lanes, Store } from '../../engine/ports/store.ts'
import { CommitQueue, errorOf } from './commit-queue.ts'
import { createFile, migrateFile, openForReading } from './database.ts'
import { faultOf, refuseLost } from './faults.ts'
import { type GatewayLock, takeGatewayLock } from './gateway-lock.ts'
import { followFrom } from './others-feed.ts'
import { prepareReads, type Reader } from './reader.ts'
import type { FromWriter, WriterOrder } from './writer.ts'
import { startWriterThread } from './writer-thread.ts'

/** Rows deleted at a time, so that other work does not wait long. */
const FORGET_SLICE = 1_000

/** The lock on the data directory is the lease: the operating system releases it when the process ends. ADR 48. */
export const ONE_LANE: Lanes = { count: 1, renewEveryMs: null }

/** Whether `lanes` contain the only lane; absent means all lanes. */
export function hasLane(lanes: readonly number[] | undefined): boolean {
  return lanes === undefined || lanes.includes(0)
}

export interface SqliteStoreOptions {
  /** Directory of `tollgate.db`; created when missing. */
  readonly directory: string
  /** False for the command line, which works beside a running gateway. Default true: one gateway per directory. */
  readonly exclusive?: boolean
  /** Called with the number of commits of each group. */
  readonly onGroup?: (size: number) => void
}

/**
 * Opens the store. Creates it when it is missing and migrates it to the current schema.
 * @throws Fault `store_locked`, `store_newer`, `store_broken`, `store_unwritable`, `store_outdated`, `store_busy`.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store & AccountImages> {
  const { directory, exclusive = true, onGroup = () => {} } = options
  const file = join(directory, 'tollgate.db')
  const opened: (() => void)[] = []
  try {
    createFile(file)
    const lock = exclusive ? takeGatewayLock(directory) : null
    opened.push(() => lock?.release())
    migrateFile(file)
    const database = openForReading(file)
    opened.push(() => database.close())
    const reader = prepareReads(database)
    const queue = new CommitQueue(await readyWriter({ file, outside: !exclusive }), file, onGroup)
    return storeOver({ file, queue, reader, closeReader: () => void database.close(), lock })
  } catch (error) {
    for (const close of opened.reverse()) close()
    throw faultOf(error, file)
  }
}

async function readyWriter(order: WriterOrder): Promise<Worker> {
  const worker = startWriterThread(order)
  // `once` rejects when the thread fails before its first message.
  const [message]: FromWriter[] = await once(worker, 'message')
  if (message?.type === 'unready') throw errorOf(message.failure, order.file)
  return worker
}

interface Parts {
  readonly file: string
  readonly queue: CommitQueue
  readonly reader: Reader
  readonly closeReader: () => void
  readonly lock: GatewayLock | null
}

function storeOver({ file, queue, reader, closeReader, lock }: Parts): Store & AccountImages {
  let closed: Promise<void> | null = null
  let claimed: Promise<Claim> | null = null
  const read = <Answer>(ask: (reader: Reader) => Answer): Promise<Answer> => {
    if (closed !== null) return Promise.reject(new Fault('store_gone', { detail: file }))
    try {
      return Promise.resolve(ask(reader))
    } catch (error) {
      return Promise.reject(faultOf(error, file))
    }
  }
  const close = async () => {
    await queue.drain()
    closeReader() // Before the writer: the last connection to close checkpoints the WAL into the database.
    await queue.end()
    lock?.release()
  }
  return {
    commit: commit => queue.commit(commit),
    // Joins the next group and resolves when that is written, so that a later read sees it.
    effectsDone: (_account, effectIds) => queue.done(effectIds),
    erase: records => queue.perform({ type: 'erase', records }),
    async forgetExpired(now) {
      for (let gone = 0; ; ) {
        const rows = await queue.perform({ type: 'forget_expired', now, limit: FORGET_SLICE })
        gone += rows
        if (rows < FORGET_SLICE) return gone
      }
    },
    rewrite: batch => queue.perform({ type: 'rewrite', batch }),
    enterTerms: batch => queue.perform({ type: 'enter_terms', batch }),
    load: key => read(reader => reader.load(key)),
    list: (account, query) => read(reader => reader.list(account, query)),
    search: (account, query) => read(reader => reader.search(account, query)),
    lockHolderOf: (account, lockKey) => read(reader => reader.lockHolderOf(account, lockKey)),
    uniqueKeyHolderOf: (account, uniqueKey) => read(reader => reader.uniqueKeyHolderOf(account, uniqueKey)),
    accountKeyHolderOf: key => read(reader => reader.accountKeyHolderOf(key)),
    eventsOf: key => read(reader => reader.eventsOf(key)),
    eventsAfter: (account, cursor, limit) => read(reader => reader.eventsAfter(account, cursor, limit)),
    idempotencyOf: (account, key) => read(reader => reader.idempotencyOf(account, key)),
    all: (kind, query) => read(reader => reader.all(kind, query)),
    countLive: kind => read(reader => reader.countLive(kind)),
    allEvents: (after, limit) => read(reader => reader.allEvents(after, limit)),
    rewriteProgress: name => read(reader => reader.rewriteProgress(name)),
    lanes: ONE_LANE,
    claimLanes() {
      if (lock === null) return Promise.resolve({ leases: [], surplus: 0, others: [] })
      claimed ??= queue
        .perform({ type: 'claim' })
        .then(fence => ({ leases: [{ lane: 0, fence }], surplus: 0, others: [] }))
      return claimed
    },
    // No other process could take it.
    releaseLanes: async () => {},
    leaveLanes: async () => {},
    undoneEffects: (limit, lanes) => read(reader => (hasLane(lanes) ? reader.undoneEffects(limit) : [])),
    dueTimers: (until, limit, { account, lanes } = {}) =>
      read(reader => (hasLane(lanes) ? reader.dueTimers(until, limit, account) : [])),
    imageOf: (account, except) => read(reader => reader.imageOf(account, except)),
    putImage: async (account, except, image, lease) =>
      refuseLost(account, await queue.perform({ type: 'put_image', account, except, image, lease })),
    nextTimerAt: () => read(reader => reader.nextTimerAt()),
    shared: false,
    async followOthers() {
      const end = await read(reader => reader.feedEnd())
      return followFrom(end, (after, limit) => read(reader => reader.othersEvents(after, limit)))
    },
    loadAll: keys => read(reader => keys.flatMap(key => reader.load(key) ?? [])),
    close: () => {
      closed ??= close()
      return closed
    },
  }
}
