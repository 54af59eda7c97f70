// test/support/connect-schemas.ts — checks answers against the published types of the terminal interface. The types are made
// strict: unknown fields are faults, except those added here with a reason.
import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

type Json = Record<string, unknown>
type Schemas = Record<string, Json & { properties?: Record<string, Json>; required?: string[] }>
export type ConnectVersion = 'v0' | 'v1' | 'v2'

/** The published enum lacks these notifications, which clients expect. */
const ADDED_NOTIFICATIONS = ['UNABLE_TO_CANCEL_TRANSACTION', 'CANCELLED_TRANSACTION', 'REPLACE_PAPER', 'ENTER_CASHBACK']

/** Formats of the published files. Values that were never learnt are empty. */
const FORMATS = {
  uri: isUri,
  URI: isUri,
  'MM/YY': /^(\d\d\/\d\d)?$/,
  'YYYY-MM-DDThh:mm:ss': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
  int32: true,
} as const

const TERMINAL = /^\/(?:pac|retail)\/terminals\/[^/]+$/
const TRANSACTIONS = /^\/(?:pac|retail)\/terminals\/[^/]+\/transactions$/
const TRANSACTION = /^\/(?:pac|retail)\/terminals\/[^/]+\/transactions\/[^/]+$/
const SIGNATURE = /^\/(?:pac|retail)\/terminals\/[^/]+\/transactions\/[^/]+\/signature$/
const REPORTS = /^\/(?:pac|retail)\/terminals\/[^/]+\/reports$/
const REPORT = /^\/(?:pac|retail)\/terminals\/[^/]+\/reports\/[^/]+$/

const TABLES = /^\/pat\/tables$/
const TABLE = /^\/pat\/tables\/[^/]+$/
const TABLE_CHANGE = /^\/pat\/tables\/[^/]+\/(?:amount|lock|receipt|waiterids)$/

type Answered = readonly [method: string, path: RegExp, status: number, schema: string | null]

/** Type of each answer; null when none applies. The body of 423 is a refusal with a `location`. */
const COMMON: readonly Answered[] = [
  ['GET', /^\/(?:pac|retail)\/terminals$/, 200, 'terminalWrapper'],
  ['GET', TERMINAL, 200, 'terminal'],
  ['POST', TRANSACTIONS, 201, 'requestLocationResponse'],
  ['POST', TRANSACTIONS, 423, 'pendingSignature'],
  ['GET', TRANSACTION, 200, 'transaction'],
]

/** Pay at table. The file of v2 lacks it; the types of v1 apply, with `tid`. */
const PAY_AT_TABLE: readonly Answered[] = [
  ['GET', TABLES, 200, 'pat:tableListWrapper'],
  ['PUT', TABLES, 201, 'pat:tableCreationResponse'],
  ['POST', TABLES, 201, 'pat:tableCreationResponse'],
  ['PUT', TABLES, 409, 'userMessage'],
  ['POST', TABLES, 409, 'userMessage'],
  ['GET', TABLE, 200, 'pat:table'],
  ['DELETE', TABLE, 204, null],
  ['PUT', TABLE_CHANGE, 204, null],
  ['PUT', TABLE_CHANGE, 423, 'userMessage'],
  ['GET', /^\/pat\/reports$/, 200, 'pat:reportListResponse'],
]
const TABLE_REPORT = /^\/pat\/reports\/[^/]+$/

const ANSWERS: Readonly<Record<ConnectVersion, readonly Answered[]>> = {
  v2: [
    ...COMMON,
    ['DELETE', TRANSACTION, 202, null],
    ['PUT', SIGNATURE, 202, null],
    ['POST', REPORTS, 201, 'requestLocationResponse'],
    ['GET', REPORT, 200, 'reportResponse'],
    ...PAY_AT_TABLE,
    ['GET', TABLE_REPORT, 200, 'pat:reportResponsePAT'],
  ],
  v1: [
    ...COMMON,
    ['DELETE', TRANSACTION, 204, null],
    ['PUT', SIGNATURE, 202, 'verifySignatureResponse'],
    ['POST', REPORTS, 201, 'requestLocationResponse'],
    ['GET', REPORT, 200, 'reportResponsePAC'],
    ...PAY_AT_TABLE,
    ['GET', TABLE_REPORT, 200, 'pat:reportResponsePAT'],
  ],
  v0: [
    ...COMMON,
    ['DELETE', TRANSACTION, 204, null],
    ['PUT', SIGNATURE, 202, 'verifySignatureResponse'],
    ['POST', REPORTS, 200, 'requestLocationResponse'],
    ['GET', REPORT, 200, 'reportResponse'],
    ['GET', REPORT, 409, 'userMessage'],
    ...PAY_AT_TABLE,
    ['GET', TABLE_REPORT, 200, 'pat:reportResponse'],
  ],
}

/** Statuses whose body is always an error. */
const REFUSED = new Set([400, 401, 404, 405, 406, 413, 414, 415, 422, 429, 431, 503])

/** Statuses that never have a body. */
const EMPTY = new Set([304, 500])

/**
 * Faults of an answer in a version, one line each; empty when it is as published.
 * @param path without query
 */
