// src/api/versions/older-words.ts — values of older versions, common to REST and WebSocket.

/** Capabilities of every terminal. The newest version no longer has them. */
export const CAPABILITIES = [
  'SALE',
  'REFUND',
  'DUPLICATE',
  'CANCEL_TRANSACTION',
  'REPORT_END_OF_DAY',
  'REPORT_BANKING',
  'REPORT_X_BALANCE',
  'REPORT_Z_BALANCE',
  'TERMINAL_STATUS',
] as const

/** Older versions have no UNKNOWN card verification. */
export function olderVerification(method: unknown): unknown {
  return method === 'UNKNOWN' ? 'NONE' : method
}

/** Appends the `Z` that v0 has on local times, without meaning UTC. See docs/versions.md. */
export function zonedTime(local: unknown): string {
  return `${local}Z`
}
