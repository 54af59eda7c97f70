// web/console/counter/terminal-on-list.ts — the terminals to choose from at the counter.
import type { Gateway } from '../gateway.ts'

export interface TerminalOnList {
  readonly tid: string
  readonly status: string
  readonly currency: string
  /** Waiters use it, and no till can start anything on it. `/pac/terminals` lists none of these. */
  readonly tablesOnly?: boolean
}

interface ManagedTerminal {
  readonly tid: string
  readonly connected: boolean
  readonly settings: { readonly mode: 'counter' | 'table' | 'both'; readonly currency: string }
}

/** The connected terminals of the account: those for tills first, then those for tables only. Or why they are not known. */
export async function readTerminals(
  gateway: Gateway,
): Promise<readonly TerminalOnList[] | { readonly problem: string }> {
  const [forTills, all] = await Promise.all([
    gateway.get<{ readonly terminals: readonly TerminalOnList[] }>('/pac/terminals'),
    gateway.get<{ readonly terminals: readonly ManagedTerminal[] }>('/api/terminals'),
  ])
  if (!forTills.ok) return { problem: forTills.sentence }
  if (!all.ok) return { problem: all.sentence }
  const forTables = all.body.terminals.filter(({ connected, settings }) => connected && settings.mode === 'table')
  return [
    ...forTills.body.terminals,
    ...forTables.map(({ tid, settings: { currency } }) => ({ tid, status: 'AVAILABLE', currency, tablesOnly: true })),
  ]
}
