// web/console/transactions/live-list.ts — the newest transactions, kept up to date by the events of the account.
import type { Gateway } from '../gateway.ts'
import { type Listing, type LivePages, queryOf, useLivePages } from '../parts/live-pages.ts'

export interface ListedTransaction {
  readonly requestId: string
  readonly tid: string
  readonly transactionType: string
  readonly amountMinor: number
  readonly currency: string
  readonly result: string | null
  readonly progress: string
  readonly verdict: Verdict
  readonly startedAt: string
}

export interface Verdict {
  readonly final: boolean
  readonly moneyTaken: 'yes' | 'no' | 'unknown'
  readonly safeToRetry: boolean
  readonly nextStep: string
}

/** What the list is narrowed to; empty fields narrow nothing. */
export interface Filter {
  readonly terminal: string
  readonly lastFour: string
  readonly result: string
}

const TRANSACTIONS: Listing<ListedTransaction> = {
  path: '/api/transactions',
  field: 'transactions',
  kind: 'terminal-transaction',
  idOf: ({ requestId }) => requestId,
}

export function useLiveList(gateway: Gateway, filter: Filter): LivePages<ListedTransaction> {
  return useLivePages(gateway, TRANSACTIONS, queryOf({ ...filter }))
}
