// src/engine/ports/random.ts — port: unguessable bytes and ids.

/** The only source of randomness. */
export interface Random {
  /** `count` unguessable bytes. */
  bytes(count: number): Uint8Array
  /** A UUID. It may begin with a timestamp: take short names from its end. */
  uuid(): string
}
