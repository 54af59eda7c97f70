// test/contract/postgres-plans.test.ts — lists and searches of a large database read by an index in its order, and sort nothing.
import { deepEqual, ok } from 'node:assert/strict'
import pg from 'pg'
import { onTestFinished, test } from 'vitest'
import type { SearchQuery } from '../../src/engine/ports/store.ts'
import { PLAN_BY_INDEX } from '../../src/store/postgres/planning.ts'
import {
  type Composed,
  edgeOf,
  OF_ACCOUNT,
  reachOf,
  sourcesOf,
  stepOf,
} from '../../src/store/postgres/search-statements.ts'
import { GROUP_READS, GROUP_WRITES, READS, type ScopedStatement } from '../../src/store/postgres/statements.ts'
import { emptyDatabase, openPostgresAt } from '../support/postgres-store.ts'

const ROWS = 20_000

/** Three accounts; one record of a hundred is live. */
const FILL = `
  INSERT INTO records (account, kind, id, position, version, parent, live, lock_key, created_at, changed_at, body)
    SELECT 'shop' || n % 3, 'transaction', 'r' || n, n, 1, 'till ' || n % 40, n % 100 = 0,
      CASE WHEN n % 100 = 0 THEN 'terminal ' || n END, n, n, '{}' FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO events (account, kind, id, cursor, version, at, type, body, writer)
    SELECT account, kind, id, position, 1, 1, 'started', '{}', position % 2 FROM records;
  INSERT INTO search_terms (account, kind, term, position) SELECT account, kind, 'amount=' || position % 50, position FROM records;
  INSERT INTO search_days (account, kind, day, first, last)
    SELECT account, kind, position / 10, min(position), max(position) FROM records GROUP BY 1, 2, 3;
  INSERT INTO search_days (account, kind, day, first, last)
    SELECT 'other' || n % 200, 'transaction', n / 200, n, n FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO timers (account, kind, id, name, position, lane, due_at)
    SELECT account, kind, id, 'limit', position, position % 64, position FROM records;
  INSERT INTO effects (account, kind, id, effect_id, place, lane, type, body)
    SELECT account, kind, id, 'e' || position, position, position % 64, 'start', '{}' FROM records;
  INSERT INTO idempotency (account, key, fingerprint, answer, expires_at)
    SELECT account, id, '', '', position FROM records;
  INSERT INTO unique_keys (account, key, kind, id) SELECT account, 'key ' || id, kind, id FROM records;
  ANALYZE;
`

const QUERIES: readonly SearchQuery[] = [
  { kind: 'transaction', limit: 20 },
  { kind: 'transaction', limit: 20, terms: ['amount=7'] },
  { kind: 'transaction', limit: 20, terms: ['amount=7', 'amount=8'], parent: 'till 3' },
  { kind: 'transaction', limit: 20, live: true, terms: ['amount=0'] },
  { kind: 'transaction', limit: 20, live: false, parent: 'till 3', createdFrom: 9, createdBefore: 900 },
]

const PLAIN: readonly (readonly [ScopedStatement, readonly unknown[]])[] = [
  [READS.load, ['shop1', 'transaction', 'r1']],
  [READS.lockHolder, ['shop1', 'terminal 100']],
  [READS.uniqueHolder, ['shop1', 'key r1']],
  [READS.accountKeyHolder, ['api-key:1']],
  ...Object.values(READS.list).map(each => [each, ['shop1', 'transaction', 15_000, 20]] as const),
  ...Object.values(READS.listOfParent).map(each => [each, ['shop1', 'transaction', 15_000, 20, 'till 4']] as const),
  ...Object.values(READS.all).map(each => [each, ['transaction', 10_000, 200]] as const),
  [READS.eventsOf, ['shop1', 'transaction', 'r1']],
  [READS.eventsAfter, ['shop1', 15_000, 200]],
  [READS.idempotency, ['shop1', 'r1']],
  [READS.allEvents, [10_000, 15_000, 200]],
  [READS.othersEvents, [19_000, 200, 1, [19_500, 19_600]]],
  [READS.undoneEffects, [200]],
  [READS.undoneEffectsOfLanes, [200, [1, 2, 3]]],
  [READS.dueTimers, [500, 100, [1, 2, 3]]],
  [READS.dueTimersOfAccount, [500, 100, [1, 2, 3], 'shop1']],
  [READS.nextTimer, []],
]

const KEYS = [
  ['shop1', 'shop2'],
  ['transaction', 'transaction'],
  ['r1', 'r2'],
]

