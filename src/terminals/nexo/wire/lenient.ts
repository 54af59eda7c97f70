// src/terminals/nexo/wire/lenient.ts — reads members of terminals' messages, whatever type they came as. Pure.

/** An object of a message, its members unread. */
export interface Members {
  readonly [name: string]: unknown
}

const NONE: Members = {}

/** The value as an object; an empty one when it is none. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : NONE
}

/** The member at a path of names; undefined when a part is missing. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => {
    const members = membersOf(found)
    return Object.hasOwn(members, name) ? members[name] : undefined
  }, value)
}

/** Texts and numbers as text, anything else as an empty one: terminals send some numbers as text, and the reverse. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
}

/** A flag, also one that came as text; `otherwise` when it is missing or neither. */
export function flagOf(value: unknown, otherwise: boolean): boolean {
  const text = typeof value === 'boolean' ? String(value) : textOf(value).toLowerCase()
  if (text === 'true') return true
  return text === 'false' ? false : otherwise
}

/** A whole number from 0, also one that came as text; null when it is none. */
export function countOf(value: unknown): number | null {
  const text = textOf(value)
  const count = /^\d{1,9}$/.test(text) ? Number(text) : null
  return count
}

/** The elements of a list. One that came without a list around it is a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

/** The value of a JSON text; null for what is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
