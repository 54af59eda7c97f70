// src/api/http/request-id.ts — the id by which a caller and the log speak of the same request.
import type { Random } from '../../engine/ports/random.ts'

/** Letters, digits and a few signs. Not a long row of digits: that could be a card number. */
const SANE = /^(?!.*\d{13})[\w.:/+=-]{1,128}$/

/** Characters of a UUID before its last eight digits. */
const HEAD = 28
/** Where the last eight digits begin to count: none of them is ever missing. */
const FIRST = 0x1000_0000
/** Requests that share a head. The digits are seven or less then, which is a small integer. */
const MOST = 0x6000_0000

export type RequestIds = (sent: string | string[] | undefined) => string

/**
 * Names requests: by the caller's own `X-Request-Id` when it is fit to be repeated and logged, else by a new UUID. Nobody
 * has to be kept from guessing it and every poll needs one, so only its head is chance, and the rest is counted.
 * @param most requests that share a head
 */
export function createRequestIds(random: Random, most = MOST): RequestIds {
  let head = ''
  let count = most
  return sent => {
    if (typeof sent === 'string' && SANE.test(sent)) return sent
    if (count === most) {
      head = random.uuid().slice(0, HEAD)
      count = 0
    }
    count += 1
    return head + (FIRST + count).toString(16)
  }
}
