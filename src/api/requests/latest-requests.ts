// src/api/requests/latest-requests.ts — keeps the latest requests of accounts in memory, within limits. ADR 54.
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { JsonObject } from '../read/json-body.ts'

export interface LatestLimits {
  /** Requests kept of an account. The oldest goes first. */
  readonly requestsPerAccount: number
  /** Requests kept of all accounts together. */
  readonly recordedRequests: number
  /** How long a request is kept, in milliseconds. */
  readonly recordedRequestsMs: number
}

/** A request, reduced to what may be shown. */
export interface RecordedRequest {
  /** Time of arrival, in epoch milliseconds. */
  readonly at: number
  readonly transport: 'http' | 'websocket'
  /** Name of the operation or JSON-RPC method. */
  readonly operation: string
  readonly route: string
  readonly apiVersion: string | null
  readonly params: JsonObject
  /** Null when it was not read, is not JSON, or is too long to be kept. */
  readonly body: JsonObject | null
  readonly requestId: string | null
  readonly rpcId: number | null
}

export interface Outcome {
  /** HTTP status, or code of the JSON-RPC error and 200 without one. Null: no answer was sent, or not yet. */
  readonly status: number | null
  /** Code of the refusal; null when it was not refused. */
  readonly code: string | null
  readonly field: string | null
  readonly endedAt: number | null
}

export interface ListedRequest extends RecordedRequest, Outcome {
  readonly position: number
  /** How often it came. Only reads are counted. */
  readonly times: number
  /** Arrival of the last one. */
  readonly lastAt: number
}

export interface RequestFilter {
  readonly before?: number | undefined
  readonly operation?: string | undefined
  readonly status?: number | undefined
  readonly refused?: boolean | undefined
  readonly limit: number
}

export interface LatestRequests {
  /**
   * Counts the repetition of a read. False when it is not kept.
   * @param read what identifies it
   * @param at its arrival
   */
  again(account: string, read: string, at: number): boolean
  /** Keeps a request. `read`: what identifies a read, by which it is counted. Returns a function that replaces the outcome. */
  add(account: string, request: RecordedRequest, outcome: Outcome, read: string | null): (outcome: Outcome) => void
  /** Lists requests of an account, newest first, and the position to continue at. */
  list(account: string, filter: RequestFilter): { readonly requests: readonly ListedRequest[]; next: number | null }
  /** Forgets everything. */
  close(): void
}

type CountedRequest = { -readonly [Name in keyof ListedRequest]: ListedRequest[Name] } & {
  readonly account: string
  readonly read: string | null
  addedAt: number
}

interface OfAccount {
  /** Oldest first. */
  readonly requests: CountedRequest[]
  readonly reads: Map<string, CountedRequest>
}

export function createLatestRequests(clock: Clock, limits: LatestLimits): LatestRequests {
  const accounts = new Map<string, OfAccount>()
  /** All kept requests in order, so that the oldest is found at once. */
  const all = new Map<number, CountedRequest>()
  let last = 0
  let alarm: Alarm | null = null
  clock.onSetBack(ms => {
    for (const recorded of all.values()) recorded.addedAt -= ms
  })

  function ofAccount(account: string): OfAccount {
    const known = accounts.get(account)
    if (known !== undefined) return known
    const fresh: OfAccount = { requests: [], reads: new Map() }
    accounts.set(account, fresh)
    return fresh
  }

  /** Drops the oldest request of an account. */
  function dropOldest(account: string): void {
    const listed = ofAccount(account)
    const dropped = listed.requests.shift()
    if (dropped === undefined) return
    all.delete(dropped.position)
    if (dropped.read !== null && listed.reads.get(dropped.read) === dropped) listed.reads.delete(dropped.read)
    if (listed.requests.length === 0) accounts.delete(account)
  }

  function oldest(): CountedRequest | undefined {
    return all.values().next().value
  }

  function dropExpired(): void {
    const until = clock.now() - limits.recordedRequestsMs
    for (let first = oldest(); first !== undefined && first.addedAt <= until; first = oldest())
      dropOldest(first.account)
  }

  /** Requests expire even when none follows. */
  function expireLater(): void {
    const first = oldest()
    if (alarm !== null || first === undefined) return
    alarm = clock.alarm(first.addedAt + limits.recordedRequestsMs, () => {
      alarm = null
      dropExpired()
      expireLater()
    })
  }

  return {
    again(account, read, at) {
      const found = accounts.get(account)?.reads.get(read)
      if (found === undefined || found.addedAt <= at - limits.recordedRequestsMs) return false
      found.times += 1
      found.lastAt = at
      return true
    },
    add(account, request, outcome, read) {
      dropExpired()
      if ((accounts.get(account)?.requests.length ?? 0) >= limits.requestsPerAccount) dropOldest(account)
      else if (all.size >= limits.recordedRequests) dropOldest(oldest()?.account ?? account)
      const listed = ofAccount(account)
      last += 1
      const counted = { position: last, times: 1, lastAt: request.at }
      const recorded: CountedRequest = { ...request, ...outcome, ...counted, account, read, addedAt: clock.now() }
      listed.requests.push(recorded)
      all.set(last, recorded)
      if (read !== null) listed.reads.set(read, recorded)
      expireLater()
      return changed => void Object.assign(recorded, changed)
    },
    list(account, { before = Number.POSITIVE_INFINITY, limit, ...wanted }) {
      dropExpired()
      const listed = accounts.get(account)?.requests ?? []
      const found = listed.filter(each => each.position < before && fits(each, wanted)).toReversed()
      const requests = found.slice(0, limit)
      return { requests, next: found.length > limit ? (requests.at(-1)?.position ?? null) : null }
    },
    close() {
      alarm?.cancel()
      accounts.clear()
      all.clear()
    },
  }
}

function fits(
  request: CountedRequest,
  { operation, status, refused }: Omit<RequestFilter, 'before' | 'limit'>,
): boolean {
  if (operation !== undefined && request.operation !== operation) return false
  if (status !== undefined && request.status !== status) return false
  return refused === undefined || (request.code !== null) === refused
}
