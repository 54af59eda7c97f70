// src/api/read/schema-reader.ts — reads JSON by a schema, strictly or leniently. ADR 45.
import type { Static, TSchema } from 'typebox'
import { integerIn } from './exact-numbers.ts'
import { type FieldFault, faultIn } from './field-fault.ts'
import type { Schema } from './schema.ts'

/**
 * `strict`: for documents written by people; a misspelt name is a fault.
 * `lenient`: for requests of tills in the field. Unambiguous deviations are accepted: integers as text of digits, numbers with an
 * all-zero fraction, booleans as text, null, empty text, false or zero in optional fields, and unknown fields. Names and
 * enumerated words must be exact.
 */
export type Strictness = 'lenient' | 'strict'

export interface SchemaFault {
  /** Path: `plans.approved[1].do` when strict, `items.0.name` when lenient; empty for the input itself. */
  readonly at: string
  readonly type: 'wrong' | 'missing' | 'unknown' | 'too_few' | 'too_many'
  /** Schema of the value; for an unknown name, schema of its object. */
  readonly schema: Schema
  readonly sent: unknown
}

/** The value, or the first invalid field, by its path (`changes.paceMs`, `items.0`). */
export type Read<Value> = { readonly value: Value } | FieldFault

/**
 * Reads `input` leniently.
 * @param name path of the value itself, used when it is invalid
 */
export function readAs<S extends TSchema>(schema: S, input: unknown, name: string): Read<Static<S>> {
  const { value, faults } = readSchema(schema, input, 'lenient', name)
  const [first] = faults
  return first === undefined ? { value } : faultIn(first.schema, first.sent, first.at)
}

/** Reads `input` by `schema`. The value is valid only without faults. */
export function readSchema<S extends TSchema>(
  schema: S,
  input: unknown,
  strictness: Strictness,
  at = '',
): { readonly value: Static<S>; readonly faults: readonly SchemaFault[] } {
  const reading: Reading = { strict: strictness === 'strict', faults: [] }
  const value = read(schema as Schema, input, at, reading) as Static<S>
  return { value, faults: reading.faults }
}

/** Whether a value counts as absent: null, empty text, false or zero, also as text. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true
  return typeof value === 'string' && (/^\s*(?:false)?\s*$/i.test(value) || integerIn(value) === 0)
}

interface Reading {
  readonly strict: boolean
  /** In the order of the schema. */
  readonly faults: SchemaFault[]
}

const SINGLE_TYPES: readonly (string | undefined)[] = ['string', 'integer', 'boolean', 'null']

function read(schema: Schema, input: unknown, at: string, reading: Reading): unknown {
  if (schema.anyOf !== undefined) return readVariant(schema, schema.anyOf, input, at, reading)
  if (schema.type === 'object') return readObject(schema, input, at, reading)
  if (schema.type === 'array') return readList(schema, input, at, reading)
  if (!SINGLE_TYPES.includes(schema.type)) throw new Error(`schema type ${schema.type} cannot be read`)
  const value = reading.strict ? exactly(schema.type, input) : forgiving(schema.type, input)
  if (value === undefined || !fits(schema, value)) reading.faults.push({ at, type: 'wrong', schema, sent: input })
  return value
}

function readObject(schema: Schema, input: unknown, at: string, reading: Reading): unknown {
  const { strict, faults } = reading
  if (!isObject(input)) return void faults.push({ at, type: 'wrong', schema, sent: input })
  const { properties = {}, required = [] } = schema
  const place = (name: string) => (at === '' ? name : `${at}.${name}`)
  if (strict)
    for (const name of Object.keys(input))
      if (!Object.hasOwn(properties, name)) faults.push({ at: place(name), type: 'unknown', schema, sent: input[name] })
  const object: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    // Own properties only, so that `constructor` does not resolve to the prototype's.
    const isSent = Object.hasOwn(input, name)
    const isRequired = required.includes(name)
    if (strict && !isSent) {
      if (isRequired) faults.push({ at: place(name), type: 'missing', schema: property, sent: undefined })
      continue
    }
    const sent = isSent ? input[name] : undefined
    const before = faults.length
    const value = read(property, sent, place(name), reading)
    if (faults.length === before) object[name] = value
    else if (!strict && !isRequired && isBlank(sent)) faults.length = before
  }
  return object
}

