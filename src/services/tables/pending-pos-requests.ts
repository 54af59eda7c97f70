// src/services/tables/pending-pos-requests.ts — pending lock requests to a till, and a queue per table for their results. In
// memory, because they end with the process, like the till's connection. ADR 16.

import type { TerminalId } from '../../domain/ids.ts'
import { createKeyedQueue } from '../../engine/keyed-queue.ts'
export interface Question {
  /** Another terminal got the table after this request was sent, so the till's answer may be older than that. */
  readonly overtaken: boolean
  /** Id of the table session that it led to, or null. */
  readonly visitId: string | null
  /** Idempotent. */
  close(): void
}

/** Pending requests by table. `table` is any unique key of the table. */
export interface PendingPosRequests {
  /** Opens a request. @param tid the terminal that requests the lock */
  open(table: string, tid: TerminalId): Question
  /** Whether a request for the table is pending, of this terminal or of any. */
  asked(table: string, tid?: TerminalId): boolean
  /** Resolves when no request for the table is pending. */
  quiet(table: string): Promise<void>
  /** Marks a request as sent. Returns the pending requests sent before it, in which order the till answers. */
  sent(table: string, question: Question): readonly Question[]
  /** Gives the table to this request; all other pending ones are overtaken. */
  overtake(table: string, by: Question, visitId: string): void
  /** Runs work on a table one after the other, in order. */
  enqueue<T>(table: string, work: () => Promise<T>): Promise<T>
}

interface OpenQuestion extends Question {
  overtaken: boolean
  visitId: string | null
  sent: boolean
  readonly tid: TerminalId
  readonly over: Promise<void>
}

/** Stores nothing for tables without pending requests. */
export function createPendingPosRequests(): PendingPosRequests {
  const questions = new Map<string, Set<OpenQuestion>>()

  return {
    open(table, tid) {
      const { promise: over, resolve } = withResolver()
      const mine = questions.get(table) ?? new Set()
      const question: OpenQuestion = {
        overtaken: false,
        visitId: null,
        sent: false,
        tid,
        over,
        close() {
          mine.delete(question)
          if (mine.size === 0 && questions.get(table) === mine) questions.delete(table)
          resolve()
        },
      }
      questions.set(table, mine.add(question))
      return question
    },
    asked: (table, tid) =>
      tid === undefined
        ? questions.has(table)
        : [...(questions.get(table) ?? [])].some(question => question.tid === tid),
    async quiet(table) {
      for (let open = questions.get(table); open !== undefined; open = questions.get(table))
        await Promise.all([...open].map(({ over }) => over))
    },
    sent(table, mine) {
      const open = [...(questions.get(table) ?? [])]
      for (const question of open) if (question === mine) question.sent = true
      return open.filter(({ sent }) => sent).filter(question => question !== mine)
    },
    overtake(table, by, visitId) {
      for (const question of questions.get(table) ?? [])
        if (question === by) question.visitId = visitId
        else question.overtaken = true
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
