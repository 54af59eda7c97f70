// src/api/versions/reshape.ts — renames, removes and selects members of JSON objects and answers.
import type { JsonObject } from '../read/json-body.ts'
import type { WireAnswer } from './version-mapping.ts'

/** Renames a member and keeps its position. */
export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name === from ? to : name, value]))
}

/** Removes members. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** Keeps only these members. */
export function only(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}

/** Changes the body of an answer, if it has one. */
export function withBody(answer: WireAnswer, change: (body: JsonObject) => JsonObject): WireAnswer {
  return answer.body === undefined ? answer : { ...answer, body: change(answer.body) }
}
