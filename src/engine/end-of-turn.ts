// src/engine/end-of-turn.ts — schedules work for the end of an event-loop turn. It needs no clock.

/** Runs a task after all input of this event-loop turn has been handled. */
export function atEndOfTurn(task: () => void): void {
  setImmediate(task)
}
