// test/support/online-schemas.ts — checks answers against the published types of the online interface. The types are made
// strict: unknown fields are faults, except those added here with a reason.
import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

type Json = Record<string, unknown>
interface Schema extends Json {
  readonly properties?: Record<string, Json>
}

const FILE = new URL('../schemas/connect-e.json', import.meta.url)

/** Published samples read these fields, but no published type has them. */
const ADDED: Readonly<Record<string, readonly string[]>> = { paymentInfo: ['userPhoneNumber', 'paymentMethodId'] }
/** A resume whose acquirer is silent answers with the state: a shop has ten seconds, and the acquirer may take minutes. */
const STATUS_CODES: Readonly<Record<string, readonly number[]>> = { resumePaymentResponse: [0, 4, 5, 20, 30, 40] }
/** Omitted when empty. */
const OPTIONAL = new Set(['metaData', 'paymentMethodId'])

/** Type of each answer; null when none applies. */
const ANSWERS: readonly (readonly [method: string, path: RegExp, schema: string | null])[] = [
  ['POST', /^\/v1\/access-tokens$/, 'accessToken'],
  ['POST', /^\/v1\/access-tokens\/[^/]+\/revoke$/, null],
  ['GET', /^\/v1\/payments\/[^/]+$/, 'paymentInfo'],
  ['POST', /^\/v1\/payments\/[^/]+\/resume$/, 'resumePaymentResponse'],
  ['POST', /^\/v1\/cross-reference-payments\/[^/]+$/, 'crossReferenceResponse'],
  ['GET', /^\/v1\/payment-methods$/, 'paymentMethods'],
]

const validators = compile()

/** Faults of an answer to a shop's server, one line each; empty when it is as published. */
export function onlineFaultsOf(
  method: string,
  path: string,
  answer: { readonly status: number; readonly text: string; readonly mediaType: string },
): readonly string[] {
  const known = ANSWERS.find(([verb, pattern]) => verb === method && pattern.test(path))
  if (known === undefined) return []
  const { status, text, mediaType } = answer
  if (status !== 200) {
    const oneLine = text.length > 0 && text.length < 200 && !text.includes('\n')
    return oneLine && mediaType.startsWith('text/plain') ? [] : [`${status} is told in ${mediaType}: ${text}`]
  }
  const [, , schema] = known
  if (schema === null) return text === '' ? [] : [`a body where there is none: ${text}`]
  const validate = validators.get(schema)
  if (validate === undefined) return [`no type ${schema}`]
  if (validate(JSON.parse(text))) return []
  return (validate.errors ?? []).map(error => `${schema}${error.instancePath} ${error.message ?? ''}`)
}

function compile(): ReadonlyMap<string, ValidateFunction> {
  const document = JSON.parse(readFileSync(FILE, 'utf8')) as { components: { schemas: Record<string, Schema> } }
  const { schemas } = document.components
  const strict = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, strictly(name, schema)]))
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { email: true } })
  ajv.addSchema({ $id: 'online', components: { schemas: strict } })
  return new Map(Object.keys(schemas).map(name => [name, ajv.compile({ $ref: `online#/components/schemas/${name}` })]))
}

function strictly(name: string, schema: Schema): Schema {
  const added = Object.fromEntries((ADDED[name] ?? []).map(field => [field, { type: 'string' }]))
  const codes = STATUS_CODES[name]
  const statusCode = codes === undefined ? {} : { statusCode: { type: 'integer', enum: codes } }
  const properties = { ...schema.properties, ...added, ...statusCode }
  const required = Object.keys(properties).filter(field => !OPTIONAL.has(field))
  return { ...schema, properties, required, additionalProperties: false }
}
