// test/contract/store/searches.ts — records are found by terms, parent, liveness and time, each by an index.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import type { AccountImages } from '../../../src/engine/ports/account-images.ts'
import type { Commit, SearchQuery, Store } from '../../../src/engine/ports/store.ts'
import { change, keyOf, NOON } from '../../support/changes.ts'

const DAY = 86_400_000

/** The first commit of a record with these terms. */
function entered(id: string, added: readonly string[], named: Partial<Commit> = {}): Commit {
  return change(id, { searchTerms: { added, removed: [] }, ...named })
}

async function found(store: Store, named: Partial<SearchQuery> = {}, account = 'shop'): Promise<readonly string[]> {
  const { records } = await store.search(account, { kind: 'transaction', limit: 100, ...named })
  return records.map(({ id }) => id)
}

/** Three sales on two terminals over three days. */
async function filled(make: () => Promise<Store & AccountImages>): Promise<Store & AccountImages> {
  const store = await make()
  await store.commit(entered('a', ['amount=1', 'result=DECLINED'], { parent: 'till 1', live: false, at: NOON }))
  await store.commit(entered('b', ['amount=1'], { parent: 'till 2', live: true, at: NOON + DAY }))
  await store.commit(
    entered('c', ['amount=2', 'result=DECLINED'], { parent: 'till 2', live: false, at: NOON + 2 * DAY }),
  )
  await store.commit(entered('theirs', ['amount=1'], { account: 'other', parent: 'till 1', live: false, at: NOON }))
  await store.commit(entered('report', ['amount=1'], { kind: 'report', parent: 'till 1', live: false, at: NOON }))
  return store
}

