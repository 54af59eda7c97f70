// src/api/versions/reshape-schema.ts — renames, selects and changes members of object schemas.
import type { TObject, TSchema } from 'typebox'
import { exactly } from '../socket/shapes.ts'
import { renamed } from './reshape.ts'

/** Renames a member. */
export function schemaRenamed({ properties }: TObject, from: string, to: string): TObject {
  return exactly(renamed(properties, from, to) as TObject['properties'])
}

/** Keeps only these members. */
export function schemaOf({ properties }: TObject, names: readonly string[]): TObject {
  return exactly(Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name))))
}

/** Changes or adds members. Null removes a member. */
export function schemaWith({ properties }: TObject, changes: Readonly<Record<string, TSchema | null>>): TObject {
  const all = Object.entries({ ...properties, ...changes })
  return exactly(Object.fromEntries(all.flatMap(([name, schema]) => (schema === null ? [] : [[name, schema]]))))
}
