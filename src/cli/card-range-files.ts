// src/cli/card-range-files.ts — reads a file with a message of EMV 3-D Secure, and the card ranges of a saved PRes.
import { readFileSync } from 'node:fs'
import { maskCardNumbers } from '../domain/card-numbers.ts'
import { type CardRangeTable, NO_RANGES, nextTable } from '../three-d-secure/emv/card-range-table.ts'
import { decode } from '../three-d-secure/emv/codec.ts'
import { messageText } from '../three-d-secure/emv/message-view.ts'
import { OBJECTIONS, type Objection } from '../three-d-secure/emv/objection.ts'
import { Failure } from './failure.ts'

/** Longest file in bytes: card ranges have up to 200 MB. */
const LARGEST_BYTES = 400 * 1_048_576

/** The ranges of a PRes. @throws Failure when it is none, or lists changes only */
export function cardRangesIn(file: string): CardRangeTable {
  const decoded = decode(messageText(messageFile(file)), { expected: ['PRes'], longest: LARGEST_BYTES })
  if ('refused' in decoded) throw new Failure(`${file} is no valid PRes. ${erroText(decoded.refused)}.`)
  const table = nextTable(NO_RANGES, decoded.message)
  if ('refused' in table) throw new Failure(`${file} has no complete list of ranges. ${erroText(table.refused)}.`)
  return table
}

/** An objection in the terms of an Erro. */
export function erroText({ code, detail }: Objection): string {
  return `Erro ${code}: ${OBJECTIONS[code]}: ${detail}`
}

/** The text of a file, or of stdin for `-`. @throws Failure when it cannot be read */
export function messageFile(file: string): string {
  try {
    const bytes = readFileSync(file === '-' ? 0 : file)
    if (bytes.length > LARGEST_BYTES) throw new Failure(`${file} is larger than ${LARGEST_BYTES} bytes.`)
    return bytes.toString('utf8')
  } catch (error) {
    if (error instanceof Failure) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new Failure(`${maskCardNumbers(file)} cannot be read (${code}).`)
  }
}
