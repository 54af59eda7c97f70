// web/console/transactions/listed-transaction.ts — a transaction at a terminal, as `/api/transactions` lists it.

export interface ListedTransaction {
  readonly requestId: string
  readonly tid: string
  readonly transactionType: string
  readonly amountMinor: number
  readonly currency: string
  readonly result: string | null
  readonly progress: string
  readonly verdict: Verdict
  readonly table: { readonly tableId: string } | null
  readonly startedAt: string
  readonly finishedAt: string | null
}

export interface Verdict {
  readonly final: boolean
  readonly moneyTaken: 'yes' | 'no' | 'unknown'
  readonly safeToRetry: boolean
  readonly nextStep: string
}
