// src/services/tables/pending-pos-requests.ts — pending lock requests to a till, and a queue per table for their results. In
// memory, because they end with the process, like the till's connection. ADR 16.

import type { TerminalId } from '../../domain/ids.ts'
import { createKeyedQueue } from '../../engine/keyed-queue.ts'
export interface PosRequest {
  /** Another terminal got the table after this request was sent, so the till's answer may be older than that. */
  readonly overtaken: boolean
  /** Id of the table session that it led to, or null. */
  readonly sessionId: string | null
  /** Idempotent. */
  close(): void
}

/** Pending requests by table. `table` is any unique key of the table. */
export interface PendingPosRequests {
  /** Opens a request. @param tid the terminal that requests the lock */
  open(table: string, tid: TerminalId): PosRequest
  /** Whether a request for the table is pending, of this terminal or of any. */
  isPending(table: string, tid?: TerminalId): boolean
  /** Resolves when no request for the table is pending. */
  quiet(table: string): Promise<void>
  /** Marks a request as sent. Returns the pending requests sent before it, in which order the till answers. */
  sent(table: string, request: PosRequest): readonly PosRequest[]
  /** Gives the table to this request; all other pending ones are overtaken. */
  overtake(table: string, by: PosRequest, sessionId: string): void
  /** Runs work on a table one after the other, in order. */
  enqueue<T>(table: string, work: () => Promise<T>): Promise<T>
}

interface OpenPosRequest extends PosRequest {
  overtaken: boolean
  sessionId: string | null
  sent: boolean
  readonly tid: TerminalId
  readonly over: Promise<void>
}

/** Stores nothing for tables without pending requests. */
export function createPendingPosRequests(): PendingPosRequests {
  const requests = new Map<string, Set<OpenPosRequest>>()

  return {
    open(table, tid) {
      const { promise: over, resolve } = withResolver()
      const mine = requests.get(table) ?? new Set()
      const request: OpenPosRequest = {
        overtaken: false,
        sessionId: null,
        sent: false,
        tid,
        over,
        close() {
          mine.delete(request)
          if (mine.size === 0 && requests.get(table) === mine) requests.delete(table)
          resolve()
        },
      }
      requests.set(table, mine.add(request))
      return request
    },
    isPending: (table, tid) =>
      tid === undefined ? requests.has(table) : [...(requests.get(table) ?? [])].some(request => request.tid === tid),
    async quiet(table) {
      for (let open = requests.get(table); open !== undefined; open = requests.get(table))
        await Promise.all([...open].map(({ over }) => over))
    },
    sent(table, mine) {
      const open = [...(requests.get(table) ?? [])]
      for (const request of open) if (request === mine) request.sent = true
      return open.filter(({ sent }) => sent).filter(request => request !== mine)
    },
    overtake(table, by, sessionId) {
      for (const request of requests.get(table) ?? [])
        if (request === by) request.sessionId = sessionId
        else request.overtaken = true
    },
    enqueue: createKeyedQueue().run,
  }
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
