// src/api/read/strict-document.ts — validates JSON documents strictly by schema. Each problem names its place and the
// allowed values.
import type { Static, TSchema } from 'typebox'
import { allowedBy } from './field-fault.ts'
import type { Schema } from './schema.ts'
import { readSchema, type SchemaFault } from './schema-reader.ts'

/** Place of the problem: `plans.approved[1].do`. Empty for the document itself. */
export interface Problem {
  readonly at: string
  /** Completes the sentence "<at> …". */
  readonly says: string
}

export type StrictlyRead<Value> = { readonly value: Value } | { readonly problems: readonly Problem[] }

/** What a name is that is refused because it may be a card number. */
export const MISPLACED = 'seems to hold a card number, which is never stored in clear'

/** Upper bound of reported problems. More do not help. */
const MOST_PROBLEMS = 10

/** Reads `input` by `schema`, or returns its problems, up to a limit. */
export function readStrictly<S extends TSchema>(schema: S, input: unknown): StrictlyRead<Static<S>> {
  const { faults } = readSchema(schema, input, 'strict')
  // Returns the input itself: a document is shown as it was written.
  return faults.length > 0 ? { problems: faults.slice(0, MOST_PROBLEMS).map(problemOf) } : { value: input as Static<S> }
}

/** The problem as a sentence. */
export function sentenceOf({ at, says }: Problem): string {
  return `${at === '' ? 'The document' : at} ${says}.`
}

function problemOf({ at, type, schema, sent }: SchemaFault): Problem {
  switch (type) {
    case 'wrong':
      return { at, says: `must be ${allowedBy(schema, formOf)}, not ${shown(sent)}` }
    case 'missing':
      return { at, says: `is missing; it must be ${allowedBy(schema, formOf)}` }
    case 'unknown':
      return { at, says: `is unknown; allowed are ${Object.keys(schema.properties ?? {}).join(', ')}` }
    case 'too_few':
      return { at, says: 'must not be empty' }
    case 'too_many':
      return { at, says: `must have at most ${schema.maxItems} items, not ${(sent as readonly unknown[]).length}` }
  }
}

/** The form of a text is in its description. */
function formOf({ description, pattern }: Schema): string {
  return `a text (${description?.replace(/\.$/, '') ?? pattern})`
}

function shown(input: unknown): string {
  // Numbers that JSON.parse would round are parsed as infinity, which JSON cannot write.
  const text = input === Number.POSITIVE_INFINITY ? 'another number' : (JSON.stringify(input) ?? 'nothing')
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
