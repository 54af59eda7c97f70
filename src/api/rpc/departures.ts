// src/api/rpc/departures.ts — what is said in one turn of the event loop leaves together, at its end. Each write wakes
// whoever reads at the other end; woken once for a hundred messages, a busy gateway has a third more time for its own work.
import { atEndOfTurn } from '../../engine/turn.ts'

export interface Departures {
  /** Has `leave` called at the end of this turn. */
  add(leave: () => void): void
}

export function createDepartures(): Departures {
  let waiting: (() => void)[] = []
  function departed(): void {
    const leaving = waiting
    waiting = []
    for (const leave of leaving) leave()
  }
  return {
    add(leave) {
      if (waiting.length === 0) atEndOfTurn(departed)
      waiting.push(leave)
    },
  }
}
