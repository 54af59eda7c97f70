// src/acquirers/iso8583/connection/exchanges.ts — finds the request of each answer, also of late and repeated ones.
import type { Alarm, Clock } from '../../../engine/ports/clock.ts'
import type { Dialect } from '../dialect.ts'
import type { Message, UnpackedMessage } from '../message-codec.ts'
import { answerTypeOf } from '../message-type.ts'

/** What became of a request. Nothing is known of one without an answer. */
export type Outcome =
  | { readonly outcome: 'answered'; readonly answer: UnpackedMessage }
  /** No byte has left. */
  | { readonly outcome: 'not_sent'; readonly why: string }
  | { readonly outcome: 'unanswered'; readonly why: string }

export interface Waiting {
  /** Time limit of the answer. */
  readonly limitMs: number
  /** Whether another answer follows this one. The time limit then begins anew. */
  readonly isInterim?: (answer: UnpackedMessage) => boolean
  /** Called with an answer that comes after the time limit, or after the connection was lost. Once. */
  readonly onLate?: (answer: UnpackedMessage) => void
}

/** What a message of the host was. `unasked`: no request has its key. */
export type Taken = 'answer' | 'late' | 'duplicate' | 'unasked'

export interface Exchanges {
  /** Requests that wait for their answers. */
  readonly open: number
  /** The key under which the answer to a request comes; null for a message that has none. */
  keyOf(request: Message): string | null
  isOpen(key: string): boolean
  /** Waits for the answer. @param line the connection on which the request goes out */
  begin(key: string, line: object, waiting: Waiting): Promise<Outcome>
  take(answer: UnpackedMessage): Taken
  /** Ends all waiting for answers of a connection. */
  lose(line: object, why: string): void
}

interface Open {
  readonly line: object
  readonly waiting: Waiting
  readonly resolve: (outcome: Outcome) => void
  limit: Alarm
}

/** Requests whose answers may still come, or come again. Two minutes of a thousand messages a second. */
const MOST_PAST = 120_000

/** Creates the register of one host. It outlives each connection. */
export function createExchanges({ document }: Dialect, clock: Clock): Exchanges {
  const open = new Map<string, Open>()
  /** In the order of their ends. With a callback when no answer has come yet. */
  const past = new Map<string, Waiting['onLate'] | null>()

  function end(key: string, outcome: Outcome): void {
    const entry = open.get(key)
    if (entry === undefined) return
    entry.limit.cancel()
    open.delete(key)
    past.delete(key)
    past.set(key, outcome.outcome === 'answered' ? null : entry.waiting.onLate)
    const [oldest] = past.keys()
    if (past.size > MOST_PAST && oldest !== undefined) past.delete(oldest)
    entry.resolve(outcome)
  }

  const limitOf = (key: string, { limitMs }: Waiting): Alarm =>
    clock.alarm(clock.now() + limitMs, () => end(key, { outcome: 'unanswered', why: `no answer within ${limitMs} ms` }))

  return {
    get open() {
      return open.size
    },
    keyOf({ mti, fields }) {
      const answer = answerTypeOf(mti)
      return answer === null ? null : keyOf(document.identity.match, answer, fields)
    },
    isOpen: key => open.has(key),
    begin(key, line, waiting) {
      if (open.has(key)) throw new Error('a request with the same key waits for its answer')
      return new Promise(resolve => {
        past.delete(key)
        open.set(key, { line, waiting, resolve, limit: limitOf(key, waiting) })
      })
    },
    take(answer) {
      const key = keyOf(document.identity.match, answer.mti, answer.fields)
      const entry = open.get(key)
      if (entry !== undefined) {
        entry.limit.cancel()
        if (entry.waiting.isInterim?.(answer) === true) entry.limit = limitOf(key, entry.waiting)
        else end(key, { outcome: 'answered', answer })
        return 'answer'
      }
      const onLate = past.get(key)
      if (!past.has(key)) return 'unasked'
      if (onLate === null) return 'duplicate'
      past.set(key, null)
      onLate?.(answer)
      return 'late'
    },
    lose(line, why) {
      for (const [key, entry] of [...open]) if (entry.line === line) end(key, { outcome: 'unanswered', why })
    },
  }
}

/** Values are those of unpacked messages, so both sides are filled to the same length. */
function keyOf(match: readonly number[], answerType: string, fields: Message['fields']): string {
  return JSON.stringify([answerType, ...match.map(number => fields[number] ?? null)])
}
