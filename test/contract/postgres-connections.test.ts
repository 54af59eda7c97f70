// test/contract/postgres-connections.test.ts — connections to Postgres: what they run, and what they say when it breaks.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { inspect } from 'node:util'
import { describe, onTestFinished, test } from 'vitest'
import { Fault, type FaultCode } from '../../src/engine/fault.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type Connections, type ConnectionsOptions, openConnections } from '../../src/store/postgres/connections.ts'
import { StatementFailed } from '../../src/store/postgres/faults.ts'
import { addressOf, createDatabase } from '../support/postgres-server.ts'
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { TestClock } from '../support/test-clock.ts'

const ONE = { name: 'one', text: 'SELECT 1::bigint AS one' }
const SLEEP = { name: 'sleep', text: 'SELECT pg_sleep(60)' }
const MAKE = { name: 'make', text: 'CREATE TABLE IF NOT EXISTS notes (id text PRIMARY KEY)' }
const ADD = { name: 'add', text: 'INSERT INTO notes (id) VALUES ($1)' }
const ALL = { name: 'all', text: 'SELECT id FROM notes ORDER BY id' }
/** A limit that a new connection keeps on a busy machine, and that `SLOW` exceeds; milliseconds. */
const SHORT_MS = 1_000
const SLOW = { name: 'slow', text: 'SELECT pg_sleep(2)' }
/** More than each limit of time and its slack. */
const LONG_MS = 20_000

function isFault(code: FaultCode, text = /./): (error: unknown) => true {
  return error => {
    ok(error instanceof Fault, inspect(error))
    equal(error.code, code, error.message)
    match(error.message, text)
    return true
  }
}

/** A promise that the test resolves. */
function gate(): { readonly held: Promise<void>; readonly release: () => void } {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  return { held, release }
}

/** A transaction that has begun and holds its connection until `release`. */
async function holding(connections: Connections) {
  const [begun, end] = [gate(), gate()]
  const first = connections.transaction(() => {
    begun.release()
    return end.held
  })
  await begun.held
  return { first, release: end.release }
}

type Options = Partial<ConnectionsOptions>

function opened(url: string, options: Options = {}): Connections {
  const connections = openConnections({ address: addressOf(url), clock: systemClock(), ...options })
  onTestFinished(() => connections.close())
  return connections
}

interface Behind {
  readonly connections: Connections
  readonly proxy: TcpProxy
  readonly clock: TestClock
  /** Connections past the proxy. */
  readonly direct: Connections
}

/** Connections through a proxy, on a hand-driven clock, with a table `notes`. */
async function behindProxy(options: Options = {}): Promise<Behind> {
  const url = await createDatabase()
  const proxy = await openTcpProxy(Number(new URL(url).port))
  onTestFinished(() => proxy.close())
  const clock = new TestClock()
  const through = new URL(url)
  through.port = String(proxy.port)
  const direct = opened(url)
  await direct.query(MAKE, [])
  return { connections: opened(through.href, { clock, ...options }), proxy, clock, direct }
}

const notesIn = async (connections: Connections) =>
  (await connections.query<{ id: string }>(ALL, [])).map(({ id }) => id)

