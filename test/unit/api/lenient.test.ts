// test/unit/api/lenient.test.ts — reading forgives how a value is written, never what it is.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, test } from 'vitest'
import { exactInteger, keepDigits } from '../../../src/api/read/exact-numbers.ts'
import { readAs, saysNothing } from '../../../src/api/read/lenient.ts'

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

test('kinds of objects are told apart by their fixed property', () => {
  const shape = Type.Union([
    Type.Object({ key: Type.Literal('a'), one: Type.Integer() }),
    Type.Object({ key: Type.Literal('b'), two: Type.Optional(Type.Boolean()) }),
  ])
  deepEqual(readAs(shape, { key: 'a', one: 1, two: true }, ''), { value: { key: 'a', one: 1 } })
  deepEqual(readAs(shape, { key: 'b', two: 'true' }, ''), { value: { key: 'b', two: true } })
  deepEqual(readAs(shape, { key: 'a' }, ''), { invalid: 'one' })
  for (const input of [{ key: 'c' }, {}, null, 'a', []]) deepEqual(readAs(shape, input, ''), { invalid: 'key' })
})

test('an integer is read back from every way to write it', () => {
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

test('no number that is not an integer is read as one', () => {
  fc.assert(
    fc.property(fc.nat(99_999_999), fc.integer({ min: 1, max: 99 }), fc.nat(40), (whole, rest, zeros) => {
      equal(exactInteger(`${whole}.${'0'.repeat(zeros)}${rest}`), null)
    }),
  )
})

test('a JSON number is read by its digits, and nothing else in the text is touched', () => {
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
      // Texts that begin with the mark by themselves are no business of this test.
      fc.pre(!json.includes('\\u0000'))
      deepEqual(strings(JSON.parse(keepDigits(json))), strings(JSON.parse(json)))
    }),
  )
  // Wherever it stands: as everything, behind a sign, and between all that may stand beside a number.
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

test('a list is read item by item, and the item at fault is named', () => {
  const lines = Type.Object({ lines: Type.Array(Type.Object({ value: Type.Integer() }), { maxItems: 2 }) })
  deepEqual(readAs(lines, { lines: [{ value: '7' }, { value: 8, more: 1 }] }, ''), {
    value: { lines: [{ value: 7 }, { value: 8 }] },
  })
  deepEqual(readAs(lines, { lines: [] }, ''), { value: { lines: [] } })
  deepEqual(readAs(lines, { lines: [{ value: 1 }, { value: 'x' }] }, ''), { invalid: 'lines.1.value' })
  for (const wrong of [undefined, null, '[]', {}, [1], [{}, {}, {}]])
    ok('invalid' in readAs(lines, { lines: wrong }, ''), JSON.stringify(wrong))
})

test('nothing is nothing in every way to write it, and something is not', () => {
  for (const nothing of [undefined, null, '', '  ', false, 0, -0, 'false', 'FALSE', '0', '0.00', '-0', '0e5'])
    ok(saysNothing(nothing))
  for (const thing of [true, 1, 'x', 'true', '1', '0.1', [], {}, '0x0', 'null']) ok(!saysNothing(thing))
})
