// test/unit/store/one-account.test.ts — statements about one account name it, so that a distributed database asks one machine.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { Connections } from '../../../src/store/postgres/connections.ts'
import { namingAccounts } from '../../../src/store/postgres/one-account-statements.ts'
import type { Statement } from '../../../src/store/postgres/session.ts'
import { GROUP_READS, GROUP_WRITES, READS } from '../../../src/store/postgres/statements.ts'
import { RETENTION, REWRITES } from '../../../src/store/postgres/work-statements.ts'

/** Runs a statement; returns what the database gets. */
async function sent(
  statement: Statement,
  values: readonly unknown[],
): Promise<readonly [Statement, readonly unknown[]]> {
  let got: readonly [Statement, readonly unknown[]] | null = null
  const query: Connections['query'] = async (given, with_) => {
    got = [given, with_]
    return []
  }
  await namingAccounts({ query } as Connections).query(statement, values)
  if (got === null) throw new Error('nothing was sent')
  return got
}

test('rows of one account get a condition on it, under a name of its own', async () => {
  const [statement, values] = await sent(GROUP_READS.records, [
    ['shop', 'shop'],
    ['sale', 'sale'],
    ['a', 'b'],
  ])
  equal(statement.name, 'group_records_of_one')
  match(statement.text, /r\.account = u\.account AND r\.account = \$4::text AND r\.kind = u\.kind/)
  deepEqual(values, [['shop', 'shop'], ['sale', 'sale'], ['a', 'b'], 'shop'])
})

test('the condition takes the next free parameter', async () => {
  const arrays = Array.from({ length: 9 }, () => ['shop'])
  const [{ text }, values] = await sent(GROUP_WRITES.updateRecords, arrays)
  match(text, /r\.account = \$10::text/)
  equal(values.at(-1), 'shop')
})

test('new rows take their account from the row that is locked', async () => {
  const [{ text }, values] = await sent(GROUP_WRITES.insertEvents, [...Array.from({ length: 8 }, () => ['shop']), 7])
  equal(
    text.replaceAll(/\s+/g, ' '),
    'INSERT INTO events (account, kind, id, cursor, version, at, type, body, writer) ' +
      'SELECT f.account, u.kind, u.id, u.cursor, u.version, u.at, u.type, u.body, $9::bigint FROM feeds AS f, ' +
      'unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[]) ' +
      'AS u (account, kind, id, cursor, version, at, type, body) WHERE f.account = $10::text',
  )
  deepEqual(values.slice(8), [7, 'shop'])
  const [days] = await sent(GROUP_WRITES.enterDays, [['shop'], ['sale'], [1], [2], [3]])
  match(days.text, /WHERE f\.account = \$6::text\s+ON CONFLICT \(account, kind, day\) DO UPDATE/)
})

test('new rows may have several values that all of them share', async () => {
  const [{ text }] = await sent(RETENTION.noteErased, [['shop'], ['sale'], ['a'], [1], 7])
  match(
    text,
    /INSERT INTO erasures \(account, kind, id, cursor, at, writer\) SELECT f\.account, u\.kind, u\.id, u\.cursor, /,
  )
  match(
    text,
    /::bigint, \$5::bigint FROM feeds AS f, unnest\([^)]*\) AS u \(account, kind, id, cursor\) WHERE f\.account = \$6::text/,
  )
})

test('each insertion of rows names as many columns as it has arrays', async () => {
  const insertions = [GROUP_READS, GROUP_WRITES, RETENTION, REWRITES]
    .flatMap(group => Object.values<Statement>(group))
    .filter(({ text }) => /SELECT \*.*\s+FROM unnest/.test(text) || /SELECT \*,/.test(text))
  ok(insertions.length >= 8, `${insertions.length}`)
  for (const statement of insertions) {
    const [{ text }] = await sent(statement, [['shop'], ...Array.from({ length: 20 }, () => ['x'])])
    if (text === statement.text) continue
    const [, arrays = '', names = ''] = /unnest\(([^()]*)\) AS u \(([^()]*)\)/.exec(text) ?? []
    equal(names.split(',').length, arrays.split(',').length, statement.name)
  }
})

test('API keys are on every machine', async () => {
  const [statement] = await sent(GROUP_WRITES.insertAccountKeys, [['shop'], ['key'], ['api-key'], ['1']])
  equal(statement, GROUP_WRITES.insertAccountKeys)
})

test('rows of several accounts, and statements without arrays, stay as they are', async () => {
  const several = [
    ['shop', 'other'],
    ['sale', 'sale'],
    ['a', 'b'],
  ]
  deepEqual(await sent(GROUP_READS.records, several), [GROUP_READS.records, several])
  deepEqual(await sent(READS.load, ['shop', 'sale', 'a']), [READS.load, ['shop', 'sale', 'a']])
  deepEqual(await sent(GROUP_READS.lockAccounts, [['shop']]), [GROUP_READS.lockAccounts, [['shop']]])
})
