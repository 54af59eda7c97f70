// src/api/operations/till/records-of-terminal.ts — finds a transaction or report by its terminal and id.

import type { Terminal } from '../../../domain/accounts/terminal.ts'
import type { IdOf } from '../../../domain/ids.ts'
import type { PlainCode, Refusal } from '../../../domain/refusals.ts'
import type { Entry } from '../../../engine/cache.ts'
import type { Machine } from '../../../engine/machines.ts'
import type { AccountRequestContext } from '../../operation.ts'
import { isRetained } from '../../retention.ts'

/** Path parameters. */
export interface RecordParams {
  readonly tid: string
  readonly requestId: string
}

/** Common members of transactions and reports. */
interface OnTerminal {
  readonly requestId: string
  readonly tid: string
  readonly merchantAccount: string
  readonly version: number
  readonly finishedAt: number | null
}

/**
 * Finds a record that tills can still read. It stays readable when its terminal is removed or disconnected.
 * @param unknown refusal when the record does not exist
 * @param terminalAt finds the terminal. Without one the refusal is `terminal_unavailable`
 */
export async function findOnTerminal<R extends OnTerminal, C, F, E extends { readonly type: string }>(
  { api, account }: AccountRequestContext,
  machine: Machine<R, C, F, E>,
  { tid, requestId }: RecordParams,
  unknown: PlainCode,
  terminalAt: (account: string, tid: string) => Promise<Terminal | null>,
): Promise<Entry<R> | { readonly refused: Refusal }> {
  const entry = await api.engine.read(machine, { account: account.id, id: requestId as IdOf<R> })
  if (entry?.record.tid === tid && isRetained(api, entry.record)) return entry
  const terminal = await terminalAt(account.id, tid)
  return { refused: terminal === null ? { code: 'terminal_unavailable', tid } : { code: unknown } }
}
