// web/console/sandbox/clock.ts — the time on an account's clock, and moments that people type.

/** A clock, as `/sandbox/clock` has it. */
export interface Clock {
  /** Epoch milliseconds. */
  readonly nowMs: number
  readonly frozen: boolean
  /** How far it is ahead of the system clock, in milliseconds. */
  readonly offsetMs: number
  /** After a move: timers that fired. */
  readonly fired?: number
  /** After a move: false when it stopped on the way. */
  readonly settled?: boolean
}

const UNITS = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1_000 },
] as const

/** The time on a clock that was read some milliseconds ago. */
export function nowOn({ nowMs, frozen }: Clock, agoMs: number): number {
  return frozen ? nowMs : nowMs + agoMs
}

/** How far a clock is from the system clock, in a sentence. Two units are enough. */
export function offsetInWords(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1_000)
  if (seconds === 0) return 'It shows the time of the system clock.'
  let rest = seconds * 1_000
  const parts: string[] = []
  for (const { name, ms } of UNITS) {
    const count = Math.floor(rest / ms)
    rest -= count * ms
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
  }
  return `It is ${parts.join(' and ')} ${offsetMs > 0 ? 'ahead of' : 'behind'} the system clock.`
}

/** What a field for date and time holds, such as `2026-12-31T23:59`, as RFC 3339 in UTC. Null when it holds no time. */
export function momentIn(typed: string): string | null {
  const at = Date.parse(`${typed}Z`)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
