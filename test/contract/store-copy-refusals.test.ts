// test/contract/store-copy-refusals.test.ts — what a copy refuses, how it goes on, and what comparing finds.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { test } from 'vitest'
import type { Store } from '../../src/engine/ports/store.ts'
import { answered, change, fullChange, keyOf, NOON } from '../support/changes.ts'
import { emptyDatabase, openPostgresAt, runAt } from '../support/postgres-store.ts'
import { asGateway, copyBetween, emptyDirectory } from '../support/store-copies.ts'

/** More than the rows of the first batches. */
const SALES = 450

async function sell(store: Store, count = SALES): Promise<void> {
  const commits = Array.from({ length: count }, (_, number) =>
    store.commit(
      fullChange(`sale ${number}`, {
        ...{ uniqueKeys: [`merchant-transaction:${number}`], idempotency: answered(`request ${number}`) },
        searchTerms: { added: [`amount=${number}`], removed: [] },
      }),
    ),
  )
  for (const result of await Promise.all(commits)) equal(result, 'written')
}

async function soldIn(directory: string): Promise<string> {
  await asGateway(directory, store => sell(store))
  return directory
}

const draftOf = (directory: string) => join(directory, 'tollgate.db.copy')

/** A stop at the given batch. */
class Stopped extends Error {}
function stopAt(batch: number) {
  let batches = 0
  return {
    onRows() {
      batches += 1
      if (batches === batch) throw new Stopped()
    },
  }
}

for (const to of ['Postgres', 'a directory'] as const)
  test(`a copy to ${to} that is stopped at any batch goes on, and holds everything once`, {
    timeout: 120_000,
  }, async () => {
    const first = await soldIn(emptyDirectory())
    let source = first
    if (to === 'a directory') {
      source = await emptyDatabase()
      await copyBetween(first, source)
    }
    const target = to === 'Postgres' ? await emptyDatabase() : emptyDirectory()
    let stops = 0
    // Each run comes a little further, because it goes on where the one before was stopped.
    for (let batch = 3; ; batch += 4) {
      try {
        const sections = await copyBetween(source, target, stopAt(batch))
        const rows = Object.fromEntries(sections.map(each => [each.name, each.rows]))
        deepEqual([rows['records'], rows['events'], rows['unique_keys'], rows['timers']], [SALES, SALES, SALES, SALES])
        break
      } catch (error) {
        if (!(error instanceof Stopped)) throw error
        stops += 1
        if (to === 'Postgres')
          await rejects(
            openPostgresAt(target),
            /is an unfinished copy of another store; run `tollgate store copy` again/,
          )
        else deepEqual([existsSync(draftOf(target)), existsSync(join(target, 'tollgate.db'))], [true, false])
      }
    }
    ok(stops >= 3, String(stops))
    await asGateway(target, async store => {
      equal((await store.list('shop', { kind: 'transaction', limit: 1_000 })).length, SALES)
      equal((await store.undoneEffects(1_000)).length, SALES)
    })
    if (to === 'a directory') deepEqual(readdirSync(target).sort(), ['tollgate.db', 'tollgate.lock'])
    await rejects(copyBetween(source, target), /is not empty/)
  })

/** Changes something in the target between copying and comparing, and expects a sentence. */
async function damaged(from: string, to: string, damage: () => Promise<unknown>, sentence: RegExp): Promise<void> {
  // Copied whole, stopped before anything is compared.
  await rejects(
    copyBetween(from, to, {
      onRows(phase) {
        if (phase === 'comparing') throw new Stopped()
      },
    }),
    Stopped,
  )
  await damage()
  await rejects(copyBetween(from, to), sentence)
}

test('a row that differs, is missing or too many is named, and no gateway starts on the copy', {
  timeout: 120_000,
}, async () => {
  const source = await soldIn(emptyDirectory())
  const cases = [
    [
      "UPDATE records SET body = '{}' WHERE id = 'sale 7'",
      /The row \["transaction",8\] of records is different in the database .* \(body\); the copy is not finished/,
    ],
    ["UPDATE events SET at = at + 1 WHERE id = 'sale 7'", /The row \[8\] of events is different in .* \(at\)/],
    ["DELETE FROM timers WHERE id = 'sale 7'", /The row \[8,"patience"\] of timers is not in the database/],
    ["UPDATE unique_keys SET id = NULL WHERE id = 'sale 7'", /of unique_keys is different in .* \(kind, id\)/],
    ["INSERT INTO idempotency VALUES ('shop', 'more', 'f', 'a', 1)", /has 451 rows of idempotency, and .* has 450/],
    [
      "UPDATE search_terms SET position = 1 WHERE term = 'amount=7'",
      /The row \["shop","transaction","amount=7",8\] of search_terms is not in/,
    ],
  ] as const
  for (const [sql, sentence] of cases) {
    const target = await emptyDatabase()
    await damaged(source, target, () => runAt(target, sql), sentence)
    await rejects(openPostgresAt(target), /is an unfinished copy/)
  }
})

