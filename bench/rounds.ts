// bench/rounds.ts — interleaved rounds: each contender in turn, again and again, and the median of the ratios. What the
// machine does meanwhile, it does to all of them.
import type { Round } from './load.ts'

/** One side of a comparison. */
export interface Contender {
  readonly name: string
  round(limitMs: number): Promise<Round>
}

export interface Compared {
  /** Median of answers a second of each contender, in the order given. */
  readonly perSecond: readonly number[]
  /** Median over the rounds of the first contender's answers a second, divided by each other's. */
  readonly ratios: readonly number[]
}

/** Compares the first contender with each of the others. One warm-up round each is not counted. */
export async function compare(contenders: readonly Contender[], rounds: number, roundMs: number): Promise<Compared> {
  for (const contender of contenders) await contender.round(roundMs)
  const speeds: number[][] = contenders.map(() => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [index, contender] of contenders.entries()) {
      const { answered, elapsedMs } = await contender.round(roundMs)
      speeds[index]?.push((answered * 1_000) / elapsedMs)
    }
  const [first = [], ...others] = speeds
  return {
    perSecond: speeds.map(median),
    ratios: others.map(other => median(first.map((speed, round) => speed / (other[round] ?? Number.NaN)))),
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