describe('a connection', () => {
  test('gives numbers of 64 bits as numbers', async () => {
    deepEqual(await opened(await createDatabase()).query(ONE, []), [{ one: 1 }])
  })

  test('commits a transaction whole', async () => {
    const connections = opened(await createDatabase())
    await connections.query(MAKE, [])
    const result = await connections.transaction(async query => {
      await query(ADD, ['a'])
      await query(ADD, ['b'])
      return query<{ id: string }>(ALL, [])
    })
    deepEqual(result, [{ id: 'a' }, { id: 'b' }])
    deepEqual(await notesIn(connections), ['a', 'b'])
  })

  test('rolls a transaction back when its work fails, and is used again', async () => {
    const connections = opened(await createDatabase(), { size: 1 })
    await connections.query(MAKE, [])
    const failed = connections.transaction(async query => {
      await query(ADD, ['a'])
      throw new Error('changed our mind')
    })
    await rejects(failed, { message: 'changed our mind' })
    deepEqual(await notesIn(connections), [])
  })

  test('names statement, reason and SQLSTATE of what the database refuses, without the data', async () => {
    const connections = opened(await createDatabase())
    await connections.query(MAKE, [])
    const twice = connections.transaction(async query => {
      await query(ADD, ['4111111111111111'])
      await query(ADD, ['4111111111111111'])
    })
    await rejects(twice, error => {
      ok(error instanceof StatementFailed)
      deepEqual([error.code, error.constraint], ['23505', 'notes_pkey'])
      ok(!inspect(error).includes('4111'))
      return true
    })
    const mistyped = connections.query({ name: 'typed', text: 'SELECT $1::integer' }, ['4111111111111111x'])
    await rejects(mistyped, error => !inspect(error).includes('4111'))
  })

  test('does not commit a transaction in which a statement failed unnoticed', async () => {
    const connections = opened(await createDatabase())
    const failed = connections.transaction(query =>
      query({ name: 'wrong', text: 'SELECT wrong' }, []).catch(() => null),
    )
    await rejects(failed, /failed statement was to be committed/)
  })

  test('runs nothing after the end of a transaction', async () => {
    const connections = opened(await createDatabase())
    const query = await connections.transaction(async inside => inside)
    await rejects(async () => query(ONE, []), /the transaction is over/)
  })

  test('measures the clock of the database within the time of the question', async () => {
    const clock = new TestClock()
    const before = performance.timeOrigin + performance.now()
    const { offsetMs, errorMs } = await opened(await createDatabase(), { clock }).clockOffset()
    const after = performance.timeOrigin + performance.now()
    equal(errorMs, 0)
    ok(offsetMs > before - clock.now() - 1_000 && offsetMs < after - clock.now() + 1_000, String(offsetMs))
  })
})

describe('limits', () => {
  test('the server ends a statement that takes too long', async () => {
    const connections = opened(await createDatabase(), { limits: { statementMs: SHORT_MS } })
    await rejects(connections.query(SLEEP, []), isFault('store_busy', /statement timeout/))
    deepEqual(await connections.query(ONE, []), [{ one: 1 }])
  })

  test('a statement waits for a lock for a limited time', async () => {
    const url = await createDatabase()
    const connections = opened(url, { limits: { lockMs: 100 } })
    await connections.query(MAKE, [])
    await connections.transaction(async query => {
      await query({ name: 'lock', text: 'LOCK TABLE notes' }, [])
      await rejects(opened(url, { limits: { lockMs: 100 } }).query(ADD, ['a']), isFault('store_busy', /lock timeout/))
    })
  })

  test('a transaction may ask for more time', async () => {
    const connections = opened(await createDatabase(), { limits: { statementMs: SHORT_MS } })
    await rejects(
      connections.transaction(query => query(SLOW, [])),
      isFault('store_busy'),
    )
    await connections.transaction(query => query(SLOW, []), 10_000)
  })

  test('who finds no free connection waits, and not for ever', async () => {
    const clock = new TestClock()
    const connections = opened(await createDatabase(), { clock, size: 1 })
    const { first, release } = await holding(connections)
    const second = connections.query(ONE, [])
    const third = connections.query(ONE, [])
    const refused = rejects(Promise.all([second, third]), isFault('store_busy'))
    await clock.advance(LONG_MS)
    await refused
    const fourth = connections.query(ONE, [])
    release()
    await first
    deepEqual(await fourth, [{ one: 1 }])
  })

  test('the end waits for what runs, and refuses what comes after', async () => {
    const connections = opened(await createDatabase())
    await connections.query(MAKE, [])
    const { held, release } = gate()
    const running = connections.transaction(async query => {
      await held
      await query(ADD, ['a'])
      return notesIn({ ...connections, query })
    })
    await connections.query(ONE, [])
    const closing = connections.close()
    await rejects(connections.query(ONE, []), isFault('store_gone'))
    release()
    deepEqual(await running, ['a'])
    await closing
  })
})

