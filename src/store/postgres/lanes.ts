// src/store/postgres/lanes.ts — the number of lanes of a store that several processes share.

/**
 * Merchant accounts are spread over this many lanes: enough to share them out evenly among eight processes. Effects and timers
 * are stored with their lane, so another number needs a migration.
 */
export const LANES = 64
