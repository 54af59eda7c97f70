// src/simulator/strict-reading.ts — reads documents that people write, exactly as their schema says: a misspelt name
// or a wrong kind of value is told with its place and with what may stand there.
import type { Static, TSchema } from 'typebox'

/** What is wrong, and where: `plans.approved[1].do`. Empty for the document itself. */
export interface Problem {
  readonly at: string
  /** Completes the sentence "<at> …". */
  readonly says: string
}

export type StrictlyRead<Value> = { readonly value: Value } | { readonly problems: readonly Problem[] }

/** More problems than these do not help. */
const MOST_PROBLEMS = 10

/** The part of JSON Schema that documents of the simulated world use. */
interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly description?: string
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
}

/** Reads `input` as `schema` says, or tells everything that is wrong with it, up to a limit. */
export function readStrictly<S extends TSchema>(schema: S, input: unknown): StrictlyRead<Static<S>> {
  const problems = [...problemsOf(schema as Schema, input, '')].slice(0, MOST_PROBLEMS)
  return problems.length > 0 ? { problems } : { value: input as Static<S> }
}

/** A problem as a sentence. */
export function sentenceOf({ at, says }: Problem): string {
  return `${at === '' ? 'The document' : at} ${says}.`
}

function* problemsOf(schema: Schema, input: unknown, at: string): Generator<Problem> {
  if (schema.anyOf !== undefined) yield* problemsOfVariant(schema.anyOf, input, at)
  else if (kindOf(input) !== schema.type) yield { at, says: `must be ${allowedBy(schema)}, not ${shown(input)}` }
  else if (schema.type === 'object') yield* problemsOfObject(schema, input as Record<string, unknown>, at)
  else if (schema.type === 'array') yield* problemsOfList(schema, input as readonly unknown[], at)
  else if (!fits(schema, input)) yield { at, says: `must be ${allowedBy(schema)}, not ${shown(input)}` }
}

function* problemsOfObject(
  { properties = {}, required = [] }: Schema,
  input: Record<string, unknown>,
  at: string,
): Generator<Problem> {
  const place = (name: string) => (at === '' ? name : `${at}.${name}`)
  for (const name of Object.keys(input))
    if (!Object.hasOwn(properties, name))
      yield { at: place(name), says: `is not known; there may be ${Object.keys(properties).join(', ')}` }
  for (const [name, schema] of Object.entries(properties)) {
    if (Object.hasOwn(input, name)) yield* problemsOf(schema, input[name], place(name))
    else if (required.includes(name)) yield { at: place(name), says: `is missing; it must be ${allowedBy(schema)}` }
  }
}

function* problemsOfList(schema: Schema, input: readonly unknown[], at: string): Generator<Problem> {
  const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  if (input.length < minItems) yield { at, says: 'must not be empty' }
  if (input.length > maxItems) yield { at, says: `must have ${maxItems} items at most, not ${input.length}` }
  for (const [index, item] of input.entries()) yield* problemsOf(items, item, `${at}[${index}]`)
}

/** Objects are told apart by the property with a fixed value, everything else by its kind. */
function* problemsOfVariant(variants: readonly Schema[], input: unknown, at: string): Generator<Problem> {
  const ofKind = variants.filter(({ type }) => type === kindOf(input))
  const [first, ...others] = ofKind
  if (first === undefined) {
    yield { at, says: `must be ${variants.map(allowedBy).join(' or ')}, not ${shown(input)}` }
  } else if (others.length === 0) {
    yield* problemsOf(first, input, at)
  } else {
    const names = Object.entries(first.properties ?? {}).filter(([, schema]) => schema.const !== undefined)
    const name = names[0]?.[0] ?? ''
    const sent = (input as Record<string, unknown>)[name]
    const meant = ofKind.find(({ properties }) => properties?.[name]?.const === sent)
    if (meant !== undefined) yield* problemsOf(meant, input, at)
    else {
      const known = ofKind.map(({ properties }) => properties?.[name]?.const).join(', ')
      yield { at: at === '' ? name : `${at}.${name}`, says: `must be one of ${known}, not ${shown(sent)}` }
    }
  }
}

function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'array'
  return typeof input === 'number' ? (Number.isSafeInteger(input) ? 'integer' : 'number') : typeof input
}

function fits(schema: Schema, input: unknown): boolean {
  if (schema.const !== undefined) return input === schema.const
  if (schema.enum !== undefined) return schema.enum.includes(input)
  if (typeof input === 'number')
    return (
      input >= (schema.minimum ?? Number.NEGATIVE_INFINITY) && input <= (schema.maximum ?? Number.POSITIVE_INFINITY)
    )
  if (typeof input !== 'string') return true
  return input.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) && matches(schema.pattern, input)
}

function matches(pattern: string | undefined, input: string): boolean {
  // Control characters are in no text that a person reads.
  return !/[\p{Cc}\p{Cs}]/u.test(input) && (pattern === undefined || new RegExp(pattern, 'u').test(input))
}

/** What may stand where a schema is. */
function allowedBy(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`
  if (schema.anyOf !== undefined) return schema.anyOf.map(allowedBy).join(' or ')
  switch (schema.type) {
    case 'integer': {
      const { minimum, maximum } = schema
      return minimum === undefined ? 'a whole number' : `a whole number from ${minimum} to ${maximum ?? 'any'}`
    }
    case 'string':
      return schema.pattern === undefined ? 'a text' : `a text (${schema.description ?? schema.pattern})`
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'a list'
    case 'null':
      return 'null'
    default:
      return 'an object'
  }
}

function shown(input: unknown): string {
  // The parser marks numbers that it would have to round.
  const text = JSON.stringify(input)?.replaceAll('\\u0000', '') ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
