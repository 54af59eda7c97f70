// test/simulation/soak.test.ts — a long day in a large shop: many tills on both interfaces share many terminals, on a clock
// that runs as fast as the machine. At the end all invariants must hold.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { TerminalTransaction } from '../../src/domain/counter/transaction.ts'
import { repetitions } from '../support/depth.ts'
import { checkInvariants } from '../support/invariants.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import type { Shop } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'
import type { Clerk } from './soak/clerk.ts'
import { pressSomeKeys, tidyUp } from './soak/person.ts'
import { checkReports } from './soak/report-checks.ts'
import { createRestClerk, type RestClerk } from './soak/rest-clerk.ts'
import { checkSocket, type SocketFigures } from './soak/socket-checks.ts'
import { createSocketClerk, type SocketClerk } from './soak/socket-clerk.ts'
import { installTerminals, type SoakTerminals } from './soak/terminals.ts'

/** `SOAK_TRANSACTIONS=100000` runs longer; `SOAK_SEED` selects another day. */
const TRANSACTIONS = repetitions('SOAK_TRANSACTIONS', { usual: 2_000, long: 10_000 })
const SEED = Number(process.env['SOAK_SEED'] ?? 1)
const REST_TILLS = 20
const SOCKET_TILLS = 20

/** Step of the clock while the shop closes. Below a minute, after which a till that answers no ping is disconnected. */
const CLOSED_STEP_MS = 20_000

/** Above the longest limit, because a terminal may still be busy with a transaction that its till has given up. */
const LONGEST_TRANSACTION_MS = 900_000
const LONGEST_REPORT_MS = 150_000

interface Day {
  readonly shop: Shop
  readonly terminals: SoakTerminals
  readonly random: SeededRandom
  readonly rest: readonly RestClerk[]
  readonly sockets: readonly SocketClerk[]
}

async function openDay(): Promise<Day> {
  const shop = await openSocketShop()
  const terminals = await installTerminals(shop)
  const tids = terminals.all.map(({ tid }) => tid)
  const chanceOf = (clerk: number) => new SeededRandom(SEED * 1_000 + clerk)
  const rest = Array.from({ length: REST_TILLS }, (_, index) => createRestClerk(shop.till, tids, chanceOf(index)))
  const sockets: SocketClerk[] = []
  for (let index = 0; index < SOCKET_TILLS; index += 1) {
    const name = `till ${index}`
    const query = `token=demo-api-key&api-version=v1&software-house-id=house&installer-id=${encodeURIComponent(name)}`
    sockets.push(createSocketClerk(name, await connectTill(shop, { query }), tids, chanceOf(REST_TILLS + index)))
  }
  return { shop, terminals, random: new SeededRandom(SEED), rest, sockets }
}

/** All clerks act at once; then time passes. */
async function step({ shop, sockets, rest }: Day, open: boolean, ms: number): Promise<void> {
  await Promise.all([...rest, ...sockets].map(clerk => clerk.act(open)))
  await settleAll(sockets)
  await shop.clock.advance(ms)
}

async function settleAll(sockets: readonly SocketClerk[]): Promise<void> {
  await Promise.all(sockets.map(({ till }) => till.settle()))
}

/** No new transactions: the open ones end, and then each terminal's day. */
async function close(day: Day): Promise<ReadonlySet<string>> {
  const { shop, terminals, rest, sockets } = day
  await tidyUp(shop, terminals.byHand)
  const underWay = () => [...rest, ...sockets].reduce((sum: number, clerk: Clerk) => sum + clerk.underWay, 0)
  for (let ms = 0; ms < LONGEST_TRANSACTION_MS; ms += CLOSED_STEP_MS) await step(day, false, CLOSED_STEP_MS)
  equal(underWay(), 0)
  const reports = new Set(rest.flatMap(clerk => [...clerk.reports]))
  for (const { tid } of terminals.all) {
    const body = { reportType: 'END_OF_DAY' }
    const reply = await shop.till.ask('POST', `/pac/terminals/${tid}/reports`, { body })
    equal(reply.status, 201, reply.text)
    reports.add(String(reply.json['requestId']))
  }
  for (let ms = 0; ms < LONGEST_REPORT_MS; ms += CLOSED_STEP_MS) await step(day, false, CLOSED_STEP_MS)
  return reports
}

test(`every promise is kept in a day of ${TRANSACTIONS} transactions on both interfaces`, {
  timeout: 600_000,
}, async () => {
  const began = performance.now()
  const day = await openDay()
  const { shop, terminals, random, rest, sockets } = day
  let started = 0
  shop.gateway.feed.followAll(({ kind, events }) => {
    if (kind === 'terminal-transaction' && events[0]?.type === 'started') started += 1
  })
  while (started < TRANSACTIONS) {
    await pressSomeKeys(shop, terminals.byHand, random)
    await step(day, true, 500 + random.integer(2_500))
  }
  const reportsOverRest = await close(day)

  const overRest = new Set(rest.flatMap(clerk => [...clerk.acknowledged]))
  const records = await checkInvariants(shop, overRest)
  const onSockets: SocketFigures[] = []
  for (const clerk of sockets) onSockets.push(await checkSocket(clerk, records, shop.till))
  const told = { overRest: reportsOverRest, onSockets: onSockets.flatMap(({ reports }) => reports) }
  const reports = await checkReports(shop.store, told, records, shop.till)
  equal(records.length, started)
  equal(overRest.size + sumOf(onSockets, 'started'), started)
  deepEqual(
    shop.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
  // A run in which little happens proves little.
  if (TRANSACTIONS >= 2_000) checkVariety(records, rest, sumOf(onSockets, 'busy'))
  const seconds = (performance.now() - began) / 1_000
  process.stdout.write(
    `Soak: ${started} transactions (${overRest.size} over REST, ${started - overRest.size} on sockets) and ${reports} reports in ${seconds.toFixed(1)} s.\n`,
  )
})

function checkVariety(
  records: readonly TerminalTransaction[],
  rest: readonly RestClerk[],
  busyOnSockets: number,
): void {
  const results = new Set(records.map(({ result }) => result))
  for (const result of ['SUCCESSFUL', 'DECLINED', 'CANCELLED', 'TIMED_OUT', 'VOID', 'UNSUCCESSFUL'] as const)
    ok(results.has(result), `no ${result}`)
  for (const status of [404, 422, 423])
    ok(
      rest.some(({ refused }) => refused.has(status)),
      `no ${status}`,
    )
  ok(busyOnSockets > 0)
}

function sumOf(figures: readonly SocketFigures[], what: 'started' | 'busy'): number {
  return figures.reduce((sum, each) => sum + each[what], 0)
}
