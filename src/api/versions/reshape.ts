// src/api/versions/reshape.ts — small changes of shape to JSON objects, and to answers that bear one.
import type { JsonObject } from '../read/json-body.ts'
import type { WireAnswer } from './version-mapping.ts'

/** The same object with another name for one member, in its place. */
export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name === from ? to : name, value]))
}

/** The same object without some members. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** The same object with only some of its members. */
export function only(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}

/** The same answer with another body, if it has one. */
export function withBody(answer: WireAnswer, change: (body: JsonObject) => JsonObject): WireAnswer {
  return answer.body === undefined ? answer : { ...answer, body: change(answer.body) }
}
