// test/crash/book.ts — what the tills were told, written down by themselves: the third account of what happened, beside
// the gateway's records and the acquirer's ledger.
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
  /** No field of any request: what a till that is badly written sends along. */
  readonly cardNumber?: string
}

/** A wish to cancel that was acknowledged. Epoch milliseconds. */
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
  /** The last answer, byte for byte, once it has told the result. */
  end: { readonly text: string; readonly etag: string; readonly body: TransactionBody } | null
}

export interface Book {
  readonly entries: Entry[]
  /** Transactions that were on a terminal when its plug was pulled, or may have been. */
  readonly unplugged: Set<string>
  /** Starts whose answer was lost at least once. */
  repeatedStarts: number
}

export function emptyBook(): Book {
  return { entries: [], unplugged: new Set(), repeatedStarts: 0 }
}
