// src/services/counter/cancel-transaction.ts — cancels a transaction and waits for the outcome of the cancel.

import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Engine } from '../../engine/engine.ts'
import { type Follower, follow } from '../../engine/follow.ts'
import { TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Transactions } from './transactions.ts'

/** How long an answer may wait for the outcome, in milliseconds. Tills give up after 30 s. See docs/versions.md. */
export const LONGEST_CANCEL_WAIT_MS = 25_000

export interface TransactionKey {
  readonly account: MerchantAccountId
  readonly id: RequestId
}

/** Asks the terminal to cancel. The notifications of the transaction report the outcome. */
export async function cancelTransaction(
  transactions: Transactions,
  { account, id }: TransactionKey,
): Promise<{ readonly record: TerminalTransaction } | { readonly refused: Refusal }> {
  const executed = await transactions.execute({ account, id }, { type: 'cancel' })
  if ('repeated' in executed) throw new Error('a cancel without an idempotency key was taken for a repetition')
  return executed
}

/**
 * Waits until the terminal has accepted or refused the cancel, the transaction has ended, or `LONGEST_CANCEL_WAIT_MS` is over.
 * @returns null when the transaction was cancelled; otherwise `nothing_to_cancel`, or `terminal_silent` when the outcome was
 * not known in time
 */
export async function outcomeOfCancel(
  { engine, clock, ...follower }: Follower & { readonly engine: Engine; readonly clock: Clock },
  { account, id }: TransactionKey,
  tid: TerminalId,
): Promise<Refusal | null> {
  const settled = follow<TerminalTransaction>(follower, { account, kind: TERMINAL_TRANSACTION.kind, id }, isSettled)
  const alarm = clock.alarm(clock.now() + LONGEST_CANCEL_WAIT_MS, settled.stop)
  try {
    // The outcome may have been committed before this call.
    const entry = await engine.read(TERMINAL_TRANSACTION, { account, id })
    const record = entry !== null && isSettled(entry.record) ? entry.record : await settled.end
    if (record === null) return { code: 'terminal_silent', tid }
    return record.cancel === 'done' ? null : { code: 'nothing_to_cancel', tid }
  } finally {
    alarm.cancel()
    settled.stop()
  }
}

/** Whether the outcome of the cancel is known. */
function isSettled({ cancel, progress }: TerminalTransaction): boolean {
  return cancel === 'done' || cancel === 'refused' || progress === 'finished'
}
