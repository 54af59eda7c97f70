// test/unit/api/field-faults.test.ts — the refusal of each field of each operation says what is wrong and what is allowed.
import { ok } from 'node:assert/strict'
import type { TObject } from 'typebox'
import { describe, test } from 'vitest'
import type { Schema } from '../../../src/api/read/schema.ts'
import { type Read, readAs } from '../../../src/api/read/schema-reader.ts'
import { paramsReader } from '../../../src/api/socket/params.ts'
import { readTransactionRequest } from '../../../src/api/transaction-request.ts'
import { REQUEST_TYPES, ruleOf, TRANSACTION_FIELDS, type TransactionField } from '../../../src/api/transaction-types.ts'
import { SOCKET_VERSIONS, schemasOf } from '../../../src/api/versions/socket-versions.ts'
import type { TransactionType } from '../../../src/domain/counter/transaction-events.ts'
import { ALL_OPERATIONS } from '../../support/operations.ts'

/** What is sent, and how the sentence about it begins. */
type Wrong = readonly [sent: unknown, says: string]

const NO_VALUE: readonly Wrong[] = [
  [undefined, 'is missing. '],
  [null, 'is null. '],
  ['', 'is empty. '],
]

/** The ways to get a field wrong, by what its schema allows. */
function wrongFor(schema: Schema): readonly Wrong[] {
  if (schema.anyOf !== undefined) return []
  if (schema.enum !== undefined || schema.const !== undefined)
    return [...NO_VALUE, ['NO_SUCH', 'has an unknown value. '], [7, 'is a number. '], [true, 'is true or false. ']]
  switch (schema.type) {
    case 'integer':
      return [...NO_VALUE, ...wrongNumbers(schema)]
    case 'boolean':
      return [...NO_VALUE, ['maybe', 'is neither true nor false. '], [7, 'is a number. '], [{}, 'is an object. ']]
    case 'string':
      return [
        ...NO_VALUE.slice(0, 2),
        [7, 'is a number. '],
        [['a'], 'is a list. '],
        [`${'a'.repeat(Number(schema.minLength ?? 1))}\u0000`, 'has a character or a form that is not allowed. '],
        ...(schema.maxLength === undefined ? [] : [['x'.repeat(schema.maxLength + 1), 'is too long. '] as const]),
      ]
    case 'array':
      return [
        ...NO_VALUE,
        [7, 'is a number. '],
        ...(schema.maxItems === undefined
          ? []
          : [
              [
                Array.from({ length: schema.maxItems + 1 }, () => exampleOf(schema.items ?? {})),
                'has too many items. ',
              ] as const,
            ]),
      ]
    case 'object':
      return [...NO_VALUE, [7, 'is a number. '], [[], 'is a list. ']]
    default:
      return []
  }
}

function wrongNumbers({ minimum, maximum }: Schema): readonly Wrong[] {
  return [
    [25.5, 'has a fraction. '],
    ['25.00', 'has a decimal point. '],
    ['25,00', 'has a decimal point. '],
    ['ten', 'is not a number. '],
    [Number.POSITIVE_INFINITY, 'is too large, or not an exact number. '],
    [true, 'is true or false. '],
    [[5], 'is a list. '],
    [{}, 'is an object. '],
    ...(minimum === undefined ? [] : [[-1, 'is negative. '] as const]),
    ...(minimum === undefined || minimum < 1 ? [] : [[0, 'is zero. '] as const]),
    ...(maximum === undefined ? [] : [[maximum + 1, 'is too large. '] as const]),
  ]
}

function exampleOf(schema: Schema): unknown {
  return schema.type === 'string' ? 'a' : { value: 'a' }
}

/** What a sentence must name of what its schema allows. */
function allowedIn({ enum: words = [], minimum, maximum, maxLength, description = '' }: Schema): readonly string[] {
  const numbers = [minimum, maximum, maxLength].filter(limit => limit !== undefined && limit !== 0).map(String)
  return [...words.map(String), ...numbers, ...(/minor units/i.test(description) ? ['minor units: 25.99 is 2599'] : [])]
}

/**
 * Sends each wrong value of a field. A field that is optional or lenient takes some of them.
 * @returns the number of refusals
 */
