// test/unit/web/console-day-rows.test.ts — reading a day again costs few requests, and nothing that has changed is missed.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { type DayRows, NO_ROWS, readRows } from '../../../web/console/today/day-rows.ts'
import type { ListedTransaction } from '../../../web/console/transactions/listed-transaction.ts'

const PAGE = 10

function rowOf(id: number, final: boolean): ListedTransaction {
  return {
    ...{ requestId: String(id), tid: '1', transactionType: 'SALE', amountMinor: 100, currency: 'GBP', table: null },
    ...{ totalMinor: null, gratuityMinor: null, cashbackMinor: null, scheme: null, result: null },
    ...{ progress: 'accepted', authorisation: 'none', startedAt: '2026-05-06T09:00:00Z', finishedAt: null },
    verdict: { final, moneyTaken: 'no', safeToRetry: false, nextStep: 'wait' },
  }
}

/** The list of an account, newest first, by pages. The cursor of a page is the id of the last one before it. */
function listOf(count: number) {
  let rows = Array.from({ length: count }, (_, index) => rowOf(count - index, true))
  let made = count
  const asked: (number | null)[] = []
  let known: DayRows = NO_ROWS
  return {
    /** Cursors of the pages that the last reading asked for. */
    asked,
    ids: () => rows.map(({ requestId }) => requestId),
    add(final: boolean) {
      made += 1
      rows = [rowOf(made, final), ...rows]
    },
    end(id: number) {
      rows = rows.map(row => (row.requestId === String(id) ? rowOf(id, true) : row))
    },
    open(id: number) {
      rows = rows.map(row => (row.requestId === String(id) ? rowOf(id, false) : row))
    },
    remove(newest: number) {
      rows = rows.slice(newest)
    },
    openIds: () => rows.filter(({ verdict }) => !verdict.final).map(({ requestId }) => requestId),
    async read(most = 10_000): Promise<DayRows> {
      asked.length = 0
      const read = await readRows(
        async before => {
          asked.push(before)
          const from = before === null ? 0 : rows.findIndex(({ requestId }) => Number(requestId) < before)
          const items = from < 0 ? [] : rows.slice(from, from + PAGE)
          const last = items.at(-1)
          return { items, next: last === undefined || last === rows.at(-1) ? null : Number(last.requestId) }
        },
        known,
        { most, onProgress: () => {} },
      )
      if ('problem' in read) throw new Error(read.problem)
      known = read
      deepEqual(
        read.known.map(({ row }) => row),
        rows.slice(0, most),
      )
      return read
    },
  }
}

test('a day is read by all its pages at first, and by its newest page from then on', async () => {
  const list = listOf(95)
  await list.read()
  equal(list.asked.length, 10)
  await list.read()
  deepEqual(list.asked, [null])
  list.add(false)
  list.add(true)
  await list.read()
  deepEqual(list.asked, [null])
})

test('more new ones than a page has are read down to the first that is known', async () => {
  const list = listOf(95)
  await list.read()
  for (let count = 0; count < 25; count += 1) list.add(true)
  await list.read()
  deepEqual(list.asked, [null, 111, 101])
  await list.read()
  deepEqual(list.asked, [null])
})

test('one that was open is read again, wherever it is, and the final ones around it are not', async () => {
  const list = listOf(95)
  list.open(42)
  await list.read()
  await list.read()
  deepEqual(list.asked, [null, 46])
  list.end(42)
  await list.read()
  deepEqual(list.asked, [null, 46])
  await list.read()
  deepEqual(list.asked, [null])
})

test('one that is open stays within reach while new ones push it down', async () => {
  const list = listOf(95)
  await list.read()
  list.add(false)
  for (let count = 0; count < 40; count += 1) {
    list.add(true)
    await list.read()
    ok(list.asked.length <= 2, JSON.stringify(list.asked))
  }
  list.end(96)
  await list.read()
  equal(list.openIds().length, 0)
})

test('a day with more than are read is cut at its oldest, and stays cut', async () => {
  const list = listOf(95)
  deepEqual([(await list.read(50)).isCut, list.asked.length], [true, 5])
  list.add(true)
  deepEqual([(await list.read(50)).isCut, list.asked], [true, [null]])
  equal((await listOf(50).read(50)).isCut, false)
})

test('a day whose newest ones are gone is read from the beginning', async () => {
  const list = listOf(95)
  await list.read()
  list.remove(3)
  // Restored with the snapshot: open again.
  list.open(12)
  await list.read()
  equal(list.asked.length, 11)
})

test('a page that cannot be read is a problem, and what was known before stays', async () => {
  const list = listOf(30)
  const before = await list.read()
  const problem = await readRows(async () => ({ problem: 'Try later.' }), before, { most: 50, onProgress: () => {} })
  deepEqual(problem, { problem: 'Try later.' })
})

test('whatever happens in between, the list is as the gateway has it', () =>
  fc.assert(
    fc.asyncProperty(
      fc.nat(60),
      fc.array(fc.tuple(fc.nat(30), fc.array(fc.nat(200), { maxLength: 4 })), { maxLength: 8 }),
      async (count, rounds) => {
        const list = listOf(count)
        await list.read()
        for (const [added, ended] of rounds) {
          for (let each = 0; each < added; each += 1) list.add(each % 3 !== 0)
          for (const each of ended) list.end(Number(list.openIds().at(each % 7) ?? 0))
          await list.read()
          const all = Math.ceil(list.ids().length / PAGE) + 1
          ok(list.asked.length <= all, `${list.asked.length} of ${all}`)
        }
      },
    ),
  ))
