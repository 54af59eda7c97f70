// src/api/socket/request-queue.ts — starts the requests of a till one after the other, in the order of arrival.
import type { Request, Served } from './dispatcher.ts'
import type { Outbox } from './outbox.ts'

export interface RequestQueueOwner {
  serve(request: Request): Promise<Served>
  /** Returns the reply to a request whose serving has failed. */
  failed(request: Request, error: unknown): Served
}

export class RequestQueue {
  readonly #outbox: Outbox
  readonly #most: number
  readonly #owner: RequestQueueOwner
  /** Resolves when the next request may start. */
  #previous: Promise<void> = Promise.resolve()
  #open = 0

  /** @param most limit of open requests: queued, or started and not answered */
  constructor(outbox: Outbox, most: number, owner: RequestQueueOwner) {
    this.#outbox = outbox
    this.#most = most
    this.#owner = owner
  }

  /**
   * Queues a request. False when too many are open. The next request starts when this one is answered or under way.
   */
  take(request: Request): boolean {
    if (this.#open >= this.#most) return false
    this.#open += 1
    this.#previous = this.#previous.then(() => this.#begin(request))
    return true
  }

  /** Does not reject. */
  async #begin(request: Request): Promise<void> {
    this.#outbox.defer()
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
