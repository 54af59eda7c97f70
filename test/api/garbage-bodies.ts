// test/api/garbage-bodies.ts — generators of nearly valid and of invalid bodies for any operation.
import fc from 'fast-check'
import type { Operation } from '../../src/api/operation.ts'

/** Makes a body from valid samples and the names of the operation's fields. */
export type Recipe = (samples: readonly object[], fields: readonly string[], form: boolean) => string | Uint8Array

const ODD = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('', ' ', '0', '-1', '4111111111111111', '__proto__', '\u0000', '\ud800', 'A'.repeat(5_000)),
  fc.constantFrom<unknown>(0, -1, 1, 0.5, -0, 1e308, 2 ** 53, 99_999_999, Number.MIN_VALUE),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [{}], { __proto__: null, constructor: 1 }),
)

/** A valid body with up to three fields replaced, added or removed. */
const otherFields: fc.Arbitrary<Recipe> = fc
  .record({
    pick: fc.nat(),
    changes: fc.array(fc.record({ field: fc.nat(), goes: fc.boolean(), value: ODD }), { maxLength: 3 }),
  })
  .map(({ pick, changes }) => (samples, fields, form) => {
    const sample = samples[pick % samples.length] ?? {}
    const names = [...new Set([...fields, ...Object.keys(sample), '__proto__', 'constructor', 'x'])]
    const members = new Map<string, unknown>(Object.entries(sample))
    for (const { field, goes, value } of changes) {
      const name = names[field % names.length] ?? ''
      if (goes) members.delete(name)
      else members.set(name, value)
    }
    return written(Object.fromEntries(members), form)
  })

/** A valid body whose text has a few characters changed, dropped, doubled or inserted. */
const otherText: fc.Arbitrary<Recipe> = fc
  .tuple(
    fc.nat(),
    fc.array(
      fc.tuple(fc.nat(200), fc.constantFrom('drop', 'double', 'put', 'cut'), fc.string({ minLength: 1, maxLength: 3 })),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([pick, changes]) => (samples, _, form) => {
    const text = written(samples[pick % samples.length] ?? {}, form)
    return changes.reduce((now, [place, kind, put]) => {
      const at = place % (now.length + 1)
      if (kind === 'drop') return now.slice(0, at) + now.slice(at + 1)
      if (kind === 'double') return now.slice(0, at + 1) + now.slice(at)
      return kind === 'put' ? now.slice(0, at) + put + now.slice(at) : now.slice(0, at)
    }, text)
  })

const nothingLikeIt: fc.Arbitrary<Recipe> = fc
  .oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '{}', '[]', 'null', '='),
    fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
    fc.nat(20_000).map(depth => '['.repeat(depth)),
  )
  .map(body => () => body)

export const RECIPES: fc.Arbitrary<Recipe> = fc.oneof(
  { weight: 5, arbitrary: otherFields },
  { weight: 2, arbitrary: otherText },
  { weight: 2, arbitrary: nothingLikeIt },
)

/** Names of the fields in all bodies that an operation accepts. */
export function fieldsOf({ body }: Operation): readonly string[] {
  const { properties = {}, anyOf = [] } = (body?.schema ?? {}) as SchemaOfBody
  return [properties, ...anyOf.map(each => each.properties ?? {})].flatMap(each => Object.keys(each))
}

interface SchemaOfBody {
  readonly properties?: object
  readonly anyOf?: readonly { readonly properties?: object }[]
}

function written(body: object, form: boolean): string {
  if (!form) return JSON.stringify(body)
  const fields = Object.entries(body).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : String(JSON.stringify(value)),
  ])
  return new URLSearchParams(fields).toString()
}
