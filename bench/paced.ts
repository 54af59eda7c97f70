// bench/paced.ts — load at a given rate: each connection sends once a second, whether or not it has been answered.
import type { Line } from './load.ts'

export interface PacedOrder {
  /** One request a second each, spread evenly over the second. */
  readonly lines: readonly Line[]
  /** Returns the next request of a line. */
  readonly next: (line: number) => string
  /** Expected status of every answer. */
  readonly status: number
  readonly seconds: number
}

export interface Paced {
  /** In milliseconds, from when a request was due: waiting to be sent is part of it. */
  readonly latenciesMs: readonly number[]
  /** Answers with another status, and requests that were not answered. */
  readonly errors: number
}

/** Sends at the rate and waits for the last answer. */
export function sendPaced({ lines, next, status: expected, seconds }: PacedOrder): Promise<Paced> {
  const latenciesMs: number[] = []
  const total = lines.length * seconds
  let errors = 0
  let answered = 0
  const startedAt = performance.now()
  const dueAt = (number: number): number => startedAt + (number / lines.length) * 1_000
  const waiting = lines.map(() => [] as number[])
  return new Promise(resolve => {
    const over = (): void => {
      answered += 1
      if (answered === total) resolve({ latenciesMs, errors })
    }
    for (const [index, line] of lines.entries()) {
      line.onAnswer = status => {
        latenciesMs.push(performance.now() - (waiting[index]?.shift() ?? Number.NaN))
        if (status !== expected) errors += 1
        over()
      }
      line.socket.once('close', () => {
        const lost = waiting[index]?.splice(0) ?? []
        errors += lost.length
        for (const _ of lost) over()
      })
    }
    let sent = 0
    const turn = (): void => {
      for (; sent < total && dueAt(sent) <= performance.now(); sent += 1) {
        const line = sent % lines.length
        waiting[line]?.push(dueAt(sent))
        lines[line]?.socket.write(next(line), 'latin1')
      }
      if (sent < total) setTimeout(turn, 1)
    }
    turn()
  })
}

/** A part of the latencies is at most this long, in milliseconds with one decimal. @param part between 0 and 1 */
export function latencyAt({ latenciesMs }: Paced, part: number): string {
  const sorted = latenciesMs.toSorted((one, other) => one - other)
  return (sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN).toFixed(1)
}
