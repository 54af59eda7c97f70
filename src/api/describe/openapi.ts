// src/api/describe/openapi.ts — generates the OpenAPI 3.1 document from the operations.
import type { TSchema } from 'typebox'
import type { Refusal, RefusalCode } from '../../domain/refusals.ts'
import { ANSWERS, browserError, onlineStatusOf } from '../answers.ts'
import { BROWSER_ERROR, SHOP_ERROR } from '../online/schemas.ts'
import type { Operation, ResponseSpec } from '../operation.ts'
import type { ApiSettings } from '../parts.ts'
import { CONNECT_ERROR, PROBLEM } from '../schemas.ts'
import { API_VERSIONS } from '../versions/select.ts'
import answerExamples from './answer-examples.json' with { type: 'json' }
import { ERROR_EXAMPLES, HEADERS, PATH_PARAMETERS, REQUEST_HEADERS, TAGS } from './openapi-words.ts'

type Json = Record<string, unknown>

/** From recorded runs, by operation and status. `npm run docs` writes the file. */
const RECORDED: Readonly<Record<string, unknown>> = answerExamples

const TEXT_EXAMPLES: Readonly<Record<string, unknown>> = {
  'text/html': '<!doctype html>\n<html lang="en">…</html>',
  'text/plain': '# HELP tollgate_transactions_running Transactions that have not ended.\n…',
  'application/json': { openapi: '3.1.0' },
  'application/schema+json': { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
  '*/*': '…',
}

/** How callers say who they are. */
const SECURITY_SCHEMES = {
  jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'RS256, from `tollgate token` or signed with a key that is registered for the account.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'The API key is the password. Any user name is accepted: use the name of the till product. 403 for what the key is not for: ' +
      'another area or terminal, or more than its user may do.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tollgate_session',
    description: 'The session of a user, from `signIn`. It counts for pages of the console only.',
  },
  pageToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Tollgate-Page-Token',
    description: 'The `pageToken` of the session.',
  },
}

/** In a sandbox only. */
const LINK = {
  type: 'http',
  scheme: 'bearer',
  description: 'What follows the number sign in the address of a link to a terminal, from `openTerminalLink`.',
}

/** Returns the OpenAPI document of the operations. */
export function openApiDocument(
  operations: readonly Operation[],
  settings: Pick<ApiSettings, 'programVersion' | 'publicUrl'>,
): Json {
  const schemas = new Schemas()
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, schemas) }
  }
  const used = new Set(operations.map(({ tag }) => tag))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version: settings.programVersion,
      summary: 'An open, self-hosted payment gateway for card terminals.',
      description:
        'Paths under `/pac` and `/pat` implement the published connect interface, in the version that the Accept header ' +
        `names: ${API_VERSIONS.map(({ mediaType }) => `\`${mediaType}\``).join(', ')}. \`/retail\` is an older name of ` +
        '`/pac`, where the default is v0; elsewhere the default is the newest version, which is described here, with the ' +
        'differences of older ones. Errors of Tollgate’s own operations are problem+json; those of online payments are ' +
        'text/plain for shops and JSON for browsers.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.publicUrl ?? '/' }],
    tags: TAGS.filter(({ name }) => used.has(name)),
    paths,
    components: {
      schemas: schemas.all(),
      headers: HEADERS,
      parameters: { ...PATH_PARAMETERS, ...REQUEST_HEADERS },
      securitySchemes: operations.some(({ byLink }) => byLink) ? { ...SECURITY_SCHEMES, link: LINK } : SECURITY_SCHEMES,
    },
  }
}

/** Collects schemas with an `$id` as components and replaces them by references. */
class Schemas {
  readonly #named = new Map<string, Json>()

  describe(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(each => this.describe(each))
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...rest } = schema as Json
    if (typeof $id !== 'string') return this.#inside(rest)
    if (!this.#named.has($id)) {
      this.#named.set($id, {})
      this.#named.set($id, this.#inside(rest))
    }
    return { $ref: `#/components/schemas/${$id}` }
  }

  all(): Json {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  #inside(schema: Json): Json {
    return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, this.describe(value)]))
  }
}

