// src/api/describe/published-messages.ts — generates a JSON schema for each WebSocket message, so that clients can validate
// what they send and receive.
import type { TSchema } from 'typebox'
import { LARGEST_ID } from '../socket/envelope.ts'
import { RPC_ERRORS } from '../socket/rpc-codes.ts'
import type { MethodSchemas, PushSchemas, VersionSchemas } from '../versions/socket-schemas.ts'

type Json = Readonly<Record<string, unknown>>

export interface PublishedMessage {
  /** Unique; the file name without its extension. */
  readonly name: string
  readonly title: string
  readonly schema: Json
  readonly example: unknown
}

/** The messages of one method or push. A notification has no reply. */
export interface PublishedExchange {
  readonly form: MethodSchemas | PushSchemas
  readonly request: PublishedMessage
  readonly reply: PublishedMessage | null
}

export interface PublishedVersion {
  readonly version: string
  /** Requests of tills. */
  readonly methods: readonly PublishedExchange[]
  /** Messages that the gateway sends on its own initiative. */
  readonly pushes: readonly PublishedExchange[]
  /** Messages to POS table providers, on their separate connection. */
  readonly tables: readonly PublishedExchange[]
  readonly error: PublishedMessage
}

const JSONRPC = { type: 'string', enum: ['2.0'], default: '2.0' }
const ID = { type: 'integer', minimum: 0, maximum: LARGEST_ID }
const EXAMPLE_ID = 7

/** Returns all messages of a version. */
export function publish(version: string, schemas: VersionSchemas): PublishedVersion {
  const { methods, notification, signatureRequest, terminalMember } = schemas
  return {
    version,
    methods: methods.map(form => exchangeOf(version, form, 'request')),
    pushes: [notification, signatureRequest].map(form => exchangeOf(version, form, kindOf(form))),
    tables: Object.values(schemas.tables).map(form => exchangeOf(version, form, kindOf(form), 'pat')),
    error: errorMessage(version, terminalMember),
  }
}

/** Lists all messages of a version, errors included. */
export function messagesIn({ methods, pushes, tables, error }: PublishedVersion): readonly PublishedMessage[] {
  return [...[...methods, ...pushes, ...tables].flatMap(messagesOf), error]
}

/** Lists the messages of one exchange. */
export function messagesOf({ request, reply }: PublishedExchange): readonly PublishedMessage[] {
  return reply === null ? [request] : [request, reply]
}

function kindOf({ result }: PushSchemas): 'request' | 'notification' {
  return result === null ? 'notification' : 'request'
}

function exchangeOf(
  version: string,
  form: MethodSchemas | PushSchemas,
  kind: 'request' | 'notification',
  area: 'pac' | 'pat' = 'pac',
): PublishedExchange {
  const { name, example, result } = form
  const optional = 'paramsOptional' in form && form.paramsOptional === true
  const id = kind === 'request' ? { id: EXAMPLE_ID } : {}
  return {
    form,
    request: message(`${area}-${version}`, `${name} ${kind}`, {
      members: {
        ...(kind === 'request' ? { id: ID } : {}),
        method: { type: 'string', enum: [name] },
        params: form.params,
      },
      optional: optional ? ['params'] : [],
      example: { jsonrpc: '2.0', ...id, method: name, ...(optional ? {} : { params: example.params }) },
    }),
    reply:
      result === null
        ? null
        : message(`${area}-${version}`, `${name} response`, {
            members: { id: ID, result },
            optional: [],
            example: { jsonrpc: '2.0', ...id, result: example.result },
          }),
  }
}

/** The error message. Its `id` is that of the failed request, absent when that could not be read. */
function errorMessage(version: string, terminalMember: string): PublishedMessage {
  const data = {
    type: 'object',
    additionalProperties: false,
    properties: {
      [terminalMember]: { type: 'string', description: 'The terminal concerned.' },
      userMessage: { type: 'string', description: 'To be shown to the cashier.' },
    },
  }
  const codes = Object.keys(RPC_ERRORS).map(Number)
  const error = {
    type: 'object',
    additionalProperties: false,
    required: ['code', 'message'],
    properties: { code: { type: 'integer', enum: codes }, message: { type: 'string' }, data },
  }
  return message(`pac-${version}`, 'error', {
    members: { id: ID, error },
    optional: ['id'],
    example: {
      jsonrpc: '2.0',
      id: EXAMPLE_ID,
      error: {
        code: -32071,
        message: RPC_ERRORS[-32071],
        data: { [terminalMember]: '22160001', userMessage: '22160001 is waiting for a signature check.' },
      },
    },
  })
}

function message(
  prefix: string,
  title: string,
  parts: {
    readonly members: Readonly<Record<string, Json | TSchema>>
    readonly optional: readonly string[]
    readonly example: unknown
  },
): PublishedMessage {
  const name = `${prefix}-${title.replaceAll(' ', '-')}`
  const members = { jsonrpc: JSONRPC, ...parts.members }
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `urn:tollgate:schema:${name}`,
    title,
    type: 'object',
    additionalProperties: false,
    required: Object.keys(members).filter(member => !parts.optional.includes(member)),
    properties: members,
  }
  return { name, title, schema, example: parts.example }
}
