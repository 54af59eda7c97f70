// src/api/describe/asyncapi.ts — generates the AsyncAPI 3 document from the published messages.
import {
  messagesIn,
  messagesOf,
  type PublishedExchange,
  type PublishedMessage,
  type PublishedVersion,
} from './published-messages.ts'

type Json = Record<string, unknown>

const QUERY = {
  type: 'object',
  required: ['token'],
  properties: {
    token: { type: 'string', description: 'The API key of the account.' },
    'api-version': { type: 'string', description: 'Version of the messages. Default: the newest.' },
    'software-house-id': {
      type: 'string',
      description: 'Id of the till’s software company. Required with `api-version=v1`.',
    },
    'installer-id': { type: 'string', description: 'Id of the till’s installer. Required with `api-version=v1`.' },
    'transaction-ids': {
      type: 'string',
      enum: ['', 'true', '1', 'false', '0'],
      description: 'Flag: messages about a transaction also contain `requestId` and `rpcId`. An extension of Tollgate.',
    },
  },
}

const TABLE_QUERY = {
  ...QUERY,
  properties: {
    ...QUERY.properties,
    'final-pos-receipt-request': {
      type: 'string',
      enum: ['', 'true', '1', 'false', '0'],
      description: 'Flag: the terminal also prints the bill of the till after payment.',
    },
  },
}

/**
 * Returns the AsyncAPI document of all versions.
 * @param base address of the gateway, without a slash at the end
 */
export function asyncApiDocument(versions: readonly PublishedVersion[], programVersion: string, base: string): Json {
  const { host, protocol, pathname } = new URL(base)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tollgate WebSocket interface for tills',
      version: programVersion,
      description:
        'JSON-RPC 2.0 over a WebSocket: a till sends requests, and gets notifications of what the terminal shows. Each ' +
        'frame has one JSON object. Each side numbers its own requests; a reply has the id of its request. Replies come in ' +
        'order of completion.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      gateway: {
        host,
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        ...(pathname === '/' ? {} : { pathname }),
        security: [{ $ref: '#/components/securitySchemes/token' }],
      },
    },
    channels: Object.fromEntries(versions.flatMap(version => channelsOf(version))),
    operations: Object.fromEntries(versions.flatMap(describeOperations)),
    components: {
      messages: Object.fromEntries(
        versions.flatMap(messagesIn).map(message => [message.name, describeMessage(message)]),
      ),
      securitySchemes: {
        token: { type: 'httpApiKey', in: 'query', name: 'token', description: 'The API key of the account.' },
      },
    },
  }
}

type Area = 'pac' | 'pat'

function channelOf({ version }: PublishedVersion, area: Area): string {
  return `${area}-${version}`
}

function channelsOf(version: PublishedVersion): readonly (readonly [string, Json])[] {
  const { methods, pushes, tables, error } = version
  const counter = [...methods, ...pushes].flatMap(messagesOf)
  return [
    [channelOf(version, 'pac'), describeChannel(version, 'Pay at counter', '/pac', [...counter, error], QUERY)],
    [
      channelOf(version, 'pat'),
      describeChannel(version, 'Pay at table', '/pat', [...tables.flatMap(messagesOf), error], TABLE_QUERY),
    ],
  ]
}

function describeChannel(
  { version }: PublishedVersion,
  title: string,
  address: string,
  messages: readonly PublishedMessage[],
  query: Json,
): Json {
  return {
    address,
    title: `${title}, ${version}`,
    description: `Connect with \`api-version=${version}\`.`,
    messages: Object.fromEntries(messages.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }])),
    bindings: { ws: { method: 'GET', query, bindingVersion: '0.1.0' } },
  }
}

function describeOperations(version: PublishedVersion): readonly (readonly [string, Json])[] {
  const describe = (action: 'receive' | 'send', area: Area) => (exchange: PublishedExchange) =>
    [`${version.version}.${exchange.form.name}`, describeOperation(version, exchange, action, area)] as const
  return [
    ...version.methods.map(describe('receive', 'pac')),
    ...version.pushes.map(describe('send', 'pac')),
    ...version.tables.map(describe('send', 'pat')),
  ]
}

/** `receive`: sent by the till. `send`: sent by the gateway. */
function describeOperation(
  version: PublishedVersion,
  { form, request, reply }: PublishedExchange,
  action: 'receive' | 'send',
  area: Area,
): Json {
  const channel = `#/channels/${channelOf(version, area)}`
  const named = ({ name }: PublishedMessage) => ({ $ref: `${channel}/messages/${name}` })
  return {
    action,
    channel: { $ref: channel },
    summary: form.summary,
    description: form.description,
    messages: [named(request)],
    ...(reply === null
      ? {}
      : { reply: { channel: { $ref: channel }, messages: [named(reply), named(version.error)] } }),
  }
}

function describeMessage({ name, title, schema, example }: PublishedMessage): Json {
  const { $schema, $id, ...payload } = schema
  return { name, title, contentType: 'application/json', payload, examples: [{ payload: example }] }
}
