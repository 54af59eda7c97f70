// src/acquirers/iso8583/printable.ts — a message as it may be shown: card numbers masked, secrets by their length only.
import { LONGER_THAN_A_REFERENCE, maskCardNumbers } from '../../domain/card-numbers.ts'
import { EMV_TAGS } from './emv-tags.ts'
import { type FieldFormat, type FieldValue, formatText, type SubField } from './field-format.ts'
import type { MessageFormat, UnpackedMessage } from './message-codec.ts'
import { readParts } from './parts.ts'
import { Refused } from './refused.ts'

/** Digits that stay readable at the beginning and at the end of a card number. */
const FIRST_DIGITS = 6
const LAST_DIGITS = 4
/** A shorter number would be readable by its first and last digits. */
const SHORTEST_MASKED = 13

export interface PrintedPart {
  readonly id: string
  /** Empty when it has none. */
  readonly name: string
  readonly value: string
}

export interface PrintedField {
  readonly field: number
  readonly name: string
  /** `n..19` */
  readonly format: string
  /** Bytes in the message, with those of the length. */
  readonly bytes: number
  readonly value: string
  readonly parts: readonly PrintedPart[]
}

/** The fields of a message, in their order. */
export function printable(
  { fields: formats }: Pick<MessageFormat, 'fields'>,
  message: UnpackedMessage,
): readonly PrintedField[] {
  return Object.entries(message.fields).flatMap(([key, value]) => {
    const field = Number(key)
    const format = formats.get(field)
    if (format === undefined) return []
    const { bytes = 0 } = message.places[field] ?? {}
    const parts = partsOf(format, value)
    return [{ field, name: format.name, format: formatText(format), bytes, value: shownValue(format, value), parts }]
  })
}

function shownValue(format: FieldFormat, value: FieldValue): string {
  if (typeof value !== 'string') return value.length === 1 ? '1 sub-field' : `${value.length} sub-fields`
  switch (format.show) {
    case 'hidden':
      return hidden(format.type === 'b' ? `${value.length / 2} bytes` : `${value.length} characters`)
    case 'masked':
      return maskedNumber(value)
    case 'plain':
      if (format.secret.length > 0) return hidden(`${value.length} characters`)
      return maskCardNumbers(value, LONGER_THAN_A_REFERENCE)
  }
}

function maskedNumber(value: string): string {
  if (value.length < SHORTEST_MASKED) return '*'.repeat(value.length)
  return (
    value.slice(0, FIRST_DIGITS) + '*'.repeat(value.length - FIRST_DIGITS - LAST_DIGITS) + value.slice(-LAST_DIGITS)
  )
}

function hidden(what: string): string {
  return `(hidden, ${what})`
}

function partsOf(format: FieldFormat, value: FieldValue): readonly PrintedPart[] {
  const { structure } = format
  if (structure === null) return []
  if (structure.kind !== 'parts') return typeof value === 'string' ? [] : value.map(each => shownSubField(format, each))
  if (typeof value !== 'string' || format.show !== 'plain') return []
  const blocks = blocksIn(format, structure, value)
  return blocks.flatMap((block, index) =>
    Object.entries(block).map(([id, part]) => ({
      id: structure.repeated ? `${index + 1}.${id}` : id,
      name: '',
      value: format.secret.includes(id)
        ? hidden(`${part.length} characters`)
        : maskCardNumbers(part, LONGER_THAN_A_REFERENCE),
    })),
  )
}

function blocksIn(format: FieldFormat, structure: Parameters<typeof readParts>[0], value: string) {
  try {
    return readParts(structure, value, format.id)
  } catch (error) {
    // Shown as it is: hosts fill such fields as they like.
    if (error instanceof Refused) return []
    throw error
  }
}

function shownSubField(format: FieldFormat, { id, value }: SubField): PrintedPart {
  const { structure, secret, show } = format
  if (structure?.kind === 'ber') {
    const name = EMV_TAGS[id]
    const isShown = show === 'plain' && name !== undefined && !secret.includes(id)
    return { id, name: name ?? '', value: isShown ? value : hidden(`${value.length / 2} bytes`) }
  }
  if (structure?.kind === 'bitmap') {
    const inner = structure.fields.get(Number(id))
    const isHidden = show !== 'plain' || secret.includes(id) || inner === undefined
    const shown = isHidden ? hidden(`${value.length} characters`) : shownValue(inner, value)
    return { id, name: inner?.name ?? '', value: shown }
  }
  const isHidden = show !== 'plain' || secret.includes(id)
  return {
    id,
    name: '',
    value: isHidden ? hidden(`${value.length} characters`) : maskCardNumbers(value, LONGER_THAN_A_REFERENCE),
  }
}
