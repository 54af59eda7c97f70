// test/unit/api/schema-reader.test.ts — lenient reading converts notations of a value; strict reading does not.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { describe, test } from 'vitest'
import { exactInteger, keepDigits } from '../../../src/api/read/exact-numbers.ts'
import { readAs, readSchema, saysNothing } from '../../../src/api/read/schema-reader.ts'

const SHAPE = Type.Object({
  count: Type.Integer({ minimum: 1, maximum: 100 }),
  flag: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.String({ minLength: 2, maxLength: 4, pattern: '^[a-z]+$' })),
  inner: Type.Optional(Type.Object({ size: Type.Integer() })),
})

describe('an object', () => {
  test.each<[unknown, object]>([
    [{ count: 5 }, { value: { count: 5 } }],
    [{ count: '5.0', flag: 'TRUE', name: 'abc' }, { value: { count: 5, flag: true, name: 'abc' } }],
    [{ count: 5, flag: null, name: '', inner: null, extra: {} }, { value: { count: 5 } }],
    [{ count: 5, name: false, inner: 0 }, { value: { count: 5 } }],
    [{ count: 5, inner: { size: '7' } }, { value: { count: 5, inner: { size: 7 } } }],
    [{ count: 5, inner: { size: 'x' } }, { invalid: 'inner.size' }],
    [{ count: 5, inner: 'x' }, { invalid: 'inner' }],
    [{ count: 5, name: 'a' }, { invalid: 'name' }],
    [{ count: 5, name: 'abcde' }, { invalid: 'name' }],
    [{ count: 5, name: 'A1' }, { invalid: 'name' }],
    [{ count: 5, flag: 'yes' }, { invalid: 'flag' }],
    [{ count: 0 }, { invalid: 'count' }],
    [{ count: 101 }, { invalid: 'count' }],
    [{ count: null }, { invalid: 'count' }],
    [{ Count: 5 }, { invalid: 'count' }],
    [{}, { invalid: 'count' }],
    [[], { invalid: '' }],
    [null, { invalid: '' }],
    [Object.create({ count: 5 }), { invalid: 'count' }],
  ])('%j is read as %j', (input, read) => deepEqual(readAs(SHAPE, input, ''), read))
})

test('a union is read by its literal property', () => {
  const shape = Type.Union([
    Type.Object({ key: Type.Literal('a'), one: Type.Integer() }),
    Type.Object({ key: Type.Literal('b'), two: Type.Optional(Type.Boolean()) }),
  ])
  deepEqual(readAs(shape, { key: 'a', one: 1, two: true }, ''), { value: { key: 'a', one: 1 } })
  deepEqual(readAs(shape, { key: 'b', two: 'true' }, ''), { value: { key: 'b', two: true } })
  deepEqual(readAs(shape, { key: 'a' }, ''), { invalid: 'one' })
  for (const input of [{ key: 'c' }, {}, null, 'a', []]) deepEqual(readAs(shape, input, ''), { invalid: 'key' })
})

test('an integer is read from each of its notations', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999 }),
      fc.nat(6),
      fc.constantFrom('', '.', '.0', '.000'),
      (value, shift, tail) => {
        equal(exactInteger(`${value}${tail}`), value)
        equal(exactInteger(`${value}e${shift}`), value * 10 ** shift)
        equal(exactInteger(`${value}${'0'.repeat(shift)}e-${shift}`), value)
      },
    ),
  )
})

test('a number with a fraction is not read as an integer', () => {
  fc.assert(
    fc.property(fc.nat(99_999_999), fc.integer({ min: 1, max: 99 }), fc.nat(40), (whole, rest, zeros) => {
      equal(exactInteger(`${whole}.${'0'.repeat(zeros)}${rest}`), null)
    }),
  )
})

