// bench/rounds.ts — interleaved rounds: every side runs in every round, so that other activity on the machine affects all
// alike. Only ratios within a round are compared.
import type { Load, RoundOrder } from './load.ts'
import { processorMs, type ServerProcess } from './server-process.ts'

/** A server with its own load. */
export interface Side {
  readonly name: string
  readonly server: ServerProcess
  /** Further processes whose processor time counts. */
  readonly others?: readonly ServerProcess[]
  readonly load: Load
  readonly order: Omit<RoundOrder, 'limitMs'>
}

export interface Rounds {
  readonly count: number
  readonly limitMs: number
  /** Rounds before the first that counts, until the code of all sides is optimised. */
  readonly warmUp: number
  /** Pause between two sides, in milliseconds: work after the last answer of one must not slow down the next. */
  readonly pauseMs: number
}

/** Rounds of online payments. */
export function roundsOfPayments(quick: boolean): Rounds {
  return quick
    ? { count: 5, limitMs: 250, warmUp: 1, pauseMs: 100 }
    : { count: 13, limitMs: 500, warmUp: 3, pauseMs: 100 }
}

/** Results of one side, by round. */
export interface Measured {
  readonly name: string
  readonly perSecond: readonly number[]
  /** Processor time of the whole process per request, in microseconds; empty when the system does not provide it. */
  readonly processorUs: readonly number[]
}

/** Median and quartiles. */
export interface Spread {
  readonly low: number
  readonly median: number
  readonly high: number
}

/** Runs the rounds. The order of the sides is reversed each time. */
export async function interleave(sides: readonly Side[], rounds: Rounds): Promise<readonly Measured[]> {
  const measured = sides.map(({ name }) => ({ name, perSecond: [] as number[], processorUs: [] as number[] }))
  for (let round = -rounds.warmUp; round < rounds.count; round += 1) {
    const turns = sides.map((side, index) => ({ side, own: measured[index] }))
    for (const { side, own } of round % 2 === 0 ? turns : turns.reverse()) {
      const before = processorOf(side)
      const { answered, elapsedMs } = await side.load.run({ ...side.order, limitMs: rounds.limitMs })
      await new Promise(resolve => setTimeout(resolve, rounds.pauseMs))
      if (answered === 0) throw new Error(`${side.name} had nothing left to ask for`)
      if (round < 0) continue
      own?.perSecond.push((answered / elapsedMs) * 1_000)
      if (before !== null) own?.processorUs.push((((processorOf(side) ?? 0) - before) * 1_000) / answered)
    }
  }
  return measured
}

function processorOf({ server, others = [] }: Side): number | null {
  return [server, ...others].reduce<number | null>((sum, { pid }) => {
    const ms = processorMs(pid)
    return sum === null || ms === null ? null : sum + ms
  }, 0)
}

/** Speed of `side` relative to `yardstick`, over the ratios of each round. */
export function ratios(side: Measured | undefined, yardstick: Measured | undefined): Spread {
  if (side === undefined || yardstick === undefined) throw new Error('a side is missing')
  return spreadOf(side.perSecond.map((rate, round) => rate / (yardstick.perSecond[round] ?? Number.NaN)))
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN
  return { low: at(0.25), median: at(0.5), high: at(0.75) }
}

/** `gateway 31,200/s at 22 µs`: requests per second and processor time per request. */
export function inWords({ name, perSecond, processorUs }: Measured): string {
  const rate = `${name} ${Math.round(spreadOf(perSecond).median).toLocaleString('en')}/s`
  return processorUs.length === 0 ? rate : `${rate} at ${Math.round(spreadOf(processorUs).median)} µs`
}
