// src/api/connected-terminals.ts — the terminals of an account that can be reached now, and which of them are at work.

import type { Terminal } from '../domain/terminal.ts'
import { anyRecordIn } from '../engine/all-machines.ts'
import { REPORT, TERMINAL, TERMINAL_TRANSACTION } from '../engine/machines.ts'
import type { ApiParts } from './parts.ts'

/** Terminals of one account that are listed: a department store has a few hundred. */
const MOST_TERMINALS = 1_000

export interface ConnectedTerminal {
  readonly terminal: Terminal
  readonly busy: boolean
}

/** In the order in which they were installed. */
export async function connectedTerminalsOf(
  { store, transactions }: Pick<ApiParts, 'store' | 'transactions'>,
  account: string,
): Promise<readonly ConnectedTerminal[]> {
  const list = (kind: string) => store.list(account, { kind, live: true, limit: MOST_TERMINALS })
  const [installed, paying, reporting] = await Promise.all([
    list(TERMINAL.kind),
    list(TERMINAL_TRANSACTION.kind),
    list(REPORT.kind),
  ])
  const busy = new Set([...paying, ...reporting].map(stored => (anyRecordIn(stored) as { readonly tid: string }).tid))
  // Newest first from the store.
  const connected = await Promise.all(installed.toReversed().map(({ id }) => transactions.atCounter(account, id)))
  return connected.flatMap(terminal =>
    terminal === null ? [] : { terminal, busy: busy.has(terminal.tid) || transactions.inUse(terminal) },
  )
}
