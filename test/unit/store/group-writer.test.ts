// test/unit/store/group-writer.test.ts — groups of changes in one transaction, and failures in a group.
import { deepEqual, equal, throws } from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, SqliteError } from 'better-sqlite3'
import { onTestFinished, test } from 'vitest'
import { createFile, migrateFile, openForReading, openForWriting } from '../../../src/store/sqlite/database.ts'
import { groupWriter, type Outcome, type Work } from '../../../src/store/sqlite/group-writer.ts'
import { change, effect } from '../../support/changes.ts'

async function openDatabase(): Promise<Database> {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-'))
  const file = join(directory, 'tollgate.db')
  createFile(file)
  migrateFile(file)
  const database = openForWriting(file)
  onTestFinished(async () => {
    database.close()
    await rm(directory, { recursive: true })
  })
  return database
}

const write = (id: string, named = {}): Work => ({ type: 'commit', commit: change(id, named) })
function writing(database: Database): (works: readonly Work[]) => readonly Outcome[] {
  const group = groupWriter(database)
  return works => {
    group.add(works)
    return group.end()
  }
}
const results = (outcomes: readonly Outcome[]) =>
  outcomes.map(outcome => (typeof outcome === 'object' ? 'error' : outcome))
const idsIn = (database: Database) => database.prepare('SELECT id FROM records ORDER BY position').pluck().all()

test('later changes of a group see what earlier ones have written', async () => {
  const database = await openDatabase()
  const group = writing(database)
  const outcomes = group([
    write('sale', { lockKey: 'terminal' }),
    write('rival', { lockKey: 'terminal' }),
    write('sale', { expectedVersion: 1, live: false }),
    write('next', { lockKey: 'terminal' }),
  ])
  deepEqual(results(outcomes), ['written', 'lock_key_taken', 'written', 'written'])
})

test('a change that fails does not affect the others of its group', async () => {
  const database = await openDatabase()
  const group = writing(database)
  const bug = { effects: [effect('twin'), effect('twin')] }
  deepEqual(results(group([write('a'), write('b', bug), write('c'), write('d', bug)])), [
    'written',
    'error',
    'written',
    'error',
  ])
  deepEqual(idsIn(database), ['a', 'c'])
  throws(() => group([write('e', bug)]), /UNIQUE constraint failed: effects.effect_id/)
  deepEqual(results(group([write('f')])), ['written'])
})

test('a group grows until it ends, and is not visible to readers before', async () => {
  const database = await openDatabase()
  const group = groupWriter(database)
  const reader = openForReading(database.name)
  onTestFinished(() => void reader.close())
  group.add([write('a', { lockKey: 'terminal' })])
  group.add([write('b', { lockKey: 'terminal' }), write('c')])
  deepEqual(idsIn(reader), [])
  deepEqual(results(group.end()), ['written', 'lock_key_taken', 'written'])
  deepEqual(idsIn(reader), ['a', 'c'])
  deepEqual(group.end(), [])
})

test('a change that fails in a later part of a group does not affect earlier parts', async () => {
  const database = await openDatabase()
  const group = groupWriter(database)
  const bug = { effects: [effect('twin'), effect('twin')] }
  group.add([write('a')])
  group.add([write('b', bug)])
  group.add([write('c'), write('d', bug)])
  deepEqual(results(group.end()), ['written', 'error', 'written', 'error'])
  deepEqual(idsIn(database), ['a', 'c'])
})

test('a full disk in a later part of a group fails the whole group', async () => {
  const database = await openDatabase()
  const group = groupWriter(database)
  group.add([write('before')])
  group.end()
  database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`)
  group.add([write('small')])
  const large = { body: JSON.stringify('x'.repeat(100_000)) }
  throws(() => group.add([write('large', large)]), { code: 'SQLITE_FULL' })
  deepEqual(group.end(), [])
  deepEqual(idsIn(database), ['before'])
  database.pragma('max_page_count = 100000')
  group.add([write('small'), write('large', large)])
  deepEqual(results(group.end()), ['written', 'written'])
})

test('bookkeeping is written without a sync, and the next group is synced again', async () => {
  const database = await openDatabase()
  const group = groupWriter(database)
  group.add([write('sale', { effects: [effect('e1')] })])
  group.end()
  const pragmas: string[] = []
  const pragma = database.pragma.bind(database)
  database.pragma = (source, options) => {
    pragmas.push(source)
    return pragma(source, options)
  }
  deepEqual(group.writeUnsynced([{ type: 'effects_done', effectIds: ['e1'] }]), [1])
  deepEqual(pragmas, ['synchronous = NORMAL', 'synchronous = FULL'])
  equal(database.prepare('SELECT count(*) FROM effects').pluck().get(), 0)
  equal(database.pragma('synchronous', { simple: true }), 2)
})

test('a full disk fails the whole group, and the next is written once there is room', async () => {
  const database = await openDatabase()
  const group = writing(database)
  group([write('before')])
  const pages = database.pragma('page_count', { simple: true })
  database.pragma(`max_page_count = ${pages}`)
  const large = { body: JSON.stringify('x'.repeat(100_000)) }
  throws(() => group([write('small'), write('large', large)]), { code: 'SQLITE_FULL' })
  equal(database.inTransaction, false)
  deepEqual(idsIn(database), ['before'])
  database.pragma('max_page_count = 100000')
  deepEqual(results(group([write('small'), write('large', large)])), ['written', 'written'])
})

/** A database whose COMMIT fails once, with or without effect. */
function failingOnce(database: Database, carriedOut: boolean): Database {
  let fails = true
  return new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'prepare') return typeof value === 'function' ? value.bind(target) : value
      return (sql: string) => {
        const statement = target.prepare(sql)
        if (sql !== 'COMMIT') return statement
        return {
          run() {
            if (!fails || carriedOut) statement.run()
            if (!fails) return
            fails = false
            throw new SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE')
          },
        }
      }
    },
  })
}

test('a COMMIT that fails after it took effect counts as written', async () => {
  const database = await openDatabase()
  const group = writing(failingOnce(database, true))
  const outcomes = group([
    write('sale'),
    { type: 'effects_done', effectIds: [] },
    write('sale', { expectedVersion: 1 }),
    write('sale', { expectedVersion: 1 }),
  ])
  deepEqual(outcomes, ['written', 0, 'written', 'version_moved'])
  deepEqual(idsIn(database), ['sale'])
})

test('a COMMIT that fails without effect rejects its whole group, and the next group is written', async () => {
  const database = await openDatabase()
  const group = writing(failingOnce(database, false))
  throws(() => group([write('sale'), write('refund')]), { code: 'SQLITE_IOERR_WRITE' })
  deepEqual(idsIn(database), [])
  deepEqual(group([write('sale')]), ['written'])
  deepEqual(idsIn(database), ['sale'])
})
