// test/contract/postgres-commits.test.ts — a connection that breaks during COMMIT: what happened is read back, and nothing is
// written twice. ADR 61.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import pg from 'pg'
import { onTestFinished, test } from 'vitest'
import { Fault, type FaultCode } from '../../src/engine/fault.ts'
import type { Commit } from '../../src/engine/ports/store.ts'
import { change, effect, envelope, fullChange, keyOf } from '../support/changes.ts'
import { emptyDatabase, openPostgresAt, runAt } from '../support/postgres-store.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'

/** COMMIT as a client sends it: a simple query. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1')

const isFault = (code: FaultCode) => (error: unknown) => error instanceof Fault && error.code === code

/** A store whose connections go through a proxy, with one record; and a second way into its database. */
async function open() {
  const url = await emptyDatabase()
  const proxy = await openTcpProxy(Number(new URL(url).port))
  onTestFinished(() => proxy.close())
  const through = new URL(url)
  through.port = String(proxy.port)
  const store = await openPostgresAt(through.href)
  equal(await store.commit(fullChange('first')), 'written')
  const stored = () => runAt<{ id: string; version: string }>(url, 'SELECT id, version FROM records ORDER BY position')
  return { url, proxy, store, stored }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Cuts the connection of the next COMMIT before it reaches the server. */
function cutBefore({ proxy }: Opened): void {
  proxy.onClient = (bytes, cut) => {
    if (!bytes.includes(COMMIT)) return true
    proxy.onClient = () => true
    cut()
    return false
  }
}

/** Lets the next COMMIT reach the server, and cuts the connection instead of passing on its answer. */
function cutAfter({ proxy }: Opened, onCut = () => {}): void {
  proxy.onClient = bytes => {
    if (!bytes.includes(COMMIT)) return true
    proxy.onClient = () => true
    proxy.onServer = (_, cut) => {
      proxy.onServer = () => true
      cut()
      onCut()
      return false
    }
    return true
  }
}

test('a COMMIT that was cut after it had arrived is written, once, and so is its whole group', async () => {
  const opened = await open()
  const { store, stored } = opened
  cutAfter(opened)
  const results = await Promise.all([
    store.commit(fullChange('sale')),
    store.commit(fullChange('busy', { lockKey: 'terminal of first' })),
    store.commit(fullChange('refund', { account: 'other' })),
  ])
  deepEqual(results, ['written', 'lock_key_taken', 'written'])
  deepEqual(
    (await stored()).map(({ id, version }) => `${id} ${version}`),
    ['first 1', 'sale 1', 'refund 1'],
  )
  equal((await store.eventsOf(keyOf('sale'))).length, 1)
  equal(await store.commit(change('sale', { expectedVersion: 1 })), 'written')
})

test('a COMMIT that was cut before it arrived is not written, and is not repeated', async () => {
  const opened = await open()
  const { store, stored } = opened
  cutBefore(opened)
  await rejects(store.commit(fullChange('sale')), isFault('store_unreachable'))
  deepEqual(
    (await stored()).map(({ id }) => id),
    ['first'],
  )
  equal(await store.commit(fullChange('sale')), 'written')
})

/** Commits without events, as the vault makes them, and of a record that was there before. */
const WITHOUT_EVENTS: readonly (readonly [string, Commit])[] = [
  ['a new record', change('entry', { live: false })],
  ['a further version', change('first', { expectedVersion: 1, body: '"new"', effects: [effect('next')] })],
]

test.each(WITHOUT_EVENTS)('without events the record says what happened: %s', async (_, commit) => {
  const opened = await open()
  const { store } = opened
  const before = await store.load(commit)
  cutBefore(opened)
  await rejects(store.commit(commit), isFault('store_unreachable'))
  deepEqual(await store.load(commit), before)
  cutAfter(opened)
  equal(await store.commit(commit), 'written')
  equal((await store.load(commit))?.body, commit.body)
})

test('while the database cannot be reached the outcome is unknown, and is reported as unknown', async () => {
  const opened = await open()
  const { store, proxy, stored } = opened
  let refused: Promise<void> = Promise.resolve()
  cutAfter(opened, () => {
    refused = proxy.refuse()
  })
  await rejects(store.commit(fullChange('sale')), isFault('commit_unknown'))
  await refused
  deepEqual(
    (await stored()).map(({ id }) => id),
    ['first', 'sale'],
  )
  await rejects(store.commit(fullChange('refund')), isFault('store_unreachable'))
  await proxy.listen()
  // The caller looks, and does not guess.
  equal(await store.commit(fullChange('sale')), 'idempotency_key_taken')
  equal(await store.commit(fullChange('refund')), 'written')
})

test('a change whose outcome was unknown is given once, when it is found to be written, whatever was read meanwhile', async () => {
  const opened = await open()
  const { store, proxy } = opened
  const others = await store.followOthers()
  const given = async () => (await others.next(100)).map(({ id }) => id)
  deepEqual(await given(), [])
  let refused: Promise<void> = Promise.resolve()
  cutAfter(opened, () => {
    refused = proxy.refuse()
  })
  await rejects(store.commit(fullChange('sale')), isFault('commit_unknown'))
  await refused
  await rejects(others.next(100), isFault('store_unreachable'))
  await proxy.listen()
  // Own changes, whose outcome is known, are not given.
  equal(await store.commit(fullChange('refund')), 'written')
  deepEqual(await given(), ['sale'])
  deepEqual(await given(), [])
})

test('a change is given while its outcome is still looked for, because other processes see it; then its caller looks, too', async () => {
  const opened = await open()
  const { store, proxy, url } = opened
  const others = await store.followOthers()
  const given = async () => (await others.next(100)).map(({ id }) => id)
  deepEqual(await given(), [])
  const isCut = new Promise<void>(resolve => {
    cutAfter(opened, () => {
      proxy.stall()
      resolve()
    })
  })
  const late = rejects(store.commit(fullChange('sale')), isFault('commit_unknown'))
  await isCut
  const holder = new pg.Client(url)
  await holder.connect()
  await holder.query("BEGIN; UPDATE feeds SET groups = groups WHERE account = 'shop'")
  proxy.resume()
  deepEqual(await given(), ['sale'])
  await holder.query('ROLLBACK')
  await holder.end()
  await late
  deepEqual(await given(), [])
})

test('a change that was rolled back is never given', async () => {
  const opened = await open()
  const { store } = opened
  const others = await store.followOthers()
  cutBefore(opened)
  await rejects(store.commit(fullChange('sale')), isFault('store_unreachable'))
  deepEqual(await others.next(100), [])
})

test('a record that another process has changed since says nothing, so the outcome is unknown', async () => {
  const opened = await open()
  const { store, proxy, url } = opened
  const entry = change('entry', { live: false })
  equal(await store.commit(entry), 'written')
  const isCut = new Promise<void>(resolve => {
    cutAfter(opened, () => {
      // The look waits until the other process is done.
      proxy.stall()
      resolve()
    })
  })
  const late = store.commit(change('entry', { expectedVersion: 1, live: false }))
  const rejected = rejects(late, isFault('commit_unknown'))
  await isCut
  await runAt(url, "UPDATE records SET version = 7 WHERE id = 'entry'")
  proxy.resume()
  await rejected
  equal((await store.load(keyOf('entry')))?.version, 7)
})

test('after a failover numbers are drawn again, and what another process writes under them is not taken for what was lost', async () => {
  const opened = await open()
  const { store, proxy, url, stored } = opened
  const other = await openPostgresAt(url)
  const [drawn] = await runAt<{ last_value: string }>(url, 'SELECT last_value FROM places')
  const isCut = new Promise<void>(resolve => {
    proxy.onClient = (bytes, cut) => {
      if (!bytes.includes(COMMIT)) return true
      proxy.onClient = () => true
      cut()
      // The look waits until the other process is done.
      proxy.stall()
      resolve()
      return false
    }
  })
  const lost = store.commit(fullChange('sale'))
  const rejected = rejects(lost, isFault('store_unreachable'))
  await isCut
  await runAt(url, `SELECT setval('places', ${drawn?.last_value})`)
  equal(await other.commit(fullChange('refund')), 'written')
  proxy.resume()
  await rejected
  deepEqual(
    (await stored()).map(({ id }) => id),
    ['first', 'refund'],
  )
})

test('a statement that was cut has rolled back its whole group', async () => {
  const opened = await open()
  const { store, proxy, stored } = opened
  proxy.onClient = (bytes, cut) => {
    if (!bytes.includes('INSERT INTO events') && !bytes.includes('insert_events')) return true
    proxy.onClient = () => true
    cut()
    return false
  }
  const cutOff = [store.commit(fullChange('sale')), store.commit(change('x', { events: [envelope('started')] }))]
  const results = await Promise.allSettled(cutOff)
  deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  deepEqual(
    (await stored()).map(({ id }) => id),
    ['first'],
  )
  equal(await store.commit(fullChange('sale')), 'written')
})
