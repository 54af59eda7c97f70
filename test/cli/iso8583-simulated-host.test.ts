// test/cli/iso8583-simulated-host.test.ts — runs the contract of acquirers, and faults, against a host with a codec of its own.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterAll, beforeEach, describe, test } from 'vitest'
import { BUILT_IN_DIALECTS } from '../../src/acquirers/iso8583/built-in.ts'
import type { DialectDocument } from '../../src/acquirers/iso8583/dialect-schema.ts'
import type { OrderNote } from '../../src/acquirers/iso8583/orders/journal.ts'
import { exerciseAcquirer } from '../contract/acquirer.suite.ts'
import { until } from '../support/acquirer-host.ts'
import { anOrder, type Iso8583Bench, openIso8583 } from '../support/iso8583-bench.ts'
import { TestClock } from '../support/test-clock.ts'
import { benchHost, movedBy, type SimulatedHost, simulatedHost, underTest } from './simulated-host.ts'

const DOCUMENT = BUILT_IN_DIALECTS['plain-87-ascii'] as DialectDocument

/** A new host that declines the second card, and the acquirer that is connected to it. */
async function opened(
  clock = new TestClock(),
): Promise<{ readonly host: SimulatedHost; readonly bench: Iso8583Bench }> {
  const host = await simulatedHost(['--dialect', 'plain-87-ascii'])
  await host.plays({ next: [], cards: [{ ending: '0135', scenario: 'declined' }] })
  return { host, bench: await openIso8583(benchHost(host), host.port, { document: DOCUMENT, clock }) }
}

interface Ended {
  readonly phase: OrderNote['phase']
  readonly amountMinor: number
}

/** What the journal of the gateway says of all orders. */
async function ordersOf({ store }: Iso8583Bench): Promise<readonly Ended[]> {
  const stored = await store.all('iso8583-order', { limit: 1_000 })
  return stored.map(({ body }) => JSON.parse(body) as Ended)
}

/** Both sides list the same amounts as taken. */
async function agree(host: SimulatedHost, bench: Iso8583Bench): Promise<readonly number[]> {
  const ours = (await ordersOf(bench)).filter(({ phase }) => phase === 'approved').map(({ amountMinor }) => amountMinor)
  const theirs = (await host.entries()).map(movedBy).filter(minor => minor !== 0)
  const inOrder = (amounts: readonly number[]) => amounts.toSorted((one, other) => one - other)
  deepEqual(inOrder(theirs), inOrder(ours))
  return ours
}

exerciseAcquirer('iso8583, to the simulated host in ASCII', async () => {
  const { host, bench } = await opened()
  return underTest(host, bench)
})

describe('each fault of the host ends, and both sides agree on the money', () => {
  let shared: Promise<Awaited<ReturnType<typeof opened>>> | null = null
  let host: SimulatedHost
  let bench: Iso8583Bench
  beforeEach(async () => {
    shared ??= opened()
    const made = await shared
    host = made.host
    bench = made.bench
  })
  afterAll(() => bench.close())

  const ask = (orderId: string) => bench.acquirer.authorise(anOrder(orderId), 'charge')
  const phaseOf = async (orderId: string) => (await bench.note(orderId))?.phase ?? 'made'

  /** Lets the time pass, second by second, until the order has an end. */
  async function untilEnded(orderId: string): Promise<void> {
    await until(async () => {
      await bench.clock.advance(1_000)
      return ['approved', 'declined', 'undone', 'stuck'].includes(await phaseOf(orderId))
    }, `the end of ${orderId}`)
  }

  test.each([
    ['answer_twice', 'approved'],
    ['in_progress_first', 'approved'],
    ['wrong_amount:5', '68'],
    ['partly_approved', '10'],
    ['insufficient_funds', '51'],
    // The last one, because it leaves no connection until time passes.
    ['connection_closed', 'approved'],
  ])('%s is answered: %s', async (scenario, ends) => {
    await host.plays({ next: [{ scenario }] })
    // Nothing is due while the host answers, so no time passes.
    await ask(scenario)
    await untilEnded(scenario)
    const again = await ask(scenario)
    equal(again.answer === 'declined' ? again.responseCode : again.answer, ends)
    equal(await bench.moneyOf('demo', scenario), ends === 'approved' ? 2599 : 0)
  })

  test.each([
    ...['connection_dropped', 'answer_lost', 'half_answer', 'garbled_answer', 'wrong_stan', 'slow_answer:400'],
    ...['acquirer_silent', 'approval_unknown', 'approval_late:3600000', 'reversal_unanswered:400+answer_lost'],
  ])('%s leaves the order unknown, and it is reversed', async scenario => {
    await host.plays({ next: [{ scenario }] })
    const asked = ask(scenario)
    await untilEnded(scenario)
    deepEqual(await asked, { answer: 'unknown' })
    deepEqual(await ask(scenario), { answer: 'declined', reason: 'do_not_honour', responseCode: '68' })
    equal(await bench.moneyOf('demo', scenario), 0)
  })

  test.each([
    ...['connection_dropped', 'answer_lost', 'half_answer', 'garbled_answer', 'wrong_stan', 'slow_answer:400'],
    ...['answer_twice', 'in_progress_first'],
  ])('a reversal with %s is repeated until it is acknowledged', async scenario => {
    const orderId = `reversed with ${scenario}`
    equal((await ask(orderId)).answer, 'approved')
    await host.plays({ next: [{ scenario, of: 'reversal' }] })
    const asked = bench.acquirer.reverse({ orderId, account: 'demo' })
    await untilEnded(orderId)
    await asked
    equal(await bench.acquirer.reverse({ orderId, account: 'demo' }), 'reversed')
    equal(await bench.moneyOf('demo', orderId), 0)
  })

  test('a host that forgets reversals is asked twice before the order counts as undone', async () => {
    await host.plays({
      next: [
        { scenario: 'connection_dropped' },
        { scenario: 'reversal_forgotten', of: 'reversal' },
        { scenario: 'reversal_forgotten', of: 'reversal' },
      ],
    })
    const asked = ask('forgotten')
    await untilEnded('forgotten')
    deepEqual(await asked, { answer: 'unknown' })
    equal((await bench.note('forgotten'))?.missing, 1)
    deepEqual((await host.control('GET', '/scenarios')).body['next'], [])
  })

  test('answers in another order than the requests', async () => {
    await host.plays({ next: [{ scenario: 'answer_out_of_order' }] })
    const answers = await Promise.all([ask('first'), ask('second')])
    deepEqual(
      answers.map(({ answer }) => answer),
      ['approved', 'approved'],
    )
  })

  test('after all of that the ledger of the host is what the orders say', async () => {
    deepEqual(await agree(host, bench), [2599, 2599, 2599, 2599, 2599])
  })
})

