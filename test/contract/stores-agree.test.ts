// test/contract/stores-agree.test.ts — random groups of commits have the same results on SQLite and Postgres, and leave the same.
import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { onTestFinished, test } from 'vitest'
import type { AccountImages } from '../../src/engine/ports/account-images.ts'
import type { Commit, SearchQuery, Store } from '../../src/engine/ports/store.ts'
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts'
import { answered, change, effect, envelope, NOON } from '../support/changes.ts'
import { openEmptyPostgresStore } from '../support/postgres-store.ts'

type AnyStore = Store & AccountImages

const DAY = 86_400_000
/** A Citus cluster asks all its shards for what is not of one account. */
const LIMIT_MS = process.env['POSTGRES_CITUS'] === undefined ? 120_000 : 1_200_000
const IDS = ['a', 'b', 'c']
const KEYS = ['terminal:1', 'terminal:2', 'order 7']
const TERMS = ['amount=1', 'amount=2', 'result=A']
const EFFECTS = ['e1', 'e2', 'e3']
const RESULTS = [
  'written',
  'version_moved',
  'lock_key_taken',
  'unique_key_taken',
  'idempotency_key_taken',
  'lease_lost',
  'failed',
]
/** Some results are rare: a round may have none of them. */
const MOST_ROUNDS = 4
const some = (from: readonly string[]) => fc.subarray([...from])

const COMMIT = fc.record({
  type: fc.constant('commit' as const),
  account: fc.nat(2),
  id: fc.constantFrom(...IDS),
  expectedVersion: fc.oneof(
    { weight: 3, arbitrary: fc.constant('current' as const) },
    { weight: 1, arbitrary: fc.nat(3) },
  ),
  steps: fc.integer({ min: 1, max: 2 }),
  parent: fc.constantFrom('p', 'q'),
  live: fc.boolean(),
  lockKey: fc.constantFrom(null, ...KEYS),
  uniqueKeys: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some(KEYS) }),
  request: fc.option(fc.record({ key: fc.constantFrom('r1', 'r2'), lifeMs: fc.nat(3) }), { freq: 4 }),
  at: fc.integer({ min: -2, max: 2 }).map(days => NOON + days * DAY),
  events: fc.nat(2),
  effects: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some(EFFECTS) }),
  effectsDone: some(EFFECTS),
  timers: fc.option(some(['limit', 'signature']), { freq: 2 }),
  terms: fc.option(fc.record({ added: some(TERMS), removed: some(TERMS) }), { freq: 4 }),
  lease: fc.constantFrom(undefined, undefined, 'held' as const, 'lost' as const),
})
const DONE = fc.record({ type: fc.constant('done' as const), account: fc.nat(2), effects: some(EFFECTS) })
/** What arrives in one event-loop turn, and then records that are erased. */
const GROUP = fc.record({
  works: fc.array(fc.oneof({ weight: 9, arbitrary: COMMIT }, { weight: 1, arbitrary: DONE }), {
    minLength: 1,
    maxLength: 9,
  }),
  erased: fc.option(fc.record({ account: fc.nat(2), id: fc.constantFrom(...IDS) }), { freq: 4 }),
})
type Group = typeof GROUP extends fc.Arbitrary<infer T> ? T : never
type Wish = typeof COMMIT extends fc.Arbitrary<infer T> ? T : never

