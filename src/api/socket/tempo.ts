// src/api/socket/tempo.ts — how fast messages come in.

const SECOND_MS = 1_000

export class Tempo {
  readonly #perSecond: number
  #since: number
  #count = 0

  constructor(perSecond: number, now: number) {
    this.#perSecond = perSecond
    this.#since = now
  }

  /** To be called for each message: false when there were more than so many within a second. */
  allows(now: number): boolean {
    if (now - this.#since >= SECOND_MS) {
      this.#since = now
      this.#count = 0
    }
    this.#count += 1
    return this.#count <= this.#perSecond
  }
}
