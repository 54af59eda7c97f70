// src/three-d-secure/emv/objection.ts — what is wrong with a message, in the terms of an Erro message.

/** Codes of the Erro messages that we send, with their meaning. */
export const OBJECTIONS = {
  '101': 'Message is not for this receiver, or cannot be read',
  '102': 'Message version is not supported',
  '201': 'Required element is missing',
  '202': 'Critical message extension is not recognised',
  '203': 'Format of an element is invalid',
  '204': 'Element is duplicated',
  '205': 'Card ranges overlap',
  '206': 'Action on a card range is not possible',
  '301': 'Transaction id is not recognised',
  '304': 'ISO code is invalid',
  '305': 'Transaction data is not valid',
  '312': 'Result was received before',
  '403': 'Transient system failure',
} as const

export type ObjectionCode = keyof typeof OBJECTIONS

/** An objection to a message. It names members and never has a value, because a value may be the card's. */
export interface Objection {
  readonly code: ObjectionCode
  /** Names of the members, or what else is wrong, as `errorDetail`: at most 2048 characters. */
  readonly detail: string
}

/** Longest `errorDetail`. */
const LONGEST_DETAIL = 2048

/** An objection to members, each named once. */
export function objection(code: ObjectionCode, names: readonly string[]): Objection {
  const detail = [...new Set(names)].join(',')
  return { code, detail: detail.length <= LONGEST_DETAIL ? detail : detail.slice(0, LONGEST_DETAIL) }
}

/**
 * Which of several objections is reported. An Erro has one code, and a missing element is reported before a malformed one.
 */
const ORDER: readonly ObjectionCode[] = ['201', '203', '304', '202']

/** One objection for all that was noted while a message was read; null when nothing was. */
export function firstObjection(
  noted: readonly { readonly code: ObjectionCode; readonly name: string }[],
): Objection | null {
  const code = ORDER.find(each => noted.some(note => note.code === each))
  if (code === undefined) return null
  return objection(
    code,
    noted.filter(note => note.code === code).map(({ name }) => name),
  )
}
