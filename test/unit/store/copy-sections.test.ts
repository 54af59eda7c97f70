// test/unit/store/copy-sections.test.ts — a copy reads and writes every table and column of both stores. ADR 67.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { statementsOf } from '../../../src/store/copy/postgres-statements.ts'
import { accountIn, comparable, endsBelow, SECTIONS } from '../../../src/store/copy/sections.ts'
import { countStatement, findStatement, insertStatement } from '../../../src/store/copy/sqlite-statements.ts'
import { MIGRATIONS } from '../../../src/store/migrate.ts'
import { openInMemory } from '../../../src/store/sqlite/database.ts'

/**
 * Holders of leases, locks and marks last as long as a process; fences are among the highest numbers. A sandbox on SQLite has its
 * documents in a file of their own.
 */
const LEFT_ON_SQLITE = ['migrations', 'others_events', 'leases', 'sqlite_sequence']
const LEFT_ON_POSTGRES = ['document_feeds', 'documents', 'erasures', 'feeds', 'leases', 'nodes']

test('every table and column of SQLite is copied, with the listed exceptions', () => {
  const database = openInMemory()
  const texts = SECTIONS.map(section => insertStatement(section) ?? '')
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
  const missing = tables.filter(table => !texts.some(text => text.startsWith(`INSERT INTO ${table} (`)))
  deepEqual(missing.sort(), LEFT_ON_SQLITE.toSorted())
  for (const table of tables.filter(table => !missing.includes(table))) {
    const [text = ''] = texts.filter(text => text.startsWith(`INSERT INTO ${table} (`))
    const columns = database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[]
    const [, written = ''] = /\(([^)]*)\)/.exec(text) ?? []
    deepEqual(written.split(', ').sort(), columns.toSorted(), table)
  }
  // What is written is read again.
  for (const section of SECTIONS) {
    database.prepare(findStatement(section))
    equal(database.prepare(countStatement(section)).pluck().get(), 0)
  }
})

test('every table and column of Postgres is copied, with the listed exceptions', () => {
  const tables = new Map<string, string[]>()
  for (const { sql } of MIGRATIONS)
    for (const [, table = '', body = ''] of sql.postgres.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\n {2}\)/g))
      tables.set(
        table,
        [...body.matchAll(/^ +([a-z_]+) +[A-Z]/gm)].map(([, column = '']) => column),
      )
  ok(tables.size > 10)
  const names = SECTIONS.map(({ name }) => name as string)
  deepEqual([...tables.keys()].filter(table => !names.includes(table)).sort(), LEFT_ON_POSTGRES)
  for (const section of SECTIONS) {
    const [, written = ''] = /INTO \w+ \(([^)]*)\)/.exec(statementsOf(section).insert.text) ?? []
    deepEqual(written.split(', ').sort(), tables.get(section.name)?.toSorted(), section.name)
  }
  // A later migration that alters a table must be looked at here.
  for (const { sql } of MIGRATIONS)
    ok(!/ALTER TABLE (?!\w+ (ALTER \w+ SET STATISTICS|SET \(autovacuum))/.test(sql.postgres))
})

test('a stored key names its account, unless it finds the account', () => {
  equal(accountIn('terminal:demo/22160001'), 'demo')
  equal(accountIn('merchant-transaction:demo/a/b:c'), 'demo')
  equal(accountIn('challenge:d2hlcmU'), '')
  equal(accountIn('api-key:ab/cd'), '')
  equal(accountIn('api-key-id:k/1'), '')
})

test('keys of erased records compare by what both stores know', () => {
  const section = (name: string) => SECTIONS.find(each => each.name === name)!
  const key = 'terminal:demo/1'
  deepEqual(comparable(section('unique_keys'), ['demo', key, 'transaction', null]), ['demo', key, '', null])
  deepEqual(comparable(section('unique_keys'), ['demo', key, 'transaction', 'a']), ['demo', key, 'transaction', 'a'])
  deepEqual(comparable(section('account_keys'), ['api-key-id:k', 'demo', 'api-key', null]), [
    'api-key-id:k',
    '',
    '',
    null,
  ])
})

test('a number that would be given out again is named', () => {
  const least = { cursor: 5, position: 5, place: 5, fence: 5 }
  deepEqual(endsBelow(least, least), [])
  deepEqual(endsBelow({ cursor: 4, position: 6, place: 5, fence: 3 }, least), ['cursor', 'fence'])
})
