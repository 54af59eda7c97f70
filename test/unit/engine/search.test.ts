// test/unit/engine/search.test.ts — a search reads records until they are entered into the index, and then the index.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { termsName } from '../../../src/engine/rewriting.ts'
import { createSearch, type OfSearch } from '../../../src/engine/search.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { change } from '../../support/changes.ts'

/** A machine of records whose bodies have an amount. */
function machineOf(kind: string): OfSearch<{ readonly amount: number }> {
  return { kind, indexColumnsOf: () => ({}), searchTermsOf: ({ amount }) => [`amount=${amount}`] }
}

const PAYMENTS = machineOf('payment')
const REPORTS = machineOf('report')
const OF_FIVE = { terms: ['amount=5'], limit: 10 }

/** A store with records that are not entered, and the names of progress that were read from it. */
async function storeWithRecords(): Promise<{ readonly store: Store; readonly read: string[] }> {
  const memory = openMemoryStore()
  for (const [id, amount] of [
    ['a', 5],
    ['b', 6],
    ['c', 5],
  ] as const)
    equal(await memory.commit(change(id, { kind: PAYMENTS.kind, body: JSON.stringify({ amount }) })), 'written')
  const read: string[] = []
  const rewriteProgress: Store['rewriteProgress'] = name => {
    read.push(name)
    return memory.rewriteProgress(name)
  }
  return { store: { ...memory, rewriteProgress }, read }
}

test('the progress of a kind is read until its records are entered, and then no more', async () => {
  const { store, read } = await storeWithRecords()
  const search = createSearch(store)
  const idsOf = async (machine = PAYMENTS) =>
    (await search.records('shop', machine, OF_FIVE)).records.map(({ id }) => id)
  const name = termsName(PAYMENTS.kind)
  deepEqual(
    [await idsOf(), await idsOf()],
    [
      ['c', 'a'],
      ['c', 'a'],
    ],
  )
  deepEqual(read, [name, name])

  const records = ['a', 'c'].map(id => ({ account: 'shop', kind: PAYMENTS.kind, id, version: 1, terms: ['amount=5'] }))
  await store.enterTerms({ name, progress: { after: 2, finished: false }, records })
  deepEqual(await idsOf(), ['c', 'a'])
  await store.enterTerms({ name, progress: { after: 3, finished: true }, records: [] })
  deepEqual(
    [await idsOf(), await idsOf(), await idsOf()],
    [
      ['c', 'a'],
      ['c', 'a'],
      ['c', 'a'],
    ],
  )
  deepEqual(read, [name, name, name, name])

  // Another kind has its own progress.
  deepEqual(await idsOf(REPORTS), [])
  deepEqual(read.slice(4), [termsName(REPORTS.kind)])
})

test('a list without filters reads no progress', async () => {
  const { store, read } = await storeWithRecords()
  const { records } = await createSearch(store).records('shop', PAYMENTS, { limit: 10 })
  equal(records.length, 3)
  deepEqual(read, [])
})
