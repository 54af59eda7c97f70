// src/cli/doctor/card-data/schema-inputs.ts — builds bodies with a text in each place that a schema allows.
import type { TSchema } from 'typebox'

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
}

export interface PlacedText {
  /** Path of the text, such as `shippingDetails.address.city`. */
  readonly at: string
  readonly value: unknown
}

type Json = Readonly<Record<string, unknown>>

/**
 * Builds values of the schema, each with a text in one place: in a field, as an unknown field, or as the name of a field.
 * @param base a valid value; missing parts are made up
 * @param text returns the text for a place
 */
export function placed(schema: TSchema, base: unknown, text: (at: string) => string): readonly PlacedText[] {
  return [...place(schema as Schema, base, { text, unions: new Set() }, '')]
}

interface Placing {
  readonly text: (at: string) => string
  /** Unions already visited: the steps of a scenario are the same at each moment. */
  readonly unions: Set<unknown>
}

function* place(schema: Schema, base: unknown, placing: Placing, at: string): Generator<PlacedText> {
  if (schema.anyOf !== undefined) {
    if (placing.unions.has(schema.anyOf)) return
    placing.unions.add(schema.anyOf)
    for (const variant of schema.anyOf)
      yield* place(variant, isOf(variant, base) ? base : sampleOf(variant), placing, at)
    return
  }
  if (schema.type === 'array' && schema.items !== undefined) {
    const first = (Array.isArray(base) ? base[0] : undefined) ?? sampleOf(schema.items)
    for (const each of place(schema.items, first, placing, `${at}[]`)) yield { at: each.at, value: [each.value] }
    return
  }
  const { text } = placing
  if (schema.type !== 'object') return yield { at, value: text(at) }
  const object = { ...(sampleOf(schema) as Json), ...(isObject(base) ? base : {}) }
  const inside = (name: string) => (at === '' ? name : `${at}.${name}`)
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    for (const each of place(property, object[name] ?? sampleOf(property), placing, inside(name)))
      yield { at: each.at, value: { ...object, [name]: each.value } }
  // An open object accepts any name; a closed one must handle an unknown one.
  yield { at: inside('note'), value: { ...object, note: text(inside('note')) } }
  yield { at: `${inside('*')} (a name)`, value: { ...object, [text(`${inside('*')} (a name)`)]: 'a' } }
}

/** Returns the smallest value that the schema accepts. */
function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0] ?? {})
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map(name => [name, sampleOf(schema.properties?.[name] ?? {})] as const),
      )
    case 'array':
      return []
    case 'integer':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return 'a'
  }
}

/** Whether a value is of this variant, by the properties with a fixed value. */
function isOf({ properties = {}, type }: Schema, value: unknown): boolean {
  if (type !== 'object') return type === typeof value
  const fixed = Object.entries(properties).filter(([, property]) => property.const !== undefined)
  return isObject(value) && fixed.every(([name, property]) => value[name] === property.const)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
