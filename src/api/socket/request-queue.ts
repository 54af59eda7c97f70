// src/api/socket/request-queue.ts — one request after the other: what a till sends in a row is taken in this order.
import type { Request, Served } from './dispatcher.ts'
import type { Outbox } from './outbox.ts'

export interface TurnsOwner {
  serve(request: Request): Promise<Served>
  /** What is said of a request that could not be served. */
  failed(request: Request, error: unknown): Served
}

export class Turns {
  readonly #outbox: Outbox
  readonly #most: number
  readonly #owner: TurnsOwner
  /** Resolves when the next request may be taken. */
  #turn: Promise<void> = Promise.resolve()
  #open = 0

  /** @param most requests that may be open at once: taken and not answered, or waiting for their turn */
  constructor(outbox: Outbox, most: number, owner: TurnsOwner) {
    this.#outbox = outbox
    this.#most = most
    this.#owner = owner
  }

  /**
   * Takes a request; false when there are too many. A request holds back those behind it until it is answered or under
   * way.
   */
  take(request: Request): boolean {
    if (this.#open >= this.#most) return false
    this.#open += 1
    this.#turn = this.#turn.then(() => this.#begin(request))
    return true
  }

  /** Never fails. */
  async #begin(request: Request): Promise<void> {
    this.#outbox.hold()
    try {
      this.#answer(await this.#owner.serve(request))
    } catch (error) {
      this.#answer(this.#owner.failed(request, error))
    }
  }

  #answer({ now, later }: Served): void {
    this.#outbox.release(now)
    if (later === null) this.#open -= 1
    else void later.then(reply => this.#outbox.send(reply)).finally(() => (this.#open -= 1))
  }
}
