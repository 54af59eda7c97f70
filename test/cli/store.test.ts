// test/cli/store.test.ts — `tollgate store copy` of a sandbox to Postgres and back, its kill, its refusals and its output.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { copyFileSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'vitest'
import type { CopiedSection, CopyState } from '../../src/store/copy/sides.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { fullChange } from '../support/changes.ts'
import { createDatabase } from '../support/postgres-server.ts'
import { runAt } from '../support/postgres-store.ts'
import { begin, call, emptyDirectory, run, runJson, serving, startSale } from './tollgate.ts'

interface Summary {
  readonly from: string
  readonly to: string
  readonly mode: string
  readonly sections: readonly CopiedSection[]
  readonly takeAlong: readonly string[]
}

const copy = (from: string, to: string, env = {}) => run(['store', 'copy', '--from', from, '--to', to], env)

interface Page {
  readonly events: readonly { readonly type: string }[]
  readonly next: number
}

async function eventsAfter(url: string, cursor: number, limit = 200): Promise<Page> {
  const answer = await call(`${url}/api/events?limit=${limit}&after=${cursor}`)
  equal(answer.status, 200)
  return (await answer.json()) as Page
}

async function endOf(address: string): Promise<void> {
  for (;;) {
    const answer = await call(address, { headers: { prefer: 'wait=20' } })
    if ('transactionResult' in ((await answer.json()) as object)) return
  }
}

/** A directory with more than a copy does in a moment. */
async function muchIn(directory: string, count: number): Promise<void> {
  const store = await openSqliteStore({ directory })
  for (let number = 0; number < count; number += 2_000)
    await Promise.all(Array.from({ length: 2_000 }, (_, one) => store.commit(fullChange(`sale ${number + one}`))))
  await store.close()
}

test('a sandbox is copied to Postgres and back: its feed and its sales go on', { timeout: 120_000 }, async () => {
  const [data, back, database] = [emptyDirectory(), emptyDirectory(), await createDatabase()]
  const gateway = await serving(data)
  await endOf(await startSale(gateway.summary.url, 'VCMDEMOSIP0'))
  const half = await eventsAfter(gateway.summary.url, 0, 3)
  const rest = await eventsAfter(gateway.summary.url, half.next)
  const running = await copy(data, database)
  deepEqual([running.code, running.stdout], [1, ''])
  match(running.stderr, /^tollgate: .* is in use by another running gateway;[^\n]*\n$/)
  await gateway.stop()

  const there = await runJson<Summary>(['store', 'copy', '--from', data, '--to', 'env:COPY'], { COPY: database })
  equal(there.mode, 'sandbox')
  deepEqual(
    there.takeAlong.map(path => path.replace(`${data}/`, '')),
    ['token-key.pem', 'vault.key', 'sandbox.db'],
  )
  ok(there.sections.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)))
  renameSync(join(data, 'tollgate.db'), join(data, 'tollgate.db.old'))
  const onPostgres = await serving(data, { DATABASE_URL: database })
  deepEqual(await eventsAfter(onPostgres.summary.url, half.next), rest)
  await endOf(await startSale(onPostgres.summary.url, 'VCMDEMOSIP0'))
  const more = await eventsAfter(onPostgres.summary.url, rest.next)
  equal(more.events[0]?.type, 'started')
  const inUse = await copy(database, back)
  deepEqual([inUse.code, inUse.stdout], [1, ''])
  match(inUse.stderr, /is in use by another running gateway/m)
  equal((await onPostgres.stop()).code, 0)
  const { code, stdout, stderr } = await copy(database, back)
  equal(code, 0, stderr)
  match(
    stdout,
    /^.* holds the whole gateway of the database test_\S+ at 127\.0\.0\.1:\d+; each row was compared\.\n {2}gateway {2}sandbox mode, schema \d+\n/,
  )
  match(
    stdout,
    /\nThe simulated world of the sandbox was copied too: \d+ documents\.\n\nNot copied, because it is not in the database: token-key\.pem, vault\.key, demo-shop\.json\.\n$/,
  )
  match(stderr, /^tollgate: Warning: start the gateway on the copy only\./m)
  const { password } = new URL(database)
  for (const text of [stdout, stderr, JSON.stringify(there)])
    ok(!text.includes(`:${password}@`) && !text.includes(database))

  for (const name of ['token-key.pem', 'vault.key']) copyFileSync(join(data, name), join(back, name))
  const again = await serving(back)
  const { url } = again.summary
  deepEqual((await eventsAfter(url, half.next)).events, [...rest.events, ...more.events])
  await endOf(await startSale(url, 'VCMDEMOSIP0'))
  equal((await eventsAfter(url, more.next)).events[0]?.type, 'started')
  equal((await again.stop()).code, 0)
})

