// test/unit/engine/pages.test.ts — records are read page by page, each once.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { OfRecords } from '../../../src/engine/decoding.ts'
import { newestPagesOf, pagesOfKind, recordsOf } from '../../../src/engine/pages.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { change } from '../../support/changes.ts'

async function holding(count: number): Promise<Store> {
  const store = openMemoryStore()
  for (let number = 0; number < count; number += 1) {
    const account = number % 2 === 0 ? 'even' : 'odd'
    equal(await store.commit(change(`${number}`, { account, live: number % 4 < 2 })), 'written')
  }
  return store
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

async function idsIn(pages: AsyncIterable<readonly { readonly id: string }[]>): Promise<number[][]> {
  const ids: number[][] = []
  for await (const page of pages) ids.push(page.map(({ id }) => Number(id)))
  return ids
}

test.each([0, 1, 199, 200, 201, 450])('all %i records of a kind come once, in order of creation', async count => {
  const pages = await idsIn(pagesOfKind(await holding(count), 'transaction'))
  deepEqual(pages.flat(), numbers(count))
  deepEqual(
    pages.map(page => page.length),
    numbers(Math.ceil(count / 200)).map(page => Math.min(200, count - 200 * page)),
  )
})

test('pages hold only the records that the query selects', async () => {
  const store = await holding(450)
  const live = numbers(450).filter(number => number % 4 < 2)
  deepEqual((await idsIn(pagesOfKind(store, 'transaction', { live: true }))).flat(), live)
  deepEqual(await idsIn(pagesOfKind(store, 'report')), [])
  const mine = live.filter(number => number % 2 === 1).reverse()
  const pages = await idsIn(newestPagesOf(store, 'odd', { kind: 'transaction', live: true, limit: 50 }))
  deepEqual(pages, [mine.slice(0, 50), mine.slice(50, 100), mine.slice(100)])
})

test('no further page is read after the consumer stops', async () => {
  const store = await holding(450)
  let reads = 0
  const list: Store['list'] = (account, query) => {
    reads += 1
    return store.list(account, query)
  }
  const counting: Store = Object.create(store, { list: { value: list } })
  for await (const page of newestPagesOf(counting, 'odd', { kind: 'transaction' })) if (page.length > 0) break
  equal(reads, 1)
})

test('recordsOf returns decoded records of an account, in order of creation', async () => {
  const machine: OfRecords<{ readonly id: string }> = { kind: 'transaction', indexColumnsOf: () => null }
  const records = await recordsOf(await holding(450), 'odd', machine)
  deepEqual(
    records.map(({ id }) => Number(id)),
    numbers(450).filter(number => number % 2 === 1),
  )
})
