// bench/figure.ts — a figure is one measurement; it returns rows for the table.
import type { Spread } from './rounds.ts'

/** Options of a run. */
export interface Bench {
  /** Fewer and shorter rounds: only to check that everything works, not for quoting. */
  readonly quick: boolean
  /** Directory of this run. It is removed at the end. */
  readonly directory: string
  /** Transactions in the large database. */
  readonly stored: number
  /** Reports progress. */
  say(text: string): void
}

export interface Figure {
  /** Name on the command line. */
  readonly name: string
  /** How it is measured, for the text beside the table. */
  readonly conditions: string
  run(bench: Bench): Promise<readonly Row[]>
}

/** Target for the median of a run on a quiet machine. */
export type Bar = { readonly atLeast: number } | { readonly atMost: number }

export interface Row {
  readonly what: string
  readonly reached: string
  readonly bar: string
  readonly verdict: string
  readonly detail: string
}

/** A ratio with its target. */
export function ratioRow(what: string, { median, low, high }: Spread, bar: Bar, detail: string): Row {
  const places = median < 1.5 ? 2 : 1
  const written = (value: number): string => value.toFixed(places)
  const isReached = 'atMost' in bar ? median <= bar.atMost : median >= bar.atLeast
  return {
    what,
    reached: `${written(median)} (${written(low)} to ${written(high)})`,
    bar: 'atMost' in bar ? `≤ ${bar.atMost}` : `${bar.atLeast}`,
    verdict: isReached ? 'reached' : 'not reached',
    detail,
  }
}

/** A value without a target. */
export function plainRow(what: string, reached: string, detail: string): Row {
  return { what, reached, bar: '', verdict: '', detail }
}
