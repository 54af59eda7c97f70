// src/api/read/field-fault.ts — says what is wrong with a field and what its schema allows.
import type { Refusal } from '../../domain/refusals.ts'
import type { Schema } from './schema.ts'

/** An invalid field. */
export interface FieldFault {
  /** Path of the field, as the caller names it. */
  readonly invalid: string
  /** What is wrong and what is allowed: sentences that the name of the field begins. They never repeat what was sent. */
  readonly says: string
}

/** The refusal of a field. @param code that of the caller's area */
export function refusedFor(
  { invalid: field, says: detail }: FieldFault,
  code: 'field_invalid' | 'online_field_invalid' = 'field_invalid',
): { readonly refused: Refusal } {
  return { refused: { code, field, detail } }
}

/** Describes an invalid value by its schema. */
export function faultIn(schema: Schema, sent: unknown, field: string): FieldFault {
  return faultSaying(field, wrongIn(schema, sent), allowedBy(schema))
}

/**
 * @param wrong what is wrong, without a full stop: `is missing`
 * @param allowed what the field may be: `true or false`
 */
export function faultSaying(field: string, wrong: string, allowed: string): FieldFault {
  return { invalid: field, says: mustBe(wrong, allowed) }
}

/** The sentences of a fault. */
function mustBe(wrong: string, allowed: string): string {
  return `${wrong}. It must be ${allowed}.`
}

/** What is wrong with a value whose type or form does not fit. */
function wrongIn(schema: Schema, sent: unknown): string {
  if (schema.anyOf !== undefined) return wrongIn(schema.anyOf[0] ?? {}, sent)
  const nothing = nothingIn(sent)
  if (nothing !== null) return nothing
  if (schema.enum !== undefined || schema.const !== undefined)
    return typeof sent === 'string' ? 'has an unknown value' : kindOf(sent)
  if (schema.type === 'integer') return wrongNumber(schema, sent)
  if (schema.type === 'boolean' && typeof sent === 'string') return 'is neither true nor false'
  if (schema.type === 'string' && typeof sent === 'string') return wrongText(schema, sent)
  if (schema.type === 'array' && Array.isArray(sent)) return wrongList(schema, sent)
  return kindOf(sent)
}

/** How a value is absent. Null when it is not. */
export function nothingIn(sent: unknown): string | null {
  if (sent === undefined) return 'is missing'
  if (sent === null) return 'is null'
  return sent === '' ? 'is empty' : null
}

/** What is wrong with a value that is no whole number between two others. */
export function wrongNumber({ minimum = 0, maximum }: Schema, sent: unknown): string {
  if (typeof sent !== 'number' && typeof sent !== 'string') return kindOf(sent)
  if (typeof sent === 'string' && /^\s*-?\d+[.,]\d+\s*$/.test(sent)) return 'has a decimal point'
  if (typeof sent === 'string' && !/^\s*-?\d+\s*$/.test(sent)) return 'is not a number'
  const number = Number(sent)
  // The reader turns numbers that it cannot read exactly into infinity.
  if (!Number.isFinite(number)) return 'is too large, or not an exact number'
  if (!Number.isInteger(number)) return 'has a fraction'
  if (number < minimum) return number < 0 ? 'is negative' : number === 0 ? 'is zero' : 'is too small'
  if (number > (maximum ?? Number.MAX_SAFE_INTEGER)) return 'is too large'
  return kindOf(sent)
}

function wrongText({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema, sent: string): string {
  if (sent.length > maxLength) return 'is too long'
  return sent.length < minLength ? 'is too short' : 'has a character or a form that is not allowed'
}

function wrongList({ maxItems = Number.POSITIVE_INFINITY }: Schema, sent: readonly unknown[]): string {
  return sent.length > maxItems ? 'has too many items' : 'has an item that is not allowed'
}

/** The kind of a value, where another kind is needed. */
export function kindOf(sent: unknown): string {
  if (sent === null) return 'is null'
  if (Array.isArray(sent)) return 'is a list'
  switch (typeof sent) {
    case 'string':
      return 'is text'
    case 'number':
      return 'is a number'
    case 'boolean':
      return 'is true or false'
    case 'undefined':
      return 'is missing'
    default:
      return 'is an object'
  }
}

/**
 * Describes the values that a schema allows.
 * @param formOf describes a text with a pattern
 */
export function allowedBy(schema: Schema, formOf = textIn): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined)
    return schema.enum.length === 1 ? String(schema.enum[0]) : `one of ${schema.enum.join(', ')}`
  if (schema.anyOf !== undefined) return schema.anyOf.map(each => allowedBy(each, formOf)).join(' or ')
  switch (schema.type) {
    case 'integer':
      return numberIn(schema)
    case 'string':
      return schema.pattern === undefined ? textIn(schema) : formOf(schema)
    case 'boolean':
      return 'true or false'
    case 'array':
      return schema.maxItems === undefined ? 'a list' : `a list of ${schema.maxItems} items at most`
    case 'null':
      return 'null'
    default:
      return 'an object'
  }
}

function numberIn({ minimum, maximum, description = '' }: Schema): string {
  const range =
    minimum === undefined ? '' : maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`
  // All currencies of terminals have two decimals.
  const unit = /minor units/i.test(description) ? ' in minor units: 25.99 is 2599' : ''
  return `a whole number${range}${unit}`
}

const NOT_BLANK = ', more than blanks and dots'

function textIn({ minLength = 0, maxLength, pattern }: Schema): string {
  const length =
    maxLength === undefined ? '' : ` of ${minLength === 0 ? 'at most' : `${minLength} to`} ${maxLength} characters`
  // A pattern that only excludes characters excludes those that cannot be printed; one that looks ahead, blanks and dots.
  const form =
    pattern === undefined || pattern.startsWith('^[^')
      ? ''
      : pattern.startsWith('^(?')
        ? NOT_BLANK
        : ` of the form ${pattern}`
  return `a text${length}${form}`
}
