// web/console/today/reports.ts — reports that terminals have made, with what they add up.

interface Totals {
  readonly currency: string
  readonly totalAmount: number
  readonly totalSalesAmount: number
  readonly totalSalesCount: number
  readonly totalRefundsAmount: number
  readonly totalRefundsCount: number
}

export interface DayReport {
  readonly requestId: string
  readonly tid: string
  readonly reportType: string
  readonly startedAt: string
  readonly connect?: {
    readonly balances?: Totals
    readonly banking?: Readonly<Record<string, { readonly currentSessionTotals: Totals }>>
  }
}

export type ReportInFull = DayReport & Required<Pick<DayReport, 'connect'>>

/** What a report adds up: the session of the terminal, or the window at its acquirers. Null when it has no totals. */
export function totalsOf({ connect }: DayReport): Totals | null {
  if (connect?.balances !== undefined) return connect.balances
  const windows = Object.values(connect?.banking ?? {}).map(({ currentSessionTotals }) => currentSessionTotals)
  const [first] = windows
  if (first === undefined) return null
  const sum = (name: Exclude<keyof Totals, 'currency'>) => windows.reduce((before, each) => before + each[name], 0)
  return {
    currency: first.currency,
    totalAmount: sum('totalAmount'),
    totalSalesAmount: sum('totalSalesAmount'),
    totalSalesCount: sum('totalSalesCount'),
    totalRefundsAmount: sum('totalRefundsAmount'),
    totalRefundsCount: sum('totalRefundsCount'),
  }
}
