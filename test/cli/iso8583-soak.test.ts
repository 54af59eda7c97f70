// test/cli/iso8583-soak.test.ts — case 66: 1,000 orders while the host is silent, cuts and repeats; both books agree to the penny.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { BUILT_IN_DIALECTS } from '../../src/acquirers/iso8583/built-in.ts'
import type { DialectDocument } from '../../src/acquirers/iso8583/dialect-schema.ts'
import { createJournal, type OrderNote } from '../../src/acquirers/iso8583/orders/journal.ts'
import { createNumbers } from '../../src/acquirers/iso8583/orders/numbers.ts'
import { reconcile } from '../../src/acquirers/iso8583/reconciliation/reconcile.ts'
import type { AcquirerAnswer } from '../../src/engine/ports/acquirer.ts'
import { until } from '../support/acquirer-host.ts'
import { anOrder, type Iso8583Bench, openIso8583 } from '../support/iso8583-bench.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { benchHost, type LedgerEntry, movedBy, simulatedHost } from './simulated-host.ts'

const ORDERS = 1_000
/** Asked for at the same time. */
const AT_ONCE = 25
/** The gateway dies after so many orders, in the middle of those that are asked for. */
const CRASHES = [250, 500, 750]
const SEED = 66

/** What the host does with an amount, and with how many of 100 orders. */
const FAULTS = [
  { minor: 1001, scenario: 'acquirer_silent', of100: 5 },
  { minor: 1002, scenario: 'approval_unknown', of100: 5 },
  { minor: 1003, scenario: 'connection_dropped', of100: 1 },
  { minor: 1004, scenario: 'answer_lost', of100: 2 },
  { minor: 1005, scenario: 'half_answer', of100: 1 },
  { minor: 1006, scenario: 'connection_closed', of100: 1 },
  { minor: 1007, scenario: 'answer_twice', of100: 2 },
] as const
/** Captures are repeated until they are answered, which a host that never answers them would not let end. */
const NEVER_ENDING = 1002

type Ask = (bench: Iso8583Bench) => Promise<AcquirerAnswer>

interface Order {
  readonly id: string
  readonly ask: Ask
}

/** An order that moves money, with what it needs before it. */
async function ordered(bench: Iso8583Bench, id: string, random: SeededRandom): Promise<Order> {
  const kind = random.integer(10)
  const minor = amountOf(random)
  if (kind < 6) return { id, ask: ({ acquirer }) => acquirer.authorise(anOrder(id, minor), 'charge') }
  if (kind < 8) return { id, ask: ({ acquirer }) => acquirer.refund(anOrder(id, minor)) }
  const hold = anOrder(`${id}-hold`, 5000)
  const held = await bench.acquirer.authorise(hold, 'hold')
  if (held.answer !== 'approved') return { id, ask: ({ acquirer }) => acquirer.authorise(anOrder(id, minor), 'charge') }
  const amount = anOrder(id, minor === NEVER_ENDING ? 1001 : minor)
  const capture = { ...amount, authCode: held.authCode, holdOrderId: hold.orderId, preAuthorisedTotal: null }
  return { id, ask: ({ acquirer }) => acquirer.capture(capture) }
}

function amountOf(random: SeededRandom): number {
  let lot = random.integer(100)
  for (const { minor, of100 } of FAULTS) {
    if (lot < of100) return minor
    lot -= of100
  }
  return 2000 + random.integer(900)
}

/** What the shop has got by the notes of the gateway: its book. */
function takenBy({ phase, kind, amountMinor }: OrderNote): number {
  if (phase !== 'approved') return 0
  if (kind === 'refund') return -amountMinor
  return kind === 'charge' || kind === 'capture' ? amountMinor : 0
}

