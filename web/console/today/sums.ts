// web/console/today/sums.ts — takings, outcomes, speed and failures of a day, from its transactions. Pure.

/** A transaction, as far as a day is concerned. */
export interface DayItem {
  readonly tid: string
  /** Of its card; empty when none was read. */
  readonly scheme: string
  readonly currency: string
  readonly transactionType: string
  /** Null while it runs. */
  readonly result: string | null
  readonly moneyTaken: 'yes' | 'no' | 'unknown'
  /** With gratuity and cashback, minor units. */
  readonly totalMinor: number
  readonly gratuityMinor: number
  /** From start to end; null while it runs. */
  readonly tookMs: number | null
  /** Hour of the shop's day in which it was started. */
  readonly hour: number
}

export interface Takings {
  readonly currency: string
  readonly salesMinor: number
  readonly salesCount: number
  readonly refundsMinor: number
  readonly refundsCount: number
  readonly gratuityMinor: number
  /** Sales less refunds. */
  readonly totalMinor: number
}

/** Only money that moved counts: sales, completions and refunds that succeeded, as in the reports of a terminal. */
export function takingsOf(items: readonly DayItem[]): readonly Takings[] {
  const moved = items.filter(
    ({ moneyTaken, transactionType }) => moneyTaken === 'yes' && transactionType !== 'DUPLICATE',
  )
  return grouped(moved, ({ currency }) => currency).map(([currency, own]) => {
    const refunds = own.filter(({ transactionType }) => transactionType === 'REFUND')
    const sales = own.filter(({ transactionType }) => transactionType !== 'REFUND')
    const [salesMinor, refundsMinor] = [sum(sales), sum(refunds)]
    return {
      ...{ currency, salesMinor, salesCount: sales.length, refundsMinor, refundsCount: refunds.length },
      gratuityMinor: own.reduce((before, { gratuityMinor }) => before + gratuityMinor, 0),
      totalMinor: salesMinor - refundsMinor,
    }
  })
}

function sum(items: readonly DayItem[]): number {
  return items.reduce((before, { totalMinor }) => before + totalMinor, 0)
}

/** Takings of a currency in each hour, sales less refunds, minor units. */
export function takingsByHour(
  items: readonly DayItem[],
  currency: string,
  hours: readonly number[],
): readonly number[] {
  return hours.map(hour => {
    const [takings] = takingsOf(items.filter(each => each.hour === hour && each.currency === currency))
    return takings?.totalMinor ?? 0
  })
}

export interface Outcome {
  /** A result, or `running`. */
  readonly name: string
  readonly count: number
  /** Of all, 0 to 1. */
  readonly share: number
}

/** How transactions ended, the most frequent first. */
export function outcomesOf(items: readonly DayItem[]): readonly Outcome[] {
  return grouped(items, ({ result }) => result ?? 'running')
    .map(([name, own]) => ({ name, count: own.length, share: own.length / items.length }))
    .sort((a, b) => b.count - a.count)
}

export interface Speed {
  /** Half of them took no longer, milliseconds; null without any. */
  readonly p50Ms: number | null
  /** 95 of 100 took no longer. */
  readonly p95Ms: number | null
}

/** From start to end, with the time that customers take. Transactions that run do not count. */
export function speedOf(items: readonly DayItem[]): Speed {
  const took = items.flatMap(({ tookMs }) => (tookMs === null ? [] : [tookMs])).sort((a, b) => a - b)
  return { p50Ms: percentile(took, 50), p95Ms: percentile(took, 95) }
}

/** By the nearest rank: a value that was measured. @param sorted ascending */
function percentile(sorted: readonly number[], percent: number): number | null {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null
}

export interface Group extends Speed {
  readonly name: string
  /** Finished ones. */
  readonly count: number
  /** Finished without success, declined ones included. */
  readonly failed: number
  readonly declined: number
  /** Failed of finished, 0 to 1. */
  readonly share: number
}

/** Speed and failures by terminal or scheme, most failures first. */
export function groupsOf(items: readonly DayItem[], nameOf: (item: DayItem) => string): readonly Group[] {
  const finished = items.filter(({ result }) => result !== null)
  return grouped(finished, nameOf)
    .map(([name, own]) => {
      const failed = own.filter(({ result }) => result !== 'SUCCESSFUL').length
      const declined = own.filter(({ result }) => result === 'DECLINED').length
      return { name, count: own.length, failed, declined, share: failed / own.length, ...speedOf(own) }
    })
    .sort((a, b) => b.failed - a.failed || (a.name < b.name ? -1 : 1))
}

function grouped(
  items: readonly DayItem[],
  nameOf: (item: DayItem) => string,
): readonly (readonly [string, readonly DayItem[]])[] {
  const groups = new Map<string, DayItem[]>()
  for (const item of items) {
    const name = nameOf(item)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** A time as people read it. */
export function secondsInWords(ms: number | null): string {
  return ms === null ? 'none' : `${(ms / 1_000).toFixed(1)} s`
}
