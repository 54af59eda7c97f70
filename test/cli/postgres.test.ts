// test/cli/postgres.test.ts — the gateway on Postgres as a process: start, kill, outage, and reasons not to start.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgresVersion } from '../support/postgres-process.ts'
import { createDatabase } from '../support/postgres-server.ts'
import { runAt } from '../support/postgres-store.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'
import { call, emptyDirectory, run, runJson, serving, startSale } from './tollgate.ts'

/** A terminal without a script: a sale on it goes on until a key is pressed or it is cancelled. */
const PATIENT = '22160001'
/** A terminal that approves. */
const APPROVING = 'VCMDEMOSIP0'

interface Body {
  readonly transactionResult?: string
}

async function finished(location: string): Promise<Body> {
  let body: Body = {}
  await expect
    .poll(
      async () => {
        const answer = await call(location)
        if (answer.status === 200) body = (await answer.json()) as Body
        return body.transactionResult
      },
      { timeout: 20_000 },
    )
    .toBeDefined()
  return body
}

/** The same path at a gateway on another port. */
function at(url: string, location: string): string {
  return url + new URL(location).pathname
}

/** Starts a gateway that must not start, and returns its one-sentence error. */
async function sentenceOf(data: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { code, stdout, stderr } = await run(['serve', '--data', data], env)
  deepEqual({ code, stdout }, { code: 1, stdout: '' }, stderr)
  match(stderr, /^tollgate: .*\.\n$/)
  equal(stderr.trim().split('\n').length, 1, stderr)
  return stderr
}

test('a gateway that is killed goes on where it was, and finishes everything', async () => {
  const env = { DATABASE_URL: await createDatabase() }
  const data = emptyDirectory()
  const first = await serving(data, env)
  const done = await startSale(first.summary.url, APPROVING)
  equal((await finished(done)).transactionResult, 'SUCCESSFUL')
  const running = await startSale(first.summary.url, PATIENT)
  first.child.kill('SIGKILL')
  await first.ended
  const second = await serving(data, env)
  const { url } = second.summary
  // The header names the signing key.
  equal(second.summary.token?.split('.')[0], first.summary.token?.split('.')[0])
  equal((await finished(at(url, done))).transactionResult, 'SUCCESSFUL')
  const cancelled = await call(at(url, running), { method: 'DELETE' })
  ok(cancelled.ok, String(cancelled.status))
  equal((await finished(at(url, running))).transactionResult, 'CANCELLED')
  equal(existsSync(join(data, 'tollgate.db')), false)
  const { code } = await second.stop()
  equal(code, 0)
  ok(!second.said().includes(new URL(env.DATABASE_URL).password))
}, 120_000)

test('while the database is away every request is 503 with Retry-After, and afterwards the gateway serves', async () => {
  const database = new URL(await createDatabase())
  const proxy = await openTcpProxy(Number(database.port))
  onTestFinished(() => proxy.close())
  database.port = String(proxy.port)
  const gateway = await serving(emptyDirectory(), { DATABASE_URL: database.href })
  const { url } = gateway.summary
  await proxy.refuse()
  const sale = await call(`${url}/pac/terminals/${APPROVING}/transactions`, {
    method: 'POST',
    body: JSON.stringify({ transactionType: 'SALE', amount: 2599, currency: 'GBP' }),
  })
  deepEqual([sale.status, sale.headers.get('retry-after')], [503, '5'])
  const list = await call(`${url}/api/transactions`)
  deepEqual([list.status, list.headers.get('retry-after')], [503, '5'])
  await expect.poll(async () => (await fetch(`${url}/health/ready`)).status, { timeout: 15_000 }).toBe(503)
  equal((await fetch(`${url}/health/live`)).status, 200)
  await proxy.listen()
  await expect.poll(async () => (await fetch(`${url}/health/ready`)).status, { timeout: 20_000 }).toBe(200)
  equal((await finished(await startSale(url, APPROVING))).transactionResult, 'SUCCESSFUL')
  equal((await gateway.stop()).code, 0)
}, 120_000)