test('a copy that is killed keeps gateways away from what it leaves, and goes on', { timeout: 180_000 }, async () => {
  const [data, back, database] = [emptyDirectory(), emptyDirectory(), await createDatabase()]
  await muchIn(data, 6_000)
  /** Kills a copy when it has written the first kind of rows, at the latest while it compares. */
  const killed = async (from: string, to: string, stateOf: () => Promise<CopyState | null> | CopyState | null) => {
    const copying = begin(['store', 'copy', '--from', from, '--to', to])
    let ended = false
    void copying.ended.then(() => (ended = true))
    for (;;) {
      const state = await stateOf()
      ok(!ended, 'the copy was faster than the test')
      if (state !== null && state.sections >= 1) break
    }
    copying.child.kill('SIGKILL')
    equal((await copying.ended).signal, 'SIGKILL')
  }
  await killed(data, database, async () => {
    const [mark] = await runAt<{ exists: boolean }>(database, "SELECT to_regclass('store_copy') IS NOT NULL AS exists")
    if (mark?.exists !== true) return null
    const [found] = await runAt<{ state: string }>(database, 'SELECT state FROM store_copy')
    return found === undefined ? null : (JSON.parse(found.state) as CopyState)
  })
  for (const args of [['serve'], ['accounts', 'list']]) {
    const { code, stderr } = await run([...args, '--data', emptyDirectory()], { DATABASE_URL: database })
    equal(code, 1)
    match(stderr, /^tollgate: The database .* is an unfinished copy of another store; run [^\n]*\n$/)
  }
  const whole = await runJson<Summary>(['store', 'copy', '--from', data, '--to', database])
  deepEqual(
    whole.sections.filter(({ name }) => name === 'records' || name === 'events').map(({ rows }) => rows),
    [6_000, 6_000],
  )

  const draft = join(back, 'tollgate.db.copy')
  await killed(database, back, () => {
    if (!existsSync(draft)) return null
    let file: Database.Database | null = null
    try {
      file = new Database(draft, { readonly: true, timeout: 5_000 })
      const found = file.prepare<[], { state: string }>('SELECT state FROM store_copy').get()
      return found === undefined ? null : (JSON.parse(found.state) as CopyState)
    } catch {
      // Its tables are being made.
      return null
    } finally {
      // An open file would keep the copy from giving it its name.
      file?.close()
    }
  })
  const commands = [['serve'], ['accounts', 'list'], ['backup', join(emptyDirectory(), 'backup')]]
  for (const args of commands) {
    const { code, stderr } = await run([...args, '--data', back])
    equal(code, 1)
    match(
      stderr,
      /^tollgate: .*tollgate\.db\.copy is an unfinished copy of another store; run `tollgate store copy` again[^\n]*\n$/,
    )
  }
  const { code, stdout } = await run(['doctor', '--data', back])
  equal(code, 1)
  match(stdout, /tollgate\.db\.copy is an unfinished copy of another store/)
  const home = await runJson<Summary>(['store', 'copy', '--from', database, '--to', back])
  deepEqual(
    home.sections.map(({ name, rows }) => [name, rows]),
    whole.sections.map(({ name, rows }) => [name, rows]),
  )
  equal(existsSync(draft), false)
})

test('places that cannot be copied are refused with a sentence, without their passwords', {
  timeout: 120_000,
}, async () => {
  const [data, other] = [emptyDirectory(), emptyDirectory()]
  const secret = 'postgres://tollgate:hush-hush@'
  const cases = [
    [data, other, 2, /Both are data directories; use `tollgate backup` and `tollgate restore`/],
    [`${secret}db.example/x`, other, 2, /--from must be a data directory or postgres:/],
    [`${secret}localhost:1/x`, `${secret}localhost:1/x`, 2, /are the same database/],
    [`${secret}127.0.0.1:1/x`, other, 1, /The database x \(.*127\.0\.0\.1:1: connect ECONNREFUSED/],
    ['env:NOWHERE', other, 2, /--from env:NOWHERE is empty/],
    [data, `${secret}127.0.0.1:1/x`, 1, /holds no gateway yet/],
  ] as const
  for (const [from, to, expected, sentence] of cases) {
    const { code, stdout, stderr } = await copy(from, to)
    deepEqual([code, stdout], [expected, ''], stderr)
    match(stderr, sentence)
    ok(!stderr.includes('hush-hush'), stderr)
  }
  equal((await run(['store', 'copy', '--from', data])).code, 2)
})
