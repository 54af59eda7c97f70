// src/api/rpc/turns.ts — one request after the other: what a till sends in a row is taken in this order.
import type { Soon } from '../../engine/soon.ts'
import type { Request, Served } from './dispatcher.ts'
import type { Outbox } from './outbox.ts'

export interface TurnsOwner {
  serve(request: Request): Soon<Served>
  /** What is said of a request that could not be served. */
  failed(request: Request, error: unknown): Served
}

export class Turns {
  readonly #outbox: Outbox
  readonly #most: number
  readonly #owner: TurnsOwner
  /** What is being taken; null: nothing, and the next request may be taken at once. */
  #turn: Promise<void> | null = null
  #open = 0

  /** @param most requests that may be open at once: taken and not answered, or waiting for their turn */
  constructor(outbox: Outbox, most: number, owner: TurnsOwner) {
    this.#outbox = outbox
    this.#most = most
    this.#owner = owner
  }

  /**
   * Takes a request; false when there are too many. What lies in memory is answered before it returns; a request that has
   * to wait for something holds back those behind it, until it is answered or under way.
   */
  take(request: Request): boolean {
    if (this.#open >= this.#most) return false
    this.#open += 1
    const taken = this.#turn === null ? this.#begin(request) : this.#turn.then(() => this.#begin(request))
    if (taken instanceof Promise) this.#holdOthers(taken)
    return true
  }

  #holdOthers(taken: Promise<void>): void {
    const mine = taken.then(() => {
      if (this.#turn === mine) this.#turn = null
    })
    this.#turn = mine
  }

  /** Never fails. Written out, not with the helpers for what is soon there: most messages come through here. */
  #begin(request: Request): Soon<void> {
    this.#outbox.hold()
    try {
      const served = this.#owner.serve(request)
      if (!(served instanceof Promise)) return this.#answer(served)
      return served.then(later => this.#answer(later)).catch(error => this.#fail(request, error))
    } catch (error) {
      return this.#fail(request, error)
    }
  }

  #fail(request: Request, error: unknown): void {
    this.#answer(this.#owner.failed(request, error))
  }

  #answer({ now, later }: Served): void {
    this.#outbox.release(now)
    if (later === null) this.#open -= 1
    else void later.then(reply => this.#outbox.send(reply)).finally(() => (this.#open -= 1))
  }
}
