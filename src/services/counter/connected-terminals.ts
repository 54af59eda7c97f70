// src/services/counter/connected-terminals.ts — lists the connected terminals of an account with their status.

import { MOST_TERMINALS, type Terminal } from '../../domain/accounts/terminal.ts'
import type { MerchantAccountId, TerminalId } from '../../domain/ids.ts'
import type { TerminalCurrency } from '../../domain/money.ts'
import { decodeAnyRecord } from '../../engine/all-machines.ts'
import { REPORT, TERMINAL, TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import type { Store } from '../../engine/ports/store.ts'
import type { Transactions } from './transactions.ts'

export const TERMINAL_STATUSES = ['AVAILABLE', 'BUSY'] as const
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number]

export interface ConnectedTerminal {
  readonly terminal: Terminal
  readonly status: TerminalStatus
}

/** Absent members match every terminal. */
export interface TerminalFilter {
  readonly status?: TerminalStatus
  readonly currency?: TerminalCurrency
}

interface ConnectedTerminalsParts {
  readonly store: Store
  readonly transactions: Transactions
}

/** Lists the connected terminals that serve tills, in order of installation. */
export async function connectedTerminalsOf(
  { store, transactions }: ConnectedTerminalsParts,
  account: MerchantAccountId,
  { status, currency }: TerminalFilter,
): Promise<readonly ConnectedTerminal[]> {
  const list = (kind: string) => store.list(account, { kind, live: true, limit: MOST_TERMINALS })
  const [installed, paying, reporting] = await Promise.all([
    list(TERMINAL.kind),
    list(TERMINAL_TRANSACTION.kind),
    list(REPORT.kind),
  ])
  const busy = new Set(
    [...paying, ...reporting].map(stored => (decodeAnyRecord(stored) as { readonly tid: TerminalId }).tid),
  )
  // The store lists newest first.
  const found = await Promise.all(installed.toReversed().map(({ id }) => transactions.atCounter(account, id)))
  return found
    .flatMap(terminal =>
      terminal === null ? [] : withStatus(terminal, busy.has(terminal.tid) || transactions.inUse(terminal)),
    )
    .filter(each => (status ?? each.status) === each.status)
    .filter(({ terminal: { settings } }) => (currency ?? settings.currency) === settings.currency)
}

/** Finds one connected terminal that serves tills; null when there is none with this id. */
export async function connectedTerminal(
  { transactions }: Pick<ConnectedTerminalsParts, 'transactions'>,
  account: MerchantAccountId,
  tid: TerminalId,
): Promise<ConnectedTerminal | null> {
  const found = await transactions.stateAtCounter(account, tid)
  return found === null ? null : withStatus(found.terminal, found.busy)
}

function withStatus(terminal: Terminal, busy: boolean): ConnectedTerminal {
  return { terminal, status: busy ? 'BUSY' : 'AVAILABLE' }
}