export function exerciseSearches(make: () => Promise<Store & AccountImages>): void {
  test('a search finds the records of one account and kind that fit all conditions, newest first', async () => {
    const store = await filled(make)
    deepEqual(await found(store), ['c', 'b', 'a'])
    deepEqual(await found(store, { terms: ['amount=1'] }), ['b', 'a'])
    deepEqual(await found(store, { terms: ['amount=1', 'result=DECLINED'] }), ['a'])
    deepEqual(await found(store, { terms: ['amount=2', 'amount=1'] }), [])
    deepEqual(await found(store, { terms: ['amount=3'] }), [])
    deepEqual(await found(store, { parent: 'till 2' }), ['c', 'b'])
    deepEqual(await found(store, { parent: 'till 2', terms: ['amount=1'] }), ['b'])
    deepEqual(await found(store, { live: true }), ['b'])
    deepEqual(await found(store, { live: false, terms: ['amount=1'] }), ['a'])
    deepEqual(await found(store, { live: true, parent: 'till 1' }), [])
    deepEqual(await found(store, { terms: ['amount=1'] }, 'other'), ['theirs'])
    deepEqual(await found(store, { kind: 'report', terms: ['amount=1'] }), ['report'])
    deepEqual(await found(store, { terms: ['amount=1'] }, 'nobody'), [])
  })

  test('a period contains its begin and not its end', async () => {
    const store = await filled(make)
    deepEqual(await found(store, { createdFrom: NOON + DAY }), ['c', 'b'])
    deepEqual(await found(store, { createdFrom: NOON + DAY + 1 }), ['c'])
    deepEqual(await found(store, { createdBefore: NOON + DAY }), ['a'])
    deepEqual(await found(store, { createdBefore: NOON + DAY + 1 }), ['b', 'a'])
    deepEqual(await found(store, { createdFrom: NOON, createdBefore: NOON + 2 * DAY, terms: ['amount=1'] }), ['b', 'a'])
    deepEqual(await found(store, { createdFrom: NOON + 9 * DAY }), [])
    deepEqual(await found(store, { createdBefore: NOON - 9 * DAY }), [])
  })

  test('a period is right after the clock went back', async () => {
    const store = await filled(make)
    await store.commit(entered('d', ['amount=1'], { at: NOON - 3 * DAY }))
    await store.commit(entered('e', ['amount=1'], { at: NOON + DAY }))
    deepEqual(await found(store, { createdBefore: NOON }), ['d'])
    deepEqual(await found(store, { createdFrom: NOON + DAY, terms: ['amount=1'] }), ['e', 'b'])
  })

  test('a record is found by its present terms only', async () => {
    const store = await filled(make)
    const moved = { added: ['result=VOID'], removed: ['result=DECLINED'] }
    await store.commit(change('a', { expectedVersion: 1, at: NOON + 5 * DAY, searchTerms: moved }))
    deepEqual(await found(store, { terms: ['result=DECLINED'] }), ['c'])
    deepEqual(await found(store, { terms: ['result=VOID', 'amount=1'] }), ['a'])
    // It is as old as it was.
    deepEqual(await found(store, { createdBefore: NOON + 1 }), ['a'])
    const [record] = (await store.search('shop', { kind: 'transaction', terms: ['result=VOID'], limit: 1 })).records
    const { position } = record!
    deepEqual(record, { position, createdAt: NOON, ...keyOf('a'), version: 2, body: '{"id":"a","version":2}' })
  })

  test('a refused commit changes no terms', async () => {
    const store = await filled(make)
    const moved = { added: ['result=VOID'], removed: ['result=DECLINED'] }
    equal(await store.commit(change('a', { expectedVersion: 3, searchTerms: moved })), 'version_moved')
    deepEqual(await found(store, { terms: ['result=VOID'] }), [])
  })

  test('an erased record is not found, and neither is a new one in its place', async () => {
    const store = await filled(make)
    const terms = ['amount=2', 'result=DECLINED']
    equal(await store.erase([{ ...keyOf('c'), version: 2, terms }]), 0)
    deepEqual(await found(store, { terms }), ['c'])
    equal(await store.erase([{ ...keyOf('c'), version: 1, terms }]), 1)
    await store.commit(entered('d', ['amount=9']))
    deepEqual(await found(store, { terms: ['amount=2'] }), [])
    deepEqual(await found(store, { terms: ['result=DECLINED'] }), ['a'])
  })

  test('an image replaces the entries of its account', async () => {
    const store = await filled(make)
    const { records, ...image } = await store.imageOf('shop', ['report'])
    const kept = records.filter(({ id }) => id !== 'c').map(record => ({ ...record, terms: ['amount=7'] }))
    await store.putImage('shop', ['report'], { ...image, records: kept })
    deepEqual(await found(store, { terms: ['amount=7'] }), ['b', 'a'])
    deepEqual(await found(store, { terms: ['amount=1'] }), [])
    deepEqual(await found(store, { kind: 'report', terms: ['amount=1'] }), ['report'])
    deepEqual(await found(store, { terms: ['amount=1'] }, 'other'), ['theirs'])
  })

  test('records that were stored without terms are entered, with a record of progress', async () => {
    const store = await make()
    for (const id of ['a', 'b']) await store.commit(change(id, { at: NOON }))
    const entry = (id: string, version = 1) => ({ ...keyOf(id), version, terms: ['amount=1'] })
    const progress = { after: 7, finished: false }
    // It has changed since it was read, so the batch is not done.
    equal(await store.enterTerms({ name: 'terms', progress, records: [entry('a'), entry('b', 2)] }), 1)
    equal(await store.rewriteProgress('terms'), null)
    deepEqual(await found(store, { terms: ['amount=1'] }), ['a'])
    // One that was erased is not missing.
    equal(await store.enterTerms({ name: 'terms', progress, records: [entry('a'), entry('b'), entry('gone')] }), 0)
    deepEqual(await store.rewriteProgress('terms'), progress)
    deepEqual(await found(store, { terms: ['amount=1'], createdFrom: NOON, createdBefore: NOON + 1 }), ['b', 'a'])
  })

  test('random searches while records come and change find each record once, as a plain filter does', async () => {
    const store = await make()
    let told = 0
    const property = fc.asyncProperty(STORY, story => holds(store, `shop ${told++}`, story))
    await fc.assert(property, { numRuns: 60 })
  })
}

interface Plain {
  readonly id: string
  readonly parent: string
  readonly live: boolean
  readonly at: number
  readonly terms: readonly string[]
}