test(
  'random groups of commits have the same results and leave the same on SQLite and Postgres',
  async () => {
    const sqlite = openMemoryStore()
    onTestFinished(() => sqlite.close())
    const postgres = await openEmptyPostgresStore()
    const leases = new Map<AnyStore, Awaited<ReturnType<Store['claimLanes']>>>()
    for (const store of [sqlite, postgres]) leases.set(store, await store.claimLanes())
    const results = new Map<string, number>()
    let runs = 0
    const property = fc.asyncProperty(fc.array(GROUP, { minLength: 1, maxLength: 8 }), async groups => {
      runs += 1
      const accounts = [0, 1, 2].map(number => `shop-${runs}-${number}`)
      for (const group of groups) {
        const [one, other] = [await perform(sqlite, accounts, group), await perform(postgres, accounts, group)]
        deepEqual(other, one)
        for (const result of one) results.set(String(result), (results.get(String(result)) ?? 0) + 1)
      }
      for (const account of accounts) deepEqual(await seen(postgres, account), await seen(sqlite, account))
    })
    // Groups in which a result never happens prove little about it.
    const missing = () => RESULTS.filter(result => !results.has(result))
    for (let rounds = 0; rounds < MOST_ROUNDS && (rounds === 0 || missing().length > 0); rounds += 1)
      await fc.assert(property, { numRuns: 40 })
    deepEqual(missing(), [])

    async function perform(store: AnyStore, accounts: readonly string[], { works, erased }: Group) {
      const versions = new Map<string, number>()
      for (const account of accounts)
        for (const id of IDS)
          versions.set(`${account} ${id}`, (await store.load({ account, kind: 'transaction', id }))?.version ?? 0)
      const [lease] = leases.get(store)?.leases ?? []
      const settled = await Promise.allSettled(
        works.map(work => {
          const account = accounts[work.account]!
          if (work.type === 'done') return store.effectsDone(account, work.effects)
          const commit = commitOf(account, work, versions)
          if (work.lease === undefined) return store.commit(commit)
          return store.commit({
            ...commit,
            lease: { ...lease!, fence: lease!.fence + (work.lease === 'held' ? 0 : 1) },
          })
        }),
      )
      const told: unknown[] = settled.map(result => (result.status === 'fulfilled' ? result.value : 'failed'))
      if (erased !== null) {
        const key = { account: accounts[erased.account]!, kind: 'transaction', id: erased.id }
        const version = (await store.load(key))?.version ?? 1
        told.push(await store.erase([{ ...key, version, terms: TERMS }]))
      }
      return told
    }
  },
  LIMIT_MS,
)

/** The commits of a group that name the current version follow each other as if all of them were written. */
function commitOf(account: string, wish: Wish, versions: Map<string, number>): Commit {
  const { id, steps, parent, live, lockKey, uniqueKeys, request, at, events, effects, effectsDone, timers, terms } =
    wish
  const name = `${account} ${id}`
  const expectedVersion = wish.expectedVersion === 'current' ? (versions.get(name) ?? 0) : wish.expectedVersion
  const version = expectedVersion + steps
  versions.set(name, version)
  return change(id, {
    ...{ account, expectedVersion, version, parent, live, lockKey, uniqueKeys, at },
    events: Array.from({ length: events }, (_, index) => envelope(`event ${index}`, version, at)),
    // Ids of effects contain the record, so no two accounts have the same.
    effects: (effects as readonly string[]).map(each => effect(`${account}.${each}`)),
    effectsDone: effectsDone.map(each => `${account}.${each}`),
    timers: timers?.map((timer, index) => ({ name: timer, dueAt: at + index })) ?? null,
    idempotency:
      request === null ? null : answered(request.key, { answer: `"${version}"`, expiresAt: at + request.lifeMs }),
    // A record that search finds has terms from its first commit on.
    ...(terms === null && expectedVersion > 0 ? {} : { searchTerms: terms ?? { added: [], removed: [] } }),
  })
}

/** All that a reader can see of an account, without the numbers that each store gives. */
async function seen(store: AnyStore, account: string) {
  const plain = <T extends object>(rows: readonly T[]) =>
    rows.map(row => ({ ...row, position: undefined, cursor: undefined }))
  const kind = 'transaction'
  const searches: Partial<SearchQuery>[] = [
    ...TERMS.map(term => ({ terms: [term] })),
    { terms: ['amount=1', 'result=A'], parent: 'p' },
    { live: true, createdFrom: NOON, createdBefore: NOON + 2 * DAY },
  ]
  const image = await store.imageOf(account, [])
  return {
    lists: await Promise.all(
      [{}, { live: true }, { live: false }, { parent: 'p' }, { parent: 'q', live: true }].map(async query =>
        plain(await store.list(account, { kind, limit: 9, ...query })),
      ),
    ),
    searches: await Promise.all(
      searches.map(async query => plain((await store.search(account, { kind, limit: 9, ...query })).records)),
    ),
    events: plain(await store.eventsAfter(account, 0, 1_000)),
    effects: (await store.undoneEffects(100_000)).filter(undone => undone.account === account),
    timers: await store.dueTimers(NOON + 9 * DAY, 100, { account }),
    holders: await Promise.all(
      KEYS.map(async key => [await store.lockHolderOf(account, key), await store.uniqueKeyHolderOf(account, key)]),
    ),
    requests: await Promise.all(['r1', 'r2'].map(key => store.idempotencyOf(account, key))),
    image: { ...image, records: image.records.map(record => ({ ...record, events: plain(record.events) })) },
  }
}
