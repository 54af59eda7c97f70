// test/unit/store/postgres-statements.test.ts — each statement of a merchant's request names its account, so that the tables can
// be distributed by it. Lists the exceptions. ADR 61.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import type { SearchQuery } from '../../../src/engine/ports/store.ts'
import { POSTGRES_TABLES } from '../../../src/store/migrations/0007-postgres-tables.ts'
import * as documentStatements from '../../../src/store/postgres/document-statements.ts'
import { edgeOf, OF_ACCOUNT, reachOf, sourcesOf, stepOf } from '../../../src/store/postgres/search-statements.ts'
import * as statements from '../../../src/store/postgres/statements.ts'
import * as workStatements from '../../../src/store/postgres/work-statements.ts'

type Scoped = statements.ScopedStatement

/** The gateway's own work over all accounts: the feed of other processes, recovery, retention, leases and migrations. */
const OF_GATEWAY = [
  ...['mark', 'numbers', 'group_fences', 'drawn', 'marks', 'all_events', 'others_events'],
  ...['all_true', 'all_false', 'all_any', 'newest_records', 'count_live', 'undone_effects', 'undone_effects_of_lanes'],
  ...['due_timers', 'next_timer', 'forget_expired', 'forget_expired_apart', 'forget_erased'],
  ...['rewrite_progress', 'write_progress'],
  ...['new_writer', 'renew_lanes', 'claim_lanes', 'release_lanes', 'release_all_lanes', 'lanes_in_use'],
  ...[
    'node_seen',
    'other_nodes',
    'node_leaves',
    'node_ends',
    'all_nodes',
    'node_addresses',
    'free_lanes',
    'listen',
    'notify',
  ],
  ...['documents_of_lanes', 'any_documents', 'documents_of_collection'],
  ...['lock_schema', 'schema_exists', 'create_migrations', 'applied_migrations', 'note_migration'],
  ...['can_distribute', 'is_distributed'],
]
/** Finds the account of a request by its API key. */
const FINDING = ['group_account_keys', 'account_key_holder']

/** Tables whose rows belong to an account. */
const TABLES = [
  ...['feeds', 'records', 'unique_keys', 'events', 'effects', 'timers', 'idempotency', 'search_terms', 'search_days'],
  ...['documents', 'document_feeds', 'erasures'],
]
/** Small tables that are copied to every machine, or lie on one. */
const OTHER_TABLES = ['account_keys', 'rewrites', 'leases', 'nodes']

const ALL = [
  ...statementsIn(statements),
  ...statementsIn(workStatements),
  ...statementsIn(documentStatements),
  ...searches(),
]

test('each statement of a request names one account for each table, with the listed exceptions', () => {
  const named = ALL.filter(({ scope }) => scope === 'account')
  ok(named.length > 50)
  for (const { name, text } of named) deepEqual(unnamedTables(text), [], name)
  const names = (scope: string) => ALL.filter(each => each.scope === scope).map(({ name }) => name)
  deepEqual(new Set(names('gateway')), new Set(OF_GATEWAY))
  deepEqual(new Set(names('finds account')), new Set(FINDING))
})

test('finding an account joins the record of that account only', () => {
  for (const { name, text } of ALL.filter(({ scope }) => scope === 'finds account'))
    deepEqual(unnamedTables(text), [], name)
})

test('a statement that joins accounts, or names none, is found', () => {
  const bad = [
    ['SELECT body FROM records WHERE kind = $1', ['records']],
    ['SELECT r.body FROM records AS r WHERE r.id = $1', ['r']],
    ['SELECT r.body FROM effects AS e JOIN records AS r ON r.id = e.id WHERE e.account = $1', ['r']],
    ['INSERT INTO events (cursor, body) VALUES ($1, $2)', ['events']],
    ['UPDATE records AS r SET body = u.body FROM unnest($1::text[]) AS u (id) WHERE r.id = u.id', ['r']],
    ['DELETE FROM timers AS t USING records AS r WHERE t.id = r.id AND r.account = $1', ['t']],
  ] as const
  for (const [text, tables] of bad) deepEqual(unnamedTables(text), tables, text)
})

