// src/api/socket/params.ts — validates the params of a request strictly by the published schema.
import type { TObject } from 'typebox'
import { Compile } from 'typebox/schema'
import type { JsonObject } from '../read/json-body.ts'
import type { Read } from '../read/schema-reader.ts'
import { saysNothing } from '../read/schema-reader.ts'

/** Longest member name that is returned to the sender. Ours are shorter. */
const LONGEST_NAME = 64

export interface ParamsRules {
  readonly params: TObject
  /** Set when params may be absent. */
  readonly paramsOptional?: true
  /** Members that count as absent when they are empty, zero or false. */
  readonly passedOver?: readonly string[]
}

/** Builds the reader of a method's params. It returns valid params or the name of the invalid member. */
export function paramsReader({ params: schema, paramsOptional, passedOver = [] }: ParamsRules) {
  const compiled = Compile(schema)
  return (sent: unknown): Read<JsonObject> => {
    const params = withoutNothings(sent === undefined && paramsOptional ? {} : sent, passedOver)
    if (compiled.Check(params)) return { value: params as JsonObject }
    const [, [error]] = compiled.Errors(params)
    return { invalid: error === undefined ? 'params' : memberIn(error) }
  }
}

function withoutNothings(sent: unknown, names: readonly string[]): unknown {
  if (names.length === 0 || typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => !names.includes(name) || !saysNothing(value)),
  )
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
