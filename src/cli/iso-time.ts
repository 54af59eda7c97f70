// src/cli/iso-time.ts — a moment as programs and people read it.

/** `2026-05-06T14:03:27.000Z` of epoch milliseconds. */
export function isoTime(at: number): string {
  return new Date(at).toISOString()
}

/** `2026-05-06 14:03`, UTC. */
export function shortTime(at: number): string {
  return isoTime(at).slice(0, 16).replace('T', ' ')
}
