// src/api/read/lenient.ts — reads JSON by its schema, and forgives what tills in the field get wrong without doubt about
// what they mean. Terminal reference 1.4 and 15.
import type { Static, TSchema } from 'typebox'
import { exactInteger } from './exact-numbers.ts'

/** The value, or the name of the field at fault (`changes.paceMs`, `items.0`). */
export type Read<Value> = { readonly value: Value } | { readonly invalid: string }

/** The part of JSON Schema that request schemas use. */
interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly maxItems?: number
}

/**
 * Reads `input` as `schema` says. Forgiven: integers as text or with an all-zero fraction, booleans as text, nothings in
 * optional fields, fields nobody knows. Names and enumerated words are exact.
 * @param name what to call the value when it is at fault
 */
export function readAs<S extends TSchema>(schema: S, input: unknown, name: string): Read<Static<S>> {
  return read(schema as Schema, input, name) as Read<Static<S>>
}

/** Whether a value says nothing: null, an empty text, false or zero, also as text. */
export function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true
  return typeof value === 'string' && (/^\s*(?:false)?\s*$/i.test(value) || exactInteger(value) === 0)
}

function read(schema: Schema, input: unknown, name: string): Read<unknown> {
  if (schema.anyOf !== undefined) return readVariant(schema.anyOf, input, name)
  switch (schema.type) {
    case 'object':
      return readObject(schema, input, name)
    case 'array':
      return readList(schema, input, name)
    case 'integer':
      return check(integerIn(input), value => within(schema, value), name)
    case 'boolean':
      return check(booleanIn(input), () => true, name)
    case 'string':
      return check(textIn(input), value => fits(schema, value), name)
    default:
      throw new Error(`lenient reading does not know schema type ${schema.type}`)
  }
}

function check<V>(value: V | null, isRight: (value: V) => boolean, name: string): Read<V> {
  return value !== null && isRight(value) ? { value } : { invalid: name }
}

function integerIn(input: unknown): number | null {
  if (typeof input === 'number') return Number.isSafeInteger(input) ? input : null
  return typeof input === 'string' ? exactInteger(input) : null
}

function within({ minimum, maximum }: Schema, value: number): boolean {
  return value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY)
}

/** A boolean, also as text in any case: .NET writes `True`. Null for all else. */
export function booleanIn(input: unknown): boolean | null {
  if (typeof input === 'boolean') return input
  const word = typeof input === 'string' ? input.trim().toLowerCase() : ''
  return word === 'true' ? true : word === 'false' ? false : null
}

/** Control characters and broken surrogate pairs are in no text that a person reads, and databases choke on them. */
const UNREADABLE = /[\p{Cc}\p{Cs}]/u

function textIn(input: unknown): string | null {
  return typeof input === 'string' && !UNREADABLE.test(input) ? input : null
}

function fits(schema: Schema, value: string): boolean {
  if (schema.const !== undefined) return value === schema.const
  if (schema.enum !== undefined) return schema.enum.includes(value)
  if (value.length < (schema.minLength ?? 0) || value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY))
    return false
  return schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)
}

function readObject({ properties = {}, required = [] }: Schema, input: unknown, name: string): Read<unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { invalid: name }
  const object: Record<string, unknown> = {}
  for (const [property, schema] of Object.entries(properties)) {
    // Own properties only: a name such as `constructor` must not find anything.
    const sent = Object.hasOwn(input, property) ? (input as Record<string, unknown>)[property] : undefined
    const found = read(schema, sent, name === '' ? property : `${name}.${property}`)
    if ('value' in found) object[property] = found.value
    else if (required.includes(property) || !saysNothing(sent)) return found
  }
  return { value: object }
}

function readList({ items, maxItems }: Schema, input: unknown, name: string): Read<unknown> {
  if (!Array.isArray(input) || items === undefined) return { invalid: name }
  if (input.length > (maxItems ?? Number.POSITIVE_INFINITY)) return { invalid: name }
  const list: unknown[] = []
  for (const [place, each] of input.entries()) {
    const found = read(items, each, `${name}.${place}`)
    if ('invalid' in found) return found
    list.push(found.value)
  }
  return { value: list }
}

/** Objects of several kinds, told apart by a property with a fixed value. */
function readVariant(variants: readonly Schema[], input: unknown, name: string): Read<unknown> {
  const sent: Readonly<Record<string, unknown>> = typeof input === 'object' && input !== null ? { ...input } : {}
  const fixed = Object.entries(variants[0]?.properties ?? {}).find(([, schema]) => schema.const !== undefined)
  const property = fixed?.[0] ?? ''
  const variant = variants.find(({ properties }) => properties?.[property]?.const === sent[property])
  if (variant !== undefined) return read(variant, input, name)
  return { invalid: name === '' ? property : `${name}.${property}` }
}
