// src/platform/event-loop.ts — the end of a turn of the event loop, to be waited for.
import { atEndOfTurn } from '../engine/end-of-turn.ts'

/** Resolves when everything that is ready now has run once. */
export function endOfTurn(): Promise<void> {
  return new Promise(resolve => atEndOfTurn(resolve))
}
