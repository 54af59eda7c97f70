// src/acquirers/iso8583/refused.ts — the error with which messages and frames are refused.

/**
 * A message that is not as its dialect says. The text names the place and what is wrong there. It never repeats data of the
 * message, so that it may be logged.
 */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** Number of the field, with the sub-field after a dot: `63.04`. `mti`, `bitmap` and `frame` for what is no field. */
  readonly field: string
  /** Byte of the message at which it went wrong, from 0. Null when a message was packed. */
  readonly offset: number | null

  constructor(field: string, says: string, offset: number | null = null) {
    super(`${placeOf(field)}${offset === null ? '' : ` at byte ${offset}`}: ${says}.`)
    this.field = field
    this.offset = offset
  }
}

function placeOf(field: string): string {
  return /^\d/.test(field) ? `Field ${field}` : `The ${field === 'mti' ? 'message type' : field}`
}
