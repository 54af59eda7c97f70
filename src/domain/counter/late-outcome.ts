// src/domain/counter/late-outcome.ts — how a transaction ended that timed out on a terminal that authorises by itself: what the
// terminal reports later, and what a person says who has looked. ADR 85.
import type { Closing } from '../closing.ts'
import type { Decision } from '../machine.ts'
import type { Refusal } from '../refusals.ts'
import type { TerminalTransaction } from './transaction.ts'
import type { Ending, TransactionEvent, TransactionResult } from './transaction-events.ts'

/** Whether only the terminal can know how it ended. A DUPLICATE has no outcome of its own. */
function isLeftToTerminal({ authorisedBy, result, request }: TerminalTransaction): boolean {
  return authorisedBy === 'terminal' && result === 'TIMED_OUT' && request.transactionType !== 'DUPLICATE'
}

/** The event of an end that the terminal reports after the time limit; none when it says nothing new. */
export function foundAfterLimit(record: TerminalTransaction, ending: Ending): readonly TransactionEvent[] {
  const { found, closure } = record
  if (!isLeftToTerminal(record) || found !== undefined || ending.result === 'TIMED_OUT') return []
  const succeeded = ending.result === 'SUCCESSFUL'
  if (closure !== undefined)
    return [{ type: 'found_after_closing', ending, agrees: succeeded === (closure.outcome === 'taken') }]
  return [{ type: succeeded ? 'found_successful' : 'found_unsuccessful', ending }]
}

/** Closes a transaction whose terminal does not answer any more. */
export function closedBy(
  record: TerminalTransaction,
  { outcome, ...closing }: Closing,
): Decision<TransactionEvent, Refusal> {
  if (!isLeftToTerminal(record) || record.authorisation !== 'none')
    return { refused: { code: 'transaction_not_closable' } }
  return { events: [{ type: outcome === 'taken' ? 'closed_as_taken' : 'closed_as_not_taken', ...closing }] }
}

/**
 * The result as far as it is known now. TIMED_OUT when only the terminal knows it, or contradicts the person who has closed the
 * transaction; null while it runs.
 */
export function resultKnownOf({ result, found, closure }: TerminalTransaction): TransactionResult | null {
  if (closure === undefined) return found?.result ?? result
  const said = closure.outcome === 'taken' ? 'SUCCESSFUL' : 'UNSUCCESSFUL'
  return found === undefined || (found.result === 'SUCCESSFUL') === (said === 'SUCCESSFUL') ? said : 'TIMED_OUT'
}
