// src/peers/time.ts — the clock of a peer.

export interface Time {
  /** Epoch milliseconds. */
  now(): number
  /** Calls back at or after `at`, epoch milliseconds. */
  alarm(at: number, callback: () => void): { cancel(): void }
}
