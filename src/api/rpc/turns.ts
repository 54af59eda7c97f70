// src/api/rpc/turns.ts — one request after the other: what a till sends in a row is taken in this order.
import { after, orElse, type Soon } from '../../engine/soon.ts'
import type { Request, Served } from './dispatcher.ts'
import type { Outbox } from './outbox.ts'

export interface TurnsParts {
  readonly outbox: Outbox
  /** Requests that may be open at once: taken and not answered, or waiting for their turn. */
  readonly most: number
  readonly serve: (request: Request) => Soon<Served>
  /** What is said of a request that could not be served. */
  readonly failed: (request: Request, error: unknown) => Served
}

/**
 * Returns a function to call for each request; false when there are too many. What lies in memory is answered before it
 * returns; a request that has to wait for something holds back those behind it, until it is answered or under way.
 */
export function createTurns({ outbox, most, serve, failed }: TurnsParts): (request: Request) => boolean {
  /** What is being taken; null: nothing, and the next request may be taken at once. */
  let turn: Promise<void> | null = null
  let open = 0

  /** Never fails. */
  function take(request: Request): Soon<void> {
    outbox.hold()
    return orElse(
      () => after(serve(request), answer),
      error => answer(failed(request, error)),
    )
  }

  function answer({ now, later }: Served): void {
    outbox.release(now)
    if (later !== null) void later.then(outbox.send).finally(() => (open -= 1))
    else open -= 1
  }

  return request => {
    if (open >= most) return false
    open += 1
    const taken = turn === null ? take(request) : turn.then(() => take(request))
    if (taken instanceof Promise) {
      const mine = taken.then(() => {
        if (turn === mine) turn = null
      })
      turn = mine
    }
    return true
  }
}
