// test/contract/postgres-hosts.test.ts — several hosts, a standby that is gone, and TLS: servers with settings of their own.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { DatabaseAddress } from '../../src/config/database-url.ts'
import { Fault } from '../../src/engine/fault.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type Connections, type ConnectionsOptions, openConnections } from '../../src/store/postgres/connections.ts'
import { CommitUnknown } from '../../src/store/postgres/faults.ts'
import { freePort } from '../support/free-port.ts'
import { FAST } from '../support/postgres-keeper.ts'
import { type Postgres, type PostgresOptions, startPostgres } from '../support/postgres-process.ts'
import { TestClock } from '../support/test-clock.ts'
import { OTHER_CERT, TEST_CERT, TEST_KEY } from '../support/tls.ts'

const ONE = { name: 'one', text: 'SELECT 1::bigint AS one' }
const ADD = { name: 'add', text: 'INSERT INTO notes (id) VALUES ($1)' }
const ALL = { name: 'all', text: 'SELECT id FROM notes ORDER BY id' }
const LONG_MS = 20_000
/** An address of this machine that the certificate does not name. */
const UNNAMED = '127.0.0.2'

let standby: Postgres
/** Its synchronous standby has never come. It also speaks TLS. */
let primary: Postgres

async function start({ settings, ...options }: PostgresOptions): Promise<Postgres> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-postgres-hosts-'))
  return startPostgres(directory, { ...options, settings: { ...FAST, ...settings } })
}

beforeAll(async () => {
  ;[standby, primary] = await Promise.all([
    start({ files: { 'standby.signal': '' } }),
    start({
      settings: { synchronous_standby_names: 'gone', ssl: 'on', listen_addresses: `127.0.0.1,${UNNAMED}` },
      files: { 'server.crt': TEST_CERT, 'server.key': TEST_KEY },
    }),
  ])
  await onPrimary('SET synchronous_commit = local; CREATE TABLE notes (id text PRIMARY KEY)')
}, 120_000)

afterAll(async () => {
  await Promise.all([standby?.stop(), primary?.stop()])
})

