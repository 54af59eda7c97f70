// src/api/socket/params.ts — validates the params of a request strictly by the published schema.
import type { TObject } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import { type FieldFault, faultIn, faultSaying, kindOf } from '../read/field-fault.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { Schema } from '../read/schema.ts'
import type { Read } from '../read/schema-reader.ts'
import { isBlank } from '../read/schema-reader.ts'

/** Longest member name that is returned to the sender. Ours are shorter. */
const LONGEST_NAME = 64

export interface ParamsRules {
  readonly params: TObject
  /** Set when params may be absent. */
  readonly paramsOptional?: true
  /** Members that count as absent when they are empty, zero or false. */
  readonly passedOver?: readonly string[]
}

/**
 * Builds the reader of a method's params. It returns valid params, or says what is wrong with a member. The schema is compiled at
 * the first request, because there are many, and most runs use few of them.
 */
export function paramsReader({ params: schema, paramsOptional, passedOver = [] }: ParamsRules) {
  let compiled: Validator | null = null
  return (sent: unknown): Read<JsonObject> => {
    compiled ??= Compile(schema)
    const params = withoutNothings(sent === undefined && paramsOptional ? {} : sent, passedOver)
    if (compiled.Check(params)) return { value: params as JsonObject }
    const [, [error]] = compiled.Errors(params)
    return faultAt(error === undefined ? 'params' : memberIn(error), schema, params)
  }
}

function withoutNothings(sent: unknown, names: readonly string[]): unknown {
  if (names.length === 0 || typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => !names.includes(name) || !isBlank(value)))
}

function faultAt(member: string, { properties }: TObject, params: unknown): FieldFault {
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    return faultSaying('params', kindOf(params), 'an object')
  if (Object.hasOwn(properties, member)) {
    const sent = Object.hasOwn(params, member) ? (params as JsonObject)[member] : undefined
    return faultIn(properties[member] as Schema, sent, member)
  }
  const allowed = `The method takes ${Object.keys(properties).join(', ') || 'none'}.`
  return {
    invalid: member,
    says: member === 'params' ? `has a member that is not known. ${allowed}` : `is not known. ${allowed}`,
  }
}

/** Name of the invalid member: the missing one, or the one that the error points at. */
function memberIn({
  keyword,
  instancePath,
  params,
}: {
  keyword: string
  instancePath: string
  params: object
}): string {
  const missing = keyword === 'required' && 'requiredProperties' in params ? params.requiredProperties : undefined
  const [first] = Array.isArray(missing) ? missing : [instancePath.split('/')[1]]
  const name = typeof first === 'string' ? first.replaceAll('~1', '/').replaceAll('~0', '~') : ''
  return name === '' || name.length > LONGEST_NAME ? 'params' : name
}
