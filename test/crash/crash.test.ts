// test/crash/crash.test.ts — a day in two shops whose gateway is killed all the time: the built program under load,
// SIGKILL at moments drawn by chance, one data directory. In the evening nothing is missing and nothing is there twice.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { emptyDirectory, runJson } from '../cli/tollgate.ts'
import type { Book } from './book.ts'
import { checkAnswersAgain, checkBooks, hearAll, verdictsOf } from './evening.ts'
import { cardNumbersIn, integrityOf } from './files.ts'
import { buildTown, liveThrough } from './town.ts'

/** `CRASH_KILLS=500` looks longer. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 50)
/** Chooses the moments and what the tills do. How the processes run beside each other, nobody chooses. */
const SEED = Number(process.env['CRASH_SEED'] ?? 1)

test(`every promise outlives ${KILLS} deaths by SIGKILL (seed ${SEED})`, {
  timeout: 60_000 + KILLS * 10_000,
}, async () => {
  const town = buildTown()
  const { gateway, directory, book } = town
  await liveThrough(town, KILLS, SEED)

  const taken = await verdictsOf(town)
  await checkAnswersAgain(town)
  await hearAll(town)
  deepEqual(cardNumbersIn(directory), [])
  const { code, stderr } = await gateway.stop()
  equal(code, 0, stderr)

  await checkBooks(town, taken)
  for (const name of ['tollgate.db', 'sandbox.db']) equal(integrityOf(directory, name), 'ok')
  const doctor = await runJson<{ readonly healthy: boolean }>(['doctor', '--data', directory])
  ok(doctor.healthy, JSON.stringify(doctor))
  town.moments.close()

  process.stdout.write(`${sentenceOf(book, gateway.startTimesMs)}\n`)
  if (KILLS >= 50) checkThatMuchHappened(book)
})

test('the scan of the files finds a card number', () => {
  const directory = emptyDirectory()
  writeFileSync(
    join(directory, 'tollgate.db-wal'),
    Buffer.from('\u0000\u00ff{"pan":"4111111111111111"}\u0002', 'latin1'),
  )
  deepEqual(cardNumbersIn(directory), ['tollgate.db-wal: 4111111111111111'])
})

/** A day on which little happens proves little. */
function checkThatMuchHappened(book: Book): void {
  const results = new Set(book.entries.map(({ end }) => end?.body.transactionResult))
  for (const result of ['SUCCESSFUL', 'DECLINED', 'CANCELLED', 'TIMED_OUT', 'VOID', 'UNSUCCESSFUL'] as const)
    ok(results.has(result), `no ${result}`)
  const succeeded = book.entries.filter(({ end }) => end?.body.transactionResult === 'SUCCESSFUL')
  const types = new Set(succeeded.map(({ request }) => request.transactionType))
  for (const type of ['SALE', 'REFUND', 'PRE_AUTH', 'COMPLETION', 'ACCOUNT_VERIFICATION', 'DUPLICATE'] as const)
    ok(types.has(type), `no ${type}`)
  ok(book.repeatedStarts > 0, 'no start was ever repeated')
  ok(book.unplugged.size > 0, 'no plug was ever pulled')
}

function sentenceOf(book: Book, startTimesMs: readonly number[]): string {
  const sorted = startTimesMs.toSorted((one, other) => one - other)
  const median = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
  const wishes = book.entries.reduce((sum, entry) => sum + entry.wishes.length, 0)
  return (
    `${book.entries.length} transactions, ${wishes} cancels and ${book.repeatedStarts} repeated starts ` +
    `over ${KILLS} kills; median start ${median} ms`
  )
}
