// src/engine/end-of-turn.ts — the end of a turn of the event loop, which is no time that a clock could tell.

/** Runs a task when all that has been heard in this turn has been dealt with. */
export function atEndOfTurn(task: () => void): void {
  setImmediate(task)
}
