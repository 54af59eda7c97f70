// src/store/days.ts — days, by which lists of a period are found. ADR 55.

const DAY_MS = 86_400_000

/** Days since 1970-01-01 UTC. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}
