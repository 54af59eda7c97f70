// src/api/limits.ts — the limits of the HTTP server, with their reasons.
import { RPC_LIMITS, type RpcLimits } from './socket/socket-limits.ts'

export interface HttpLimits extends RpcLimits {
  /** Characters of a URL with its query. Ours stay below 400; longer ones are mistakes or attacks. */
  readonly urlLength: number
  /** Bytes of all headers together: room for a browser's cookies of other services on the same host, and no more. */
  readonly headerBytes: number
  /** Milliseconds for receiving the headers: a slow sender must not occupy a socket. */
  readonly headersMs: number
  /** Milliseconds for receiving the whole request. A till on a bad mobile connection needs a few seconds. */
  readonly requestMs: number
  /** Milliseconds an idle connection is kept: longer than the 60 s of common proxies, so that they close first. */
  readonly keepAliveMs: number
  /** Interval of checking `headersMs` and `requestMs`, in milliseconds. */
  readonly checkEveryMs: number
  /** Sockets open at once: each costs some kilobytes, and a process has a limited number of them. */
  readonly connections: number
  /** Requests served at once, waiting ones excluded. Above it, latency only grows. */
  readonly inFlight: number
  /** Requests that wait for a change. A waiting request costs a socket and a listener. */
  readonly waits: number
  /** One merchant cannot take all waits. */
  readonly waitsPerAccount: number
  /** Open event streams: each reads the store after every change of its account. */
  readonly streams: number
  readonly streamsPerAccount: number
  /** Test accounts opened in an hour. Each leaves a dozen records for ever. */
  readonly testAccountsPerHour: number
  /** Attempts to sign in by one name within `signInsMs`: more than a person needs, and far too few to guess a password. */
  readonly signIns: number
  /** Milliseconds. */
  readonly signInsMs: number
  /** Requests of an account that /api/requests lists: some minutes of a busy shop. */
  readonly requestsPerAccount: number
  /** The same of all accounts: about 20 MB, and 50 MB at most. */
  readonly recordedRequests: number
  /** Milliseconds that a request is listed. */
  readonly recordedRequestsMs: number
  /** Log lines in a second about refused requests of one account: more than a person reads, less than fills a disk. */
  readonly refusalLinesPerAccount: number
  /** The same about all accounts: a hundred lines cost a few milliseconds. */
  readonly refusalLines: number
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
  signIns: 10,
  signInsMs: 300_000,
  requestsPerAccount: 500,
  recordedRequests: 20_000,
  recordedRequestsMs: 3_600_000,
  refusalLinesPerAccount: 10,
  refusalLines: 100,
}