function describeOperation(operation: Operation, schemas: Schemas): Json {
  const { name, summary, tag, body } = operation
  const description = descriptionOf(operation)
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description === '' ? {} : { description }),
    security: securityOf(operation),
    parameters: parametersOf(operation, schemas),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.optional !== true,
            content: {
              [body.mediaType ?? 'application/json']: {
                schema: schemas.describe(body.schema),
                examples: Object.fromEntries(Object.entries(body.examples).map(([key, value]) => [key, { value }])),
              },
            },
          },
        }),
    responses: { ...successes(operation, schemas), ...errors(operation, schemas) },
  }
}

/** How a caller authenticates: each element is a way that suffices. */
function securityOf({ auth, area, peopleOnly, byLink }: Operation): readonly Json[] {
  if (auth === 'none') return []
  const session = { session: [], pageToken: [] }
  if (peopleOnly === true) return [session]
  const linked = byLink === true ? [{ link: [] }] : []
  return area === 'management' || area === 'sandbox' ? [{ [auth]: [] }, session, ...linked] : [{ [auth]: [] }]
}

/** Description of an operation, followed by its differences in older versions. */
function descriptionOf({ name, area, description }: Operation): string {
  const older = API_VERSIONS.flatMap(({ version, mapping }, index) => {
    const words = area === 'connect' ? mapping?.differences[name] : undefined
    return words === undefined ? [] : `**${version}**, other than ${API_VERSIONS[index - 1]?.version}: ${words}`
  })
  return [...(description === undefined ? [] : [description]), ...older].join('\n\n')
}

function parametersOf({ path, query, inner = [], headers = [], area }: Operation, schemas: Schemas): readonly Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ $ref: `#/components/parameters/${name}` }))
  const published = Object.entries(query?.properties ?? {}).filter(([name]) => !inner.includes(name))
  const inQuery = published.map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemas.describe(schema),
  }))
  const partner = area === 'connect' ? ['Software-House-Id', 'Installer-Id'] : []
  const inHeaders = [...partner, ...headers].map(name => ({ $ref: `#/components/parameters/${name}` }))
  return [...inPath, ...inQuery, ...inHeaders]
}

function successes(operation: Operation, schemas: Schemas): Json {
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, spec]) => [
      status,
      describeResponse(operation, spec, schemas, examplesOf(operation, status, spec)),
    ]),
  )
}

function describeResponse({ area }: Operation, spec: ResponseSpec, schemas: Schemas, examples: Json): Json {
  const { description, schema, headers = [] } = spec
  const mediaType = spec.mediaType ?? (area === 'connect' ? API_VERSIONS[0].mediaType : 'application/json')
  const bodiless = schema === undefined && spec.mediaType === undefined
  return {
    description,
    headers: headersOf(['X-Request-Id', ...headers]),
    ...(bodiless
      ? {}
      : {
          content: {
            [mediaType]: {
              ...(schema === undefined ? {} : { schema: schemas.describe(schema as TSchema) }),
              ...(Object.keys(examples).length === 0 ? {} : { examples }),
            },
          },
        }),
  }
}

/** Examples of an answer by name: of what is polled, one while it runs and one of its end. */
function examplesOf({ name }: Operation, status: string, { example, schema, mediaType = '' }: ResponseSpec): Json {
  const recorded = RECORDED[`${name} ${status}`]
  const written = schema === undefined ? TEXT_EXAMPLES[mediaType] : example
  if (recorded === undefined) return written === undefined ? {} : { answer: { value: written } }
  return written === undefined
    ? { answer: { value: recorded } }
    : { running: { value: written }, finished: { value: recorded } }
}

