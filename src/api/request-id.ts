// src/api/request-id.ts — the id by which a caller and the log speak of the same request.
import type { Random } from '../engine/ports.ts'

/** Letters, digits and a few signs. Not a long row of digits: that could be a card number. */
const SANE = /^(?!.*\d{13})[\w.:/+=-]{1,128}$/

/** Characters of a UUID before its last eight digits. */
const HEAD = 28
/** What the last eight digits count through. */
const FIRST = 0x1000_0000
const LAST = 0x7fff_ffff

export type RequestIds = (sent: string | string[] | undefined) => string

/**
 * Names requests: by the caller's own `X-Request-Id` when it is fit to be repeated and logged, else by a new UUID. Nobody
 * has to be kept from guessing it and every poll needs one, so only its head is chance, and the rest is counted.
 */
export function createRequestIds(random: Random): RequestIds {
  let head = ''
  let count = LAST
  return sent => {
    if (typeof sent === 'string' && SANE.test(sent)) return sent
    if (count === LAST) {
      head = random.uuid().slice(0, HEAD)
      count = FIRST
    }
    count += 1
    return head + count.toString(16)
  }
}
