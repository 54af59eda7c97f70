// test/api/socket/published.test.ts — the published message schemas, the AsyncAPI document and the reference pages.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { messagesIn, publish } from '../../../src/api/describe/published-messages.ts'
import { OPERATIONS } from '../../../src/api/operations/index.ts'
import { RPC_ERRORS } from '../../../src/api/socket/rpc-codes.ts'
import { SOCKET_VERSIONS, schemasOf } from '../../../src/api/versions/socket-versions.ts'
import { faultsOf } from '../../support/rpc-schemas.ts'
import { openShop } from '../../support/shop.ts'
import { send } from '../../support/till.ts'

type Json = Record<string, unknown>

const METHODS = OPERATIONS.flatMap(({ rpc }) => rpc ?? [])
const VERSIONS = SOCKET_VERSIONS.map(apiVersion => publish(apiVersion.version, schemasOf(apiVersion, METHODS)))
const MESSAGES = VERSIONS.flatMap(messagesIn)

/** Methods of both versions, and of each alone. */
const COMMON = ['cancelTransaction', 'connectedTerminals', 'duplicate', 'refund', 'sale']
const ONLY = {
  v1: ['accountVerification', 'completion', 'preAuth', 'terminalDetails'],
  v0: ['terminalsDetails'],
} as const

test.each(['v0', 'v1'] as const)('%s has its methods, its two notifications and the requests for tables', name => {
  const version = VERSIONS.find(({ version }) => version === name)
  const reports = METHODS.map(({ name }) => name).filter(name => name.startsWith('report'))
  deepEqual(version?.methods.map(({ form }) => form.name).toSorted(), [...COMMON, ...ONLY[name], ...reports].toSorted())
  deepEqual(
    version?.pushes.map(({ form }) => form.name),
    ['terminalNotification', 'signatureVerificationRequest'],
  )
  deepEqual(
    version?.tables.map(({ form }) => form.name),
    [
      'tableListRequest',
      'tableLockRequest',
      'posReceiptRequest',
      'transactionResponse',
      'finalPOSReceiptRequest',
      'tableUnlock',
    ],
  )
})

test('no two messages have the same name', () => {
  const names = MESSAGES.map(({ name }) => name)
  equal(new Set(names).size, names.length)
})

describe.each(MESSAGES.map(({ name, schema, example }) => ({ name, schema: schema as Json, example })))(
  '$name',
  ({ name, schema, example }) => {
    test('has an example that matches its schema', () => {
      deepEqual(faultsOf(name, example), [])
    })

    test('has no additional properties, at any depth', () => {
      ok(faultsOf(name, { ...(example as Json), more: 1 }).length > 0)
      // The additional properties of a map have a schema.
      for (const { additionalProperties } of objectsIn(schema))
        ok(
          additionalProperties === false || Object.keys(Object(additionalProperties)).length > 0,
          JSON.stringify(schema),
        )
    })
  },
)

/** All object schemas in a schema. */
function objectsIn(schema: unknown): readonly Json[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = (schema as Json)['type'] === 'object' ? [schema as Json] : []
  return [...own, ...Object.values(schema).flatMap(objectsIn)]
}

test('the request for a duplicate is described exactly', () => {
  const { schema } = MESSAGES.find(({ name }) => name === 'pac-v1-duplicate-request') ?? {}
  const { properties, ...rest } = JSON.parse(JSON.stringify(schema)) as { properties: Json } & Json
  deepEqual([rest['type'], rest['additionalProperties']], ['object', false])
  deepEqual((rest['required'] as string[]).toSorted(), ['id', 'jsonrpc', 'method', 'params'])
  deepEqual(properties['jsonrpc'], { type: 'string', enum: ['2.0'], default: '2.0' })
  deepEqual(properties['id'], { type: 'integer', minimum: 0, maximum: 999_999 })
  deepEqual(properties['method'], { type: 'string', enum: ['duplicate'] })
  const { tid, ...others } = (properties['params'] as { properties: Json }).properties
  deepEqual(others, {})
  equal((tid as Json)['type'], 'string')
  equal((tid as Json)['default'], 'N/A')
})

test('there are twelve error codes', () => {
  deepEqual(
    Object.keys(RPC_ERRORS).map(Number).toSorted(),
    [-32070, -32071, -32072, -32073, -32074, -32075, -32076, -32600, -32601, -32602, -32603, -32700],
  )
})

