// src/store/sqlite/memory-store.ts — the store on SQLite's `:memory:`, for tests, simulations and benchmarks.
import assert from 'node:assert/strict'
import { Fault } from '../../engine/fault.ts'
import type { AccountImages } from '../../engine/ports/account-images.ts'
import type { CommitResult, Store } from '../../engine/ports/store.ts'
import { openInMemory } from './database.ts'
import { refuseLost } from './faults.ts'
import { groupWriter, type Work } from './group-writer.ts'
import { followFrom } from './others-feed.ts'
import { prepareReads, type Reader } from './reader.ts'
import { hasLane, ONE_LANE } from './store.ts'

/**
 * Creates an empty store with the SQL of the file store. Closing it deletes all data. Each call is done when it returns its
 * promise, so that runs are deterministic.
 */
export function openMemoryStore(): Store & AccountImages {
  const database = openInMemory()
  const reader = prepareReads(database)
  const writer = groupWriter(database)
  let fence: number | null = null

  function read<Answer>(ask: (reader: Reader) => Answer): Answer {
    if (!database.open) throw new Fault('store_gone')
    return ask(reader)
  }

  function write(work: Work): CommitResult | number {
    if (!database.open) throw new Fault('store_gone')
    writer.add([work])
    const [outcome] = writer.end()
    assert(outcome !== undefined && typeof outcome !== 'object', 'a group of one ends with an outcome or throws')
    return outcome
  }

  return {
    commit: async commit => write({ type: 'commit', commit }) as CommitResult,
    effectsDone: async (_account, effectIds) => void write({ type: 'effects_done', effectIds }),
    erase: async records => Number(write({ type: 'erase', records })),
    forgetExpired: async now => Number(write({ type: 'forget_expired', now, limit: -1 })),
    load: async key => read(from => from.load(key)),
    list: async (account, query) => read(from => from.list(account, query)),
    search: async (account, query) => read(from => from.search(account, query)),
    lockHolderOf: async (account, lockKey) => read(from => from.lockHolderOf(account, lockKey)),
    uniqueKeyHolderOf: async (account, uniqueKey) => read(from => from.uniqueKeyHolderOf(account, uniqueKey)),
    accountKeyHolderOf: async key => read(from => from.accountKeyHolderOf(key)),
    eventsOf: async key => read(from => from.eventsOf(key)),
    eventsAfter: async (account, cursor, limit) => read(from => from.eventsAfter(account, cursor, limit)),
    idempotencyOf: async (account, key) => read(from => from.idempotencyOf(account, key)),
    all: async (kind, query) => read(from => from.all(kind, query)),
    countLive: async kind => read(from => from.countLive(kind)),
    allEvents: async (after, limit) => read(from => from.allEvents(after, limit)),
    rewriteProgress: async name => read(from => from.rewriteProgress(name)),
    rewrite: async batch => Number(write({ type: 'rewrite', batch })),
    enterTerms: async batch => Number(write({ type: 'enter_terms', batch })),
    lanes: ONE_LANE,
    claimLanes: async () => {
      fence ??= Number(write({ type: 'claim' }))
      return { leases: [{ lane: 0, fence }], surplus: 0, others: [] }
    },
    releaseLanes: async () => {},
    leaveLanes: async () => {},
    undoneEffects: async (limit, lanes) => read(from => (hasLane(lanes) ? from.undoneEffects(limit) : [])),
    dueTimers: async (until, limit, { account, lanes } = {}) =>
      read(from => (hasLane(lanes) ? from.dueTimers(until, limit, account) : [])),
    nextTimerAt: async () => read(from => from.nextTimerAt()),
    imageOf: async (account, except) => read(from => from.imageOf(account, except)),
    putImage: async (account, except, image, lease) =>
      refuseLost(account, write({ type: 'put_image', account, except, image, lease })),
    shared: false,
    followOthers: async () =>
      followFrom(
        read(from => from.feedEnd()),
        async (after, limit) => read(from => from.othersEvents(after, limit)),
      ),
    loadAll: async keys => read(from => keys.flatMap(key => from.load(key) ?? [])),
    close: async () => void database.close(),
  }
}