describe('an outage', () => {
  test('is a fault that names the database, and ends by itself', async () => {
    const { connections, proxy } = await behindProxy()
    await connections.query(ONE, [])
    await proxy.refuse()
    const refused = isFault(
      'store_unreachable',
      new RegExp(`^The database test_\\w+ \\(127.0.0.1:${proxy.port}: .*ECONNREFUSED`),
    )
    // The connection that it had may not know of its end yet.
    await rejects(connections.query(ONE, []), isFault('store_unreachable'))
    await rejects(connections.query(ONE, []), refused)
    await rejects(
      connections.transaction(query => query(ONE, [])),
      refused,
    )
    await proxy.listen()
    deepEqual(await connections.query(ONE, []), [{ one: 1 }])
  })

  test('fails what runs at once, and the transaction is rolled back', async () => {
    const { connections, proxy, direct } = await behindProxy()
    const running = connections.transaction(async query => {
      await query(ADD, ['a'])
      await query(SLEEP, [])
    })
    const failed = rejects(running, isFault('store_unreachable'))
    await proxy.seen('pg_sleep')
    proxy.cut()
    await failed
    deepEqual(await notesIn(direct), [])
    deepEqual(await notesIn(connections), [])
  })

  test('that leaves connections open ends a statement at its limit', async () => {
    const { connections, proxy, clock } = await behindProxy({ size: 1 })
    await connections.query(ONE, [])
    proxy.stall()
    const failed = rejects(connections.query(ALL, []), isFault('store_unreachable', /no answer/))
    await proxy.seen('all')
    await clock.advance(LONG_MS)
    await failed
    proxy.resume()
    deepEqual(await connections.query(ALL, []), [])
  })

  test('that leaves connections open ends an attempt to connect at its limit', async () => {
    const { connections, proxy, clock } = await behindProxy()
    proxy.stall()
    const failed = rejects(connections.query(ALL, []), isFault('store_unreachable'))
    await proxy.seen('tollgate')
    await clock.advance(LONG_MS)
    await failed
  })

  test('is told to all who wait for a connection at once', async () => {
    const { connections, proxy } = await behindProxy({ size: 1 })
    const { first, release } = await holding(connections)
    const waiting = [connections.query(ONE, []), connections.query(ONE, []), connections.query(ONE, [])]
    const refused = Promise.all(waiting.map(one => rejects(one, isFault('store_unreachable'))))
    await proxy.refuse()
    release()
    // Whether it notices the end before its COMMIT is a matter of moments.
    await rejects(first, Fault)
    await refused
  })
})

describe('a COMMIT', () => {
  test.each([
    { moment: 'before it arrives', written: [] },
    { moment: 'after it arrived', written: ['a'] },
  ])('is unknown when the connection breaks $moment, and can be read back', async ({ moment, written }) => {
    const { connections, proxy } = await behindProxy()
    let committing = false
    proxy.onClient = (bytes, cut) => {
      committing ||= bytes.includes('COMMIT')
      if (!committing || moment !== 'before it arrives') return true
      cut()
      return false
    }
    proxy.onServer = (_, cut) => {
      if (!committing) return true
      cut()
      return false
    }
    const unknown = await connections
      .transaction(query => query(ADD, ['a']))
      .then(
        () => null,
        error => error,
      )
    ok(isFault('commit_unknown')(unknown))
    committing = false
    proxy.onClient = () => true
    proxy.onServer = () => true
    equal(await connections.settled(unknown), true)
    deepEqual(await notesIn(connections), written)
  })

  test('is unknown when its answer does not come in time, and its session is ended before it is read back', async () => {
    const { connections, proxy, clock, direct } = await behindProxy()
    proxy.onClient = bytes => {
      if (bytes.includes('COMMIT')) proxy.stall()
      return true
    }
    const unknown = connections.transaction(query => query(ADD, ['a'])).catch(error => error)
    await proxy.seen('COMMIT')
    await clock.advance(LONG_MS)
    const fault = await unknown
    ok(isFault('commit_unknown', /no answer to COMMIT/)(fault))
    equal(await direct.settled(fault), true)
  })

  test('that the database refuses has rolled back', async () => {
    const connections = opened(await createDatabase())
    const deferred = `CREATE TABLE once (id text, CONSTRAINT first UNIQUE (id) DEFERRABLE INITIALLY DEFERRED)`
    await connections.query({ name: 'once', text: deferred }, [])
    const add = { name: 'add_once', text: "INSERT INTO once VALUES ('a'), ('a')" }
    await rejects(
      connections.transaction(query => query(add, [])),
      error => error instanceof StatementFailed && error.constraint === 'first',
    )
    deepEqual(await connections.query({ name: 'all_once', text: 'SELECT id FROM once' }, []), [])
  })
})

describe('the password', () => {
  test('is in no error', async () => {
    const url = new URL(await createDatabase())
    url.password = 'not-the-password'
    const connections = opened(url.href)
    await rejects(connections.query(ONE, []), error => {
      isFault('store_unreachable', /password authentication failed/)(error)
      ok(!inspect(error, { depth: 10, showHidden: true }).includes('not-the-password'))
      return true
    })
    ok(!inspect(connections, { depth: 10, showHidden: true }).includes('not-the-password'))
  })
})