test('two sandboxes with one vault key on one database are nodes with one simulated world', async () => {
  const env = { DATABASE_URL: await createDatabase() }
  const [data, other] = [emptyDirectory(), emptyDirectory()]
  const first = await serving(data, env)
  copyFileSync(join(data, 'vault.key'), join(other, 'vault.key'))
  const second = await serving(other, env)
  const urls = [first.summary.url, second.summary.url]
  const fault = { fault: 'http_503', method: 'GET', path: '/pac/terminals', times: 2 }
  const arm = async () => {
    // An arming that was not answered may have happened.
    await call(`${urls[1]}/sandbox/faults`, { method: 'DELETE' })
    const body = JSON.stringify(fault)
    const headers = { 'content-type': 'application/json' }
    return (await call(`${urls[1]}/sandbox/faults`, { method: 'POST', headers, body })).status
  }
  const hit = async () => {
    const statuses = [await arm()]
    for (const url of [...urls, ...urls]) statuses.push((await call(`${url}/pac/terminals`)).status)
    return statuses.toSorted()
  }
  // While a lane is on its way between the two, both refuse what is about its accounts.
  await expect.poll(hit, { timeout: 20_000 }).toEqual([200, 200, 201, 503, 503])
  const sale = await startSale(second.summary.url, APPROVING)
  equal((await finished(at(first.summary.url, sale))).transactionResult, 'SUCCESSFUL')
  const files = readdirSync(other).filter(name => name.startsWith('sandbox.db'))
  deepEqual(files, [])
  equal((await first.stop()).code, 0)
  equal((await finished(await startSale(second.summary.url, APPROVING))).transactionResult, 'SUCCESSFUL')
  equal((await second.stop()).code, 0)
}, 120_000)

