// src/cli/iso-time.ts — formats times for programs and people.

/** Formats epoch milliseconds as `2026-05-06T14:03:27.000Z`. */
export function isoTime(at: number): string {
  return new Date(at).toISOString()
}

/** Formats epoch milliseconds as `2026-05-06 14:03`, UTC. */
export function shortTime(at: number): string {
  return isoTime(at).slice(0, 16).replace('T', ' ')
}
