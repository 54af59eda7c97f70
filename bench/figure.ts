// bench/figure.ts — a figure is one question to the machine: it runs, and gives rows for the table.
import type { Spread } from './rounds.ts'

/** How a run is to be done. */
export interface Bench {
  /** Fewer and shorter rounds: to see that everything works, not to be quoted. */
  readonly quick: boolean
  /** A directory for this run alone. It is removed at the end. */
  readonly directory: string
  /** Transactions in the large database. */
  readonly stored: number
  /** Says how it goes on. */
  say(text: string): void
}

export interface Figure {
  /** As it is named on the command line. */
  readonly name: string
  /** How it is measured, in a sentence or two below the table. */
  readonly conditions: string
  run(bench: Bench): Promise<readonly Row[]>
}

/** What the median of a quiet run has to reach. */
export type Bar = { readonly atLeast: number } | { readonly atMost: number }

export interface Row {
  readonly what: string
  readonly reached: string
  readonly bar: string
  readonly verdict: string
  readonly detail: string
}

/** A ratio, and what was to be reached. */
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

/** A value that has no bar. */
export function plainRow(what: string, reached: string, detail: string): Row {
  return { what, reached, bar: '', verdict: '', detail }
}
