// src/peers/acquirer-host/answering.ts — the parts of a host, and how its answers are put together.

import type { Time } from '../time.ts'
import { codeOf, type DeclineReason, declineCode, type Outcome } from './answers.ts'
import type { Fields, Message } from './codec.ts'
import type { Dialect } from './dialect.ts'
import type { Ledger } from './ledger.ts'
import type { Request } from './request.ts'

export interface HostParts {
  readonly dialect: Dialect
  readonly ledger: Ledger
  readonly time: Time
  /** Test key of PIN blocks; null when they are not looked at. */
  readonly pinKey: Buffer | null
}

/** The answer to a request: what it repeats of the request, and fields of its own. */
export function answerTo({ mti, fields }: Pick<Request, 'mti' | 'fields'>, dialect: Dialect, own: Fields): Message {
  const repeated: Record<number, string> = {}
  for (const number of dialect.echoed) {
    const value = fields[number]
    if (value !== undefined) repeated[number] = value
  }
  return { mti: `${mti.slice(0, 2)}${Number(mti.charAt(2)) + 1}${mti.charAt(3)}`, fields: { ...repeated, ...own } }
}

/** Code of an outcome in the standard of a dialect. */
export function outcomeOf({ packing }: Dialect, outcome: Outcome): string {
  return codeOf(outcome, packing.standard)
}

/** Code of a decline. */
export function declineOf({ packing, codes }: Dialect, reason: DeclineReason): string {
  return declineCode(reason, { standard: packing.standard, own: codes })
}

/** Fields of an answer to a message with a field in error: its number is in 44, or in 38 (1993). */
export function formatError(dialect: Dialect, field: number): Fields {
  const place = dialect.packing.standard === '1987' ? { 44: String(field) } : { 38: String(field).padStart(6, '0') }
  return { 39: outcomeOf(dialect, 'format_error'), ...place }
}
