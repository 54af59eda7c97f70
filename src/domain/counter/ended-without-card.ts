// src/domain/counter/ended-without-card.ts — decides whether a transaction ended before a card was read.
import type { CardDetails } from '../card.ts'
import type { TerminalTransaction } from './transaction.ts'
import type { TransactionResult } from './transaction-events.ts'

/** Marks the event that ends a transaction. Decided once, because the body of a finished transaction never changes. */
export function markOf(
  record: TerminalTransaction,
  end: { readonly result: TransactionResult; readonly card: CardDetails },
): { readonly withoutCard?: true } {
  return record.authorisation !== 'none' || isRead(end.card) || impliesCard(record, end.result)
    ? {}
    : { withoutCard: true }
}

function isRead({ paymentMethod, primaryAccountNumber, cardholderVerificationMethod: verified }: CardDetails): boolean {
  return paymentMethod !== 'UNKNOWN' || primaryAccountNumber !== '' || (verified !== 'UNKNOWN' && verified !== 'NONE')
}

/** Whether a card was read, or may have been, although the terminal reported no card details. */
function impliesCard({ authorisedBy, request }: TerminalTransaction, result: TransactionResult): boolean {
  switch (result) {
    case 'SUCCESSFUL':
    case 'DECLINED':
    case 'VOID':
      return true
    case 'CANCELLED':
    case 'UNSUCCESSFUL':
      return false
    case 'TIMED_OUT':
      // A terminal that authorises by itself may have read one since. A DUPLICATE may repeat an unknown outcome.
      return authorisedBy === 'terminal' || request.transactionType === 'DUPLICATE'
  }
}
