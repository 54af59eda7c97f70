// src/api/request-id.ts — the id by which a caller and the log speak of the same request.
import type { Random } from '../engine/ports.ts'

/** Letters, digits and a few signs. Not a long row of digits: that could be a card number. */
const SANE = /^(?!.*\d{13})[\w.:/+=-]{1,128}$/

/** The caller's own `X-Request-Id` when it is fit to be repeated and logged, else a new one. */
export function requestIdOf(sent: string | string[] | undefined, random: Random): string {
  return typeof sent === 'string' && SANE.test(sent) ? sent : random.uuid()
}
