// test/contract/store-copy.test.ts — a copied store answers every read as its source, whichever way it was copied.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import type { Commit, Key, Store } from '../../src/engine/ports/store.ts'
import { answered, change, effect, envelope, keyOf, NOON } from '../support/changes.ts'
import { emptyDatabase, openPostgresAt } from '../support/postgres-store.ts'
import { asGateway, copyBetween, emptyDirectory, everythingIn, type Names } from '../support/store-copies.ts'

const ACCOUNTS = ['shop', 'inn', 'bar (old)']
const KINDS = ['transaction', 'payment']
const IDS = ['a', 'b', 'c', 'd', 'é', 'ﬀ']
const TERMS = ['amount=1', 'result=DECLINED', 'result=SUCCESSFUL']
const API_KEY = 'api-key'

const NAMES: Names = {
  keys: ACCOUNTS.flatMap(account => [...KINDS, API_KEY].flatMap(kind => IDS.map(id => keyOf(id, account, kind)))),
  lockKeys: ['terminal:1', 'terminal:2'],
  uniqueKeys: ['merchant-transaction:1', 'merchant-transaction:2'],
  accountKeys: IDS.flatMap(id => [`api-key:${id}`, `api-key-id:${id}`]),
  terms: TERMS,
  idempotencyKeys: ['first', 'second'],
  rewrites: ['bodies', 'terms'],
}

/** A step of a gateway's life: a commit on a record, or its erasure. */
const STEP = fc.record({
  key: fc.constantFrom(...NAMES.keys),
  isErasure: fc.integer({ min: 0, max: 5 }).map(number => number === 0),
  parent: fc.constantFrom('', 'till 1', 'till 2'),
  live: fc.boolean(),
  lockKey: fc.constantFrom(null, ...NAMES.lockKeys),
  uniqueKey: fc.constantFrom(null, 'merchant-transaction:1', 'merchant-transaction:2'),
  terms: fc.subarray(TERMS),
  events: fc.nat(2),
  effects: fc.nat(1),
  isDone: fc.boolean(),
  timers: fc.option(fc.subarray(['limit', 'patience'])),
  dueAfter: fc.nat(3),
  idempotencyKey: fc.constantFrom(null, null, ...NAMES.idempotencyKeys),
  text: fc.string({ unit: 'grapheme', maxLength: 20 }),
})
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never

/** What a commit must say about its record. */
interface Known {
  readonly version: number
  readonly terms: readonly string[]
  readonly effects: readonly string[]
}

/** Runs steps. Those that the store refuses change nothing. */
async function live(store: Store, steps: readonly Step[]): Promise<void> {
  const known = new Map<string, Known>()
  for (const [index, step] of steps.entries()) {
    const name = JSON.stringify(step.key)
    const before = known.get(name)
    if (step.isErasure) {
      if (before === undefined) continue
      equal(await store.erase([{ ...step.key, version: before.version, terms: before.terms }]), 1)
      known.delete(name)
      continue
    }
    const commit = commitOf(step, index, before)
    if ((await store.commit(commit)) !== 'written') continue
    const open = step.isDone ? [] : (before?.effects ?? [])
    const effects = [...open, ...commit.effects.map(({ effectId }) => effectId)]
    known.set(name, { version: commit.version, terms: step.terms, effects })
  }
  const progress = { after: 3, finished: false }
  await store.rewrite({ name: 'bodies', progress, records: [], events: [] })
  await store.rewrite({ name: 'terms', progress: { after: 9, finished: true }, records: [], events: [] })
}

function commitOf(step: Step, index: number, before: Known | undefined): Commit {
  const { key, terms, text, idempotencyKey, timers } = step
  const expectedVersion = before?.version ?? 0
  const version = expectedVersion + 1
  const isKey = key.kind === API_KEY
  const at = NOON + index * 7_000_000
  return change(key.id, {
    ...{ ...key, expectedVersion, version, parent: step.parent, live: step.live, at },
    body: JSON.stringify({ id: key.id, version, text }),
    lockKey: isKey ? `api-key:${key.id}` : step.lockKey,
    uniqueKeys: isKey ? [`api-key-id:${key.id}`] : step.uniqueKey === null ? [] : [step.uniqueKey],
    searchTerms: {
      added: terms.filter(term => !before?.terms.includes(term)),
      removed: (before?.terms ?? []).filter(term => !terms.includes(term)),
    },
    events: Array.from({ length: step.events }, (_, number) => envelope(`step ${number}`, version, at)),
    effects: step.effects === 0 ? [] : [effect(`effect ${index}`)],
    effectsDone: step.isDone ? (before?.effects ?? []) : [],
    timers: timers?.map(timer => ({ name: timer, dueAt: NOON + step.dueAfter })) ?? null,
    idempotency:
      idempotencyKey === null ? null : answered(idempotencyKey, { answer: JSON.stringify(text), expiresAt: at + 1 }),
  })
}

test('a store answers every read as before, copied to Postgres, to another database and back', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 20, maxLength: 60 }), async steps => {
      const [directory, first, second, back] = [
        emptyDirectory(),
        await emptyDatabase(),
        await emptyDatabase(),
        emptyDirectory(),
      ]
      const before = await asGateway(directory, async store => {
        await live(store, steps)
        return everythingIn(store, NAMES)
      })
      ok(before.kinds.flat(2).length > 0)
      const ways = [
        [directory, first],
        [first, second],
        [second, back],
      ] as const
      for (const [from, to] of ways) {
        await copyBetween(from, to)
        deepEqual(await asGateway(to, store => everythingIn(store, NAMES)), before)
      }
    }),
    { numRuns: 3 },
  )
})

