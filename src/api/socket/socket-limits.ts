// src/api/socket/socket-limits.ts — the limits of WebSocket connections, with their reasons. ADR 10.

export interface RpcLimits {
  /** Connected tills. Each costs some kilobytes and one of the process's sockets. */
  readonly tills: number
  /** Connected tills of one account: one merchant cannot take all connections. Far more than a shop has. */
  readonly tillsPerAccount: number
  /** Bytes of a message. Valid ones have some kilobytes at most. */
  readonly messageBytes: number
  /** Messages of a till per second. A person at a till causes one or two. */
  readonly messagesPerSecond: number
  /** Open requests of a connection: one for each terminal of a large shop. */
  readonly openRequests: number
  /** Bytes that a till has not read. With more, it has stopped reading. */
  readonly unreadBytes: number
  /** Milliseconds between two pings. */
  readonly pingMs: number
  /** Milliseconds of silence after which a connection is closed. */
  readonly silenceMs: number
  /** Milliseconds for the closing handshake. */
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