test('case 66: the books of gateway and host agree, for each order and in sum', async () => {
  const host = await simulatedHost(['--dialect', 'plain-87-ascii'])
  await host.plays({ next: [], amounts: FAULTS.map(({ minor, scenario }) => ({ minor, scenario })) })
  const { mac: _, ...document } = BUILT_IN_DIALECTS['plain-87-ascii'] as DialectDocument
  const random = new SeededRandom(SEED)
  let bench = await openIso8583(benchHost(host), host.port, { document: { ...document, examples: [] } })
  const { clock, store, vault } = bench
  const journal = createJournal(store, clock)
  /** Lets time pass until this is so, for repetitions, reversals and new connections. */
  const passes = (isSo: () => boolean | Promise<boolean>, what: string) =>
    until(async () => {
      if (await isSo()) return true
      await clock.advance(1_000)
      return false
    }, what)

  const orders: Order[] = []
  while (orders.length < ORDERS) {
    const batch: Order[] = []
    const open = bench
    for (let made = 0; made < AT_ONCE; made += 1)
      batch.push(await within(passes, ordered(open, `o${orders.length + made}`, random)))
    const asked = batch.map(({ ask }) => ask(open))
    orders.push(...batch)
    if (CRASHES.includes(orders.length)) {
      await clock.advance(0)
      bench = await open.afterCrash()
    } else await within(passes, Promise.all(asked))
  }
  // The host is well again, and each order is asked for until it has an end.
  await host.plays({ next: [] })
  for (const { id, ask } of orders) {
    let answer = { answer: 'unknown' } as AcquirerAnswer
    await passes(async () => {
      answer = await within(passes, ask(bench))
      return answer.answer !== 'unknown'
    }, `the end of ${id}`)
    const note = await bench.note(id)
    equal(note?.phase === 'approved', answer.answer === 'approved', id)
  }

  const notes = (await journal.all()).map(({ note }) => note)
  deepEqual(
    notes.filter(({ phase }) => phase !== 'approved' && phase !== 'declined' && phase !== 'undone'),
    [],
  )
  const entries = await host.entries()
  const byStan = new Map<string, readonly LedgerEntry[]>()
  for (const entry of entries) byStan.set(entry.stan, [...(byStan.get(entry.stan) ?? []), entry])
  for (const note of notes) {
    const own = byStan.get(note.sent?.fields[11] ?? '') ?? []
    equal(
      own.reduce((sum, entry) => sum + movedBy(entry), 0),
      takenBy(note),
      JSON.stringify({ note, own }),
    )
  }
  const theirs = entries.reduce((sum, entry) => sum + movedBy(entry), 0)
  equal(
    theirs,
    notes.reduce((sum, note) => sum + takenBy(note), 0),
  )
  // Each fault has met orders, and none has taken the others with it.
  for (const { minor, scenario } of FAULTS)
    ok(
      notes.some(({ amountMinor }) => amountMinor === minor),
      scenario,
    )
  const undone = notes.filter(({ phase }) => phase === 'undone').length
  const approved = notes.filter(({ phase }) => phase === 'approved').length
  ok(undone > ORDERS / 20 && approved > ORDERS / 2, `${undone} undone, ${approved} approved`)
  const [done, ...others] = await reconcile({
    ...{ dialect: bench.dialect, connection: bench.connection, vault, clock, journal },
    ...{ numbers: createNumbers(store, clock), settingsOf: () => bench.settings, timeZone: 'Europe/London' },
  })
  deepEqual(others, [])
  // Where the host took what was then undone without our knowledge the numbers differ, and never the money.
  ok(done?.verdict === 'balanced' || done?.isSameNet === true, JSON.stringify(done?.theirs))
  deepEqual(done?.batch.open, [])
  await bench.close()
}, 120_000)

/** Waits for a promise while time passes. */
async function within<T>(
  passes: (isSo: () => boolean, what: string) => Promise<void>,
  promise: Promise<T>,
): Promise<T> {
  let isDone = false
  const done = promise.finally(() => {
    isDone = true
  })
  // A failure is thrown below.
  done.catch(() => {})
  await passes(() => isDone, 'an answer')
  return done
}
