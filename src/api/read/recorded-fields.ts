// src/api/read/recorded-fields.ts — reduces a request to what may be recorded, for timelines and /api/requests. ADR 54.
import type { TSchema } from 'typebox'
import { isSecretMember, redactedMember, STRUCK_OUT } from '../../domain/redaction.ts'
import type { JsonObject } from './json-body.ts'
import type { Schema } from './schema.ts'
import { readAs } from './schema-reader.ts'

/**
 * The fields of a request that its schema knows and whose values are as it says, as they were sent, without secrets and card
 * numbers. All else may be anything, a security code for instance. Fields that the schema calls `writeOnly` are left out.
 * Names are the same in all versions.
 */
export function recordedFields(schema: TSchema, input: JsonObject): JsonObject {
  return (known(schema as Schema, input, '') ?? {}) as JsonObject
}

/** Items of a list that are recorded: as many as a long bill has. A body of many thousand items must not delay others. */
const MOST_ITEMS = 100

/** Undefined: nothing of it may be recorded. @param name the member that has this value; empty for items of a list */
function known(schema: Schema, input: unknown, name: string): unknown {
  if (schema.writeOnly === true) return undefined
  if (schema.anyOf !== undefined) return firstOf(schema.anyOf, input, name)
  if (schema.type === 'array') return knownItems(schema, input)
  if (schema.type === 'object') return knownMembers(schema, input)
  return isScalar(schema, input) ? redactedMember(name, input) : undefined
}

function firstOf(variants: readonly Schema[], input: unknown, name: string): unknown {
  for (const variant of variants) {
    const found = known(variant, input, name)
    if (found !== undefined) return found
  }
  return undefined
}

function knownItems({ items }: Schema, input: unknown): unknown {
  if (!Array.isArray(input) || items === undefined) return undefined
  return input
    .slice(0, MOST_ITEMS)
    .map(item => known(items, item, ''))
    .filter(item => item !== undefined)
}

function knownMembers({ properties = {} }: Schema, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const members: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    // Own members only, so that `constructor` does not resolve to the prototype's.
    const value = Object.hasOwn(input, name) ? known(property, (input as JsonObject)[name], name) : undefined
    if (value !== undefined) members[name] = isSecretMember(name) ? STRUCK_OUT : value
  }
  return members
}

const SCALARS: ReadonlySet<string | undefined> = new Set(['string', 'integer', 'boolean', 'null'])

function isScalar(schema: Schema, input: unknown): boolean {
  if (!SCALARS.has(schema.type)) return false
  // Web shops send numbers where the published texts are digits.
  const meant = schema.type === 'string' && typeof input === 'number' ? String(input) : input
  return 'value' in readAs(schema as TSchema, meant, '')
}