function headersOf(names: readonly string[]): Json {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

const JWT_REFUSALS = [
  'jwt_missing',
  'jwt_malformed',
  'jwt_claim_invalid',
  'jwt_signature_wrong',
  'jwt_expired',
  'jwt_not_yet_valid',
  'jwt_audience_wrong',
  'jwt_key_unknown',
] as const satisfies readonly RefusalCode[]

function isOnline(area: Operation['area']): area is 'shop' | 'browser' {
  return area === 'shop' || area === 'browser'
}

/** HTTP status of a refusal in an area. */
function statusIn(area: Operation['area'], code: RefusalCode): number {
  if (area === 'browser') return browserError({ code } as Refusal).statusCode
  return area === 'shop' ? onlineStatusOf(code) : ANSWERS[code].status
}

/** Media type, schema and example of error bodies in an area. */
function errorsOf(area: Operation['area']) {
  switch (area) {
    case 'connect':
      return { mediaType: API_VERSIONS[0].mediaType, schema: CONNECT_ERROR, example: ERROR_EXAMPLES.connect }
    case 'shop':
      return { mediaType: 'text/plain', schema: SHOP_ERROR, example: ERROR_EXAMPLES.shop }
    case 'browser':
      return { mediaType: 'application/json', schema: BROWSER_ERROR, example: ERROR_EXAMPLES.browser }
    case 'management':
    case 'sandbox':
    case 'system':
      return { mediaType: 'application/problem+json', schema: PROBLEM, example: ERROR_EXAMPLES.management }
  }
}

/** Refusals of an operation: its own, and those implied by its area, authentication and body. */
function refusalsOf(operation: Operation): readonly RefusalCode[] {
  const { area, auth, body, query, peopleOnly, byLink, right, refusals = [] } = operation
  return [
    ...(auth === 'basic' ? (['credentials_missing', 'credentials_refused'] as const) : []),
    ...(byLink === true ? (['link_ended', 'link_insufficient'] as const) : []),
    ...(peopleOnly === true ? (['signed_out', 'page_token_wrong', 'origin_refused', 'person_needed'] as const) : []),
    ...(peopleOnly === true && right !== undefined && right !== 'read' ? (['right_missing'] as const) : []),
    ...(auth === 'jwt' ? JWT_REFUSALS : []),
    ...(area === 'shop' ? (['too_fast'] as const) : []),
    ...(area === 'connect' ? (['version_unknown', 'software_house_missing', 'installer_missing'] as const) : []),
    ...(body === undefined ? [] : (['body_too_large', 'media_type_unknown', 'body_not_json'] as const)),
    ...(isOnline(area) || (body === undefined && query === undefined) ? [] : (['field_invalid'] as const)),
    ...refusals,
    'gateway_busy',
    'gateway_stopping',
    'store_unwritable',
    'store_lost',
  ]
}

function errors(operation: Operation, schemas: Schemas): Json {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of new Set(refusalsOf(operation))) {
    const status = statusIn(operation.area, code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const described = [...byStatus].map(([status, codes]) => [status, describeErrors(operation, codes, schemas)])
  return { ...Object.fromEntries(described), 500: describeFailure(operation, schemas) }
}

function describeErrors({ area }: Operation, codes: readonly RefusalCode[], schemas: Schemas): Json {
  const { mediaType, schema, example } = errorsOf(area)
  const retried = codes.some(code => ANSWERS[code].retryAfterSeconds !== null)
  return {
    description: codes.map(code => `\`${code}\``).join(', '),
    headers: headersOf(['X-Request-Id', ...(retried ? ['Retry-After'] : [])]),
    content: {
      [mediaType]: {
        schema: schemas.describe(schema),
        examples: Object.fromEntries(codes.map(code => [code, { value: example(code) }])),
      },
    },
  }
}

/** Describes the 500 response. The connect interface defines no body for it. */
function describeFailure({ area }: Operation, schemas: Schemas): Json {
  const description = 'Something went wrong inside the gateway. The log has the details under the request id.'
  const headers = headersOf(['X-Request-Id'])
  if (area === 'connect') return { description, headers }
  const { mediaType, schema } = errorsOf(area)
  return { description, headers, content: { [mediaType]: { schema: schemas.describe(schema) } } }
}
