// web/client/questions.ts — what the page has asked of the frame and still waits for. Each question settles, whatever becomes
// of the frame.
import type { Outcome, Rejection } from '../protocol.ts'

/** How often it is looked whether the page has taken the frame away. */
const LOOK_MS = 500

export interface Wait {
  readonly limitMs: number
  /** What the page is told when nobody will answer any more. */
  readonly lost: string
}

export interface Questions {
  /** Waits for the answer; `send` is given the number that the answer will bear. Rejects with 500 when there will be none. */
  ask(wait: Wait, send: (ask: number) => void): Promise<Outcome | null>
  answered(ask: number, outcome: Outcome | null): void
  rejected(ask: number, why: Rejection): void
  /** Ends every question: nobody will answer it any more. */
  abandon(message?: string): void
}

interface Question {
  readonly resolve: (outcome: Outcome | null) => void
  readonly reject: (why: Rejection) => void
  readonly lost: string
  readonly limit: ReturnType<typeof setTimeout>
}

/** `isThere` says whether the frame is on the page; when it no longer is, `gone` is called while questions are open. */
export function openQuestions(isThere: () => boolean, gone: () => void): Questions {
  const open = new Map<number, Question>()
  let asked = 0
  let look: ReturnType<typeof setInterval> | undefined

  function take(number: number): Question | undefined {
    const question = open.get(number)
    open.delete(number)
    clearTimeout(question?.limit)
    if (open.size === 0) {
      clearInterval(look)
      look = undefined
    }
    return question
  }

  function lose(number: number, message?: string): void {
    const question = take(number)
    question?.reject({ statusCode: 500, message: message ?? question.lost })
  }

  return {
    ask: ({ limitMs, lost }, send) =>
      new Promise((resolve, reject) => {
        const number = ++asked
        open.set(number, { resolve, reject, lost, limit: setTimeout(() => lose(number), limitMs) })
        look ??= setInterval(() => isThere() || gone(), LOOK_MS)
        send(number)
      }),
    answered: (number, outcome) => take(number)?.resolve(outcome),
    rejected: (number, why) => take(number)?.reject(why),
    abandon(message) {
      for (const number of [...open.keys()]) lose(number, message)
    },
  }
}
