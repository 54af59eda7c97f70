// src/api/online/fields.ts — reads the fields of online requests as shops send them: names in any case, nothings for what
// is not used, unknown ones left aside. Online reference 3.1 and 12.
import { memoise } from '../../engine/memoise.ts'
import { exactInteger } from '../read/exact-numbers.ts'
import type { JsonObject } from '../read/json-body.ts'

/** Thrown inside a reading and caught at its end: the first field that is wrong. */
class FieldProblem extends Error {
  override readonly name = 'FieldProblem'
  readonly field: string

  constructor(field: string) {
    super(field)
    this.field = field
  }
}

/** Control characters and broken surrogate pairs are in no text that a person reads; line breaks and tabs are. */
const UNREADABLE = /[^\P{Cc}\n\r\t]|\p{Cs}/u

/** Reads the fields of one object. Each asks for a field by its published name, and stops the reading when it is wrong. */
export class Fields {
  readonly #byName = new Map<string, unknown>()
  /** What comes before a name in a refusal. */
  readonly #path: string

  constructor(json: JsonObject, path = '') {
    this.#path = path
    for (const name in json) {
      const downgrade = name.toLowerCase()
      // What is written twice in different cases: the first that says something counts.
      if (isNothing(this.#byName.get(downgrade))) this.#byName.set(downgrade, json[name])
    }
  }

  /** Text; empty when it is not given. */
  text(name: string, longest: number): string {
    return this.optional(name, longest) ?? ''
  }

  /** The same, null when it is not given. */
  optional(name: string, longest: number): string | null {
    const value = this.raw(name)
    if (value === undefined) return null
    if (typeof value !== 'string' || value.length > longest || UNREADABLE.test(value)) return this.#wrong(name)
    return value
  }

  required(name: string, longest: number): string {
    return this.optional(name, longest) ?? this.#wrong(name)
  }

  boolean(name: string): boolean {
    const value = this.raw(name)
    if (value === undefined || value === false || value === 'false') return false
    return value === true || value === 'true' ? true : this.#wrong(name)
  }

  /** The value as it was sent; undefined when it says nothing. */
  raw(name: string): unknown {
    const value = this.#byName.get(lowerOf(name))
    return isNothing(value) ? undefined : value
  }

  /** The fields of an object; null when it is not given. */
  object(name: string): Fields | null {
    const value = this.raw(name)
    if (value === undefined) return null
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.#wrong(name)
    return new Fields(value as JsonObject, `${this.#path}${name}.`)
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined
  }

  #wrong(name: string): never {
    return wrong(this.#path + name)
  }
}

/** More than there are published names. */
const CACHED_NAMES = 256

/** Published names in lower case: each token asks for some thirty of them. */
const lowerOf = memoise(CACHED_NAMES, name => name.toLowerCase())

/**
 * Reads an object.
 * @returns what `read` makes of it, or the name of the first field that is wrong
 */
export function readFields<Value>(
  json: JsonObject,
  read: (fields: Fields) => Value,
): { readonly value: Value } | { readonly invalid: string } {
  try {
    return { value: read(new Fields(json)) }
  } catch (error) {
    if (error instanceof FieldProblem) return { invalid: error.field }
    throw error
  }
}

/** Stops a reading: this field is wrong. */
export function wrong(field: string): never {
  throw new FieldProblem(field)
}

/** A whole number of minor units: text of digits, or a JSON number that is one. Online reference 3.2 note 3. */
export function readDigits(sent: unknown, field: string): string {
  const number = numberIn(sent)
  const text = number === null ? sent : String(number)
  return typeof text === 'string' && /^\d+$/.test(text) ? text : wrong(field)
}

/** Numbers with a fraction or an exponent come as text behind a mark, so that none of them is rounded. */
function numberIn(sent: unknown): number | null {
  if (typeof sent === 'number') return Number.isSafeInteger(sent) ? sent : null
  return typeof sent === 'string' && sent.startsWith('\u0000') ? exactInteger(sent) : null
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
