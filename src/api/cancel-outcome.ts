// src/api/cancel-outcome.ts — what became of a till's wish to cancel, for answers that wait to know it.
import type { Refusal } from '../domain/refusals.ts'
import type { TerminalTransaction } from '../domain/terminal-transaction.ts'

/** How long an answer may wait for the outcome, in milliseconds. Tills give up after 30 s. Terminal socket reference 5.3. */
export const LONGEST_CANCEL_WAIT_MS = 25_000

/** Whether it is decided. */
export function isSettled({ cancel, progress }: TerminalTransaction): boolean {
  return cancel === 'done' || cancel === 'refused' || progress === 'finished'
}

/** Why it has not worked; null when it has. `record` is null when the outcome was not seen in time. */
export function refusalOfCancel(record: TerminalTransaction | null, tid: string): Refusal | null {
  if (record === null) return { code: 'terminal_silent', tid }
  return record.cancel === 'done' ? null : { code: 'nothing_to_cancel', tid }
}
