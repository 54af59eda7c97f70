// src/api/online/fields.ts — reads the fields of online requests leniently.
// Names are case-insensitive, null and empty values count as absent, unknown fields are ignored. See docs/online-payments.md.
import { numericCode } from '../../domain/numeric-code.ts'
import { isReadable } from '../../domain/online/payer-input.ts'
import { memoise } from '../../engine/memoise.ts'
import { type FieldFault, faultIn, faultSaying, nothingIn } from '../read/field-fault.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { Schema } from '../read/schema.ts'
import type { Read } from '../read/schema-reader.ts'

/** Thrown at the first invalid field, and caught in `readFields`. */
class FieldProblem extends Error {
  override readonly name = 'FieldProblem'
  readonly fault: FieldFault

  constructor(fault: FieldFault) {
    super(fault.invalid)
    this.fault = fault
  }
}

/** The fields of one object, read by their published names. Each method throws FieldProblem when the field is invalid. */
export class Fields {
  readonly #byName = new Map<string, unknown>()
  /** Prefix of field names in refusals. */
  readonly #path: string

  constructor(json: JsonObject, path = '') {
    this.#path = path
    for (const name in json) {
      const downgrade = name.toLowerCase()
      // Of names that differ only in case, the first with a value is used.
      if (isNothing(this.#byName.get(downgrade))) this.#byName.set(downgrade, json[name])
    }
  }

  /** Reads a text of at most `longest` characters. Empty when absent. */
  text(name: string, longest: number): string {
    return this.optional(name, longest) ?? ''
  }

  /** Reads a text of at most `longest` characters. Null when absent. */
  optional(name: string, longest: number): string | null {
    const value = this.raw(name)
    if (value === undefined) return null
    if (typeof value !== 'string' || !isReadable(value, longest)) return this.#wrong(name, textSchema(longest), value)
    return value
  }

  /** @param allowed what it must be, where its length says too little */
  required(name: string, longest: number, allowed?: string): string {
    const value = this.optional(name, longest)
    if (value !== null) return value
    return allowed === undefined
      ? this.#wrong(name, { ...textSchema(longest), minLength: 1 })
      : wrong(faultSaying(this.#path + name, 'is missing', allowed))
  }

  boolean(name: string): boolean {
    const value = this.raw(name)
    if (value === undefined || value === false || value === 'false') return false
    return value === true || value === 'true' ? true : this.#wrong(name, { type: 'boolean' }, value)
  }

  /** Returns the value as sent. Undefined when absent. */
  raw(name: string): unknown {
    const value = this.#byName.get(lowerOf(name))
    return isNothing(value) ? undefined : value
  }

  /** Reads an object. Null when absent. */
  object(name: string): Fields | null {
    const value = this.raw(name)
    if (value === undefined) return null
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.#wrong(name, { type: 'object' }, value)
    return new Fields(value as JsonObject, `${this.#path}${name}.`)
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined
  }

  #wrong(name: string, schema: Schema, sent?: unknown): never {
    return wrong(faultIn(schema, sent, this.#path + name))
  }
}

/** Cached names: more than are published. */
const CACHED_NAMES = 256

/** Lower-cases a published name. Each token request reads some thirty of them. */
const lowerOf = memoise(CACHED_NAMES, name => name.toLowerCase())

/**
 * Reads an object.
 * @returns the result of `read`, or the first invalid field
 */
export function readFields<Value>(json: JsonObject, read: (fields: Fields) => Value): Read<Value> {
  try {
    return { value: read(new Fields(json)) }
  } catch (error) {
    if (error instanceof FieldProblem) return error.fault
    throw error
  }
}

function textSchema(maxLength: number): Schema {
  return { type: 'string', maxLength }
}

/** Fails the reading at an invalid field. */
export function wrong(fault: FieldFault): never {
  throw new FieldProblem(fault)
}

/** Reads a numeric ISO code as three digits. @param allowed what it must be */
export function readNumericCode(sent: unknown, field: string, allowed: string): string {
  return numericCodeIn(sent) ?? wrong(faultSaying(field, nothingIn(sent) ?? 'is not a numeric code', allowed))
}

/** Reads a numeric ISO code of one to three digits, sent as text or as a JSON number, as three digits. Null if it is none. */
export function numericCodeIn(sent: unknown): string | null {
  return numericCode(digitsIn(sent) ?? '')
}

/** Reads a whole number as digits. It may be sent as text or as a JSON number. Null if it is none. */
export function digitsIn(sent: unknown): string | null {
  const text = Number.isSafeInteger(sent) ? String(sent) : sent
  return typeof text === 'string' && /^\d+$/.test(text) ? text : null
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
