// test/api/openapi.test.ts — the OpenAPI document is complete, and answers match it.
import { deepEqual, doesNotThrow, equal, ok } from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { test } from 'vitest'
import { numbersThatLookLikeCards } from '../support/card-scanner.ts'
import { ALL_OPERATIONS } from '../support/operations.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { send } from '../support/till.ts'

type Json = Readonly<Record<string, unknown>>
interface Described {
  readonly method: string
  readonly path: string
  readonly operation: Json & { readonly operationId: string; readonly responses: Readonly<Record<string, Json>> }
}

async function documentOf(shop: Shop): Promise<Json> {
  const reply = await send(shop.api.inject, 'GET', '/openapi.json', {})
  equal(reply.status, 200)
  return reply.json
}

function operationsIn(document: Json): readonly Described[] {
  return Object.entries(document['paths'] as Json).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(([method, operation]) => ({ path, method, operation }) as Described),
  )
}

/** Every value in a document, with its path. */
function* walk(value: unknown, way = ''): Generator<readonly [string, unknown]> {
  yield [way, value]
  if (typeof value === 'object' && value !== null)
    for (const [name, inside] of Object.entries(value)) yield* walk(inside, `${way}/${name}`)
}

/** The same schemas with additionalProperties false: every member of an example or answer must be described. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const inside = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, closed(each)]))
  return 'properties' in value && 'type' in value ? { additionalProperties: false, ...inside } : inside
}

/** Validator with the closed schemas of a document. */
function judgeOf(document: Json): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  return ajv.addSchema({ $id: 'doc', ...(closed(document) as Json) })
}

function at(document: Json, pointer: string): unknown {
  return pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, name) => (value as Json | undefined)?.[name], document)
}

test('every operation is described once, and every reference resolves', async () => {
  const document = await documentOf(await openShop())
  equal(document['openapi'], '3.1.0')
  const described = operationsIn(document)
  deepEqual(
    described.map(({ operation }) => operation.operationId).toSorted(),
    ALL_OPERATIONS.map(({ name }) => name).toSorted(),
  )
  for (const { operationId: name } of described.map(({ operation }) => operation)) ok(/^[a-z][a-zA-Z]+$/.test(name))
  const references = [...walk(document)].filter(([way]) => way.endsWith('/$ref')).map(([, value]) => String(value))
  ok(references.length > 50)
  for (const reference of references) ok(at(document, reference) !== undefined, reference)
  ok(![...walk(document)].some(([way]) => /\/(\$id|~\w+)$/.test(way)))
})

test('every path parameter and every tag is described', async () => {
  const document = await documentOf(await openShop())
  const tags = new Set((document['tags'] as { name: string }[]).map(({ name }) => name))
  for (const { path, operation } of operationsIn(document)) {
    const inPath = (operation['parameters'] as { $ref?: string }[])
      .map(({ $ref }) => ($ref === undefined ? null : (at(document, $ref) as { in: string; name: string })))
      .flatMap(parameter => (parameter?.in === 'path' ? [parameter.name] : []))
    deepEqual(
      inPath,
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    )
    for (const tag of operation['tags'] as string[]) ok(tags.has(tag), tag)
    ok(String(operation['summary']).length > 5)
  }
})

test('schemas are valid JSON Schema, and every example matches its schema', async () => {
  const document = await documentOf(await openShop())
  const ajv = judgeOf(document)
  for (const name of Object.keys((document['components'] as { schemas: Json }).schemas))
    doesNotThrow(() => ajv.compile({ $ref: `doc#/components/schemas/${name}` }), name)
  const wrong: string[] = []
  let checked = 0
  for (const [way, value] of walk(document)) {
    const media = value as { schema?: object; example?: unknown; examples?: Record<string, { value: unknown }> } | null
    if (!/\/content\/[^/]+(\/[^/]+)?$/.test(way) || media?.schema === undefined) continue
    const validate = ajv.compile(JSON.parse(JSON.stringify(closed(media.schema)).replaceAll('"#/', '"doc#/')))
    const examples = [
      ...(media.example === undefined ? [] : [media.example]),
      ...Object.values(media.examples ?? {}).map(({ value: example }) => example),
    ]
    for (const example of examples) {
      if (!validate(example)) wrong.push(`${way} ${JSON.stringify(validate.errors)}`)
      checked += 1
    }
  }
  deepEqual(wrong, [])
  ok(checked > 100)
})

