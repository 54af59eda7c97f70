// src/cli/database-mode.ts — fixes the mode of a Postgres database, sandbox or live, at its first start, as data-mode.ts does
// for a data directory.
import type { Config } from '../config.ts'
import type { Commit, Key, Store } from '../engine/ports/store.ts'
import { Failure } from './failure.ts'

/** A record without events, of an account that no merchant can have. */
export const MODE_RECORD: Key = { account: '(gateway)', kind: 'gateway', id: 'mode' }

interface Stored {
  readonly mode: Config['mode']
}

/** Mode of a database; null before its first start. */
export async function databaseMode(store: Pick<Store, 'load'>): Promise<Config['mode'] | null> {
  const stored = await store.load(MODE_RECORD)
  return stored === null ? null : (JSON.parse(stored.body) as Stored).mode
}

/**
 * Records the mode at the first start.
 * @param at now, epoch milliseconds
 * @throws Failure when the database has the other mode
 */
export async function claimDatabase(store: Store, mode: Config['mode'], at: number): Promise<void> {
  if ((await databaseMode(store)) === null) await store.commit(commitOf(mode, at))
  // Read again: another process may have been faster.
  const stored = await databaseMode(store)
  if (stored !== mode)
    throw new Failure(
      `This database belongs to a gateway in ${stored} mode; start it with TOLLGATE_MODE=${stored}, ` +
        'or name another database in DATABASE_URL.',
    )
}

function commitOf(mode: Config['mode'], at: number): Commit {
  return {
    ...{ ...MODE_RECORD, expectedVersion: 0, version: 1, body: JSON.stringify({ mode } satisfies Stored) },
    ...{ parent: '', live: false, lockKey: null, at, events: [], effects: [], effectsDone: [] },
    ...{ timers: null, idempotency: null },
  }
}