function check(name: string, field: string, schema: Schema, read: (sent: unknown) => Read<unknown>): number {
  let refusals = 0
  for (const [sent, says] of wrongFor(schema)) {
    const outcome = read(sent)
    if (!('invalid' in outcome)) continue
    refusals += 1
    const told = `${name}: ${outcome.invalid} ${outcome.says}`
    // An item of a list may be named.
    ok(outcome.invalid === field || outcome.invalid.startsWith(`${field}.`), told)
    if (outcome.invalid === field) ok(outcome.says.startsWith(says), `${told}, not ${says}`)
    for (const word of outcome.invalid === field ? allowedIn(schema) : [])
      ok(outcome.says.includes(word), `${told} lacks ${word}`)
    ok(outcome.says.endsWith('.') && !/undefined|null,|\[object/.test(outcome.says), told)
  }
  return refusals
}

function withField(base: object, field: string, sent: unknown): Record<string, unknown> {
  const { [field]: _, ...rest } = base as Record<string, unknown>
  return sent === undefined ? rest : { ...rest, [field]: sent }
}

const BODIES = ALL_OPERATIONS.filter(({ area }) => area !== 'shop' && area !== 'browser').flatMap(
  ({ name, body, query }) => [
    ...(body === undefined || name === 'startTransaction'
      ? []
      : [[`${name} body`, body.schema as unknown as Schema, Object.values(body.examples)[0] ?? {}] as const]),
    ...(query === undefined ? [] : [[`${name} query`, query as unknown as Schema, {}] as const]),
  ],
)

/** Forms and keys are not read by their schema. */
function isRead(schema: Schema, example: object): boolean {
  return schema.properties !== undefined && 'value' in readAs(schema as unknown as TObject, example, '')
}

describe('over HTTP', () => {
  test('most bodies and queries are read by their schemas', () => {
    ok(BODIES.filter(([, schema, example]) => isRead(schema, example)).length >= 35)
  })

  test.each(BODIES.filter(([, schema, example]) => isRead(schema, example)))('%s', (name, schema, example) => {
    let refusals = 0
    for (const [field, property] of Object.entries(schema.properties ?? {}))
      refusals += check(name, field, property, sent =>
        readAs(schema as unknown as TObject, withField(example as object, field, sent), ''),
      )
    ok(refusals > 0 || Object.values(schema.properties ?? {}).length === 0)
  })

  test.each(Object.keys(REQUEST_TYPES) as TransactionType[])('startTransaction with a %s', transactionType => {
    const base = { transactionType, currency: 'GBP', amount: 100, authCode: 'A1' }
    const valid = Object.fromEntries(
      Object.entries(base).filter(
        ([field]) =>
          field === 'transactionType' || ruleOf(transactionType, field as TransactionField, 'rest') === 'required',
      ),
    )
    ok('value' in readTransactionRequest(valid, false))
    let refusals = 0
    for (const [field, schema] of Object.entries(TRANSACTION_FIELDS)) {
      const rule = ruleOf(transactionType, field as TransactionField, 'rest')
      const read = (sent: unknown) => readTransactionRequest(withField(valid, field, sent), false)
      if (rule !== 'refused') refusals += check(transactionType, field, schema as unknown as Schema, read)
      const refused = read(field === 'currency' ? 'USD' : 'anything')
      if (rule === 'refused')
        ok('invalid' in refused && refused.says === `is not allowed in a ${transactionType}. Leave it out.`)
    }
    ok(refusals > 10 || transactionType === 'DUPLICATE' || transactionType === 'ACCOUNT_VERIFICATION', String(refusals))
  })
})

const METHODS = ALL_OPERATIONS.flatMap(({ rpc }) => rpc ?? [])

describe.each(SOCKET_VERSIONS.map(each => [each.version, each] as const))('on the socket, %s', (_, version) => {
  test.each(schemasOf(version, METHODS).methods.map(form => [form.name, form] as const))('%s', (name, form) => {
    const read = paramsReader(form)
    const { params } = form.example
    for (const [field, property] of Object.entries(form.params.properties))
      check(name, field, property as unknown as Schema, sent => read(withField(params, field, sent)))
    const unknown = read({ ...params, colour: 'red' })
    ok(
      'invalid' in unknown &&
        unknown.invalid === 'colour' &&
        unknown.says.startsWith('is not known. The method takes '),
      JSON.stringify(unknown),
    )
    for (const field of Object.keys(form.params.properties)) ok(unknown.says.includes(field), unknown.says)
  })
})
