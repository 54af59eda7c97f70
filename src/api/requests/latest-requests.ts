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
  /** Grows with each request. In microseconds of the clock, so that those of several nodes are in one order. */
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

/** Requests, newest first. */
export interface RequestPage {
  readonly requests: readonly ListedRequest[]
  /** Position to continue before; null when there are no more. */
  readonly next: number | null
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
  /** Lists requests of an account. */
  list(account: string, filter: RequestFilter): RequestPage
  /** Forgets everything. */
  close(): void
}

interface KeptRequest {
  readonly request: RecordedRequest
  outcome: Outcome
  readonly position: number
  times: number
  lastAt: number
  readonly account: string
  readonly read: string | null
  addedAt: number
  isDropped: boolean
}

interface OfAccount {
  /** Oldest first. */
  readonly requests: KeptRequest[]
  readonly reads: Map<string, KeptRequest>
}

/** Positions in a millisecond. When more requests come, they use those of the next one. */
const POSITIONS_PER_MS = 1_000

/** Dropped requests that stay in the order of all, beside as many as half of those that are kept. */
const DROPPED_IN_ORDER = 256

export function createLatestRequests(clock: Clock, limits: LatestLimits): LatestRequests {
  const accounts = new Map<string, OfAccount>()
  /** Requests of all accounts, oldest first. Dropped ones leave it later, many at a time: one sorts out as fast as a hundred. */
  let order: KeptRequest[] = []
  let kept = 0
  /** Place of the oldest request in `order`, unless that is dropped. */
  let head = 0
  let last = 0
  let alarm: Alarm | null = null
  clock.onSetBack(ms => {
    for (const recorded of order) recorded.addedAt -= ms
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
    dropped.isDropped = true
    kept -= 1
    if (dropped.read !== null && listed.reads.get(dropped.read) === dropped) listed.reads.delete(dropped.read)
    if (listed.requests.length === 0) accounts.delete(account)
  }

  function oldest(): KeptRequest | undefined {
    while (order[head]?.isDropped === true) head += 1
    return order[head]
  }

  function append(recorded: KeptRequest): void {
    if (order.length - kept > kept / 2 + DROPPED_IN_ORDER) {
      order = order.filter(each => !each.isDropped)
      head = 0
    }
    order.push(recorded)
    kept += 1
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
      else if (kept >= limits.recordedRequests) dropOldest(oldest()?.account ?? account)
      const listed = ofAccount(account)
      last = Math.max(last + 1, clock.now() * POSITIONS_PER_MS)
      const recorded: KeptRequest = {
        request,
        outcome,
        position: last,
        times: 1,
        lastAt: request.at,
        account,
        read,
        addedAt: clock.now(),
        isDropped: false,
      }
      listed.requests.push(recorded)
      append(recorded)
      if (read !== null) listed.reads.set(read, recorded)
      expireLater()
      return changed => {
        recorded.outcome = changed
      }
    },
    list(account, { before = Number.POSITIVE_INFINITY, limit, ...wanted }) {
      dropExpired()
      const listed = accounts.get(account)?.requests ?? []
      const found = listed.filter(each => each.position < before && fits(each, wanted)).toReversed()
      const requests = found.slice(0, limit).map(listedOf)
      return { requests, next: found.length > limit ? (requests.at(-1)?.position ?? null) : null }
    },
    close() {
      alarm?.cancel()
      accounts.clear()
      order = []
      kept = 0
      head = 0
    },
  }
}

function listedOf({ request, outcome, position, times, lastAt }: KeptRequest): ListedRequest {
  return { ...request, ...outcome, position, times, lastAt }
}

function fits(
  { request, outcome }: KeptRequest,
  { operation, status, refused }: Omit<RequestFilter, 'before' | 'limit'>,
): boolean {
  if (operation !== undefined && request.operation !== operation) return false
  if (status !== undefined && outcome.status !== status) return false
  return refused === undefined || (outcome.code !== null) === refused
}
