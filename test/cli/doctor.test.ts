// test/cli/doctor.test.ts — `tollgate doctor` on intact and on damaged data. It never changes any.
import { deepEqual, equal, match } from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, test } from 'vitest'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { OTHER_CERT, OTHER_KEY } from '../support/tls.ts'
import { call, emptyDirectory, run, runJson, serving, startSale } from './tollgate.ts'

interface Examined {
  readonly healthy: boolean
  readonly findings: readonly Finding[]
}

function toldBy(findings: readonly Finding[], check: string): string {
  return findings.find(finding => finding.check === check)?.message ?? ''
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
  const { code, healthy, findings } = await examine(data)
  deepEqual([code, healthy], [0, true], JSON.stringify(findings))
  for (const check of ['SQLite', 'settings', 'database', 'migrations', 'records', 'timers', 'effects', 'gateway'])
    equal(findings.find(finding => finding.check === check)?.ok, true, check)
  match(toldBy(findings, 'gateway'), new RegExp(`is ready at ${gateway.summary.url}`))
})

test.concurrent('the gateway of another directory is not taken for the one of this directory', async () => {
  const other = await serving()
  const { port } = new URL(other.summary.url)
  const data = emptyDirectory()
  const gateway = await serving(data)
  // Stopped by SIGSTOP, it holds its lock and does not answer; the port of the settings is the other's.
  gateway.child.kill('SIGSTOP')
  const { code, findings } = await examine(data, { PORT: port })
  gateway.child.kill('SIGCONT')
  equal(code, 1)
  match(toldBy(findings, 'gateway'), new RegExp(`does not answer at ${gateway.summary.url}`))
})

test.concurrent('a JWT that ends within 30 days is a warning, until there is one that lasts longer', async () => {
  const data = await withAccount()
  const sign = (life: string) => run(['token', 'harbour', '--data', data, '--expires-in', life])
  const jwts = async () => {
    const { code, findings } = await examine(data)
    equal(code, 0)
    const { warning, message } = findings.find(({ check }) => check === 'JWTs') as Finding
    return { warning, message }
  }
  deepEqual(await jwts(), { warning: undefined, message: 'None that this gateway signed expires within 30 days.' })
  await sign('29d')
  const { warning, message } = await jwts()
  equal(warning, true)
  match(message, /^The JWT of account harbour that names API key [\da-f-]+ expires at .* UTC; .*--expires-in 365d/)
  await sign('31d')
  equal((await jwts()).warning, undefined)
  // A short one for a trial does not replace it.
  await sign('1d')
  equal((await jwts()).warning, undefined)
})

describe('the certificate of a running gateway is checked against its public name', () => {
  const check = async (publicUrl: string | null) => {
    const data = emptyDirectory()
    const [cert, key] = [join(data, 'cert.pem'), join(data, 'key.pem')]
    writeFileSync(cert, OTHER_CERT)
    writeFileSync(key, OTHER_KEY, { mode: 0o600 })
    const env = {
      ...{ TOLLGATE_TLS_CERT: cert, TOLLGATE_TLS_KEY: key },
      ...(publicUrl === null ? {} : { TOLLGATE_PUBLIC_URL: publicUrl }),
    }
    await serving(data, env)
    const { findings } = await examine(data, env)
    equal(findings.find(finding => finding.check === 'gateway')?.ok, true)
    return findings.find(finding => finding.check === 'TLS')
  }

  test.concurrent('the name that it is for', async () => {
    const finding = await check('https://pay.example')
    // It is self-signed, so this machine does not trust it.
    deepEqual([finding?.ok, finding?.warning], [true, true])
    match(finding?.message ?? '', /does not trust the certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)/)
  })

  test.concurrent('another name, although it is right for the listening address', async () => {
    const finding = await check('https://till.example')
    equal(finding?.ok, false)
    match(
      finding?.message ?? '',
      /is not for till\.example \(DNS:pay\.example, DNS:localhost, IP Address:127\.0\.0\.1\)/,
    )
  })
})

