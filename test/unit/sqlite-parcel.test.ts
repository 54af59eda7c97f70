// test/unit/sqlite-parcel.test.ts — work comes out of a parcel as it was put in.
import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import type { Commit } from '../../src/engine/ports.ts'
import type { Work } from '../../src/store/sqlite/group-writer.ts'
import { packed, unpacked } from '../../src/store/sqlite/parcel.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 8 })
const number = fc.maxSafeNat()
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 3 })

const commit: fc.Arbitrary<Commit> = fc
  .record({
    account: text,
    kind: text,
    id: text,
    expectedVersion: number,
    version: number,
    body: text,
    parent: text,
    live: fc.boolean(),
    exclusive: fc.option(text),
    at: number,
    events: some(fc.record({ version: number, at: number, type: text, body: text })),
    effects: some(fc.record({ effectId: text, type: text, body: text })),
    effectsDone: some(text),
    timers: fc.option(some(fc.record({ name: text, dueAt: number }))),
    idempotency: fc.option(fc.record({ key: text, fingerprint: text, answer: text, expiresAt: number })),
    claims: fc.option(some(text)),
  })
  .map(({ claims, ...rest }) => (claims === null ? rest : { ...rest, claims }))

const work: fc.Arbitrary<Work> = fc.oneof(
  commit.map(made => ({ type: 'commit', commit: made }) as const),
  some(text).map(effectIds => ({ type: 'effects_done', effectIds }) as const),
  some(fc.record({ kind: text, account: text, id: text, version: number })).map(
    records => ({ type: 'erase', records }) as const,
  ),
  fc.record({ type: fc.constant('forget_expired' as const), now: number, limit: number }),
)

test('any work comes out as it was put in, after a copy as threads make them', () => {
  fc.assert(
    fc.property(some(work), works => {
      deepEqual(unpacked(structuredClone(works.map(packed))), structuredClone(works))
    }),
    { numRuns: 500 },
  )
})