test('a gateway that lived on Postgres is copied to a directory as it is', { timeout: 60_000 }, async () => {
  const [steps] = fc.sample(fc.array(STEP, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 7 })
  const [database, directory, again] = [await emptyDatabase(), emptyDirectory(), await emptyDatabase()]
  const before = await asGateway(database, async store => {
    await live(store, steps ?? [])
    return everythingIn(store, NAMES)
  })
  await copyBetween(database, directory)
  deepEqual(await asGateway(directory, store => everythingIn(store, NAMES)), before)
  await copyBetween(directory, again)
  deepEqual(await asGateway(again, store => everythingIn(store, NAMES)), before)
})

const SALE = keyOf('sale')

/** Commits events of one type to the sale, one by one. */
async function publish(store: Store, type: string, count: number, key: Key = SALE): Promise<void> {
  const stored = await store.load(key)
  for (let version = stored?.version ?? 0, number = 0; number < count; number += 1, version += 1)
    equal(
      await store.commit(change(key.id, { ...key, expectedVersion: version, events: [envelope(type, version + 1)] })),
      'written',
    )
}

const PLACES = [
  ['a directory', 'Postgres'],
  ['Postgres', 'a directory'],
  ['Postgres', 'another database'],
] as const

for (const [from, to] of PLACES)
  test(`a feed that is read half way in ${from} goes on in ${to}: nothing is skipped or repeated`, async () => {
    const source = from === 'Postgres' ? await emptyDatabase() : emptyDirectory()
    const target = to === 'a directory' ? emptyDirectory() : await emptyDatabase()
    const other = keyOf('check-in', 'inn')
    const held = await asGateway(source, async store => {
      await publish(store, 'before', 4)
      await publish(store, 'elsewhere', 3, other)
      const half = await store.eventsAfter('shop', 0, 2)
      const all = await store.eventsAfter('shop', 0, 9)
      // The newest events of all have been read, and are erased then.
      await publish(store, 'elsewhere', 2, keyOf('gone', 'inn'))
      const seen = (await store.eventsAfter('inn', 0, 9)).at(-1)?.cursor ?? 0
      equal(await store.erase([{ ...keyOf('gone', 'inn'), version: 2 }]), 1)
      return { half: half.at(-1)?.cursor ?? 0, rest: all.slice(2), end: all.at(-1)?.cursor ?? 0, seen }
    })
    await copyBetween(source, target)
    await asGateway(target, async store => {
      deepEqual(await store.eventsAfter('shop', held.half, 9), held.rest)
      deepEqual(await store.eventsAfter('shop', held.end, 9), [])
      await publish(store, 'after', 2)
      await publish(store, 'after', 1, other)
      const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type)
      deepEqual(typesOf(await store.eventsAfter('shop', held.half, 9)), ['before', 'before', 'after', 'after'])
      deepEqual(typesOf(await store.eventsAfter('shop', held.end, 9)), ['after', 'after'])
      deepEqual(typesOf(await store.eventsAfter('inn', held.seen, 9)), ['after'])
    })
  })

test('a list that is read half way goes on in the copy, in both directions', async () => {
  const [directory, database, back] = [emptyDirectory(), await emptyDatabase(), emptyDirectory()]
  const query = { kind: 'transaction', terms: ['amount=1'], limit: 3 }
  const next = await asGateway(directory, async store => {
    for (let number = 0; number < 7; number += 1)
      await store.commit(change(`sale ${number}`, { searchTerms: { added: ['amount=1'], removed: [] } }))
    return (await store.search('shop', query)).next
  })
  await copyBetween(directory, database)
  await copyBetween(database, back)
  for (const where of [database, back])
    await asGateway(where, async store => {
      await store.commit(change('newer', { searchTerms: { added: ['amount=1'], removed: [] } }))
      const { records } = await store.search('shop', { ...query, before: next ?? 0 })
      deepEqual(
        records.map(({ id }) => id),
        ['sale 3', 'sale 2', 'sale 1'],
      )
    })
})

test('keys of erased records stay taken, and fences go up', async () => {
  const [directory, database, back] = [emptyDirectory(), await emptyDatabase(), emptyDirectory()]
  const taken = ['merchant-transaction:1', 'api-key-id:k1']
  const fenceOf = async (store: Store) => Math.min(...(await store.claimLanes()).leases.map(({ fence }) => fence))
  await asGateway(directory, async store => {
    await store.commit(change('sale', { uniqueKeys: taken }))
    equal(await store.erase([{ ...SALE, version: 1 }]), 1)
  })
  let fence = 0
  // Each start claims its lanes once.
  for (let start = 0; start < 5; start += 1) fence = await asGateway(directory, fenceOf)
  ok(fence >= 5)
  for (const [from, to] of [
    [directory, database],
    [database, back],
  ] as const) {
    await copyBetween(from, to)
    await asGateway(to, async store => {
      for (const key of taken)
        equal(await store.commit(change('other', { uniqueKeys: [key] })), 'unique_key_taken', `${key} in ${to}`)
      const now = await fenceOf(store)
      ok(now > fence, `${now} after ${fence}`)
      fence = now
    })
  }
})

test('a command that writes beside the source waits until the copy is finished', async () => {
  const [directory, database, other] = [emptyDirectory(), await emptyDatabase(), await emptyDatabase()]
  await asGateway(directory, store => publish(store, 'before', 1))
  await copyBetween(directory, database)
  const beside = await openPostgresAt(database)
  let late: Promise<unknown> | null = null
  const onRows = () => (late ??= beside.commit(change('late')))
  await copyBetween(database, other, { onRows })
  equal(await late, 'written')
  await asGateway(other, async store => equal(await store.load(keyOf('late')), null))
})
