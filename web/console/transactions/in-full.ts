// web/console/transactions/in-full.ts — a transaction with everything that is known of it.
import type { ReceiptLines } from '../parts/receipt-lines.ts'
import type { ListedTransaction } from './listed-transaction.ts'

/** A transaction, as `/api/transactions/{requestId}` shows it. */
export interface TransactionInFull extends ListedTransaction {
  /** As the till reads it. Most of it is there at the end. */
  readonly connect: {
    readonly authCode?: string
    /** Stars and the last four digits. */
    readonly primaryAccountNumber?: string
    readonly receiptLines?: ReceiptLines
  }
  readonly record: { readonly request: { readonly authCode: string | null } }
}

/** Last four digits of its card; null before a card was read. */
export function lastFourOf({ connect }: Pick<TransactionInFull, 'connect'>): string | null {
  return /\d{4}$/.exec(connect.primaryAccountNumber ?? '')?.[0] ?? null
}
