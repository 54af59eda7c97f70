// src/domain/accounts/key-limits.ts — what an API key is limited to: areas of the API, and terminals.
import type { TerminalId } from '../ids.ts'

/**
 * `counter`: `/pac` and its socket. `tables`: `/pat` and its socket. `online`: JWTs that name the key. `management`: `/api`. `sandbox`: the
 * controls of a sandbox.
 */
export const KEY_AREAS = ['counter', 'tables', 'online', 'management', 'sandbox'] as const
export type KeyArea = (typeof KEY_AREAS)[number]

/** More than the tills of one place use. A key for more terminals is better not limited to terminals. */
export const MOST_KEY_TERMINALS = 50

/** Absent members do not limit. */
export interface KeyLimits {
  readonly areas?: readonly KeyArea[]
  readonly terminals?: readonly TerminalId[]
}

export function reachesArea({ areas }: KeyLimits, area: KeyArea): boolean {
  return areas === undefined || areas.includes(area)
}

export function reachesTerminal({ terminals }: KeyLimits, tid: TerminalId): boolean {
  return terminals === undefined || terminals.includes(tid)
}

/** The limits with each area and terminal once, areas in the order of the list. */
export function plainLimits({ areas, terminals }: KeyLimits): KeyLimits {
  return {
    ...(areas === undefined ? {} : { areas: KEY_AREAS.filter(area => areas.includes(area)) }),
    ...(terminals === undefined ? {} : { terminals: [...new Set(terminals)] }),
  }
}
