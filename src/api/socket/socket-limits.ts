// src/api/socket/socket-limits.ts — everything that is bounded on the connections of tills, with the reason. ADR 10.

export interface RpcLimits {
  /** Connections of tills. Each costs some kilobytes, and one more socket of those that a process has. */
  readonly tills: number
  /** So that one merchant cannot take all of them; far more than a shop has tills. */
  readonly tillsPerAccount: number
  /** Bytes of a message. Ours are some kilobytes at most. Terminal socket reference 1.6. */
  readonly messageBytes: number
  /** Messages that a till may send in a second; a person at a till causes one or two. Reference 2.6. */
  readonly messagesPerSecond: number
  /** Requests of one connection that may be open at once: one for each terminal in a large shop. */
  readonly openRequests: number
  /** Bytes that may wait to be read by a till. Who lets so much pile up has stopped reading. */
  readonly unreadBytes: number
  /** Milliseconds between two signs of life that are asked for. Reference 1.7. */
  readonly pingMs: number
  /** Milliseconds of silence after which a till is taken for gone. */
  readonly silenceMs: number
  /** Milliseconds that a till has to take leave when it was told to. */
  readonly leaveMs: number
}

export const RPC_LIMITS: RpcLimits = {
  tills: 15_000,
  tillsPerAccount: 2_000,
  messageBytes: 1_048_576,
  messagesPerSecond: 50,
  openRequests: 200,
  unreadBytes: 1_048_576,
  pingMs: 30_000,
  silenceMs: 60_000,
  leaveMs: 2_000,
}
