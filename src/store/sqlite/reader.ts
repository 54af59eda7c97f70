// src/store/sqlite/reader.ts — all reads of the store, on a read-only connection.
import type { Database, Statement } from 'better-sqlite3'
import type { AccountImage } from '../../engine/ports/account-images.ts'
import type {
  FoundRecords,
  Idempotency,
  Key,
  ListedRecord,
  ListQuery,
  RewriteProgress,
  SearchQuery,
  StoredEffect,
  StoredEvent,
  StoredRecord,
  StoredTimer,
} from '../../engine/ports/store.ts'
import { storedKey } from '../stored-keys.ts'
import { LISTED, RECORD } from './columns.ts'
import { prepareImages } from './images.ts'
import { prepareSearch } from './search.ts'

export interface Reader {
  load(key: Key): StoredRecord | null
  list(account: string, query: ListQuery): readonly ListedRecord[]
  search(account: string, query: SearchQuery): FoundRecords
  lockHolderOf(account: string, lockKey: string): StoredRecord | null
  uniqueKeyHolderOf(account: string, uniqueKey: string): StoredRecord | null
  accountKeyHolderOf(key: string): StoredRecord | null
  eventsOf(key: Key): readonly StoredEvent[]
  eventsAfter(account: string, cursor: number, limit: number): readonly StoredEvent[]
  idempotencyOf(account: string, key: string): Idempotency | null
  all(
    kind: string,
    options: { readonly live?: boolean; readonly after?: number; readonly limit: number },
  ): readonly ListedRecord[]
  countLive(kind: string): number
  allEvents(after: number, limit: number): readonly StoredEvent[]
  rewriteProgress(name: string): RewriteProgress | null
  undoneEffects(limit: number): readonly StoredEffect[]
  dueTimers(until: number, limit: number, account?: string): readonly StoredTimer[]
  nextTimerAt(): number | null
  feedEnd(): number
  othersEvents(after: number, limit: number): readonly StoredEvent[]
  imageOf(account: string, except: readonly string[]): AccountImage
}

const EVENT = 'cursor, records.account, kind, id, events.version, at, type, events.body'
/** `live = 1` is literal, so that SQLite can use the small partial index over live records. */
const LIVE = { true: 'live = 1', false: 'live = 0', any: 'true' } as const

export function prepareReads(database: Database): Reader {
  return {
    ...recordReads(database),
    ...eventReads(database),
    ...workReads(database),
    search: prepareSearch(database),
    imageOf: prepareImages(database),
  }
}

function recordReads(
  database: Database,
): Pick<Reader, 'load' | 'lockHolderOf' | 'uniqueKeyHolderOf' | 'accountKeyHolderOf' | 'list' | 'all' | 'countLive'> {
  const load = database.prepare<[string, string, string], Pick<StoredRecord, 'version' | 'body'>>(
    'SELECT version, body FROM records WHERE kind = ? AND account = ? AND id = ?',
  )
  const holder = database.prepare<[string], StoredRecord>(`SELECT ${RECORD} FROM records WHERE exclusive = ?`)
  const uniqueHolder = database.prepare<[string], StoredRecord>(
    `SELECT ${RECORD} FROM claims JOIN records ON records.position = claims.record WHERE claim = ?`,
  )
  const list = eachLive(live =>
    database.prepare<[string, string, number, number], ListedRecord>(
      `SELECT ${LISTED} FROM records ${indexed(live, 'records_of_account')}
       WHERE account = ? AND kind = ? AND position < ? AND ${LIVE[live]} ORDER BY position DESC LIMIT ?`,
    ),
  )
  const listOfParent = eachLive(live =>
    database.prepare<[string, string, string, number, number], ListedRecord>(
      `SELECT ${LISTED} FROM records ${indexed(live, 'records_of_parent')}
       WHERE account = ? AND kind = ? AND parent = ? AND position < ? AND ${LIVE[live]}
       ORDER BY position DESC LIMIT ?`,
    ),
  )
  const all = eachLive(live =>
    database.prepare<[string, number, number], ListedRecord>(
      `SELECT ${LISTED} FROM records ${indexed(live, 'records_of_kind')}
       WHERE kind = ? AND position > ? AND ${LIVE[live]} ORDER BY position LIMIT ?`,
    ),
  )
  const live = database
    .prepare<[string], number>('SELECT count(*) FROM records INDEXED BY records_live WHERE kind = ? AND live = 1')
    .pluck()
  return {
    countLive: kind => live.get(kind) ?? 0,
    load({ kind, account, id }) {
      const found = load.get(kind, account, id)
      return found === undefined ? null : { kind, account, id, version: found.version, body: found.body }
    },
    lockHolderOf: (account, lockKey) => holder.get(storedKey(account, lockKey)) ?? null,
    uniqueKeyHolderOf: (account, uniqueKey) => uniqueHolder.get(storedKey(account, uniqueKey)) ?? null,
    accountKeyHolderOf: key => holder.get(key) ?? uniqueHolder.get(key) ?? null,
    list(account, { kind, parent, live, before = Number.MAX_SAFE_INTEGER, limit }) {
      const name = `${live ?? 'any'}` as const
      return parent === undefined
        ? list[name].all(account, kind, before, limit)
        : listOfParent[name].all(account, kind, parent, before, limit)
    },
    all: (kind, { live, after = 0, limit }) => all[`${live ?? 'any'}`].all(kind, after, limit),
  }
}

