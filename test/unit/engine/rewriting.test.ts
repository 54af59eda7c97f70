// test/unit/engine/rewriting.test.ts — records of version 0.1 are rewritten in the background, also across restarts.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { SEARCHED_KINDS } from '../../../src/engine/all-machines.ts'
import type { Commit, Store } from '../../../src/engine/ports/store.ts'
import { createRewriting, termsName } from '../../../src/engine/rewriting.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { TestClock } from '../../support/test-clock.ts'

/** More than two batches. */
const ROWS = 1_100

/** A started sale as stored by version 0.1. */
function oldSale(number: number): Commit {
  const request = { transactionType: 'SALE', amountMinor: number, currency: 'GBP' }
  const started = { type: 'started', requestId: `r${number}`, merchantAccount: 'demo', tid: `t${number}`, request }
  return {
    ...{ account: 'demo', kind: 'terminal-transaction', id: `r${number}`, expectedVersion: 0, version: 1 },
    ...{ parent: `t${number}`, live: true, lockKey: `terminal:t${number}`, at: 1_000 },
    body: JSON.stringify({ requestId: `r${number}`, request, version: 1, amounts: { baseMinor: number } }),
    events: [
      { version: 1, at: 1_000, type: 'started', body: JSON.stringify({ event: started, at: 1_000, report: 0 }) },
    ],
    ...{ effects: [], effectsDone: [], timers: null, idempotency: null },
  }
}

/** Records of 0.1 that are entered into the indexes already. */
async function filled(): Promise<Store> {
  const store = await stored()
  const progress = { after: ROWS, finished: true }
  for (const kind of SEARCHED_KINDS) await store.enterTerms({ name: termsName(kind), progress, records: [] })
  return store
}

/** Records as 0.1 stored them. */
async function stored(): Promise<Store> {
  const store = openMemoryStore()
  for (let number = 1; number <= ROWS; number += 1) equal(await store.commit(oldSale(number)), 'written')
  return store
}

/** How many records and events still lack their initial values. */
async function shortIn(store: Store) {
  const records = await store.all('terminal-transaction', { limit: ROWS })
  const events = await store.allEvents(0, ROWS)
  equal(records.length, ROWS)
  equal(events.length, ROWS)
  return {
    records: records.filter(({ body }) => !body.includes('"messages":[]')).length,
    events: events.filter(({ body }) => !body.includes('"paperOut":false')).length,
  }
}

function rewritingOf(store: Store) {
  const clock = new TestClock()
  const log = keepingLog()
  return { clock, log, rewriting: createRewriting({ store, clock, log }) }
}

test('all records and events are rewritten, with a log line, and not read again by the next run', async () => {
  const store = await filled()
  deepEqual(await shortIn(store), { records: ROWS, events: ROWS })
  const { clock, log, rewriting } = rewritingOf(store)
  rewriting.start()
  await clock.advance(10_000)
  deepEqual(await shortIn(store), { records: 0, events: 0 })
  const told = log.lines.map(line => JSON.stringify(line)).filter(line => line.includes('rewriting'))
  equal(told.length, 2)
  ok(told.every(line => line.includes(`"rewritten":${ROWS}`) && line.includes('"finished":true')))
  let asked = 0
  const counting: Store = {
    ...store,
    all(...query) {
      asked += 1
      return store.all(...query)
    },
  }
  const again = rewritingOf(counting)
  again.rewriting.start()
  await again.clock.advance(10_000)
  equal(asked, 0)
})

test('a rewrite that stopped between two batches continues there', async () => {
  const store = await filled()
  const first = rewritingOf(store)
  first.rewriting.start()
  await first.clock.advance(0)
  first.rewriting.stop()
  const { records } = await shortIn(store)
  ok(records > 0 && records < ROWS, `${records} left`)
  const seen: (number | undefined)[] = []
  const watching: Store = {
    ...store,
    all(kind, query) {
      seen.push(query.after)
      return store.all(kind, query)
    },
  }
  const second = rewritingOf(watching)
  second.rewriting.start()
  await second.clock.advance(10_000)
  equal(seen[0], ROWS - records)
  deepEqual(await shortIn(store), { records: 0, events: 0 })
})

