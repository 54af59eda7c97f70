// web/client/pending-requests.ts — pending requests to the frame. Each settles, even if the frame disappears.
import type { Outcome, Rejection } from '../protocol.ts'

/** Polling interval: detects that the page removed the frame. */
const LOOK_MS = 500

export interface Wait {
  readonly limitMs: number
  /** Message of the rejection when no answer can arrive. */
  readonly lost: string
}

export interface PendingRequests {
  /**
   * Calls `send` with the number of the request, and resolves with its answer. Rejects with status 500 when none can arrive.
   */
  ask(wait: Wait, send: (ask: number) => void): Promise<Outcome | null>
  answered(ask: number, outcome: Outcome | null): void
  rejected(ask: number, why: Rejection): void
  /** Rejects every pending request. */
  abandon(message?: string): void
}

interface PendingRequest {
  readonly resolve: (outcome: Outcome | null) => void
  readonly reject: (why: Rejection) => void
  readonly lost: string
  readonly limit: ReturnType<typeof setTimeout>
}

/** `isThere` checks whether the frame is on the page. If not, `gone` is called while requests are pending. */
export function openPendingRequests(isThere: () => boolean, gone: () => void): PendingRequests {
  const open = new Map<number, PendingRequest>()
  let last = 0
  let look: ReturnType<typeof setInterval> | undefined

  function take(number: number): PendingRequest | undefined {
    const pending = open.get(number)
    open.delete(number)
    clearTimeout(pending?.limit)
    if (open.size === 0) {
      clearInterval(look)
      look = undefined
    }
    return pending
  }

  function lose(number: number, message?: string): void {
    const pending = take(number)
    pending?.reject({ statusCode: 500, message: message ?? pending.lost })
  }

  return {
    ask: ({ limitMs, lost }, send) =>
      new Promise((resolve, reject) => {
        const number = ++last
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