test('a row that differs in a directory is named, and the copy keeps its other name', async () => {
  const [first, source, target] = [await soldIn(emptyDirectory()), await emptyDatabase(), emptyDirectory()]
  await copyBetween(first, source)
  const damage = async () => {
    const database = new Database(draftOf(target))
    database.prepare("UPDATE effects SET body = '{}' WHERE effect_id = 'sale 7.1.start'").run()
    database.close()
  }
  await damaged(source, target, damage, /The row \["shop","sale 7.1.start"\] of effects is different in .* \(body\)/)
  equal(existsSync(join(target, 'tollgate.db')), false)
})

test('an unfinished copy goes on with its own source only, as it was', async () => {
  const [source, other] = [await soldIn(emptyDirectory()), emptyDirectory()]
  const target = await emptyDatabase()
  await rejects(copyBetween(source, target, stopAt(2)), Stopped)
  await asGateway(other, store => sell(store, 3))
  const foreign = /is the unfinished copy of another store, or its source has changed since; remove it and copy again/
  await rejects(copyBetween(other, target), foreign)
  await rejects(copyBetween(target, await emptyDatabase()), /is an unfinished copy/)
  await asGateway(source, store => store.commit(change('one more')))
  await rejects(copyBetween(source, target), foreign)
})

test('a store in use is refused, on either side', { timeout: 60_000 }, async () => {
  const [directory, database, empty] = [await soldIn(emptyDirectory()), await emptyDatabase(), await emptyDatabase()]
  await asGateway(directory, async () => {
    await rejects(copyBetween(directory, empty), /is in use by another running gateway/)
  })
  await asGateway(database, async () => {
    // A gateway renews its leases again and again.
    await runAt(database, "UPDATE leases SET expires_at = 'infinity'")
    await rejects(copyBetween(database, emptyDirectory()), /is in use by another running gateway/)
    await rejects(copyBetween(directory, database), /is in use by another running gateway/)
  })
  const lock = new pg.Client(database)
  await lock.connect()
  // As a gateway has it.
  await lock.query('SELECT pg_advisory_lock(1414483015, 1)')
  await rejects(copyBetween(database, emptyDirectory()), /is in use by another running gateway/)
  await lock.end()
  // Two copies into one target.
  let second: Promise<unknown> | null = null
  const onRows = () => {
    second ??= rejects(copyBetween(directory, empty), /in use by another running gateway/)
  }
  await copyBetween(directory, empty, { onRows })
  ok(second !== null)
  await second
})

test('another schema, a database of another program and a used target are refused', async () => {
  const [directory, target] = [await soldIn(emptyDirectory()), await emptyDatabase()]
  await runAt(target, 'CREATE TABLE invoices (id INTEGER)')
  await rejects(copyBetween(directory, target), /is not empty \(it has a table invoices\)/)
  const used = await emptyDatabase()
  await asGateway(used, store => store.commit(change('sale')))
  await rejects(copyBetween(directory, used), /is not empty \(it has records\)/)
  await runAt(used, "INSERT INTO migrations VALUES (99, 'later')")
  await rejects(copyBetween(directory, used), /was written by a newer Tollgate/)
  await rejects(copyBetween(used, emptyDirectory()), /was written by a newer Tollgate/)
  await runAt(used, 'DELETE FROM migrations WHERE number > 6')
  await rejects(copyBetween(used, emptyDirectory()), /has schema 6, and this version copies schema \d+ only/)
  await rejects(copyBetween(await emptyDatabase(), emptyDirectory()), /holds no gateway/)
  const old = new Database(join(directory, 'tollgate.db'))
  old.exec('DELETE FROM migrations WHERE number > 6')
  old.close()
  await rejects(copyBetween(directory, await emptyDatabase()), /has schema 6, and this version copies/)
})

test('a text that Postgres cannot hold is named before it is sent', async () => {
  const directory = emptyDirectory()
  await asGateway(directory, store => store.commit(change('a\0b')))
  await rejects(
    copyBetween(directory, await emptyDatabase()),
    /The row \["transaction",1\] of records cannot be stored in Postgres; the copy is not finished/,
  )
})

test('a copy to Postgres brings a record that its source does not have, once', async () => {
  const [directory, database, again] = [emptyDirectory(), await emptyDatabase(), await emptyDatabase()]
  await asGateway(directory, store => store.commit(change('sale')))
  const key = keyOf('mode', '(gateway)', 'gateway')
  await copyBetween(directory, database, undefined, { key, body: '{"mode":"live"}', at: NOON })
  await copyBetween(database, again, undefined, { key, body: '{"mode":"live"}', at: NOON })
  for (const where of [database, again])
    await asGateway(where, async store => {
      match((await store.load(key))?.body ?? '', /live/)
      equal((await store.all('gateway', { limit: 9 })).length, 1)
      equal((await store.all('transaction', { limit: 9 })).length, 1)
    })
})
