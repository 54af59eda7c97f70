// src/services/counter/decide-signature.ts — takes the cashier's decision about a signature.
import type { Refusal } from '../../domain/refusals.ts'
import type { TransactionKey } from './cancel-transaction.ts'
import type { Transactions } from './transactions.ts'

/**
 * Decides a signature. What comes of it is told by the notifications of the transaction.
 * @returns `inTime` false: no decision was waited for any more, and nothing has changed
 */
export async function decideSignature(
  transactions: Transactions,
  { account, id }: TransactionKey,
  accepted: boolean,
): Promise<{ readonly inTime: boolean } | { readonly refused: Refusal }> {
  const executed = await transactions.execute({ account, id }, { type: 'decide_signature', accepted })
  return 'refused' in executed ? executed : { inTime: 'events' in executed && executed.events.length > 0 }
}
