// src/engine/till-questions.ts — questions for the lock of a till's table that are open, and turns in which what comes of
// their answers is done one after the other. In memory: both end with the process, as the till's line does. ADR 16.

export interface Question {
  /** Another terminal was given the table after this was asked: what the till answers may be older than that. */
  readonly overtaken: boolean
  /** Closed twice is closed once. */
  close(): void
}

/** A table is named by any key of its own. */
export interface TillQuestions {
  open(table: string): Question
  /** Whether any question about the table is open. */
  asked(table: string): boolean
  /** Resolves when no question about the table is open. */
  quiet(table: string): Promise<void>
  /** The table is given to whoever asked this: all others that are open are overtaken. */
  overtake(table: string, by: Question): void
  /** Works on a table one after the other, in the order in which they were asked for. */
  inTurn<T>(table: string, work: () => Promise<T>): Promise<T>
}

interface OpenQuestion extends Question {
  overtaken: boolean
  readonly over: Promise<void>
}

/** Keeps nothing of tables that nobody asks for. */
export function createTillQuestions(): TillQuestions {
  const questions = new Map<string, Set<OpenQuestion>>()
  const turns = new Map<string, Promise<unknown>>()

  return {
    open(table) {
      const { promise: over, resolve } = withResolver()
      const mine = questions.get(table) ?? new Set()
      const question: OpenQuestion = {
        overtaken: false,
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
    asked: table => questions.has(table),
    async quiet(table) {
      for (let open = questions.get(table); open !== undefined; open = questions.get(table))
        await Promise.all([...open].map(({ over }) => over))
    },
    overtake(table, by) {
      for (const question of questions.get(table) ?? []) if (question !== by) question.overtaken = true
    },
    inTurn(table, work) {
      const turn = (turns.get(table) ?? Promise.resolve()).then(work, work)
      turns.set(table, turn)
      const over = (): void => {
        if (turns.get(table) === turn) turns.delete(table)
      }
      turn.then(over, over)
      return turn
    },
  }
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