test('of 200 orders some are unanswered, cut off or answered twice: both sides agree to the penny', async () => {
  const { host, bench } = await opened()
  const faults = [
    ...Array.from({ length: 20 }, () => 'acquirer_silent'),
    ...Array.from({ length: 5 }, () => 'connection_dropped'),
    ...Array.from({ length: 5 }, () => 'answer_lost'),
    ...Array.from({ length: 4 }, () => 'answer_twice'),
  ]
  const next: { scenario: string }[] = []
  // 37 and 200 have no common factor, so each order has one place.
  for (let index = 0; index < 200; index += 1) next[(index * 37) % 200] = { scenario: faults[index] ?? 'approved' }
  await host.plays({ next })
  const answers = new Map<number, string>()
  const asking = new Set<number>()
  /** Asks as the gateway does: again under the same id, as long as nothing is known. */
  const ask = async (amount: number) => {
    if (answers.has(amount) || asking.has(amount)) return
    asking.add(amount)
    const { answer } = await bench.acquirer.authorise(anOrder(`order of ${amount}`, amount), 'charge')
    asking.delete(amount)
    if (answer !== 'unknown') answers.set(amount, answer)
  }
  for (let first = 1; first <= 200; first += 20) {
    const group = Array.from({ length: 20 }, (_, index) => first + index)
    await until(async () => {
      for (const amount of group) void ask(amount)
      await bench.clock.advance(250)
      return group.every(amount => answers.has(amount))
    }, `the end of orders ${first} and following`)
  }
  const taken = await agree(host, bench)
  deepEqual(
    taken.toSorted((one, other) => one - other),
    [...answers].flatMap(([amount, answer]) => (answer === 'approved' ? [amount] : [])).toSorted((a, b) => a - b),
  )
  ok(taken.length > 50 && taken.length < 180, String(taken.length))
  await bench.close()
}, 240_000)

test.each([
  ['New Year', Date.UTC(2027, 11, 31, 23, 59, 55), ['1231', '0101']],
  ['29 February', Date.UTC(2028, 1, 28, 23, 59, 55), ['0228', '0229']],
  ['the end of summer time', Date.UTC(2027, 9, 31, 0, 59, 55), ['1031', '1031']],
])('a sale is reversed after %s', async (_, start, [before, after]) => {
  const { host, bench } = await opened(new TestClock(start))
  equal((await bench.acquirer.authorise(anOrder('o1'), 'charge')).answer, 'approved')
  await bench.clock.advance(10_000)
  equal(await bench.acquirer.reverse({ orderId: 'o1', account: 'demo' }), 'reversed')
  equal((await bench.acquirer.authorise(anOrder('o2'), 'charge')).answer, 'approved')
  deepEqual([(await bench.note('o1'))?.sent?.fields[13], (await bench.note('o2'))?.sent?.fields[13]], [before, after])
  deepEqual(
    (await host.entries()).map(({ kind, state }) => `${kind} ${state}`),
    ['charge reversed', 'reversal done', 'charge charged'],
  )
  await bench.close()
})

test('audit numbers begin anew after 999999, and pass over the number of an open order', async () => {
  const { host, bench } = await opened()
  await host.plays({ next: [{ scenario: 'acquirer_silent' }] })
  void bench.acquirer.authorise(anOrder('open'), 'charge')
  await until(async () => (await bench.note('open'))?.phase === 'sent', 'the open order')
  const open = Number((await bench.note('open'))?.sent?.fields[11])
  const key = { account: '(iso8583)', kind: 'iso8583-number', id: 'stan/29110001' } as const
  const counter = await bench.store.load(key)
  const { version = 0 } = counter ?? {}
  await bench.store.commit({
    ...{ ...key, expectedVersion: version, version: version + 1, body: JSON.stringify({ last: 999_999 + open - 1 }) },
    ...{ parent: '', live: false, lockKey: null, at: 0, events: [], effects: [], effectsDone: [] },
    ...{ timers: null, idempotency: null },
  })
  deepEqual(await bench.acquirer.authorise(anOrder('next'), 'charge'), { answer: 'unknown' }, 'its number is taken')
  equal((await bench.acquirer.authorise(anOrder('next'), 'charge')).answer, 'approved')
  equal(Number((await bench.note('next'))?.sent?.fields[11]), open + 1)
  await bench.close()
})
