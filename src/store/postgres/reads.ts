// src/store/postgres/reads.ts — the reads of the store, except searches and images.
import type {
  Idempotency,
  ListedRecord,
  Store,
  StoredEffect,
  StoredEvent,
  StoredRecord,
  StoredTimer,
} from '../../engine/ports/store.ts'
import { isAccountKey } from '../../engine/ports/store.ts'
import { storedKey } from '../stored-keys.ts'
import type { FeedReads } from './feed-reads.ts'
import { LANES } from './lanes.ts'
import type { Query } from './session.ts'
import { READS } from './statements.ts'

const ALL_LANES = Array.from({ length: LANES }, (_, lane) => lane)

export type StoreReads = FeedReads &
  Pick<
    Store,
    | 'load'
    | 'loadAll'
    | 'list'
    | 'lockHolderOf'
    | 'uniqueKeyHolderOf'
    | 'accountKeyHolderOf'
    | 'eventsOf'
    | 'eventsAfter'
    | 'idempotencyOf'
    | 'all'
    | 'countLive'
    | 'rewriteProgress'
    | 'undoneEffects'
    | 'dueTimers'
    | 'nextTimerAt'
  >

export function createReads(query: Query): Omit<StoreReads, keyof FeedReads> {
  async function first<Row>(...[statement, values]: Parameters<Query>): Promise<Row | null> {
    const [row] = await query<Row>(statement, values)
    return row ?? null
  }
  return {
    async load({ account, kind, id }) {
      const found = await first<Pick<StoredRecord, 'version' | 'body'>>(READS.load, [account, kind, id])
      return found === null ? null : { account, kind, id, version: found.version, body: found.body }
    },
    async loadAll(keys) {
      if (keys.length === 0) return []
      const columns = [keys.map(({ account }) => account), keys.map(({ kind }) => kind), keys.map(({ id }) => id)]
      return query<StoredRecord>(READS.loadAll, columns)
    },
    list(account, { kind, parent, live, before = Number.MAX_SAFE_INTEGER, limit }) {
      const name = `${live ?? 'any'}` as const
      const values = [account, kind, before, limit]
      return parent === undefined
        ? query<ListedRecord>(READS.list[name], values)
        : query<ListedRecord>(READS.listOfParent[name], [...values, parent])
    },
    lockHolderOf: (account, lockKey) => first(READS.lockHolder, [account, storedKey(account, lockKey)]),
    uniqueKeyHolderOf: (account, uniqueKey) => first(READS.uniqueHolder, [account, storedKey(account, uniqueKey)]),
    accountKeyHolderOf: async key => (isAccountKey(key) ? first(READS.accountKeyHolder, [key]) : null),
    eventsOf: ({ account, kind, id }) => query<StoredEvent>(READS.eventsOf, [account, kind, id]),
    eventsAfter: (account, cursor, limit) => query<StoredEvent>(READS.eventsAfter, [account, cursor, limit]),
    idempotencyOf: (account, key) => first<Idempotency>(READS.idempotency, [account, key]),
    all: (kind, { live, after = 0, limit }) => query<ListedRecord>(READS.all[`${live ?? 'any'}`], [kind, after, limit]),
    countLive: async kind => (await first<{ readonly count: number }>(READS.countLive, [kind]))?.count ?? 0,
    rewriteProgress: name => first(READS.rewriteProgress, [name]),
    undoneEffects: (limit, lanes) =>
      lanes === undefined
        ? query<StoredEffect>(READS.undoneEffects, [limit])
        : query<StoredEffect>(READS.undoneEffectsOfLanes, [limit, lanes]),
    dueTimers: (until, limit, { account, lanes = ALL_LANES } = {}) =>
      account === undefined
        ? query<StoredTimer>(READS.dueTimers, [until, limit, lanes])
        : query<StoredTimer>(READS.dueTimersOfAccount, [until, limit, lanes, account]),
    nextTimerAt: async () => (await first<{ readonly at: number | null }>(READS.nextTimer, []))?.at ?? null,
  }
}
