// src/platform/turn.ts — the end of a turn of the event loop, which is no time that a clock could tell.

/** Resolves when everything that is ready now has run once. */
export function endOfTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