test.concurrent('an account whose clock is frozen or set back waits, and is no problem', async () => {
  const data = emptyDirectory()
  const gateway = await serving(data)
  const { url } = gateway.summary
  const post = async (path: string, body: object, headers = {}) => {
    const { status } = await call(url + path, { method: 'POST', body: JSON.stringify(body), headers })
    return status
  }
  const clock = (body: object) => post('/sandbox/clock', body)
  equal(await clock({ do: 'freeze' }), 200)
  const sale = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
  const slow = { 'tollgate-scenario': 'approved+slow_acquirer:3600000' }
  equal(await post('/pac/terminals/VCMDEMOSIP0/transactions', sale, slow), 201)
  // The acquirer is asked within these seconds, and its answer waits for the frozen clock.
  equal(await clock({ do: 'advance', ms: 10_000 }), 200)
  const examined = await examine(data, { PORT: new URL(url).port })
  deepEqual([examined.code, examined.healthy], [0, true], JSON.stringify(examined.findings))
  match(
    examined.findings.find(({ check }) => check === 'effects')?.message ?? '',
    /1 wait for the frozen clock of demo/,
  )
})

test.concurrent('a running transaction that a restore takes away is not counted below zero', async () => {
  const { url } = (await serving()).summary
  const running = async () => {
    const text = await (await call(`${url}/metrics`)).text()
    return Number(/^tollgate_transactions_running (.*)$/m.exec(text)?.[1])
  }
  const post = (path: string, body: object, headers = {}) =>
    call(url + path, { method: 'POST', body: JSON.stringify(body), headers })
  await post('/sandbox/clock', { do: 'freeze' })
  const sale = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
  const nobody = { 'tollgate-scenario': 'nobody_presents_card' }
  equal((await post('/pac/terminals/VCMDEMOSIP0/transactions', sale, nobody)).status, 201)
  equal((await post('/sandbox/snapshots', { name: 'one_runs' })).status, 201)
  const seen = [await running()]
  await post('/sandbox/reset', {})
  seen.push(await running())
  for (let count = 0; count < 2; count += 1) {
    await post('/sandbox/snapshots/one_runs/restore', {})
    seen.push(await running())
    await post('/sandbox/clock', { do: 'advance', ms: 120_000 })
    seen.push(await running())
  }
  deepEqual(seen, [1, 0, 1, 0, 1, 0])
})

describe('each fault is reported', () => {
  test.concurrent('a file that is not a database', async () => {
    const data = emptyDirectory()
    writeFileSync(join(data, 'tollgate.db'), 'This is a letter to somebody, and no database at all.'.repeat(100))
    const { code, findings } = await examine(data)
    equal(code, 1)
    match(findings.find(({ ok }) => !ok)?.message ?? '', /cannot be read as a database .* restore it from a backup/)
  })

  test.concurrent('a database of a newer program', async () => {
    const data = await withAccount()
    const database = new Database(join(data, 'tollgate.db'))
    database.prepare('INSERT INTO migrations (number, name) VALUES (?, ?)').run(99, 'later')
    database.close()
    const { code, findings } = await examine(data)
    equal(code, 1)
    match(findings.find(({ check }) => check === 'migrations')?.message ?? '', /written by a newer Tollgate/)
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
    match(findings.find(({ check }) => check === 'records')?.message ?? '', /merchant-account harbour/)
  })

  test.concurrent('a private key that others can read', async () => {
    const data = await withAccount()
    await run(['token', 'harbour', '--data', data])
    chmodSync(join(data, 'token-key.pem'), 0o644)
    const { code, findings } = await examine(data)
    equal(code, 1)
    match(findings.find(({ check }) => check === 'token key')?.message ?? '', /chmod o-rwx/)
  })

  test.concurrent('a vault key that others can read', async () => {
    const data = await withAccount()
    await run(['vault', 'status', '--data', data])
    chmodSync(join(data, 'vault.key'), 0o640)
    equal((await examine(data)).code, 0, 'a group may read it')
    chmodSync(join(data, 'vault.key'), 0o644)
    const { code, findings } = await examine(data)
    equal(code, 1)
    match(findings.find(({ check }) => check === 'vault key')?.message ?? '', /chmod o-rwx/)
  })

  test.concurrent('an invalid setting', async () => {
    const { code, findings } = await examine(emptyDirectory(), { TOLLGATE_PACE: 'slow' })
    equal(code, 1)
    match(findings.find(({ check }) => check === 'settings')?.message ?? '', /^TOLLGATE_PACE must be/)
  })

  test.concurrent('a port in use', async ({ onTestFinished }) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as { readonly port: number }
    const { code, findings } = await examine(emptyDirectory(), { PORT: String(port) })
    equal(code, 1)
    match(findings.find(({ check }) => check === 'port')?.message ?? '', /choose another with PORT/)
  })
})