export function faultsOf(
  version: ConnectVersion,
  method: string,
  path: string,
  status: number,
  body: string,
): readonly string[] {
  const found = ANSWERS[version].find(answer => answer[0] === method && answer[1].test(path) && answer[2] === status)
  if (found?.[3] === null || EMPTY.has(status)) return body === '' ? [] : [`${status} must have no body`]
  const name = found?.[3] ?? (REFUSED.has(status) ? 'userMessage' : null)
  if (name === null) return [`${method} ${path} must not answer ${status}`]
  if (body === '') return [`${status} must have a body`]
  const validate = validatorOf(version, name)
  validate(JSON.parse(body))
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

const validators = new Map<string, ValidateFunction>()
const ajv = new Ajv({ allErrors: true, formats: FORMATS, strict: false })

function validatorOf(version: ConnectVersion, asked: string): ValidateFunction {
  if (asked.startsWith('pat:')) return tableValidatorOf(version, asked.slice('pat:'.length))
  const name = asked
  const known = validators.get(`${version} ${name}`)
  if (known !== undefined) return known
  const pointer = version === 'v2' ? 'components/schemas' : 'definitions'
  if (ajv.getSchema(version) === undefined) {
    const schemas = strictSchemas(version)
    ajv.addSchema({ $id: version, ...(version === 'v2' ? { components: { schemas } } : { definitions: schemas }) })
  }
  const made = ajv.compile({ $ref: `${version}#/${pointer}/${name}` })
  validators.set(`${version} ${name}`, made)
  return made
}

function tableValidatorOf(version: ConnectVersion, name: string): ValidateFunction {
  const known = validators.get(`${version} pat:${name}`)
  if (known !== undefined) return known
  const id = `${version}-pat`
  if (ajv.getSchema(id) === undefined) ajv.addSchema({ $id: id, definitions: tableSchemas(version) })
  const made = ajv.compile({ $ref: `${id}#/definitions/${name}` })
  validators.set(`${version} pat:${name}`, made)
  return made
}

const BILL_LINES = [
  ...['TEXT', 'BOX_DECLINE', 'BOX_VOID', 'CARRIAGE_RETURN', 'LINE_SEPARATOR_SINGLE', 'LINE_SEPARATOR_DOUBLE'],
  ...['TICKET_FEED', 'IMAGE_LOGO', 'BARCODE_CODE25', 'BARCODE_CODE39', 'BARCODE_CODE128'],
]

function tableSchemas(version: ConnectVersion): Schemas {
  const schemas = strictSchemas(version === 'v0' ? 'v0' : 'v1')
  if (version !== 'v0') schemas['table']!.properties!['receiptLines'] = schemas['table']!.properties!['receipt']!
  // A bill may have the lines of either list.
  const anyLine = { type: 'string', enum: [...BILL_LINES] }
  for (const name of ['receiptLine', 'receiptLinePat']) schemas[name]!.properties!['type'] = anyLine
  // Both names are sent, with the same value.
  const report = schemas[version === 'v0' ? 'reportResponse' : 'reportResponsePAT']!
  report.properties!['requestId'] = { type: 'string' }
  report.properties!['reportId'] = { type: 'string' }
  report.required!.push('reportId')
  if (version === 'v2') {
    report.properties!['tid'] = { type: 'string' }
    delete report.properties!['tpi']
    report.required = report.required!.map(name => (name === 'tpi' ? 'tid' : name))
  }
  schemas['tableListWrapper']!.required = ['tables']
  schemas['reportListResponse']!.required = ['reports']
  return schemas
}

function strictSchemas(version: ConnectVersion): Schemas {
  const file = new URL(`../schemas/connect-${version}.json`, import.meta.url)
  const published = JSON.parse(readFileSync(file, 'utf8')) as {
    components?: { schemas: Schemas }
    definitions?: Schemas
  }
  const schemas = published.components?.schemas ?? published.definitions ?? {}
  if (version === 'v2') (schemas['notifications'] as { enum: string[] }).enum.push(...ADDED_NOTIFICATIONS)
  const transaction = schemas['transaction']!
  // Both spellings are accepted.
  transaction.properties!['cardholderVerificationMethod'] = transaction.properties!['cardHolderVerificationMethod']!
  // Fields that are always sent.
  transaction.required = ['requestId', 'location', 'notifications']
  schemas['requestLocationResponse']!.required = ['requestId', 'location']
  schemas['terminalWrapper']!.required = ['terminals']
  // The published file also describes a map of terminals here, which no answer contains.
  delete schemas['terminalWrapper']!['additionalProperties']
  const refusal = version === 'v2' ? listForm(schemas) : MAP_FORM
  schemas['userMessage'] = refusal
  const location = { type: 'string', format: 'URI' }
  schemas['pendingSignature'] = {
    type: 'object',
    properties: {
      ...refusal.properties!,
      // A list in v0, one string since (docs/versions.md).
      location: version === 'v0' ? { type: 'array', items: location, minItems: 1 } : location,
    },
    required: [...refusal.required!, 'location'],
  }
  for (const schema of Object.values(schemas)) close(schema)
  return schemas
}

/** v2: a list of messages, beside the published field. */
function listForm(schemas: Schemas): Schemas[string] {
  const { userMessage } = schemas['userMessage']!.properties!
  return {
    type: 'object',
    properties: { userMessage: userMessage!, messages: { type: 'array', items: { type: 'string' }, minItems: 1 } },
    required: ['userMessage', 'messages'],
  }
}

/** Older versions: a map from keys to texts. Clients read the key `error`. */
const MAP_FORM: Schemas[string] = {
  type: 'object',
  properties: {
    messages: {
      type: 'object',
      properties: { error: { type: 'array', items: { type: 'string' }, minItems: 1 } },
      required: ['error'],
    },
  },
  required: ['messages'],
}

function isUri(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\//.test(text)
}

function close(schema: Json): void {
  const { properties, items } = schema as { properties?: Record<string, Json>; items?: Json }
  if (properties !== undefined && !Object.keys(properties).some(name => /^[{<]/.test(name)))
    schema['additionalProperties'] = false
  for (const each of Object.values(properties ?? {})) close(each)
  if (items !== undefined) close(items)
}
