// test/cli/doctor.test.ts — `tollgate doctor` on intact and on damaged data. It never changes any.
import { deepEqual, equal, match } from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, test } from 'vitest'
import { emptyDirectory, run, runJson, serving, startSale } from './tollgate.ts'

interface Examined {
  readonly healthy: boolean
  readonly findings: readonly { readonly check: string; readonly ok: boolean; readonly told: string }[]
}

/** Findings of the doctor, whatever its exit code. */
async function examine(data: string, env = {}): Promise<Examined & { readonly code: number | null }> {
  const { code, stdout } = await run(['doctor', '--json', '--data', data], env)
  return { ...(JSON.parse(stdout) as Examined), code }
}

/** A data directory with an account in it. */
async function withAccount(): Promise<string> {
  const data = emptyDirectory()
  await runJson(['accounts', 'create', 'harbour', '--data', data, '--name', 'Harbour Café'])
  return data
}

test.concurrent('an empty directory is not a fault', async () => {
  const { code, stdout } = await run(['doctor', '--data', join(emptyDirectory(), 'data')])
  equal(code, 0)
  match(stdout, /^ok {7}Node: 20|^ok {7}Node: 2\d/)
  match(stdout, /ok {7}database: There is none yet/)
  match(stdout, /^(ok {5}|WARNING) {2}currencies: ISO 4217 up to amendment \d+/m)
})

test.concurrent('a running gateway is healthy, and its records are the folds of their events', async () => {
  const data = emptyDirectory()
  const gateway = await serving(data)
  const location = await startSale(gateway.summary.url, 'VCMDEMOSIP0')
  match(location, /\/transactions\//)
  const { port } = new URL(gateway.summary.url)
  const { code, healthy, findings } = await examine(data, { PORT: port })
  deepEqual([code, healthy], [0, true], JSON.stringify(findings))
  for (const check of ['SQLite', 'settings', 'database', 'migrations', 'records', 'timers', 'effects', 'gateway'])
    equal(findings.find(finding => finding.check === check)?.ok, true, check)
  const elsewhere = await examine(data, { PORT: '9' })
  deepEqual(
    elsewhere.findings.filter(finding => !finding.ok).map(({ check }) => check),
    ['gateway'],
  )
  match(elsewhere.findings.find(({ ok }) => !ok)?.told ?? '', /does not answer at http:\/\/127\.0\.0\.1:9/)
})

describe('each fault is reported', () => {
  test.concurrent('a file that is not a database', async () => {
    const data = emptyDirectory()
    writeFileSync(join(data, 'tollgate.db'), 'This is a letter to somebody, and no database at all.'.repeat(100))
    const { code, findings } = await examine(data)
    equal(code, 1)
    match(findings.find(({ ok }) => !ok)?.told ?? '', /cannot be read as a database .* restore it from a backup/)
  })

  test.concurrent('a database of a newer program', async () => {
    const data = await withAccount()
    const database = new Database(join(data, 'tollgate.db'))
    database.prepare('INSERT INTO migrations (number, name) VALUES (?, ?)').run(99, 'later')
    database.close()
    const { code, findings } = await examine(data)
    equal(code, 1)
    match(findings.find(({ check }) => check === 'migrations')?.told ?? '', /written by a newer Tollgate/)
  })

  test.concurrent('a record that is not the fold of its events', async () => {
    const data = await withAccount()
    const database = new Database(join(data, 'tollgate.db'))
    database
      .prepare("UPDATE records SET body = json_set(body, '$.name', 'Someone else') WHERE kind = ?")
      .run('merchant-account')
    database.close()
    const { code, findings } = await examine(data)
    equal(code, 1)
    match(findings.find(({ check }) => check === 'records')?.told ?? '', /merchant-account harbour/)
  })

  test.concurrent('a private key that others can read', async () => {
    const data = await withAccount()
    await run(['token', 'harbour', '--data', data])
    chmodSync(join(data, 'token-key.pem'), 0o644)
    const { code, findings } = await examine(data)
    equal(code, 1)
    match(findings.find(({ check }) => check === 'token key')?.told ?? '', /chmod 600/)
  })

  test.concurrent('a vault key that others can read', async () => {
    const data = await withAccount()
    await run(['vault', 'status', '--data', data])
    chmodSync(join(data, 'vault.key'), 0o640)
    const { code, findings } = await examine(data)
    equal(code, 1)
    match(findings.find(({ check }) => check === 'vault key')?.told ?? '', /chmod 600/)
  })

  test.concurrent('an invalid setting', async () => {
    const { code, findings } = await examine(emptyDirectory(), { TOLLGATE_PACE: 'slow' })
    equal(code, 1)
    match(findings.find(({ check }) => check === 'settings')?.told ?? '', /^TOLLGATE_PACE must be/)
  })

  test.concurrent('a port in use', async ({ onTestFinished }) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as { readonly port: number }
    const { code, findings } = await examine(emptyDirectory(), { PORT: String(port) })
    equal(code, 1)
    match(findings.find(({ check }) => check === 'port')?.told ?? '', /choose another with PORT/)
  })
})
