// src/services/counter/decide-signature.ts — accepts or refuses a signature by the cashier's decision.
import type { Refusal } from '../../domain/refusals.ts'
import type { TransactionKey } from './cancel-transaction.ts'
import type { Transactions } from './transactions.ts'

/**
 * Accepts or refuses a signature. The notifications of the transaction report the outcome.
 * @returns `inTime` false when the transaction was not waiting for a decision; nothing has changed then
 */
export async function decideSignature(
  transactions: Transactions,
  { account, id }: TransactionKey,
  accepted: boolean,
): Promise<{ readonly inTime: boolean } | { readonly refused: Refusal }> {
  const executed = await transactions.execute({ account, id }, { type: 'decide_signature', accepted })
  return 'refused' in executed ? executed : { inTime: 'events' in executed && executed.events.length > 0 }
}