test('each primary and unique key begins with the account, with the listed exceptions', () => {
  const keys = keysIn(POSTGRES_TABLES)
  ok(keys.length > 10)
  const others = keys.filter(({ columns }) => columns[0] !== 'account')
  deepEqual(new Set(others.map(({ table }) => table)), new Set(OTHER_TABLES))
  deepEqual(new Set(keys.map(({ table }) => table)), new Set([...TABLES, ...OTHER_TABLES]))
  deepEqual(keysIn('CREATE TABLE bad ( id TEXT PRIMARY KEY );'), [{ table: 'bad', columns: ['id'] }])
  deepEqual(keysIn('CREATE UNIQUE INDEX i ON bad (kind, account);'), [{ table: 'bad', columns: ['kind', 'account'] }])
})

test('names of statements are unique and fit into a name of Postgres', () => {
  const texts = new Map(ALL.map(({ name, text }) => [name, text]))
  for (const { name, text } of ALL) {
    equal(texts.get(name), text, name)
    ok(name.length <= 63, name)
  }
})

test('no other file of the store contains SQL on its tables', () => {
  const folder = join(import.meta.dirname, '../../../src/store/postgres')
  const sql = new RegExp(`\\b(FROM|INTO|UPDATE|JOIN) (${[...TABLES, ...OTHER_TABLES].join('|')})\\b`)
  const isStatements = (file: string) => file.endsWith('statements.ts')
  const files = readdirSync(folder)
  ok(files.filter(isStatements).every(file => sql.test(readFileSync(join(folder, file), 'utf8'))))
  for (const file of files.filter(file => !isStatements(file)))
    ok(!sql.test(readFileSync(join(folder, file), 'utf8')), file)
})

function statementsIn(module: object): readonly Scoped[] {
  return Object.values(module).flatMap(value => {
    if (typeof value !== 'object' || value === null) return []
    return 'text' in value ? [value as Scoped] : statementsIn(value)
  })
}

/** Searches with each combination of conditions, read by each index. */
function searches(): readonly Scoped[] {
  const found: Scoped[] = []
  const within = { first: 0, before: 9 }
  for (let mask = 0; mask < 32; mask += 1) {
    const has = (bit: number) => (mask & (1 << bit)) !== 0
    const query: SearchQuery = {
      ...{ kind: 'transaction', limit: 10 },
      ...(has(0) ? { parent: 'till 1' } : {}),
      ...(has(1) ? { live: true } : {}),
      ...(has(2) ? { terms: ['amount=1', 'result=A'] } : {}),
      ...(has(3) ? { createdFrom: 1 } : {}),
      ...(has(4) ? { createdBefore: 2 } : {}),
    }
    for (const source of [OF_ACCOUNT, ...sourcesOf(query)])
      found.push(
        stepOf('shop', query, source, within, 10).statement,
        reachOf('shop', 'transaction', source, within).statement,
      )
  }
  return [
    ...found,
    edgeOf('shop', 'transaction', 'first', 1).statement,
    edgeOf('shop', 'transaction', 'last', 1).statement,
  ]
}

/** The tables of accounts in a statement, by alias, that no condition or column ties to one account. */
function unnamedTables(text: string): readonly string[] {
  const found = text.matchAll(/\b(FROM|JOIN|UPDATE|INTO|USING)\s+(\w+)(?:\s+AS\s+(\w+))?(?:\s*\(([^)]*)\))?/g)
  return [...found].flatMap(([, verb, table = '', alias, columns]) => {
    if (!TABLES.includes(table)) return []
    const name = alias ?? table
    const own = alias === undefined ? '(?<![\\w.])account' : `\\b${alias}\\.account`
    const isNamed =
      verb === 'INTO'
        ? columns?.split(', ').includes('account') === true
        : new RegExp(`${own} = (\\$\\d|\\w+\\.account)`).test(text)
    return isNamed ? [] : [name]
  })
}

function keysIn(sql: string): readonly { readonly table: string; readonly columns: readonly string[] }[] {
  const keys: { table: string; columns: string[] }[] = []
  for (const [, table = '', body = ''] of sql.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\n? *\)(?: WITH[^;]*)?;/g)) {
    for (const [, column = ''] of body.matchAll(/^\s*(\w+) [^\n]*PRIMARY KEY/gm))
      if (column !== 'PRIMARY') keys.push({ table, columns: [column] })
    for (const [, columns = ''] of body.matchAll(/(?:PRIMARY KEY|UNIQUE) \(([^)]*)\)/g))
      keys.push({ table, columns: columns.split(', ') })
  }
  for (const [, table = '', columns = ''] of sql.matchAll(/CREATE UNIQUE INDEX \w+ ON (\w+) \(([^)]*)\)/g))
    keys.push({ table, columns: columns.split(', ') })
  return keys
}
