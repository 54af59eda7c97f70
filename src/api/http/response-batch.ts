// src/api/http/response-batch.ts — lets responses leave together, at the end of the turn of the event loop in which they were
// given. Reading and deciding for all that has come, and only then writing, keeps either in the processor's caches. ADR 41.
import { atEndOfTurn } from '../../engine/end-of-turn.ts'

/** Returns a function to call with what sends a response. */
export function createResponseBatch(): (send: () => void) => void {
  let batch: (() => void)[] = []
  const sendAll = (): void => {
    const all = batch
    batch = []
    for (const send of all) send()
  }
  return send => {
    if (batch.length === 0) atEndOfTurn(sendAll)
    batch.push(send)
  }
}