test('every 2xx with a body has an example, one of a finished transaction too, and no example holds a card number', async () => {
  const document = await documentOf(await openShop())
  const bodies = operationsIn(document).flatMap(({ path, method, operation }) =>
    Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, { content }]) =>
        Object.values((content ?? {}) as Record<string, { examples?: Json }>).map(
          ({ examples = {} }) => [`${method} ${path} ${status}`, examples] as const,
        ),
      ),
  )
  ok(bodies.length > 100)
  deepEqual(
    bodies.filter(([, examples]) => Object.keys(examples).length === 0).map(([name]) => name),
    [],
  )
  const polled = Object.fromEntries(bodies)['get /pac/terminals/{tid}/transactions/{requestId} 200'] ?? {}
  const ends = Object.values(polled).map(each => (each as { value: Json }).value['transactionResult'])
  ok(ends.includes('SUCCESSFUL') && ends.includes(undefined), JSON.stringify(ends))
  const answers = bodies.map(([, examples]) => JSON.stringify(examples))
  deepEqual(answers.flatMap(numbersThatLookLikeCards), [])
})

test('errors are described in the format of their area', async () => {
  const document = await documentOf(await openShop())
  // `/pac` and `/pat` themselves speak JSON-RPC, which has errors of its own.
  for (const { path, operation } of operationsIn(document).filter(described => !/^\/pa[ct]$/.test(described.path))) {
    const [tag = ''] = operation['tags'] as readonly string[]
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) < 400 || (path === '/health/ready' && status === '503')) continue
      const types = Object.keys((response['content'] ?? {}) as Json)
      const connect = /^\/pa[ct]\//.test(path)
      deepEqual(types, connect && status === '500' ? [] : [errorTypeOf(path, tag)], `${path} ${status}`)
      ok('X-Request-Id' in (response['headers'] as Json))
    }
    ok('503' in operation.responses && '500' in operation.responses)
    const guarded =
      JSON.stringify(operation['security']) !== '[]' ||
      path === '/metrics' ||
      path === '/api/session' ||
      path === '/terminals/{account}/{tid}/notifications' ||
      (path === '/api/session/passkey' && operation['operationId'] === 'signInByPasskey') ||
      // Their pages are the same whatever they get.
      (tag === 'Browser' && !path.startsWith('/three-d-secure/device-data'))
    equal('401' in operation.responses, guarded, path)
  }
})

function errorTypeOf(path: string, tag: string): string {
  if (tag === 'Online payments') return 'text/plain'
  if (tag === 'Browser') return 'application/json'
  return /^\/pa[ct]\//.test(path) ? 'application/connect.v2+json' : 'application/problem+json'
}

test('answers of the management API match their schemas', async () => {
  const shop = await openShop()
  const document = await documentOf(shop)
  const ajv = judgeOf(document)
  const sale = await shop.till.sale(100)
  await shop.finished(sale)
  await shop.till.ask('PUT', '/pat/tables', { body: { tableName: 'T', amount: 100, currency: 'GBP' } })
  const tableId = (await shop.gateway.tables.find('demo', 'T'))?.record.tableId ?? ''
  for (const path of [
    '/api/account',
    '/api/terminals',
    '/api/transactions',
    `/api/transactions/${sale.requestId}`,
    `/api/transactions/${sale.requestId}/events`,
    '/api/tables',
    `/api/tables/${tableId}`,
    `/api/tables/${tableId}/events`,
    '/api/events',
    '/sandbox/cards',
    '/sandbox/terminals',
    '/sandbox/terminals/22160001',
    '/health/live',
    '/health/ready',
  ]) {
    const reply = await shop.till.ask('GET', path)
    equal(reply.status, 200, path)
    const template = path
      .replace(sale.requestId, '{requestId}')
      .replace(tableId, '{tableId}')
      .replace('22160001', '{tid}')
    const pointer = `doc#/paths/${template.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/get/responses/200/content/application~1json/schema`
    const validate = ajv.compile({ $ref: pointer })
    ok(validate(reply.json), `${path} ${JSON.stringify(validate.errors)}`)
  }
})

test('with TOLLGATE_PUBLIC_URL set, the document names it as its server', async () => {
  const shop = await openShop({ settings: { publicUrl: 'https://pay.example' } })
  deepEqual((await documentOf(shop))['servers'], [{ url: 'https://pay.example' }])
})