/** What a group reads and changes, and the only index that finds it without reading other rows. */
const OF_GROUPS: readonly (readonly [ScopedStatement, readonly unknown[], string])[] = [
  [GROUP_READS.records, KEYS, 'records_pkey'],
  [GROUP_READS.lockKeys, [['shop1'], ['terminal 100']], 'records_lock_key'],
  [GROUP_READS.uniqueKeys, [['shop1'], ['key r1']], 'unique_keys_pkey'],
  [GROUP_READS.idempotency, [['shop1'], ['r1']], 'idempotency_pkey'],
  [GROUP_WRITES.updateBodies, [...KEYS, [2, 2], [1, 1], ['{}', '{}']], 'records_pkey'],
  [GROUP_WRITES.deleteEffects, [['shop1'], ['e1']], 'effects_pkey'],
  [GROUP_WRITES.deleteTimers, KEYS, 'timers_pkey'],
  [GROUP_WRITES.removeTerms, [['shop1'], ['transaction'], ['amount=1'], [1]], 'search_terms_pkey'],
  [READS.load, ['shop1', 'transaction', 'r1'], 'records_pkey'],
  [READS.loadAll, KEYS, 'records_pkey'],
  [READS.eventsOf, ['shop1', 'transaction', 'r1'], 'events_of_record'],
  // A cursor is given out once.
  [READS.eventsAt, [['shop1'], [7], 1], 'events_in_order'],
]

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Node[]
}

async function openFilled(fill = FILL): Promise<pg.Client> {
  const url = await emptyDatabase()
  await openPostgresAt(url)
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(fill)
  await client.query(`SELECT ${PLAN_BY_INDEX}`)
  return client
}

/** The steps of the plan that is made for any values, as it is after a statement has run a few times. */
async function planOf(client: pg.Client, { name, text }: ScopedStatement, values: readonly unknown[]) {
  await client.query(`SET plan_cache_mode = force_generic_plan`)
  const { rows } = await client.query({
    name: `plan ${name}`,
    text: `EXPLAIN (FORMAT JSON) ${text}`,
    values: [...values],
  })
  const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
  return nodesOf((rows[0] as { 'QUERY PLAN': { Plan: Node }[] })['QUERY PLAN'][0]!.Plan)
}

/** These read an index from its begin, up to their limit. */
const IN_ORDER: readonly ScopedStatement[] = [READS.undoneEffects, READS.undoneEffectsOfLanes, READS.nextTimer]

/** Tables of which a plan reads all rows or a whole index. */
const wholeTables = (nodes: readonly Node[], isInOrder = false) =>
  nodes
    .filter(node => {
      const type = node['Node Type']
      const isIndex = type === 'Index Scan' || type === 'Index Only Scan'
      return type === 'Seq Scan' || (isIndex && node['Index Cond'] === undefined && !isInOrder)
    })
    .map(node => node['Relation Name'])

test('lists and searches read a large database by indexes, and none of them sorts', async () => {
  const client = await openFilled()
  const within = { first: 0, before: 15_000 }
  const searches: readonly Composed[] = QUERIES.flatMap(query => [
    ...[OF_ACCOUNT, ...sourcesOf(query)].flatMap(source => [
      stepOf('shop1', query, source, within, 20),
      reachOf('shop1', query.kind, source, within),
    ]),
    edgeOf('shop1', query.kind, 'first', 5),
    edgeOf('shop1', query.kind, 'last', 5),
  ])
  ok(searches.length > 20)
  const all = [...PLAIN, ...searches.map(({ statement, values }) => [statement, values] as const)]
  const failing: string[] = []
  for (const [statement, values] of all)
    for (const table of wholeTables(await planOf(client, statement, values), IN_ORDER.includes(statement)))
      failing.push(`${statement.text}: ${table}`)
  deepEqual(failing, [])
  const sorted: string[] = []
  for (const [statement, values] of all)
    if ((await planOf(client, statement, values)).some(node => node['Node Type'] === 'Sort'))
      sorted.push(statement.text)
  deepEqual(sorted, [])
}, 120_000)

/** An empty database, one whose rows the server has not looked at yet, and one that it has. */
const STAGES: readonly (readonly [string, string])[] = [
  ['an empty database', 'SELECT 1'],
  ['a database without statistics of its own', FILL.replace('ANALYZE;', '')],
  ['a large database', FILL],
]

test.each(STAGES)('in %s, what groups read and change is found by its key', async (_, fill) => {
  const client = await openFilled(fill)
  const indexes: string[] = []
  for (const [statement, values] of OF_GROUPS)
    for (const node of await planOf(client, statement, values))
      if (node['Index Name'] !== undefined) indexes.push(`${statement.name}: ${node['Index Name']}`)
  deepEqual(
    indexes,
    OF_GROUPS.map(([{ name }, , index]) => `${name}: ${index}`),
  )
})

test('a plan that reads a whole table is found', async () => {
  const client = await openFilled()
  const bad = { name: 'bad', scope: 'gateway', text: 'SELECT body FROM records WHERE changed_at = $1' } as const
  deepEqual(wholeTables(await planOf(client, bad, [7])), ['records'])
  const ordered = { ...bad, name: 'ordered', text: `${bad.text} ORDER BY kind, position` }
  deepEqual(wholeTables(await planOf(client, ordered, [7])), ['records'])
})
