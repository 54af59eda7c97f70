// test/unit/api/schema-reader.test.ts — lenient reading converts notations of a value; strict reading does not.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { describe, test } from 'vitest'
import { integerIn, parseExactly } from '../../../src/api/read/exact-numbers.ts'
import { isBlank, type Read, readAs, readSchema } from '../../../src/api/read/schema-reader.ts'

const SHAPE = Type.Object({
  count: Type.Integer({ minimum: 1, maximum: 100 }),
  flag: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.String({ minLength: 2, maxLength: 4, pattern: '^[a-z]+$' })),
  inner: Type.Optional(Type.Object({ size: Type.Integer() })),
})

/** What was read, without the sentence about a fault. */
const shortly = <Value>(read: Read<Value>) => ('invalid' in read ? { invalid: read.invalid } : read)

describe('an object', () => {
  test.each<[unknown, object]>([
    [{ count: 5 }, { value: { count: 5 } }],
    [{ count: ' 5', flag: 'TRUE', name: 'abc' }, { value: { count: 5, flag: true, name: 'abc' } }],
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
    [{ count: '5.0' }, { invalid: 'count' }],
    [{ count: '1e1' }, { invalid: 'count' }],
    [{ Count: 5 }, { invalid: 'count' }],
    [{}, { invalid: 'count' }],
    [[], { invalid: '' }],
    [null, { invalid: '' }],
    [Object.create({ count: 5 }), { invalid: 'count' }],
  ])('%j is read as %j', (input, read) => deepEqual(shortly(readAs(SHAPE, input, '')), read))
})

test('a union is read by its literal property', () => {
  const shape = Type.Union([
    Type.Object({ key: Type.Literal('a'), one: Type.Integer() }),
    Type.Object({ key: Type.Literal('b'), two: Type.Optional(Type.Boolean()) }),
  ])
  deepEqual(readAs(shape, { key: 'a', one: 1, two: true }, ''), { value: { key: 'a', one: 1 } })
  deepEqual(readAs(shape, { key: 'b', two: 'true' }, ''), { value: { key: 'b', two: true } })
  deepEqual(shortly(readAs(shape, { key: 'a' }, '')), { invalid: 'one' })
  for (const input of [{ key: 'c' }, {}, null, 'a', []])
    deepEqual(shortly(readAs(shape, input, '')), { invalid: 'key' })
})

/** Reads the text of a JSON number. */
const readNumber = (written: string) => integerIn(parseExactly(written))

test('an integer is read from each of its notations', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -99_999_999, max: 99_999_999 }).filter(value => value !== 0),
      fc.nat(6),
      fc.constantFrom('', '.0', '.000'),
      (value, shift, tail) => {
        equal(readNumber(`${value}${tail}`), value)
        equal(readNumber(`${value}e${shift}`), value * 10 ** shift)
        equal(readNumber(`${value}${tail}E+00${shift}`), value * 10 ** shift)
        equal(readNumber(`${value}${'0'.repeat(shift)}e-${shift}`), value)
      },
    ),
  )
  for (const zero of ['0.0', '-0.0', '0e999', '-0.00e-999']) ok(Object.is(readNumber(zero), 0), zero)
  equal(readNumber('9007199254740991.0'), Number.MAX_SAFE_INTEGER)
  equal(readNumber('-9007199254740991'), Number.MIN_SAFE_INTEGER)
  for (const none of ['9007199254740992', '9007199254740993', '1e16', '1e999999999999', '1e-1', '1e-999999999999'])
    equal(readNumber(none), null, none)
})

test('a number with a fraction is not read as an integer', () => {
  fc.assert(
    fc.property(fc.nat(99_999_999), fc.integer({ min: 1, max: 99 }), fc.nat(40), (whole, rest, zeros) => {
      equal(readNumber(`${whole}.${'0'.repeat(zeros)}${rest}`), null)
    }),
  )
})

test('text is an amount only as digits with blanks around', () => {
  const BLANKS = fc.constantFrom('', ' ', '  ', '\t')
  fc.assert(
    fc.property(fc.nat(99_999_999), BLANKS, BLANKS, (value, before, after) => {
      equal(integerIn(`${before}${value}${after}`), value)
    }),
  )
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\0 +-]?[0-9]{1,9}[.eE0]?[0-9]{0,2}$/)), text => {
      equal(integerIn(parseExactly(JSON.stringify(text))), /^[ \t]*[0-9]+[ \t]*$/.test(text) ? Number(text) : null)
    }),
  )
  equal(integerIn('9007199254740993'), null)
})

test('numbers in JSON are read exactly; names and strings do not change', () => {
  fc.assert(
    fc.property(fc.json(), json => {
      const isUnsafe = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value)
      const exactly = (_: string, value: unknown) => (isUnsafe(value) ? Number.POSITIVE_INFINITY : value)
      deepEqual(parseExactly(json), JSON.parse(json, exactly))
    }),
  )
  // Wherever it stands: as everything, behind a sign, and between all that may stand beside a number.
  const ROUNDABLE = fc.constantFrom(
    ...(['12345678901234567', '1998.99999999999999999999', '1e400', '1e-400'] as const),
    ...(['2e3', '-2E+3', '10.0', '1250.00', '1.5', '-0.1e-7'] as const),
  )
  const SPACE = fc.constantFrom('', ' ', '\n\t')
  const PLACE = fc.constantFrom(
    '?',
    '[?]',
    '[1,?]',
    '{"2.0":?}',
    '["2.0",?,"1e3"]',
    '{"1e3":"\\u00001.5","a":[{"b":?}]}',
  )
  fc.assert(
    fc.property(ROUNDABLE, SPACE, PLACE, (number, space, place) => {
      const integers = {
        '1.5': 1.5,
        '-0.1e-7': -1e-8,
        '2e3': 2000,
        '-2E+3': -2000,
        '10.0': 10,
        '1250.00': 1250,
      } as Record<string, number>
      const said = JSON.parse(place.replace('?', String(integers[number] ?? '1e999'))) as unknown
      deepEqual(parseExactly(place.replace('?', `${space}${number}${space}`)), said)
    }),
  )
})

test('an array is read item by item, and an invalid item is named', () => {
  const lines = Type.Object({ lines: Type.Array(Type.Object({ value: Type.Integer() }), { maxItems: 2 }) })
  deepEqual(readAs(lines, { lines: [{ value: '7' }, { value: 8, more: 1 }] }, ''), {
    value: { lines: [{ value: 7 }, { value: 8 }] },
  })
  deepEqual(readAs(lines, { lines: [] }, ''), { value: { lines: [] } })
  deepEqual(shortly(readAs(lines, { lines: [{ value: 1 }, { value: 'x' }] }, '')), { invalid: 'lines.1.value' })
  for (const wrong of [undefined, null, '[]', {}, [1], [{}, {}, {}]])
    ok('invalid' in readAs(lines, { lines: wrong }, ''), JSON.stringify(wrong))
})

test('nothing is nothing in every way to write it, and something is not', () => {
  for (const nothing of [undefined, null, '', '  ', false, 0, -0, 'false', 'FALSE', '0', ' 00 ']) ok(isBlank(nothing))
  for (const thing of [true, 1, 'x', 'true', '1', '0.1', '0.00', '-0', '0e5', [], {}, '0x0', 'null'])
    ok(!isBlank(thing))
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