function eventReads(
  database: Database,
): Pick<Reader, 'eventsOf' | 'eventsAfter' | 'allEvents' | 'feedEnd' | 'othersEvents'> {
  const ofRecord = database.prepare<[string, string, string], StoredEvent>(
    `SELECT ${EVENT} FROM records CROSS JOIN events ON events.record = position
     WHERE kind = ? AND records.account = ? AND id = ? ORDER BY cursor`,
  )
  const after = database.prepare<[string, number, number], StoredEvent>(
    `SELECT ${EVENT} FROM events CROSS JOIN records ON position = events.record
     WHERE events.account = ? AND cursor > ? ORDER BY cursor LIMIT ?`,
  )
  const all = database.prepare<[number, number], StoredEvent>(
    `SELECT ${EVENT} FROM events CROSS JOIN records ON position = events.record
     WHERE cursor > ? ORDER BY cursor LIMIT ?`,
  )
  const end = database.prepare<[], number | null>('SELECT max(cursor) FROM events').pluck()
  // Prepared on use, because `tollgate doctor` also reads databases that do not have this table yet.
  let others: Statement<[number, number], StoredEvent> | null = null
  return {
    allEvents: (after, limit) => all.all(after, limit),
    feedEnd: () => end.get() ?? 0,
    othersEvents(after, limit) {
      others ??= database.prepare<[number, number], StoredEvent>(
        `SELECT ${EVENT} FROM others_events CROSS JOIN events USING (cursor) CROSS JOIN records ON position = events.record
         WHERE cursor > ? ORDER BY cursor LIMIT ?`,
      )
      return others.all(after, limit)
    },
    eventsOf: ({ kind, account, id }) => ofRecord.all(kind, account, id),
    eventsAfter: (account, cursor, limit) => after.all(account, cursor, limit),
  }
}

function workReads(
  database: Database,
): Pick<Reader, 'undoneEffects' | 'dueTimers' | 'nextTimerAt' | 'idempotencyOf' | 'rewriteProgress'> {
  const undone = database.prepare<[number], StoredEffect>(
    `SELECT account, kind, id, effect_id AS effectId, type, effects.body AS body
     FROM effects CROSS JOIN records ON position = record ORDER BY place LIMIT ?`,
  )
  const due = database.prepare<[number, number], StoredTimer>(
    `SELECT account, kind, id, name, due_at AS dueAt
     FROM timers CROSS JOIN records ON position = record WHERE due_at <= ? ORDER BY due_at, record, name LIMIT ?`,
  )
  const dueOfAccount = database.prepare<[number, string, number], StoredTimer>(
    `SELECT account, kind, id, name, due_at AS dueAt
     FROM timers CROSS JOIN records ON position = record
     WHERE due_at <= ? AND account = ? ORDER BY due_at, record, name LIMIT ?`,
  )
  const next = database.prepare<[], number | null>('SELECT min(due_at) FROM timers').pluck()
  const idempotency = database.prepare<[string, string], Idempotency>(
    'SELECT key, fingerprint, answer, expires_at AS expiresAt FROM idempotency WHERE account = ? AND key = ?',
  )
  // Prepared on use, because `tollgate doctor` also reads databases that do not have this table yet.
  const rewriteNamed = (name: string) =>
    database
      .prepare<[string], { readonly after: number; readonly finished: number }>(
        'SELECT after, finished FROM rewrites WHERE name = ?',
      )
      .get(name)
  return {
    rewriteProgress(name) {
      const found = rewriteNamed(name)
      return found === undefined ? null : { after: found.after, finished: found.finished === 1 }
    },
    undoneEffects: limit => undone.all(limit),
    dueTimers: (until, limit, account) =>
      account === undefined ? due.all(until, limit) : dueOfAccount.all(until, account, limit),
    nextTimerAt: () => next.get() ?? null,
    idempotencyOf: (account, key) => idempotency.get(account, key) ?? null,
  }
}

type Live = keyof typeof LIVE

function eachLive<Prepared>(prepare: (live: Live) => Prepared): Readonly<Record<Live, Prepared>> {
  return { true: prepare('true'), false: prepare('false'), any: prepare('any') }
}

/** Forces the index: with its estimates of row counts SQLite would scan all records rather than sort the live ones. */
function indexed(live: Live, otherwise: string): string {
  return `INDEXED BY ${live === 'true' ? 'records_live' : otherwise}`
}
