// test/crash/crash.test.ts — two shops with counters, sockets and tables under load, while the built program is killed by
// SIGKILL at random moments on one data directory. At the end no acknowledged change is lost or duplicated.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { emptyDirectory, runJson } from '../cli/tollgate.ts'
import { repetitions } from '../support/depth.ts'
import { allAtRest, checkAnswersAgain, checkBooks, hearAll } from './evening.ts'
import { cardNumbersIn, integrityOf } from './files.ts'
import { createMortalGateway } from './mortal-gateway.ts'
import { buildTown, liveThrough, type Town } from './town.ts'

/** `CRASH_KILLS=500` runs longer. */
const KILLS = repetitions('CRASH_KILLS', { usual: 15, long: 50 })
/** Seeds the moments of the kills and the actions of the tills. The scheduling of the processes remains random. */
const SEED = Number(process.env['CRASH_SEED'] ?? 1)

test(`every promise outlives ${KILLS} deaths by SIGKILL (seed ${SEED})`, {
  timeout: 60_000 + KILLS * 10_000,
}, async () => {
  const town = buildTown()
  const { gateway, directory } = town
  await liveThrough(town, KILLS, SEED)

  const listed = await allAtRest(town)
  await checkAnswersAgain(town)
  await hearAll(town)
  town.tableTill.close()
  deepEqual(cardNumbersIn(directory), [])
  const { code, stderr } = await gateway.stop()
  equal(code, 0, stderr)

  await checkBooks(town, listed)
  for (const name of ['tollgate.db', 'sandbox.db']) equal(integrityOf(directory, name), 'ok')
  const doctor = await runJson<{ readonly healthy: boolean }>(['doctor', '--data', directory])
  ok(doctor.healthy, JSON.stringify(doctor))
  town.moments.close()

  process.stdout.write(`${sentenceOf(town, gateway.startTimesMs)}\n`)
  if (KILLS >= 50) checkThatMuchHappened(town)
})

test('a wait that times out reports what it waited for and the state of the gateway', async () => {
  const gateway = createMortalGateway(emptyDirectory())
  const never = new Promise<never>(() => {})
  await rejects(
    gateway.patiently('the end of the world', 1, never),
    /the end of the world has not come in 1 ms\nit does/,
  )
})

test('the scan of the files finds a card number', () => {
  const directory = emptyDirectory()
  writeFileSync(
    join(directory, 'tollgate.db-wal'),
    Buffer.from('\u0000\u00ff{"pan":"4111111111111111"}\u0002', 'latin1'),
  )
  deepEqual(cardNumbersIn(directory), ['tollgate.db-wal: 4111111111111111'])
})

/** A run in which little happens proves little. */
function checkThatMuchHappened({ book, sales, reports, uploaded, tableTill }: Town): void {
  const results = new Set(book.entries.map(({ end }) => end?.body.transactionResult))
  for (const result of ['SUCCESSFUL', 'DECLINED', 'CANCELLED', 'TIMED_OUT', 'VOID', 'UNSUCCESSFUL'] as const)
    ok(results.has(result), `no ${result}`)
  const succeeded = book.entries.filter(({ end }) => end?.body.transactionResult === 'SUCCESSFUL')
  const types = new Set(succeeded.map(({ request }) => request.transactionType))
  for (const type of ['SALE', 'REFUND', 'PRE_AUTH', 'COMPLETION', 'ACCOUNT_VERIFICATION', 'DUPLICATE'] as const)
    ok(types.has(type), `no ${type}`)
  ok(book.repeatedStarts > 0, 'no start was ever repeated')
  ok(book.unplugged.size > 0, 'no plug was ever pulled')
  ok(
    sales.some(({ found }) => found === 'SUCCESSFUL'),
    'no lost sale was ever found by a duplicate',
  )
  ok(reports.length > 0, 'no report was ever run')
  ok(
    uploaded.some(({ seen }) => seen.length > 1),
    'no uploaded table was ever split',
  )
  ok(
    tableTill.tables.some(({ payments }) => payments.size > 0),
    'no payment was ever told to the till',
  )
}

function sentenceOf({ book, sales, reports, uploaded, tableTill }: Town, startTimesMs: readonly number[]): string {
  const sorted = startTimesMs.toSorted((one, other) => one - other)
  const median = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
  const cancels = book.entries.reduce((sum, entry) => sum + entry.cancels.length, 0)
  const shares = uploaded.reduce((sum, { seen }) => sum + seen.length, 0)
  const told = tableTill.tables.reduce((sum, { payments }) => sum + payments.size, 0)
  const lost = sales.filter(({ answered }) => answered === null)
  return (
    `${book.entries.length} transactions, ${cancels} cancels and ${book.repeatedStarts} repeated starts ` +
    `over ${KILLS} kills; median start ${median} ms\n` +
    `${uploaded.length} uploaded tables with ${shares} payments, ${tableTill.tables.length} kept by the till with ${told} ` +
    `(${tableTill.repeated} told again), ${reports.length} reports, ${sales.length} sales on sockets, ${lost.length} ` +
    `without an answer, ${lost.filter(({ found }) => found !== null).length} of them found again`
  )
}
