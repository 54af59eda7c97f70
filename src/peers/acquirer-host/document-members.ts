// src/peers/acquirer-host/document-members.ts — reads members of a JSON document; each error names the place.

export type Members = Readonly<Record<string, unknown>>

/** An object. @throws Error */
export function recordOf(value: unknown, at: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
  throw new Error(`${at === '' ? 'The dialect' : at} must be an object.`)
}

/** A list. @throws Error */
export function arrayOf(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new Error(`${at} must be a list.`)
}

/** A whole number above 0. @throws Error */
export function numberOf(members: Members, name: string, at: string): number {
  const value = members[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw new Error(`${path(at, name)} must be a whole number above 0.`)
}

/** One of some words. @throws Error */
export function oneOf<const Words extends readonly string[]>(
  members: Members,
  name: string,
  words: Words,
  at: string,
): Words[number] {
  const found = words.find(word => word === members[name])
  if (found !== undefined) return found
  throw new Error(`${path(at, name)} must be one of ${words.join(', ')}.`)
}

/** One of some words; null when it is absent. @throws Error */
export function optional<const Words extends readonly string[]>(
  members: Members,
  name: string,
  words: Words,
  at: string,
): Words[number] | null {
  return members[name] === undefined ? null : oneOf(members, name, words, at)
}

/** A value for an error, cut off. */
export function textIn(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 40) ?? 'nothing'
}

function path(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}
