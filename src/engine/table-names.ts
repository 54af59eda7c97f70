// src/engine/table-names.ts — finds the open table that has a name, from memory when it was found before.
import type { PatTable } from '../domain/table.ts'
import type { Entry } from './cache.ts'
import type { Engine } from './engine.ts'
import { TABLE, tableClaim } from './machines.ts'
import type { Store } from './ports.ts'

/** Names remembered, over all accounts: more than the restaurants of one gateway have tables. They are told anew beyond. */
const NAMES_KEPT = 50_000

export interface TableNames {
  find(account: string, name: string): Promise<Entry<PatTable> | null>
  /** Only from memory and at once. */
  peek(account: string, name: string): Entry<PatTable> | null
  /** Whether an open table has the name, as the store knows it. */
  taken(account: string, name: string): Promise<boolean>
}

/** Keeps which id a name led to. What is kept is believed only while that table is open and has the name. */
export function createTableNames(engine: Engine, store: Store): TableNames {
  const ids = new Map<string, string>()

  function current(entry: Entry<PatTable> | null | undefined, name: string): Entry<PatTable> | null {
    return entry?.record.state === 'open' && entry.record.name === name ? entry : null
  }

  function peek(account: string, name: string): Entry<PatTable> | null {
    const id = ids.get(tableClaim(account, name))
    return id === undefined ? null : current(engine.peek(TABLE, { account, id }), name)
  }

  return {
    peek,
    async find(account, name) {
      const known = peek(account, name)
      if (known !== null) return known
      const claim = tableClaim(account, name)
      const holder = await store.holderOf(claim)
      if (holder === null) return null
      if (ids.size >= NAMES_KEPT) ids.clear()
      ids.set(claim, holder.id)
      return current(await engine.read(TABLE, { account, id: holder.id }), name)
    },
    taken: async (account, name) => (await store.holderOf(tableClaim(account, name))) !== null,
  }
}
