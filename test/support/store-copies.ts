// test/support/store-copies.ts — copies stores between data directories and databases, and reads everything of a store.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Key, Store } from '../../src/engine/ports/store.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type CopyWatch, copyStore, stampOf } from '../../src/store/copy/copy-store.ts'
import { withDatabase } from '../../src/store/copy/postgres-database.ts'
import { withPostgresSource } from '../../src/store/copy/postgres-source.ts'
import { openPostgresTarget } from '../../src/store/copy/postgres-target.ts'
import type { AddedRecord, CopiedSection, CopySource, CopyTarget } from '../../src/store/copy/sides.ts'
import { withSqliteSource } from '../../src/store/copy/sqlite-source.ts'
import { withSqliteTarget } from '../../src/store/copy/sqlite-target.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { addressOf } from './postgres-server.ts'
import { NODE, openPostgresAt } from './postgres-store.ts'

/** A data directory or the URL of a database. */
export type Where = string

/** A data directory that is removed after the test. */
export function emptyDirectory(): Where {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-copy-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const isDatabase = (where: Where) => where.startsWith('postgres://')

/** Copies as `tollgate store copy` does. */
export function copyBetween(
  from: Where,
  to: Where,
  watch: CopyWatch = { onRows: () => {} },
  added: AddedRecord | null = null,
): Promise<readonly CopiedSection[]> {
  const clock = systemClock()
  const fill = async (source: CopySource) => {
    const stamp = await stampOf(source)
    const copy = (target: CopyTarget) => copyStore(source, target, watch)
    return isDatabase(to)
      ? withDatabase(addressOf(to), clock, async database => copy(await openPostgresTarget(database, stamp, added)))
      : withSqliteTarget(to, stamp, copy)
  }
  return isDatabase(from)
    ? withDatabase(addressOf(from), clock, database => withPostgresSource(database, fill))
    : withSqliteSource(from, fill)
}

/** Works on the store as a gateway does, and closes it. */
export async function asGateway<T>(where: Where, work: (store: Store) => Promise<T>): Promise<T> {
  const store = isDatabase(where)
    ? await openPostgresAt(where, { node: NODE })
    : await openSqliteStore({ directory: where })
  try {
    // A node works under its leases from its start on.
    if (isDatabase(where)) await store.claimLanes()
    return await work(store)
  } finally {
    await store.close()
  }
}

/** What to ask for by name. */
export interface Names {
  readonly keys: readonly Key[]
  readonly lockKeys: readonly string[]
  readonly uniqueKeys: readonly string[]
  readonly accountKeys: readonly string[]
  readonly terms: readonly string[]
  readonly idempotencyKeys: readonly string[]
  readonly rewrites: readonly string[]
}

/** The answers to every read of the port. */
export async function everythingIn(store: Store, names: Names) {
  const most = 10_000
  const accounts = [...new Set(names.keys.map(({ account }) => account))]
  const kinds = [...new Set(names.keys.map(({ kind }) => kind))]
  const each = <A, B>(values: readonly A[], read: (value: A) => Promise<B>) => Promise.all(values.map(read))
  const lives = [{}, { live: true }, { live: false }]
  const listed = each(accounts, account =>
    each(kinds, kind =>
      each(lives, async live => ({
        all: await store.list(account, { kind, limit: most, ...live }),
        parent: await store.list(account, { kind, parent: 'till 1', limit: most, ...live }),
        found: await each(names.terms, term => store.search(account, { kind, terms: [term], limit: most, ...live })),
      })),
    ),
  )
  return {
    listed: await listed,
    loaded: await each(names.keys, key => store.load(key)),
    events: await each(names.keys, key => store.eventsOf(key)),
    feeds: await each(accounts, account => store.eventsAfter(account, 0, most)),
    feed: await store.allEvents(0, most),
    locks: await each(accounts, account => each(names.lockKeys, key => store.lockHolderOf(account, key))),
    unique: await each(accounts, account => each(names.uniqueKeys, key => store.uniqueKeyHolderOf(account, key))),
    byAccountKey: await each(names.accountKeys, key => store.accountKeyHolderOf(key)),
    answers: await each(accounts, account => each(names.idempotencyKeys, key => store.idempotencyOf(account, key))),
    kinds: await each(kinds, kind => each(lives, live => store.all(kind, { limit: most, ...live }))),
    counts: await each(kinds, kind => store.countLive(kind)),
    rewrites: await each(names.rewrites, name => store.rewriteProgress(name)),
    effects: await store.undoneEffects(most),
    timers: await store.dueTimers(Number.MAX_SAFE_INTEGER, most),
    next: await store.nextTimerAt(),
  }
}
