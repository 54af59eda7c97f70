// src/services/tables/table-names.ts — finds open tables by name, with a cache.

import type { MerchantAccountId, TableId } from '../../domain/ids.ts'
import type { PatTable } from '../../domain/tables/table.ts'
import { createBoundedCache } from '../../engine/bounded-cache.ts'
import type { Entry } from '../../engine/cache.ts'
import type { Engine } from '../../engine/engine.ts'
import { TABLE, tableLockKey } from '../../engine/machines.ts'
import type { Store } from '../../engine/ports/store.ts'

/** Limit of cached names over all accounts: more than the restaurants of one gateway have tables. */
const CACHED_NAMES = 50_000

export interface TableNames {
  find(account: MerchantAccountId, name: string): Promise<Entry<PatTable> | null>
  /** Whether an open table has the name; always asks the store. */
  taken(account: MerchantAccountId, name: string): Promise<boolean>
}

/** Caches ids by name. A cached id is used only if its table is open and has the name. */
export function createTableNames(engine: Engine, store: Store): TableNames {
  const ids = createBoundedCache<string, string>(CACHED_NAMES)

  async function openTable(account: MerchantAccountId, id: TableId, name: string): Promise<Entry<PatTable> | null> {
    const entry = await engine.read(TABLE, { account, id })
    return entry?.record.state === 'open' && entry.record.name === name ? entry : null
  }

  return {
    async find(account, name) {
      const cached = `${account}/${name}`
      const known = ids.get(cached)
      const found = known === undefined ? null : await openTable(account, known, name)
      if (found !== null) return found
      const holder = await store.lockHolderOf(account, tableLockKey(name))
      if (holder === null) return null
      ids.set(cached, holder.id)
      return openTable(account, holder.id, name)
    },
    taken: async (account, name) => (await store.lockHolderOf(account, tableLockKey(name))) !== null,
  }
}
