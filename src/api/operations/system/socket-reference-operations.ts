// src/api/operations/system/socket-reference-operations.ts — serves the WebSocket reference, AsyncAPI document and schemas.

import { Type } from 'typebox'
import { asyncApiDocument } from '../../describe/asyncapi.ts'
import { HTML_TYPE, PAGE_HEADERS } from '../../describe/pages/html.ts'
import { socketReferencePage } from '../../describe/pages/socket-reference.ts'
import { messagesIn } from '../../describe/published-messages.ts'
import { type Answer, openOperation, type RequestContext } from '../../operation.ts'
import { EXAMPLE } from '../../schemas.ts'

const SCHEMA_TYPE = 'application/schema+json; charset=utf-8'
const SCHEMA_PATH = '/schemas'

export const getAsyncApi = openOperation({
  name: 'getAsyncApi',
  summary: 'The AsyncAPI description of the WebSocket interface',
  tag: 'System',
  area: 'system',
  method: 'GET',
  path: '/asyncapi.json',
  responses: { 200: { description: 'AsyncAPI 3.', mediaType: 'application/json' } },
  run: ({ api, base }) => ({
    status: 200,
    body: asyncApiDocument(api.rpc.published(), api.settings.programVersion, base),
  }),
})

export const listSchemas = openOperation({
  name: 'listSchemas',
  summary: 'List the messages of the WebSocket interface',
  tag: 'System',
  area: 'system',
  method: 'GET',
  path: SCHEMA_PATH,
  responses: {
    200: {
      description: 'Addresses of the JSON schemas, by message.',
      schema: Type.Object({
        schemas: Type.Array(
          Type.Object({ name: Type.String(), title: Type.String(), location: Type.String({ format: 'uri' }) }),
        ),
      }),
      example: {
        schemas: [
          {
            name: 'pac-v1-sale-request',
            title: 'Take a payment',
            location: `${EXAMPLE.base}${SCHEMA_PATH}/pac-v1-sale-request.json`,
          },
        ],
      },
    },
  },
  run({ api, base }) {
    const schemas = api.rpc
      .published()
      .flatMap(messagesIn)
      .map(({ name, title }) => ({ name, title, location: `${base}${SCHEMA_PATH}/${name}.json` }))
    return { status: 200, body: { schemas } }
  },
})

export const getSchema = openOperation({
  name: 'getSchema',
  summary: 'The JSON schema of one message',
  tag: 'System',
  area: 'system',
  method: 'GET',
  path: `${SCHEMA_PATH}/{file}`,
  responses: { 200: { description: 'JSON Schema, draft 7.', mediaType: 'application/schema+json' } },
  refusals: ['path_unknown'],
  run({ api }, { params: { file } }) {
    const messages = api.rpc.published().flatMap(messagesIn)
    const message = messages.find(({ name }) => `${name}.json` === file)
    if (message === undefined) return { refused: { code: 'path_unknown' } }
    return { status: 200, bytes: Buffer.from(JSON.stringify(message.schema)), mediaType: SCHEMA_TYPE }
  },
})

export const getSocketReference = openOperation({
  name: 'getSocketReference',
  summary: 'The reference of the WebSocket interface',
  tag: 'Pages',
  area: 'system',
  method: 'GET',
  path: '/docs/socket',
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  run: context => reference(context, context.api.rpc.published()[0]?.version),
})

export const getSocketReferenceOf = openOperation({
  name: 'getSocketReferenceOf',
  summary: 'The reference of one version of the WebSocket interface',
  tag: 'Pages',
  area: 'system',
  method: 'GET',
  path: '/docs/socket/{version}',
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  refusals: ['path_unknown'],
  run: (context, { params }) => reference(context, params.version),
})

function reference({ api, base }: RequestContext, name: string | undefined): Answer {
  const versions = api.rpc.published()
  const version = versions.find(each => each.version === name)
  if (version === undefined) return { refused: { code: 'path_unknown' } }
  const names = versions.map(each => each.version)
  return { status: 200, bytes: socketReferencePage(version, names, base), mediaType: HTML_TYPE, headers: PAGE_HEADERS }
}
