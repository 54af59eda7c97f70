// test/crash/book.ts — notes of the tills: a third record of the run, beside the gateway's records and the acquirer's
// ledger.
import type { TransactionBody } from '../../src/api/transaction-body.ts'
import type { TransactionType } from '../../src/domain/counter/transaction-events.ts'

/** A request as a till sends it. */
export interface TillRequest {
  readonly transactionType: TransactionType
  readonly amount?: number
  readonly amountCashback?: number
  readonly currency?: string
  readonly cardholderNotPresent?: boolean
  readonly authCode?: string
  /** Not a field of any request: some tills send it by mistake. */
  readonly cardNumber?: string
}

/** An acknowledged cancel. Epoch milliseconds. */
export interface Cancel {
  readonly askedAt: number
  readonly answeredAt: number
}

export interface Entry {
  readonly account: string
  readonly tid: string
  readonly idempotencyKey: string
  readonly request: TillRequest
  readonly requestId: string
  /** The first answer to the request, byte for byte. */
  readonly answer: string
  readonly cancels: Cancel[]
  /** The first answer that contains the result, byte for byte. */
  end: { readonly text: string; readonly etag: string; readonly body: TransactionBody } | null
}

export interface Book {
  readonly entries: Entry[]
  /** Transactions that were, or may have been, on a terminal when it was unplugged. */
  readonly unplugged: Set<string>
  /** Number of starts whose answer was lost at least once. */
  repeatedStarts: number
}

export function emptyBook(): Book {
  return { entries: [], unplugged: new Set(), repeatedStarts: 0 }
}
