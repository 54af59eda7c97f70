// test/recorded/compare.ts — finds differences between a recording and its replay.
import { isDeepStrictEqual } from 'node:util'
import { isList, isObject, type Json, type JsonObject } from './json.ts'

/** Stands for a missing member. */
export const ABSENT = '<absent>'

/** As `now` of a difference: any value. */
export const ANYTHING = '<anything>'

/** A value that differs from the recording. */
export interface Change {
  /** `area/scenario/number exchange`. */
  readonly exchange: string
  /** Path in the exchange, with dots: `answer.headers.etag`. */
  readonly path: string
  readonly recorded: Json
  readonly now: Json
}

/** An intended change. */
export interface Difference {
  /** Pattern of exchanges, as in `Change`; `*` matches any text. */
  readonly exchanges: string
  /** Pattern of paths; `*` matches any text. */
  readonly path: string
  /**
   * The whole old value, or the part of a text to replace wherever it occurs. With `{name}` in it, a whole text, in which that
   * stands for a word that `now` repeats; `…` at the end of `now` is any text.
   */
  readonly recorded: Json
  readonly now: Json
  readonly because: string
}

/** All changes in an exchange, outermost first. */
export function changesIn(exchange: string, recorded: Json, now: Json, path = ''): readonly Change[] {
  if (isDeepStrictEqual(recorded, now)) return []
  const inner = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`)
  if (isObject(recorded) && isObject(now)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])].toSorted()
    return names.flatMap(name => changesIn(exchange, memberOf(recorded, name), memberOf(now, name), inner(name)))
  }
  if (isList(recorded) && isList(now) && recorded.length === now.length)
    return recorded.flatMap((each, index) => changesIn(exchange, each, now[index] ?? null, inner(index)))
  const added = isList(recorded) && isList(now) ? addedTo(recorded, now) : -1
  if (added >= 0) {
    const list = now as readonly Json[]
    const others = changesIn(exchange, recorded, list.toSpliced(added, 1), path)
    return [{ exchange, path: inner(added), recorded: ABSENT, now: list[added] ?? null }, ...others]
  }
  return [{ exchange, path, recorded, now }]
}

/** Index of the one element that is new in a list; -1 when more was added. Objects with a name are compared by it. */
function addedTo(recorded: readonly Json[], now: readonly Json[]): number {
  if (now.length !== recorded.length + 1) return -1
  const [before, after] = [recorded.map(identityOf), now.map(identityOf)]
  const index = after.findIndex((each, place) => !isDeepStrictEqual(each, before[place]))
  return isDeepStrictEqual(after.toSpliced(index, 1), before) ? index : -1
}

function identityOf(item: Json): Json {
  return isObject(item) && typeof item['name'] === 'string' ? item['name'] : item
}

/** The member, or `ABSENT`. A null is a value, not a missing member. */
function memberOf(object: JsonObject, name: string): Json {
  return object[name] === undefined ? ABSENT : object[name]
}

/** Whether a change matches an intended difference. */
export function isMeant(change: Change, difference: Difference): boolean {
  if (!matches(difference.exchanges, change.exchange) || !matches(difference.path, change.path)) return false
  if (difference.now === ANYTHING) return true
  if (isDeepStrictEqual([difference.recorded, difference.now], [change.recorded, change.now])) return true
  const { recorded, now } = difference
  if (typeof recorded !== 'string' || typeof now !== 'string') return false
  if (typeof change.recorded !== 'string') return false
  const text = reworded(difference, change.recorded)
  if (text?.endsWith('…') && typeof change.now === 'string') return change.now.startsWith(text.slice(0, -1))
  return (text ?? change.recorded.replaceAll(recorded, now)) === change.now
}

/** The text after a difference with `{name}`; null when it does not apply. */
export function reworded({ recorded, now }: Difference, text: string): string | null {
  if (typeof recorded !== 'string' || typeof now !== 'string' || !recorded.includes('{name}')) return null
  const [before = '', after = ''] = recorded.split('{name}')
  const word = text.slice(before.length, text.length - after.length)
  return `${before}${word}${after}` === text && /^\S+$/.test(word) ? now.replace('{name}', () => word) : null
}

/** A readable description of a change, on a few lines. */
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
