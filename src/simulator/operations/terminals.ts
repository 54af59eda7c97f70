// src/simulator/operations/terminals.ts — terminals for the sandbox operations: look-up, screen and refusals.

import type { AccountRequestContext, Answer, ApiContext } from '../../api/operation.ts'
import { type Terminal, tableSettingsOf } from '../../domain/accounts/terminal.ts'
import { REPORT, TERMINAL, TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import type { Unplayable } from '../controls.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'

/** An installed terminal, connected or not; null when there is none. */
export async function installed({ api, account }: AccountRequestContext, tid: string): Promise<Terminal | null> {
  const entry = await api.engine.read(TERMINAL, { account: account.id, id: tid })
  return entry === null || entry.record.status === 'removed' ? null : entry.record
}

/** Whether a transaction or report of the account is running. */
export async function runsSomething({ api, account }: AccountRequestContext): Promise<boolean> {
  const kinds = [TERMINAL_TRANSACTION.kind, REPORT.kind]
  const live = await Promise.all(kinds.map(kind => api.store.list(account.id, { kind, live: true, limit: 1 })))
  return live.some(records => records.length > 0)
}

/** A terminal with its screen and settings. */
export function screenBody(api: ApiContext, terminal: Terminal) {
  const { tid, settings } = terminal
  const { lines, keys, ...screen } = sandboxOf(api).screenOf(terminal)
  return { tid, ...screen, lines: [...lines], keys: [...keys], settings: { ...settings, ...tableSettingsOf(settings) } }
}

export function unavailable(tid: string): Answer {
  return { refused: { code: 'terminal_unavailable', tid } }
}

/** A refusal by the simulator, as an answer. */
export function unplayable({ refusal }: Unplayable): Answer {
  const { at, says } = refusal
  return { refused: { code: 'scenario_unplayable', field: at === '' ? 'body' : at, detail: says } }
}
