// src/services/tables/pending-pos-requests.ts — open questions for the lock of a till's table, and the queue of what comes of
// their answers. In memory: both end with the process, as the till's line does. ADR 16.

import type { TerminalId } from '../../domain/ids.ts'
import { createKeyedQueue } from '../../engine/keyed-queue.ts'
export interface Question {
  /** Another terminal was given the table after this was asked: what the till answers may be older than that. */
  readonly overtaken: boolean
  /** The visit that came of it, or null. */
  readonly visitId: string | null
  /** Closed twice is closed once. */
  close(): void
}

/** A table is named by any key of its own. */
export interface PendingPosRequests {
  /** @param tid the terminal that asks */
  open(table: string, tid: TerminalId): Question
  /** Whether any question about the table is open: of this terminal, or of any. */
  asked(table: string, tid?: TerminalId): boolean
  /** Resolves when no question about the table is open. */
  quiet(table: string): Promise<void>
  /** The till is asked now. Returns the open questions that it was asked before: it answers in this order. */
  sent(table: string, question: Question): readonly Question[]
  /** The table is given to whoever asked this: all others that are open are overtaken. */
  overtake(table: string, by: Question, visitId: string): void
  /** Works on a table one after the other, in the order in which they were asked for. */
  enqueue<T>(table: string, work: () => Promise<T>): Promise<T>
}

interface OpenQuestion extends Question {
  overtaken: boolean
  visitId: string | null
  sent: boolean
  readonly tid: TerminalId
  readonly over: Promise<void>
}

/** Keeps nothing of tables that nobody asks for. */
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
