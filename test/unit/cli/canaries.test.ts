// test/unit/cli/canaries.test.ts — the card numbers that `doctor --card-data` sends are found again, however they are written.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { Type } from 'typebox'
import { test } from 'vitest'
import { createCanaries } from '../../../src/cli/doctor/card-data/canaries.ts'
import { placed } from '../../../src/cli/doctor/card-data/schema-inputs.ts'
import { holdsCardNumber, idHoldsCardNumber } from '../../../src/domain/card-numbers.ts'

test('each is a card number of its own that names its input, in JSON, in an address and in bytes', () => {
  const canaries = createCanaries()
  for (let index = 0; index < 30; index += 1) {
    const input = `input ${index}`
    const written = canaries.next(input)
    ok(idHoldsCardNumber(written) && holdsCardNumber(written), written)
    for (const text of [
      `before ${written} after`,
      JSON.stringify({ a: written }),
      JSON.stringify(written).replaceAll('\u00a0', '\\u00a0'),
      encodeURIComponent(written),
      `\u0001\u0000${Buffer.from(written).toString('latin1')}\u0000\u0002`,
    ])
      deepEqual(canaries.foundIn(text), [input], JSON.stringify(text))
    equal(canaries.sent, index + 1)
  }
  deepEqual(canaries.foundIn('4929990000000000 4456530000001096 **** **** **** 0005'), [])
})

test('a text is placed in every field, list and variant of a schema, as an unknown field, and as a name', () => {
  const schema = Type.Object({
    name: Type.String(),
    at: Type.Object({ city: Type.Optional(Type.String()) }),
    ids: Type.Array(Type.String()),
    key: Type.Union([
      Type.Object({ do: Type.Literal('a'), who: Type.String() }),
      Type.Object({ do: Type.Literal('b'), ms: Type.Integer({ minimum: 5 }) }),
    ]),
  })
  const values = placed(schema, { name: 'x', key: { do: 'b', ms: 7 } }, at => `<${at}>`)
  const texts = values.map(({ value }) => JSON.stringify(value))
  for (const part of [
    '{"name":"<name>","at":{},"ids":[],"key":{"do":"b","ms":7}}',
    '"at":{"city":"<at.city>"}',
    '"ids":["<ids[]>"]',
    '{"do":"a","who":"<key.who>"}',
    '{"do":"b","ms":"<key.ms>"}',
    '"note":"<note>"',
    '"note":"<at.note>"',
    '"<* (a name)>":"a"',
  ])
    ok(
      texts.some(text => text.includes(part)),
      part,
    )
})
