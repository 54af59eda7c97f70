// src/api/socket/closed-schema.ts — converts a REST schema for WebSocket messages: inlined, and without additional properties.
import { type TSchema, Type } from 'typebox'

interface Schema {
  readonly $id?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** Closes every object of a schema. Maps still allow any name. */
export function closed(schema: TSchema): TSchema {
  return Type.Unsafe(close(schema as Schema))
}

function close({ $id, properties, patternProperties, items, ...rest }: Schema): Record<string, unknown> {
  if (patternProperties !== undefined) {
    const [each] = Object.values(patternProperties)
    return { ...rest, additionalProperties: each === undefined ? true : close(each) }
  }
  return {
    ...rest,
    ...(items === undefined ? {} : { items: close(items) }),
    ...(properties === undefined ? {} : { additionalProperties: false, properties: closeAll(properties) }),
  }
}

function closeAll(properties: Readonly<Record<string, Schema>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, close(schema)]))
}
