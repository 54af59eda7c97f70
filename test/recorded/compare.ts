// test/recorded/compare.ts — finds what is different between a recording and what happens now.
import { isDeepStrictEqual } from 'node:util'
import { isList, isObject, type Json, type JsonObject } from './json.ts'

/** Stands for a member that is not there. */
export const ABSENT = '<absent>'

/** One value that is not as it was. */
export interface Change {
  /** `area/scenario/number exchange`. */
  readonly exchange: string
  /** Where in the exchange, with dots: `answer.headers.etag`. */
  readonly path: string
  readonly recorded: Json
  readonly now: Json
}

/** A change that is meant. */
export interface Difference {
  /** Which exchanges, as in `Change`; `*` stands for any text. */
  readonly exchanges: string
  /** Where in them; `*` stands for any text. */
  readonly path: string
  /** The whole old value, or the piece of a text that is replaced wherever it stands in it. */
  readonly recorded: Json
  readonly now: Json
  readonly because: string
}

/** Every change in an exchange, outermost first. */
export function changesIn(exchange: string, recorded: Json, now: Json, path = ''): readonly Change[] {
  if (isDeepStrictEqual(recorded, now)) return []
  const inner = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`)
  if (isObject(recorded) && isObject(now)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])].toSorted()
    return names.flatMap(name => changesIn(exchange, memberOf(recorded, name), memberOf(now, name), inner(name)))
  }
  if (isList(recorded) && isList(now) && recorded.length === now.length)
    return recorded.flatMap((each, index) => changesIn(exchange, each, now[index] ?? null, inner(index)))
  return [{ exchange, path, recorded, now }]
}

/** A null is a value of its own: it is not the same as no member. */
function memberOf(object: JsonObject, name: string): Json {
  return object[name] === undefined ? ABSENT : object[name]
}

/** Whether a change is one that is meant. */
export function isMeant(change: Change, difference: Difference): boolean {
  if (!matches(difference.exchanges, change.exchange) || !matches(difference.path, change.path)) return false
  if (isDeepStrictEqual([difference.recorded, difference.now], [change.recorded, change.now])) return true
  const { recorded, now } = difference
  if (typeof recorded !== 'string' || typeof now !== 'string') return false
  return typeof change.recorded === 'string' && change.recorded.replaceAll(recorded, now) === change.now
}

/** A change in a few lines, for people. */
export function told({ exchange, path, recorded, now }: Change): string {
  return `${exchange}\n    ${path}\n      recorded ${short(recorded)}\n      now      ${short(now)}`
}

function short(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}

function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map(part => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text)
}