const RECORD = fc.record({
  parent: fc.constantFrom('p', 'q'),
  live: fc.boolean(),
  // Clocks go back, too.
  at: fc.integer({ min: -3 * DAY, max: 3 * DAY }).map(offset => NOON + offset),
  terms: fc.uniqueArray(fc.constantFrom('amount=1', 'amount=2', 'result=A', 'lastFour=0001'), { maxLength: 3 }),
})
const TIME = fc.integer({ min: -3 * DAY, max: 3 * DAY }).map(offset => NOON + offset)
const CONDITIONS = fc.record(
  {
    parent: fc.constantFrom('p', 'q', 'none'),
    live: fc.boolean(),
    terms: fc.uniqueArray(fc.constantFrom('amount=1', 'amount=2', 'result=A', 'lastFour=0001'), { maxLength: 2 }),
    createdFrom: TIME,
    createdBefore: TIME,
  },
  { requiredKeys: [] },
)
const ARRIVAL = fc.record({ isNew: fc.boolean(), which: fc.nat(), record: RECORD })
const STORY = fc.record({
  stored: fc.array(RECORD, { maxLength: 30 }),
  conditions: CONDITIONS,
  limit: fc.integer({ min: 1, max: 7 }),
  /** What happens after each page. */
  arrivals: fc.array(fc.array(ARRIVAL, { maxLength: 4 }), { maxLength: 12 }),
})
type Story = typeof STORY extends fc.Arbitrary<infer T> ? T : never

function fits({ parent, live, at, terms }: Plain, wanted: Story['conditions']): boolean {
  return (
    (wanted.parent === undefined || wanted.parent === parent) &&
    (wanted.live === undefined || wanted.live === live) &&
    (wanted.terms ?? []).every(term => terms.includes(term)) &&
    at >= (wanted.createdFrom ?? -Infinity) &&
    at < (wanted.createdBefore ?? Infinity)
  )
}

/** Runs a story in an account of its own. */
async function holds(store: Store, account: string, { stored, conditions, limit, arrivals }: Story): Promise<void> {
  /** In order of creation. */
  const plain: Plain[] = []
  const versions = new Map<string, number>()

  async function commit(record: Plain, before: Plain | null): Promise<void> {
    const { id, parent, live, at, terms } = record
    const expectedVersion = versions.get(id) ?? 0
    const had = before?.terms ?? []
    const searchTerms = {
      added: terms.filter(term => !had.includes(term)),
      removed: had.filter(term => !terms.includes(term)),
    }
    versions.set(id, expectedVersion + 1)
    const result = await store.commit(change(id, { account, parent, live, at, expectedVersion, searchTerms }))
    equal(result, 'written')
  }

  function add(record: Story['stored'][number]): Promise<void> {
    const whole = { id: `r${plain.length}`, ...record }
    plain.push(whole)
    return commit(whole, null)
  }

  await Promise.all(stored.map(add))
  /** Records that have fitted all the time. */
  let steady = plain.filter(record => fits(record, conditions)).map(({ id }) => id)
  const seen: string[] = []
  let before: number | null = null
  for (let page = 0; ; page += 1) {
    const query = { kind: 'transaction', ...conditions, limit, ...(before === null ? {} : { before }) }
    const { records, next } = await store.search(account, query as SearchQuery)
    ok(records.length <= limit)
    for (const { id } of records) ok(fits(plain.find(each => each.id === id)!, conditions), `${id} does not fit`)
    seen.push(...records.map(({ id }) => id))
    for (const { isNew, which, record } of arrivals[page] ?? []) {
      const index = which % Math.max(plain.length, 1)
      const old = plain[index]
      if (isNew || old === undefined) await add(record)
      else {
        // The time of creation does not change.
        const changed = { ...old, ...record, at: old.at }
        plain[index] = changed
        await commit(changed, old)
        if (!fits(changed, conditions)) steady = steady.filter(id => id !== old.id)
      }
    }
    if (next === null) break
    before = next
  }
  equal(new Set(seen).size, seen.length, 'a record was found twice')
  deepEqual(
    steady.filter(id => !seen.includes(id)),
    [],
    'a record was missed',
  )
  const { records } = await store.search(account, { kind: 'transaction', ...conditions, limit: 1_000 } as SearchQuery)
  deepEqual(
    records.map(({ id }) => id),
    plain
      .filter(record => fits(record, conditions))
      .map(({ id }) => id)
      .toReversed(),
  )
}
