// bench/rounds.ts — interleaved rounds: each side has its turn in every round, so that what the machine does meanwhile
// hits all of them alike, and only ratios within a round are compared.
import type { Load, RoundOrder } from './load.ts'
import { processorMs, type ServerProcess } from './server-process.ts'

/** A server under a load of its own. */
export interface Side {
  readonly name: string
  readonly server: ServerProcess
  readonly load: Load
  readonly order: Omit<RoundOrder, 'limitMs'>
}

export interface Rounds {
  readonly count: number
  readonly limitMs: number
  /** Rounds before the first that counts: until the compilers of all sides have settled. */
  readonly warmUp: number
  /** Between two turns: what a server does after its last answer must not be counted against the next one. */
  readonly pauseMs: number
}

/** What one side came to in each round. */
export interface Measured {
  readonly name: string
  readonly perSecond: readonly number[]
  /** Processor time of the whole process for one request, in microseconds; empty where the system does not tell. */
  readonly processorUs: readonly number[]
}

/** The middle of several values, and the quarter and three quarters of them. */
export interface Spread {
  readonly low: number
  readonly median: number
  readonly high: number
}

/** Runs the rounds. The order of the sides turns round each time. */
export async function interleave(sides: readonly Side[], rounds: Rounds): Promise<readonly Measured[]> {
  const measured = sides.map(({ name }) => ({ name, perSecond: [] as number[], processorUs: [] as number[] }))
  for (let round = -rounds.warmUp; round < rounds.count; round += 1) {
    const turns = sides.map((side, index) => ({ side, own: measured[index] }))
    for (const { side, own } of round % 2 === 0 ? turns : turns.reverse()) {
      const before = processorMs(side.server.pid)
      const { answered, elapsedMs } = await side.load.run({ ...side.order, limitMs: rounds.limitMs })
      await new Promise(resolve => setTimeout(resolve, rounds.pauseMs))
      if (answered === 0) throw new Error(`${side.name} had nothing left to ask for`)
      if (round < 0) continue
      own?.perSecond.push((answered / elapsedMs) * 1_000)
      if (before !== null) own?.processorUs.push((((processorMs(side.server.pid) ?? 0) - before) * 1_000) / answered)
    }
  }
  return measured
}

/** How much faster `side` was than `yardstick`, round by round. */
export function ratios(side: Measured | undefined, yardstick: Measured | undefined): Spread {
  if (side === undefined || yardstick === undefined) throw new Error('a side is missing')
  return spreadOf(side.perSecond.map((rate, round) => rate / (yardstick.perSecond[round] ?? Number.NaN)))
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN
  return { low: at(0.25), median: at(0.5), high: at(0.75) }
}

/** `gateway 31,200/s at 22 µs`: requests a second, and processor time a request. */
export function inWords({ name, perSecond, processorUs }: Measured): string {
  const rate = `${name} ${Math.round(spreadOf(perSecond).median).toLocaleString('en')}/s`
  return processorUs.length === 0 ? rate : `${rate} at ${Math.round(spreadOf(processorUs).median)} µs`
}
