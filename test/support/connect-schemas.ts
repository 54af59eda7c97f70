// test/support/connect-schemas.ts — the published types of the connect interface as judges of our answers. They are made
// strict: a field that is not in them is a fault, except those that are added here, each with its reason.
import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

type Json = Record<string, unknown>
type Schemas = Record<string, Json & { properties?: Record<string, Json>; required?: string[] }>

/** The seed names these; the published enum forgets them. Terminal reference 3.7 and 17, rows 7 and 8. */
const ADDED_NOTIFICATIONS = ['UNABLE_TO_CANCEL_TRANSACTION', 'CANCELLED_TRANSACTION', 'REPLACE_PAPER', 'ENTER_CASHBACK']

/** The files' own formats. A value that was never learnt is empty. Terminal reference 6.3. */
const FORMATS = {
  URI: (text: string) => URL.canParse(text) && /^https?:\/\//.test(text),
  'MM/YY': /^(\d\d\/\d\d)?$/,
  'YYYY-MM-DDThh:mm:ss': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
  int32: true,
} as const

/** Which type answers what, in version 2. 423 is the seed's; its body is a refusal with a `location`. */
const ANSWERS: readonly (readonly [method: string, path: RegExp, status: number, schema: string])[] = [
  ['GET', /^\/pac\/terminals$/, 200, 'terminalWrapper'],
  ['GET', /^\/pac\/terminals\/[^/]+$/, 200, 'terminal'],
  ['POST', /^\/pac\/terminals\/[^/]+\/transactions$/, 201, 'requestLocationResponse'],
  ['POST', /^\/pac\/terminals\/[^/]+\/transactions$/, 423, 'pendingSignature'],
  ['GET', /^\/pac\/terminals\/[^/]+\/transactions\/[^/]+$/, 200, 'transaction'],
]

/** Statuses that are told in the error body wherever they occur. */
const REFUSED = new Set([400, 401, 404, 405, 406, 413, 414, 415, 422, 431, 503])

/** Statuses without a body. */
const EMPTY = new Set([202, 204, 304, 500])

/**
 * What is wrong with an answer of version 2, a line each; empty when it is as published.
 * @param path without query
 */
export function faultsOfV2(method: string, path: string, status: number, body: string): readonly string[] {
  if (EMPTY.has(status)) return body === '' ? [] : [`${status} must have no body`]
  const found = ANSWERS.find(answer => answer[0] === method && answer[1].test(path) && answer[2] === status)
  const name = found?.[3] ?? (REFUSED.has(status) ? 'userMessage' : null)
  if (name === null) return [`${method} ${path} must not answer ${status}`]
  const validate = validatorOf(name)
  validate(JSON.parse(body))
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

const validators = new Map<string, ValidateFunction>()
const ajv = new Ajv({ allErrors: true, formats: FORMATS, strict: false })

function validatorOf(name: string): ValidateFunction {
  const known = validators.get(name)
  if (known !== undefined) return known
  if (validators.size === 0) ajv.addSchema({ $id: 'v2', components: { schemas: strictSchemas() } })
  const made = ajv.compile({ $ref: `v2#/components/schemas/${name}` })
  validators.set(name, made)
  return made
}

function strictSchemas(): Schemas {
  const file = new URL('../schemas/connect-v2.json', import.meta.url)
  const { schemas } = (JSON.parse(readFileSync(file, 'utf8')) as { components: { schemas: Schemas } }).components
  ;(schemas['notifications'] as { enum: string[] }).enum.push(...ADDED_NOTIFICATIONS)
  const transaction = schemas['transaction']!
  // The seed's spelling beside the published one. Terminal reference 17, row 1.
  transaction.properties!['cardholderVerificationMethod'] = transaction.properties!['cardHolderVerificationMethod']!
  const userMessage = schemas['userMessage']!
  // The seed: one list of messages. Terminal reference 4.1.
  userMessage.properties!['messages'] = { type: 'array', items: { type: 'string' }, minItems: 1 }
  userMessage.required = ['userMessage', 'messages']
  // What is always sent.
  transaction.required = ['requestId', 'location', 'notifications']
  schemas['requestLocationResponse']!.required = ['requestId', 'location']
  schemas['terminalWrapper']!.required = ['terminals']
  const { userMessage: text, messages } = userMessage.properties!
  schemas['pendingSignature'] = {
    type: 'object',
    properties: { userMessage: text!, messages: messages!, location: { type: 'string', format: 'URI' } },
    required: ['userMessage', 'messages', 'location'],
  }
  for (const schema of Object.values(schemas)) close(schema)
  return schemas
}

function close(schema: Json): void {
  const { properties, items } = schema as { properties?: Record<string, Json>; items?: Json }
  if (properties !== undefined && !Object.keys(properties).some(name => name.startsWith('{')))
    schema['additionalProperties'] = false
  for (const each of Object.values(properties ?? {})) close(each)
  if (items !== undefined) close(items)
}
