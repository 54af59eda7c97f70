// src/api/socket/message-batches.ts — what is said in one turn of the event loop leaves together, at its end. Each write wakes
// whoever reads at the other end; woken once for a hundred messages, a busy gateway has a third more time for its own work.
import { atEndOfTurn } from '../../engine/end-of-turn.ts'

export interface Departing {
  leave(): void
}

export interface Departures {
  /** Has it leave at the end of this turn. */
  add(departing: Departing): void
}

export function createDepartures(): Departures {
  let waiting: Departing[] = []
  function departed(): void {
    const leaving = waiting
    waiting = []
    for (const departing of leaving) departing.leave()
  }
  return {
    add(departing) {
      if (waiting.length === 0) atEndOfTurn(departed)
      waiting.push(departing)
    },
  }
}
