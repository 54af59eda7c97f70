// src/terminals/installed.ts — the installed terminals of one make, for a driver that connects to them by itself.
import type { Terminal } from '../domain/accounts/terminal.ts'
import { decodeRecord } from '../engine/decoding.ts'
import { TERMINAL } from '../engine/machines.ts'
import { pagesOfKind } from '../engine/pages.ts'
import type { Store } from '../engine/ports/store.ts'

/** Reads them from the store, because other processes add some too. @param driver name of the make */
export async function installedTerminals(store: Store, driver: string): Promise<readonly Terminal[]> {
  const found: Terminal[] = []
  for await (const page of pagesOfKind(store, TERMINAL.kind, { live: true })) {
    const terminals = page.map(({ body }) => decodeRecord(TERMINAL, body))
    found.push(...terminals.filter(each => each.driver === driver))
  }
  return found
}
