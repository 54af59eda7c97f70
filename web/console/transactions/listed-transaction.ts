// web/console/transactions/listed-transaction.ts — a transaction at a terminal, as `/api/transactions` lists it.

export interface ListedTransaction {
  readonly requestId: string
  readonly tid: string
  readonly transactionType: string
  readonly amountMinor: number
  /** Asked of the card, with gratuity and cashback; null until the end, as what follows. */
  readonly totalMinor: number | null
  readonly gratuityMinor: number | null
  readonly cashbackMinor: number | null
  readonly currency: string
  /** Of its card; null as well when none was read. */
  readonly scheme: string | null
  readonly result: string | null
  readonly progress: string
  readonly authorisation: string
  readonly verdict: Verdict
  readonly table: { readonly tableId: string } | null
  readonly startedAt: string
  readonly finishedAt: string | null
}

/** What was asked of the card in the end, with gratuity and cashback. In minor units. */
export function totalMinorOf({
  totalMinor,
  amountMinor,
}: Pick<ListedTransaction, 'totalMinor' | 'amountMinor'>): number {
  return totalMinor ?? amountMinor
}

export interface Verdict {
  readonly final: boolean
  readonly moneyTaken: 'yes' | 'no' | 'unknown'
  readonly safeToRetry: boolean
  readonly nextStep: string
}
