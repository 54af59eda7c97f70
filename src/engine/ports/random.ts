// src/engine/ports/random.ts — gives unguessable bytes and ids.

/** Chance. */
export interface Random {
  /** `count` unguessable bytes. */
  bytes(count: number): Uint8Array
  /** A UUID. It may begin with the time: who wants a short name cuts it from the end. */
  uuid(): string
}
