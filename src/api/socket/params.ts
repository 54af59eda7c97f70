// src/api/socket/params.ts — reads the params of a request by their schema, to the letter: what the published schema does
// not allow is refused by the name of the member. Terminal socket reference 2.5, step 5.
import type { TObject } from 'typebox'
import { Compile } from 'typebox/schema'
import type { JsonObject } from '../read/json-body.ts'
import type { Read } from '../read/schema-reader.ts'
import { saysNothing } from '../read/schema-reader.ts'

/** Longest name that is repeated to the sender. Ours are all shorter. */
const LONGEST_NAME = 64

export interface ParamsRules {
  readonly params: TObject
  /** They may be missing. */
  readonly paramsOptional?: true
  /** Members that count as absent when they say nothing. */
  readonly passedOver?: readonly string[]
}

/** Builds the reader of one method's params. What it gives is as the schema says. */
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

/** The member at fault: the one that is missing, or the one that the error points at. */
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