describe('the reason why a gateway does not start is one sentence', () => {
  test('an address for other nodes that is not of this machine', async () => {
    const env = { DATABASE_URL: await createDatabase(), TOLLGATE_NODE_LISTEN: '192.0.2.1:4021' }
    match(
      await sentenceOf(emptyDirectory(), env),
      /Cannot listen for other nodes on 192\.0\.2\.1, port 4021; choose another address with TOLLGATE_NODE_LISTEN \(/,
    )
  })

  test('a database that cannot be reached', async () => {
    const env = { DATABASE_URL: 'postgres://tollgate:hidden@127.0.0.1:1/none' }
    const sentence = await sentenceOf(emptyDirectory(), env)
    match(sentence, /The database none \(127.0.0.1:1: connect ECONNREFUSED/)
    ok(!sentence.includes('hidden'))
  })

  test('other vault keys, the other mode, and a data directory with another signing key', async () => {
    const env = { DATABASE_URL: await createDatabase() }
    const data = emptyDirectory()
    await (await serving(data, env)).stop()
    // An empty directory: a sandbox makes a vault key of its own there.
    match(
      await sentenceOf(emptyDirectory(), env),
      /entries under key [\da-f]{12}, which is not among the configured keys/,
    )
    const live = { ...env, TOLLGATE_MODE: 'live', TOLLGATE_TRUSTED_PROXY: '127.0.0.1' }
    const key = { TOLLGATE_VAULT_KEY: randomBytes(32).toString('base64') }
    match(
      await sentenceOf(data, { ...live, ...key }),
      /belongs to a gateway in sandbox mode; start it with TOLLGATE_MODE=sandbox/,
    )
    const other = emptyDirectory()
    await (await serving(other)).stop()
    copyFileSync(join(other, 'token-key.pem'), join(data, 'token-key.pem'))
    match(
      await sentenceOf(data, env),
      /token-key.pem is key [\w-]{16}, and the gateway of this database signs JWTs with key/,
    )
  }, 120_000)

  test('a data directory with a gateway on SQLite, and one whose gateway is on Postgres', async () => {
    const env = { DATABASE_URL: await createDatabase() }
    const data = emptyDirectory()
    await (await serving(data)).stop()
    match(await sentenceOf(data, env), /holds a gateway on SQLite, and the database of DATABASE_URL holds none/)
    const onPostgres = emptyDirectory()
    await (await serving(onPostgres, env)).stop()
    match(await sentenceOf(onPostgres, {}), /belongs to a gateway on Postgres \(The database .*\); set DATABASE_URL/)
    const { code, stderr } = await run(['accounts', 'list', '--data', onPostgres])
    equal(code, 1)
    match(stderr, /belongs to a gateway on Postgres/)
  }, 120_000)
})

test('the command line works on the database, beside its gateway and without', async () => {
  const env = { DATABASE_URL: await createDatabase() }
  const data = emptyDirectory()
  const none = await run(['accounts', 'list', '--data', data], env)
  equal(none.code, 1)
  match(none.stderr, /The database test_\w+ at .* holds no gateway yet/)
  const gateway = await serving(data, env)
  const { url } = gateway.summary
  const made = await runJson<{ apiKey: string }>(
    ['accounts', 'create', 'harbour', '--data', data, '--name', 'Harbour'],
    env,
  )
  await expect.poll(async () => (await call(`${url}/pac/terminals`, {}, made.apiKey)).status).toBe(200)
  const { keys } = await runJson<{ keys: readonly { id: string }[] }>(['keys', 'list', 'harbour', '--data', data], env)
  equal(keys.length, 1)
  await run(['keys', 'revoke', 'harbour', keys[0]!.id, '--data', data], env)
  await expect.poll(async () => (await call(`${url}/pac/terminals`, {}, made.apiKey)).status).toBe(401)
  const { token } = await runJson<{ token: string }>(['token', '--data', data, '--audience', url], env)
  equal(token, gateway.summary.token)
  const rotated = await runJson<{ rewrapped: number }>(['vault', 'rotate', '--data', data], env)
  ok(rotated.rewrapped > 0)
  await gateway.stop()
  equal((await serving(data, env)).summary.accounts.length > 0, true)
}, 180_000)

test.each(['backup', 'restore'])('%s names what to use instead', async command => {
  const env = { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/none' }
  const { code, stderr } = await run([command, join(emptyDirectory(), 'copy')], env)
  equal(code, 1)
  match(stderr, /^tollgate: This gateway is on Postgres: .*pg_dump.*vault keys.*data directory.*\.\n$/)
})

test('the settings show that a database is set, and not which', async () => {
  const { stdout } = await run(['config'], { DATABASE_URL: 'postgres://u:hidden@127.0.0.1/d' })
  match(stdout, /DATABASE_URL +\(set\) +environment/)
  ok(!stdout.includes('hidden'))
})

describe('the doctor', () => {
  interface Examined {
    readonly healthy: boolean
    readonly findings: readonly { readonly check: string; readonly ok: boolean; readonly message: string }[]
  }

  async function examine(data: string, env: Readonly<Record<string, string>>) {
    const { code, stdout } = await run(['doctor', '--json', '--data', data], env)
    const { findings } = JSON.parse(stdout) as Examined
    return { code, of: (check: string) => findings.find(finding => finding.check === check) }
  }

  test('examines the database of a running gateway', async () => {
    const env = { DATABASE_URL: await createDatabase() }
    const data = emptyDirectory()
    const empty = await examine(data, env)
    match(empty.of('migrations')?.message ?? '', /database is empty/)
    const gateway = await serving(data, env)
    await finished(await startSale(gateway.summary.url, APPROVING))
    const { of } = await examine(data, env)
    match(of('database')?.message ?? '', new RegExp(`is Postgres ${await postgresVersion()}\\.`))
    match(of('clock')?.message ?? '', /The database's clock is \d+ ms (ahead|behind) \(± \d+ ms\)\./)
    for (const check of [
      'database',
      'migrations',
      'clock',
      'mode',
      'keys',
      'nodes',
      'records',
      'timers',
      'effects',
      'JWTs',
      'gateway',
    ])
      equal(of(check)?.ok, true, `${check}: ${of(check)?.message}`)
    // On a busy machine a node may be late with its renewal, and counts as silent meanwhile.
    const reached = /^Reached over the link: \S+:\d+ at 127\.0\.0\.1:\d+\.$/
    const nodes = async () => (await examine(data, env)).of('nodes')?.message
    await expect.poll(nodes, { timeout: 60_000 }).toMatch(reached)
    // The server of the tests does not sync.
    match(of('durability')?.message ?? '', /fsync is off/)
    await gateway.stop()
    const elsewhere = await examine(emptyDirectory(), env)
    match(elsewhere.of('keys')?.message ?? '', /vault.key is missing/)
    const otherKey = { ...env, TOLLGATE_VAULT_KEY: randomBytes(32).toString('base64') }
    match((await examine(data, otherKey)).of('keys')?.message ?? '', /not among the configured keys/)
  }, 180_000)

  test('names nodes that cannot be reached', async () => {
    const env = { DATABASE_URL: await createDatabase() }
    const data = emptyDirectory()
    const gateway = await serving(data, env)
    const pretend = (name: string, address: string) =>
      runAt(
        env.DATABASE_URL,
        `INSERT INTO nodes (node, name, version, address, started_at, seen_at, read_to, leaving)
         VALUES (nextval('writers'), '${name}', '0', '${address}', now(), now() + interval '1 hour', 0, FALSE)`,
      )
    await pretend('elsewhere:1', '127.0.0.1:1')
    const { stdout } = await run(['doctor', '--data', data], env)
    match(
      stdout,
      /PROBLEM {2}nodes: Node elsewhere:1 listens .* at 127\.0\.0\.1:1, and cannot be reached .*ECONNREFUSED/,
    )
    match(
      stdout,
      /PROBLEM {2}nodes: Node \S+ listens .*, which those on other machines cannot reach; .*TOLLGATE_NODE_LISTEN/,
    )
    await gateway.stop()
  }, 120_000)

  test('says why a database cannot be reached', async () => {
    const { code, of } = await examine(emptyDirectory(), { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/none' })
    equal(code, 1)
    match(of('database')?.message ?? '', /127.0.0.1:1: connect ECONNREFUSED/)
  })
})
