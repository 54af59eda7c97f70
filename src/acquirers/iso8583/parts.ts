// src/acquirers/iso8583/parts.ts — composes and reads texts whose parts have fixed places, such as fields 54, 56 and 90.
import type { Part } from './field-format.ts'
import { Refused } from './refused.ts'

const PREFIX_DIGITS = 2

export type Parts = Readonly<Record<string, string>>

/**
 * The text of one block. Digits are filled with zeros on the left, other text with blanks on the right; a part that is missing
 * counts as empty digits, which is how unknown numbers are sent.
 */
export function composeParts(parts: readonly Part[], values: Parts, field: string): string {
  const unknown = Object.keys(values).find(name => !parts.some(part => part.name === name))
  if (unknown !== undefined) throw new Refused(`${field}.${unknown}`, 'is no part of this field')
  return parts
    .map(({ name, length, prefixed }) => {
      const value = values[name] ?? ''
      if (value.length > length) throw new Refused(`${field}.${name}`, `is longer than ${length}, with ${value.length}`)
      if (prefixed) return String(value.length).padStart(PREFIX_DIGITS, '0') + value
      return /^\d*$/.test(value) ? value.padStart(length, '0') : value.padEnd(length, ' ')
    })
    .join('')
}

/** The parts of a text: one block, or as many as there are when `repeated`. @throws Refused for a text that does not divide */
export function readParts(
  { parts, repeated }: { readonly parts: readonly Part[]; readonly repeated: boolean },
  text: string,
  field: string,
): readonly Parts[] {
  const blocks: Parts[] = []
  let position = 0
  do {
    const block: Record<string, string> = {}
    for (const { name, length, prefixed } of parts) {
      const place = `${field}.${name}`
      const size = prefixed ? prefixAt(text, position, place, length) : length
      if (prefixed) position += PREFIX_DIGITS
      if (position + size > text.length) throw new Refused(place, 'is cut off')
      block[name] = text.slice(position, position + size)
      position += size
    }
    blocks.push(block)
  } while (repeated && position < text.length)
  if (position < text.length) throw new Refused(field, `has ${text.length - position} characters after its last part`)
  return blocks
}

function prefixAt(text: string, position: number, place: string, most: number): number {
  const digits = text.slice(position, position + PREFIX_DIGITS)
  if (!/^\d{2}$/.test(digits)) throw new Refused(place, 'has no length before it')
  const size = Number(digits)
  if (size > most) throw new Refused(place, `says a length of ${size}, and ${most} is the most`)
  return size
}
