// src/api/limits.ts — everything the server bounds, with the reason.
import { RPC_LIMITS, type RpcLimits } from './socket/socket-limits.ts'

export interface HttpLimits extends RpcLimits {
  /** Characters of an address with its query. Ours stay below 400; longer ones are mistakes or attacks. */
  readonly urlLength: number
  /** Bytes of all headers together: room for a browser's cookies of other services on the same host, and no more. */
  readonly headerBytes: number
  /** Milliseconds until the headers must have come: a slow sender must not hold a socket for nothing. */
  readonly headersMs: number
  /** Milliseconds until the whole request must have come. A till on a bad mobile line needs a few seconds. */
  readonly requestMs: number
  /** Milliseconds an idle connection is kept: longer than the 60 s of common proxies, so that they close first. */
  readonly keepAliveMs: number
  /** How often the three limits above are looked at, in milliseconds. */
  readonly checkEveryMs: number
  /** Sockets open at once: each costs some kilobytes, and a process has a limited number of them. */
  readonly connections: number
  /** Requests served at once, without those that wait for a change: beyond it, latency only grows. */
  readonly inFlight: number
  /** Requests that wait for a change. A waiting request costs a socket and a listener. */
  readonly waits: number
  /** So that one merchant cannot take all of them. */
  readonly waitsPerAccount: number
  /** Open event streams: each reads the store after every change of its account. */
  readonly streams: number
  readonly streamsPerAccount: number
  /** Test accounts opened in an hour: each leaves a dozen records for ever. */
  readonly testAccountsPerHour: number
}

export const HTTP_LIMITS: HttpLimits = {
  ...RPC_LIMITS,
  urlLength: 4_096,
  headerBytes: 16_384,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 75_000,
  checkEveryMs: 2_000,
  connections: 20_000,
  inFlight: 4_000,
  waits: 10_000,
  waitsPerAccount: 1_000,
  streams: 1_000,
  streamsPerAccount: 20,
  testAccountsPerHour: 200,
}
