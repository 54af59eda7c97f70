// src/api/rpc/versions/reshape.ts — small changes of shape, to objects and to the schemas that describe them.
import type { TObject, TSchema } from 'typebox'
import type { JsonObject } from '../../read/json-body.ts'
import { exactly } from '../shapes.ts'

/** The same object with another name for one member, in its place. */
export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name === from ? to : name, value]))
}

/** The same object without some members. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** As `renamed`, for the schema. */
export function schemaRenamed({ properties }: TObject, from: string, to: string): TObject {
  return exactly(renamed(properties, from, to) as TObject['properties'])
}

/** A schema with only these members. */
export function schemaOf({ properties }: TObject, names: readonly string[]): TObject {
  return exactly(Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name))))
}

/** A schema with some members changed or added, and others (null) taken away. */
export function schemaWith({ properties }: TObject, changes: Readonly<Record<string, TSchema | null>>): TObject {
  const all = Object.entries({ ...properties, ...changes })
  return exactly(Object.fromEntries(all.flatMap(([name, schema]) => (schema === null ? [] : [[name, schema]]))))
}