test('keepDigits keeps the digits of JSON numbers and changes nothing else', () => {
  fc.assert(
    fc.property(fc.json(), json => {
      const strings = (value: unknown): unknown =>
        typeof value === 'string' && value.startsWith('\u0000')
          ? Number(value.slice(1))
          : Array.isArray(value)
            ? value.map(strings)
            : typeof value === 'object' && value !== null
              ? Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, strings(inside)]))
              : value
      // Input that contains the marker itself is not tested here.
      fc.pre(!json.includes('\\u0000'))
      deepEqual(strings(JSON.parse(keepDigits(json))), strings(JSON.parse(json)))
    }),
  )
  // At each place where a number can be: as the whole text, after a sign, beside brackets, commas and blanks.
  const ROUNDABLE = fc.constantFrom('1.5', '-1.5', '2e3', '-2E+3', '10.0', '12345678901234567', '0.1e-7')
  const SPACE = fc.constantFrom('', ' ', '\n\t')
  fc.assert(
    fc.property(
      ROUNDABLE,
      SPACE,
      fc.constantFrom('?', '[?]', '[1,?]', '{"2.0":?}', '["2.0",?,"1e3"]'),
      (number, space, place) => {
        const kept = keepDigits(place.replace('?', `${space}${number}${space}`))
        equal(kept.includes(JSON.stringify(`\u0000${number}`)), true, kept)
      },
    ),
  )
  equal(keepDigits('{"jsonrpc":"2.0","id":1}'), '{"jsonrpc":"2.0","id":1}')
  const amount = '{"amount":1998.99999999999999999999}'
  equal(JSON.parse(amount).amount, 1999)
  equal(exactInteger(JSON.parse(keepDigits(amount)).amount), null)
})

test('an array is read item by item, and an invalid item is named', () => {
  const lines = Type.Object({ lines: Type.Array(Type.Object({ value: Type.Integer() }), { maxItems: 2 }) })
  deepEqual(readAs(lines, { lines: [{ value: '7' }, { value: 8, more: 1 }] }, ''), {
    value: { lines: [{ value: 7 }, { value: 8 }] },
  })
  deepEqual(readAs(lines, { lines: [] }, ''), { value: { lines: [] } })
  deepEqual(readAs(lines, { lines: [{ value: 1 }, { value: 'x' }] }, ''), { invalid: 'lines.1.value' })
  for (const wrong of [undefined, null, '[]', {}, [1], [{}, {}, {}]])
    ok('invalid' in readAs(lines, { lines: wrong }, ''), JSON.stringify(wrong))
})

test('empty, null, false and zero count as absent in each notation', () => {
  for (const nothing of [undefined, null, '', '  ', false, 0, -0, 'false', 'FALSE', '0', '0.00', '-0', '0e5'])
    ok(saysNothing(nothing))
  for (const thing of [true, 1, 'x', 'true', '1', '0.1', [], {}, '0x0', 'null']) ok(!saysNothing(thing))
})

const CLOSED = { additionalProperties: false }
const DOCUMENT = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 3, pattern: '^[a-z]*$' }),
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    steps: Type.Optional(
      Type.Array(
        Type.Union([
          Type.Object({ do: Type.Literal('wait'), ms: Type.Integer() }, CLOSED),
          Type.Object({ do: Type.Literal('stop'), always: Type.Optional(Type.Boolean()) }, CLOSED),
        ]),
        { minItems: 1, maxItems: 2 },
      ),
    ),
    next: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  CLOSED,
)

test('strict reading lists every fault with its path, unknown names first', () => {
  const faultsOf = (input: unknown) =>
    readSchema(DOCUMENT, input, 'strict').faults.map(({ at, type }) => `${at}: ${type}`)
  deepEqual(
    faultsOf({ times: '1', tmes: 1, next: 1, steps: [{ do: 'wait' }, { do: 'go' }, { do: 'stop', always: 0 }] }),
    [
      ...['tmes: unknown', 'name: missing', 'times: wrong', 'steps: too_many'],
      ...['steps[0].ms: missing', 'steps[1].do: wrong', 'steps[2].always: wrong', 'next: wrong'],
    ],
  )
  deepEqual(faultsOf({ name: 'a', steps: [] }), ['steps: too_few'])
  deepEqual(faultsOf([]), [': wrong'])
})

test('strict reading accepts what the schema validator accepts', () => {
  const compiled = Compile(DOCUMENT)
  const few = (...values: readonly unknown[]) => fc.constantFrom(...values, null, 'abc', 0, true)
  const step = fc.record(
    { do: few('wait', 'stop'), ms: few(5, 1.5, '5'), always: few(false) },
    { requiredKeys: ['do'], noNullPrototype: true },
  )
  const document = fc.record(
    {
      ...{ name: few('a', '', 'abcd', 'A'), times: few(1, 9, 10, 1.5, '1'), next: few(''), other: few() },
      steps: fc.oneof(few(), fc.array(step, { maxLength: 3 })),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  fc.assert(
    fc.property(document, input =>
      equal(readSchema(DOCUMENT, input, 'strict').faults.length === 0, compiled.Check(input)),
    ),
    { numRuns: 1_000 },
  )
})