async function onPrimary(sql: string): Promise<readonly Record<string, unknown>[]> {
  const { port, user, password } = primary
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

function addressAt(ports: readonly number[], tls: DatabaseAddress['tls'] = null, host = '127.0.0.1'): DatabaseAddress {
  const { user, password } = primary
  return { hosts: ports.map(port => ({ host, port })), user, password, database: 'postgres', tls }
}

function opened(address: DatabaseAddress, options: Partial<ConnectionsOptions> = {}): Connections {
  const connections = openConnections({ address, clock: systemClock(), ...options })
  onTestFinished(() => connections.close())
  return connections
}

describe('several hosts', () => {
  test('are tried in turn until one is the primary', async () => {
    const connections = opened(addressAt([await freePort(), standby.port, primary.port]))
    deepEqual(await connections.query(ONE, []), [{ one: 1 }])
  })

  test('are each named with a reason when none is', async () => {
    const dead = await freePort()
    await rejects(opened(addressAt([dead, standby.port])).query(ONE, []), error => {
      ok(error instanceof Fault)
      equal(error.code, 'store_unreachable')
      match(
        error.message,
        new RegExp(`127.0.0.1:${dead}: .*ECONNREFUSED.*; 127.0.0.1:${standby.port}: it is a standby`),
      )
      return true
    })
  })
})

/** Waits until a session waits for the standby. Returns its process number. */
async function waitingForStandby(): Promise<number> {
  let pid = 0
  await expect
    .poll(async () => {
      const [row] = await onPrimary("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
      pid = Number(row?.['pid'] ?? 0)
      return pid
    })
    .toBeGreaterThan(0)
  return pid
}

/** Adds a note; resolves to the fault. */
async function unknownOf(connections: Connections, id: string): Promise<CommitUnknown> {
  const outcome = await connections.transaction(query => query(ADD, [id])).catch(error => error)
  ok(outcome instanceof CommitUnknown, inspect(outcome))
  return outcome
}

describe('while the synchronous standby is gone', () => {
  test('the gateway bounds the wait for COMMIT, which its session outlives until it is ended', async () => {
    const clock = new TestClock()
    const connections = opened(addressAt([primary.port]), { clock, size: 2 })
    deepEqual(await connections.query(ONE, []), [{ one: 1 }])
    const unknown = unknownOf(connections, 'late')
    await waitingForStandby()
    await clock.advance(LONG_MS)
    const fault = await unknown
    // What is read before the end of the session says nothing: it is not there, and will be.
    deepEqual(await connections.query(ALL, []), [])
    equal(await opened(addressAt([primary.port])).settled(fault), true)
    deepEqual(await onPrimary("SELECT id FROM notes WHERE id = 'late'"), [{ id: 'late' }])
  })

  test('a COMMIT that is cancelled there succeeds with a warning and is unknown', async () => {
    const connections = opened(addressAt([primary.port]))
    const unknown = unknownOf(connections, 'cancelled')
    await onPrimary(`SELECT pg_cancel_backend(${await waitingForStandby()})`)
    match((await unknown).message, /not confirmed by the standby/)
    deepEqual(await onPrimary("SELECT id FROM notes WHERE id = 'cancelled'"), [{ id: 'cancelled' }])
  })

  test('a session whose late COMMIT is answered at last is used again', async () => {
    const clock = new TestClock()
    const connections = opened(addressAt([primary.port]), { clock, size: 1 })
    await connections.query(ONE, [])
    const unknown = unknownOf(connections, 'answered late')
    const pid = await waitingForStandby()
    await clock.advance(6_000)
    await unknown
    const next = connections.query(ONE, [])
    await onPrimary(`SELECT pg_cancel_backend(${pid})`)
    deepEqual(await next, [{ one: 1 }])
  })

  test('late COMMITs do not use up the server: further transactions are refused, and reads go on', async () => {
    const clock = new TestClock()
    const connections = opened(addressAt([primary.port]), { clock })
    await connections.query(ONE, [])
    for (const id of ['1', '2', '3', '4', '5']) {
      const unknown = unknownOf(connections, id)
      await expect
        .poll(async () => (await onPrimary("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")).length)
        .toBe(Number(id))
      await clock.advance(6_000)
      await unknown
    }
    await rejects(
      connections.transaction(query => query(ADD, ['6'])),
      (error: unknown) => error instanceof Fault && error.code === 'store_unreachable' && /COMMIT/.test(error.message),
    )
    deepEqual(await connections.query(ONE, []), [{ one: 1 }])
    await onPrimary("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
  })
})

describe('TLS', () => {
  const files = { ca: TEST_CERT, cert: null, key: null }

  test('is used when the URL asks for it', async () => {
    const encrypted = { name: 'tls', text: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()' }
    const required = { verify: 'none', ca: null, cert: null, key: null } as const
    deepEqual(await opened(addressAt([primary.port], required)).query(encrypted, []), [{ ssl: true }])
    deepEqual(await opened(addressAt([primary.port])).query(encrypted, []), [{ ssl: false }])
  })

  test('checks the issuer and the name of the server as far as the URL asks', async () => {
    const full = { ...files, verify: 'full' } as const
    deepEqual(await opened(addressAt([primary.port], full, 'localhost')).query(ONE, []), [{ one: 1 }])
    const others = { ...files, ca: OTHER_CERT, verify: 'ca' } as const
    await rejects(opened(addressAt([primary.port], others)).query(ONE, []), /certificate/)
    deepEqual(await opened(addressAt([primary.port], { ...files, verify: 'ca' }, UNNAMED)).query(ONE, []), [{ one: 1 }])
    await rejects(opened(addressAt([primary.port], full, UNNAMED)).query(ONE, []), /127\.0\.0\.2/)
  })

  test('is never given up', async () => {
    const required = { verify: 'none', ca: null, cert: null, key: null } as const
    await rejects(opened(addressAt([standby.port], required)).query(ONE, []), /does not support SSL/)
  })
})
