// test/unit/store/search.test.ts — searches use indexes only, and their work is limited.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Database } from 'better-sqlite3'
import { test } from 'vitest'
import type { SearchQuery } from '../../../src/engine/ports/store.ts'
import { openInMemory } from '../../../src/store/sqlite/database.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { prepareSearch } from '../../../src/store/sqlite/search.ts'
import { change, NOON } from '../../support/changes.ts'

const DAY = 86_400_000

/** Each combination of conditions. */
const QUERIES: readonly SearchQuery[] = [[], ['amount=1'], ['amount=1', 'result=A'], ['a', 'b', 'c', 'd']].flatMap(
  terms =>
    [{}, { parent: 'p' }].flatMap(parent =>
      [{}, { live: true }, { live: false }].flatMap(live =>
        [{}, { createdFrom: NOON }, { createdBefore: NOON }, { createdFrom: NOON, createdBefore: NOON + DAY }].map(
          period => ({ kind: 'transaction', terms, limit: 10, ...parent, ...live, ...period }),
        ),
      ),
    ),
)

/** A database that keeps the SQL it prepares. */
function listening(database: Database): { readonly database: Database; readonly heard: Set<string> } {
  const heard = new Set<string>()
  const prepare = (sql: string) => {
    heard.add(sql)
    return database.prepare(sql)
  }
  const transaction = database.transaction.bind(database)
  return { database: { prepare, transaction } as unknown as Database, heard }
}

test('every combination of conditions is found by an index, without reading a whole table', () => {
  const own = openInMemory()
  const insert = own.prepare(
    `INSERT INTO records (kind, account, id, version, parent, live, exclusive, created_at, changed_at, body)
     VALUES ('transaction', 'shop', 'a', 1, 'p', 1, NULL, ${NOON}, ${NOON}, '{}')`,
  )
  insert.run()
  own.prepare(`INSERT INTO search_days VALUES ('shop', 'transaction', ${Math.floor(NOON / DAY)}, 1, 1)`).run()
  const { database, heard } = listening(own)
  const search = prepareSearch(database)
  for (const query of QUERIES) search('shop', query)
  ok(heard.size > 60, `${heard.size} statements`)
  for (const sql of heard) {
    const named = sql.replaceAll(/@\w+/g, '1').replaceAll('?', '1')
    const plan = own.prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${named}`).all()
    const whole = plan.filter(({ detail }) => /^SCAN (?!.*\(subquery)/.test(detail))
    deepEqual(whole, [], sql)
  }
  own.close()
})

test('a search for what hardly exists reads a limited number of entries, and its pages lead to the end', async () => {
  const store = openMemoryStore()
  const count = 12_000
  for (let number = 0; number < count; number += 1) {
    // Both terms are frequent, together they are rare.
    const isBoth = number === 3
    const terms = isBoth ? ['a', 'b'] : [number % 2 === 0 ? 'a' : 'b']
    await store.commit(change(`r${number}`, { searchTerms: { added: terms, removed: [] } }))
  }
  const found: string[] = []
  let pages = 0
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; pages += 1) {
    const page = await store.search('shop', { kind: 'transaction', terms: ['a', 'b'], before, limit: 10 })
    found.push(...page.records.map(({ id }) => id))
    before = page.next
  }
  deepEqual(found, ['r3'])
  equal(pages, 2)
  await store.close()
})

test('the rarest condition is read: a rare one beside a frequent one needs one page', async () => {
  const store = openMemoryStore()
  for (let number = 0; number < 12_000; number += 1) {
    const terms = number === 3 ? ['frequent', 'rare'] : ['frequent']
    await store.commit(change(`r${number}`, { parent: 'p', searchTerms: { added: terms, removed: [] } }))
  }
  for (const terms of [
    ['frequent', 'rare'],
    ['rare', 'frequent'],
  ]) {
    const { records, next } = await store.search('shop', { kind: 'transaction', parent: 'p', terms, limit: 10 })
    deepEqual([records.map(({ id }) => id), next], [['r3'], null])
  }
  await store.close()
})