test('every schema is listed and served under its name', async () => {
  const shop = await openShop()
  const list = await send(shop.api.inject, 'GET', '/schemas', {})
  const listed = list.json['schemas'] as { name: string; location: string }[]
  deepEqual(
    listed.map(({ name }) => name),
    MESSAGES.map(({ name }) => name),
  )
  for (const { name, location } of listed) {
    equal(location, `http://pay.example/schemas/${name}.json`)
    const reply = await send(shop.api.inject, 'GET', new URL(location).pathname, {})
    equal(reply.status, 200)
    match(reply.headers['content-type'] ?? '', /^application\/schema\+json/)
    deepEqual(JSON.parse(reply.text), JSON.parse(JSON.stringify(MESSAGES.find(each => each.name === name)?.schema)))
  }
  for (const path of ['/schemas/none.json', '/schemas/pac-v1-sale-request', '/schemas/..%2fpackage.json'])
    equal((await send(shop.api.inject, 'GET', path, {})).status, 404)
})

test('the references of the AsyncAPI document resolve, and it has every message', async () => {
  const shop = await openShop()
  const document = (await send(shop.api.inject, 'GET', '/asyncapi.json', {})).json as Json
  equal(document['asyncapi'], '3.0.0')
  deepEqual(document['servers'], {
    gateway: { host: 'pay.example', protocol: 'ws', security: [{ $ref: '#/components/securitySchemes/token' }] },
  })
  const refs = refsIn(document)
  ok(refs.length > 100)
  for (const ref of refs) ok(found(document, ref) !== undefined, ref)
  const { messages } = document['components'] as { messages: Json }
  deepEqual(
    Object.keys(messages),
    MESSAGES.map(({ name }) => name),
  )
  const operations = Object.entries(document['operations'] as Record<string, Json>)
  deepEqual(
    operations.map(([name]) => name),
    VERSIONS.flatMap(({ version, methods, pushes, tables }) =>
      [...methods, ...pushes, ...tables].map(({ form }) => `${version}.${form.name}`),
    ),
  )
  const sent = new Set(
    VERSIONS.flatMap(({ version, pushes, tables }) =>
      [...pushes, ...tables].map(({ form }) => `${version}.${form.name}`),
    ),
  )
  for (const [name, { action }] of operations) equal(action, sent.has(name) ? 'send' : 'receive')
})

function refsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) => (name === '$ref' ? [String(inside)] : refsIn(inside)))
}

/** The value that a reference points to; references on the path are followed. */
function found(document: Json, ref: string): unknown {
  let here: unknown = document
  for (const part of ref.slice(2).split('/')) {
    here = Object(here)[part.replaceAll('~1', '/')] as unknown
    const { $ref } = Object(here) as { $ref?: string }
    if ($ref !== undefined) here = found(document, $ref)
  }
  return here
}

test.each([
  ['/docs/socket', 'v1'],
  ['/docs/socket/v1', 'v1'],
  ['/docs/socket/v0', 'v0'],
])('the page %s shows every message of %s, and loads nothing from other hosts', async (path, name) => {
  const shop = await openShop()
  const { status, text, headers } = await send(shop.api.inject, 'GET', path, {})
  equal(status, 200)
  match(headers['content-security-policy'] ?? '', /default-src 'none'/)
  const version = VERSIONS.find(({ version }) => version === name)
  ok(version !== undefined)
  for (const { form } of [...version.methods, ...version.pushes, ...version.tables]) {
    ok(text.includes(`<section id="${form.name}">`), form.name)
    ok(text.includes(`href="#${form.name}"`), form.name)
  }
  for (const code of Object.keys(RPC_ERRORS)) ok(text.includes(`<td>${code}</td>`), code)
  ok(!/<script|\sstyle=|\son\w+="/.test(text))
  ok(!text.replaceAll(/<pre.*?<\/pre>/gs, '').includes('`'), 'words of code are marked up')
  for (const [, address] of text.matchAll(/(?:href|src)="([^"]*)"/g)) match(address ?? '', /^[/#]/)
})

test('the reference pages link to each other, and the files that they load exist', async () => {
  const shop = await openShop()
  for (const path of ['/docs', '/docs/socket']) {
    const { text } = await send(shop.api.inject, 'GET', path, {})
    for (const other of ['/docs', '/docs/socket']) ok(text.includes(`<a href="${other}"`), `${path} ${other}`)
    for (const [, file] of text.matchAll(/<(?:link|script)[^>]*(?:href|src)="([^"]*)"/g))
      equal((await send(shop.api.inject, 'GET', file ?? '', {})).status, 200, file)
  }
  equal((await send(shop.api.inject, 'GET', '/docs/socket/v9', {})).status, 404)
})
