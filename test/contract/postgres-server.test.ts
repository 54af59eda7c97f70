// test/contract/postgres-server.test.ts — the Postgres of the tests: databases of their own, and nothing left behind.
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { expect, test } from 'vitest'
import { SUPPORTED } from '../../src/store/postgres/inspection.ts'
import { postgresVersion } from '../support/postgres-process.ts'
import { createDatabase, postgresServer } from '../support/postgres-server.ts'

async function tablesIn(connectionString: string, before = ''): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  if (before !== '') await client.query(before)
  const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
  await client.end()
  return rows.map(row => String(row.tablename))
}

test('each database is new and empty', async () => {
  const [one, other] = [await createDatabase(), await createDatabase()]
  notEqual(one, other)
  deepEqual(await tablesIn(one, 'CREATE TABLE a (b integer)'), ['a'])
  deepEqual(await tablesIn(other), [])
})

test('it is the newest supported Postgres, or the one that the run names, and does not wait for the disk', async () => {
  const client = new pg.Client({ connectionString: await createDatabase() })
  await client.connect()
  const { rows } = await client.query(
    "SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('fsync') AS fsync",
  )
  await client.end()
  const { POSTGRES_BIN: named } = process.env
  deepEqual(rows, [{ version: named === undefined ? SUPPORTED.to : await postgresVersion(), fsync: 'off' }])
})

test('test files of one run share the server', async () => {
  const { port, directory } = await postgresServer()
  equal((await postgresServer()).port, port)
  equal(existsSync(directory), true)
})

test('a run that is killed, even while the server starts, leaves nothing behind', async () => {
  const setup = new URL('../support/postgres-setup.ts', import.meta.url).href
  const script = `import { startKeeper } from ${JSON.stringify(setup)}; process.stdout.write(String(startKeeper().child.pid))`
  const run = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
  const [line] = await once(run.stdout, 'data')
  const pid = Number(line)
  await expect.poll(() => directoriesOf(pid).length, { timeout: 15_000 }).toBe(1)
  run.kill('SIGKILL')
  await expect.poll(() => isRunning(pid), { timeout: 25_000 }).toBe(false)
  deepEqual(directoriesOf(pid), [])
}, 60_000)

/** Directories of a keeper. */
function directoriesOf(pid: number): readonly string[] {
  return readdirSync(tmpdir()).filter(name => name.startsWith(`tollgate-postgres-${pid}-`))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
