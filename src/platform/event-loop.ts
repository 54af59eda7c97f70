// src/platform/event-loop.ts — awaits the end of the current event-loop turn.
import { atEndOfTurn } from '../engine/end-of-turn.ts'

/** Resolves when all callbacks that are ready now have run. */
export function endOfTurn(): Promise<void> {
  return new Promise(resolve => atEndOfTurn(resolve))
}