function readList(schema: Schema, input: unknown, at: string, reading: Reading): unknown {
  const { strict, faults } = reading
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  if (!Array.isArray(input) || items === undefined) return void faults.push({ at, type: 'wrong', schema, sent: input })
  const before = faults.length
  if (strict && input.length < minItems) faults.push({ at, type: 'too_few', schema, sent: input })
  if (input.length > maxItems) faults.push({ at, type: 'too_many', schema, sent: input })
  const list: unknown[] = []
  for (const [index, item] of input.entries()) {
    // Lenient reading reports the first fault only, so millions of invalid items are not read.
    if (!strict && faults.length > before) break
    list.push(read(items, item, strict ? `${at}[${index}]` : `${at}.${index}`, reading))
  }
  return list
}

/** Reads a union. Objects are distinguished by a property with a constant value; other variants, if strict, by their type. */
function readVariant(schema: Schema, anyOf: readonly Schema[], input: unknown, at: string, reading: Reading): unknown {
  const variants = reading.strict ? anyOf.filter(({ type }) => type === typeOf(input)) : anyOf
  const [first] = variants
  if (first === undefined) return void reading.faults.push({ at, type: 'wrong', schema, sent: input })
  const [name] = Object.entries(first.properties ?? {}).find(([, property]) => property.const !== undefined) ?? []
  if (variants.length === 1 || name === undefined) return read(first, input, at, reading)
  const sent = isObject(input) && Object.hasOwn(input, name) ? input[name] : undefined
  const words = variants.map(({ properties }) => properties?.[name]?.const)
  const meant = variants[words.indexOf(sent)]
  if (meant !== undefined) return read(meant, input, at, reading)
  const place = at === '' ? name : `${at}.${name}`
  return void reading.faults.push({ at: place, type: 'wrong', schema: { enum: words }, sent })
}

function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

function typeOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'array'
  return typeof input === 'number' ? (Number.isSafeInteger(input) ? 'integer' : 'number') : typeof input
}

/** Returns the input, or undefined when it has another type. */
function exactly(type: string | undefined, input: unknown): unknown {
  return typeOf(input) === type ? input : undefined
}

/** Converts the input to the type, or returns undefined. */
function forgiving(type: string | undefined, input: unknown): unknown {
  if (typeof input !== 'string' || type === 'string') return exactly(type, input)
  if (type === 'integer') return integerIn(input) ?? undefined
  return type === 'boolean' ? (booleanIn(input) ?? undefined) : undefined
}

/** Reads a boolean, also as text in any case: .NET writes `True`. Null for other values. */
export function booleanIn(input: unknown): boolean | null {
  if (typeof input === 'boolean') return input
  const word = typeof input === 'string' ? input.trim().toLowerCase() : ''
  return word === 'true' ? true : word === 'false' ? false : null
}

/** Control characters and lone surrogates, which no readable text has and databases may reject. */
const UNREADABLE = /[\p{Cc}\p{Cs}]/u

function fits(schema: Schema, value: unknown): boolean {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, pattern } = schema
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  if (schema.const !== undefined) return value === schema.const
  if (schema.enum !== undefined) return schema.enum.includes(value)
  if (typeof value === 'number') return value >= minimum && value <= maximum
  if (typeof value !== 'string') return true
  if (value.length < minLength || value.length > maxLength || UNREADABLE.test(value)) return false
  return pattern === undefined || new RegExp(pattern, 'u').test(value)
}
