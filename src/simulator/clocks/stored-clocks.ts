// src/simulator/clocks/stored-clocks.ts — reads the clocks of all accounts from a sandbox's file, without changing it.
import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { ClockState } from './account-clock.ts'

/** Returns the stored clocks by account. Empty without a sandbox, or when its file cannot be read. */
export function readStoredClocks(file: string): ReadonlyMap<string, ClockState> {
  if (!existsSync(file)) return new Map()
  try {
    const database = new Database(file, { readonly: true })
    try {
      const rows = database
        .prepare<[], { readonly key: string; readonly body: string }>(
          "SELECT key, body FROM documents WHERE shelf = 'clock'",
        )
        .all()
      return clocksIn(new Map(rows.map(({ key, body }) => [key, body])))
    } finally {
      database.close()
    }
  } catch {
    return new Map()
  }
}

/** The clocks in stored documents. */
export function clocksIn(bodies: ReadonlyMap<string, string>): ReadonlyMap<string, ClockState> {
  return new Map([...bodies].map(([account, body]) => [account, JSON.parse(body) as ClockState]))
}