test('a record that changes during the rewrite keeps its change', async () => {
  const store = await filled()
  const changed = { ...oldSale(7), expectedVersion: 1, version: 2, body: '{"messages":[],"changed":true}', events: [] }
  const racing: Store = {
    ...store,
    async rewrite(batch) {
      await store.commit(changed)
      return store.rewrite(batch)
    },
  }
  const { clock, rewriting } = rewritingOf(racing)
  rewriting.start()
  await clock.advance(10_000)
  equal((await store.load(changed))?.body, changed.body)
  deepEqual(await shortIn(store), { records: 0, events: 0 })
})

test('a rewrite that fails is retried later', async () => {
  const store = await filled()
  let failures = 0
  const failing: Store = {
    ...store,
    rewrite: batch => (failures++ < 2 ? Promise.reject(new Error('busy')) : store.rewrite(batch)),
  }
  const { clock, log, rewriting } = rewritingOf(failing)
  rewriting.start()
  await clock.advance(1_000)
  deepEqual(await shortIn(store), { records: ROWS, events: ROWS })
  ok(JSON.stringify(log.lines).includes('rewriting failed'))
  await clock.advance(2 * 600_000 + 10_000)
  deepEqual(await shortIn(store), { records: 0, events: 0 })
})

const amount = (minor: number) => ({ kind: 'terminal-transaction', terms: [`amount=${minor}`], limit: 10 })

/** How many of the stored sales are found by their amounts. */
async function foundIn(store: Store): Promise<number> {
  let count = 0
  for (let number = 1; number <= ROWS; number += 1) count += (await store.search('demo', amount(number))).records.length
  return count
}

test('stored records are entered into the indexes in batches, with a log line, and once', async () => {
  const store = await stored()
  equal(await foundIn(store), 0)
  const { clock, log, rewriting } = rewritingOf(store)
  rewriting.start()
  await clock.advance(10_000)
  equal(await foundIn(store), ROWS)
  const lines = log.lines.map(line => JSON.stringify(line)).filter(line => line.includes('list indexes'))
  equal(lines.length, 1)
  ok(lines[0]?.includes(`"rewritten":${ROWS}`) && lines[0].includes('"finished":true'))
  const { after, finished } = (await store.rewriteProgress(termsName('terminal-transaction'))) ?? {}
  deepEqual([after, finished], [ROWS, true])
})

test('entering that stopped between two batches continues there', async () => {
  const store = await stored()
  const first = rewritingOf(store)
  first.rewriting.start()
  await first.clock.advance(0)
  first.rewriting.stop()
  const done = await foundIn(store)
  ok(done > 0 && done < ROWS, `${done} entered`)
  let asked: number | undefined
  const watching: Store = {
    ...store,
    all(kind, query) {
      asked ??= query.after
      return store.all(kind, query)
    },
  }
  const second = rewritingOf(watching)
  second.rewriting.start()
  await second.clock.advance(10_000)
  equal(asked, done)
  equal(await foundIn(store), ROWS)
})

test('a record that changes while it is entered is found by what it is, and by nothing else', async () => {
  const store = await stored()
  let isChanged = false
  const racing: Store = {
    ...store,
    async enterTerms(batch) {
      if (!isChanged) {
        isChanged = true
        const { request, ...rest } = JSON.parse(oldSale(7).body)
        const body = JSON.stringify({ ...rest, request: { ...request, amountMinor: 7_000 }, version: 2 })
        const searchTerms = { added: ['amount=7000'], removed: ['amount=7'] }
        equal(
          await store.commit({ ...oldSale(7), expectedVersion: 1, version: 2, body, events: [], searchTerms }),
          'written',
        )
      }
      return store.enterTerms(batch)
    },
  }
  const { clock, rewriting } = rewritingOf(racing)
  rewriting.start()
  await clock.advance(10_000)
  equal((await store.search('demo', amount(7))).records.length, 0)
  equal((await store.search('demo', amount(7_000))).records.length, 1)
  equal(await foundIn(store), ROWS - 1)
})
