// src/api/versions/reshape-schema.ts — small changes of shape to the schemas that describe objects.
import type { TObject, TSchema } from 'typebox'
import { exactly } from '../socket/shapes.ts'
import { renamed } from './reshape.ts'

/** The schema of an object that had one member renamed. */
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
