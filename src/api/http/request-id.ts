// src/api/http/request-id.ts — the id that identifies a request to its caller and in the log.
import { holdsCardNumber } from '../../domain/card-numbers.ts'
import type { Random } from '../../engine/ports/random.ts'

/** Ids accepted from callers. */
const SANE = /^[\w.:/+=-]{1,128}$/

/** Characters of a UUID before its last eight digits. */
const HEAD = 28
/** Start of the counter: it always has eight hexadecimal digits. */
const FIRST = 0x1000_0000
/** Requests that share a head. The counter stays below 0x7000_0000, a small integer in V8. */
const MOST = 0x6000_0000

export type RequestIds = (sent: string | string[] | undefined) => string

/**
 * Assigns ids to requests: the caller's `X-Request-Id` when it is safe to return and to log, otherwise a new UUID. The ids
 * need not be unpredictable and every poll needs one, so only the head is random and the last eight digits are a counter.
 * @param most number of requests that share a head
 */
export function createRequestIds(random: Random, most = MOST): RequestIds {
  let head = ''
  let count = most
  return sent => {
    if (typeof sent === 'string' && SANE.test(sent) && !holdsCardNumber(sent)) return sent
    if (count === most) {
      head = random.uuid().slice(0, HEAD)
      count = 0
    }
    count += 1
    return head + (FIRST + count).toString(16)
  }
}
