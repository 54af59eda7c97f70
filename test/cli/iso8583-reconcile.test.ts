// test/cli/iso8583-reconcile.test.ts — totals of the journal against those of the simulated host: agreed, different, cut over, repeated.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { BUILT_IN_DIALECTS } from '../../src/acquirers/iso8583/built-in.ts'
import type { DialectDocument } from '../../src/acquirers/iso8583/dialect-schema.ts'
import { createJournal } from '../../src/acquirers/iso8583/orders/journal.ts'
import { createNumbers } from '../../src/acquirers/iso8583/orders/numbers.ts'
import { type Reconciled, reconcile } from '../../src/acquirers/iso8583/reconciliation/reconcile.ts'
import { money } from '../../src/domain/money.ts'
import { until } from '../support/acquirer-host.ts'
import { anOrder, type Iso8583Bench, openIso8583 } from '../support/iso8583-bench.ts'
import { TestClock } from '../support/test-clock.ts'
import { benchHost, type SimulatedHost, simulatedHost } from './simulated-host.ts'

interface Opened {
  readonly host: SimulatedHost
  readonly bench: Iso8583Bench
  reconcile(): Promise<readonly Reconciled[]>
}

/** Without codes, which are another matter. */
function documentOf(dialect: string): DialectDocument {
  const { mac: _, ...document } = BUILT_IN_DIALECTS[dialect] as DialectDocument
  return { ...document, examples: [] }
}

async function opened(dialect: string, clock = new TestClock()): Promise<Opened> {
  const host = await simulatedHost(['--dialect', dialect])
  const bench = await openIso8583(benchHost(host), host.port, { document: documentOf(dialect), clock })
  const { store, connection } = bench
  return {
    ...{ host, bench },
    reconcile: () =>
      reconcile({
        ...{ dialect: bench.dialect, connection, clock, journal: createJournal(store, clock) },
        ...{ numbers: createNumbers(store, clock), settingsOf: () => bench.settings, timeZone: 'Europe/London' },
      }),
  }
}

/** Sales of 25.99 and 10.00, of which the first is undone; a hold of 50.00 of which 30.00 are taken; a refund of 5.00. */
async function day({ acquirer }: Iso8583Bench): Promise<void> {
  equal((await acquirer.authorise(anOrder('s1'), 'charge')).answer, 'approved')
  equal((await acquirer.authorise(anOrder('s2', 1000), 'charge')).answer, 'approved')
  equal(await acquirer.reverse({ orderId: 's1', account: 'demo' }), 'reversed')
  const held = await acquirer.authorise(anOrder('h1', 5000), 'hold')
  ok(held.answer === 'approved')
  const capture = { ...anOrder('c1', 3000), authCode: held.authCode, preAuthorisedTotal: null }
  equal((await acquirer.capture(capture)).answer, 'approved')
  equal((await acquirer.refund(anOrder('r1', 500))).answer, 'approved')
  equal((await acquirer.authorise(anOrder('d1', 9_000_051), 'charge')).answer, 'declined')
}

const TOTALS = {
  sales: { number: 3, minor: 6599 },
  salesUndone: { number: 1, minor: 2599 },
  refunds: { number: 1, minor: 500 },
  refundsUndone: { number: 0, minor: 0 },
}
const verdicts = (done: readonly Reconciled[]) => done.map(({ verdict, isClosed }) => [verdict, isClosed])

describe.each(['plain-87-ascii', 'host-93'])('%s', dialect => {
  test('the totals of a day agree with those of the host, and the next day begins with nothing', async () => {
    const { host, bench, reconcile: run } = await opened(dialect)
    await day(bench)
    deepEqual((await host.control('GET', '/ledger')).body['totals'], TOTALS)
    const done = await run()
    deepEqual(
      done.map(({ batch }) => batch.totals),
      [TOTALS],
    )
    deepEqual(verdicts(done), [['balanced', true]])
    deepEqual(await run(), [])
    equal((await bench.acquirer.authorise(anOrder('s3', 700), 'charge')).answer, 'approved')
    const next = await run()
    deepEqual(
      next.map(({ batch }) => batch.totals.sales),
      [{ number: 1, minor: 700 }],
    )
    deepEqual(verdicts(next), [['balanced', true]])
    await bench.close()
  })

  test('each currency of a terminal has a batch of its own', async () => {
    const { bench, reconcile: run } = await opened(dialect)
    await bench.acquirer.authorise(anOrder('s1'), 'charge')
    await bench.acquirer.authorise({ ...anOrder('s2'), amount: money(400, 'EUR') }, 'charge')
    const done = await run()
    deepEqual(
      done.map(({ batch }) => [batch.currency, batch.totals.sales.minor]),
      [
        ['GBP', 2599],
        ['EUR', 400],
      ],
    )
    deepEqual(verdicts(done), [
      ['balanced', true],
      ['balanced', true],
    ])
    await bench.close()
  })

  test('an order without an end is open: it is in no total', async () => {
    const { host, bench, reconcile: run } = await opened(dialect)
    await bench.acquirer.authorise(anOrder('s1'), 'charge')
    await host.plays({ next: [{ scenario: 'acquirer_silent' }] })
    void bench.acquirer.authorise(anOrder('s2', 1000), 'charge')
    await until(async () => (await bench.note('s2'))?.phase === 'sent', 'the open order')
    const [done] = await run()
    deepEqual([done?.batch.totals.sales.minor, done?.batch.open.map(({ orderId }) => orderId)], [2599, ['s2']])
    equal(done?.verdict, 'balanced')
    await bench.close()
  })
})

test('1987: when the host differs, nothing is closed, and both totals are shown', async () => {
  const { host, bench, reconcile: run } = await opened('plain-87-ascii')
  await day(bench)
  await host.plays({ next: [{ scenario: 'out_of_balance', of: 'reconciliation' }] })
  const [done] = await run()
  deepEqual([done?.verdict, done?.code, done?.isSameNet, done?.isClosed], ['out_of_balance', '95', true, false])
  deepEqual([done?.theirs[76], done?.theirs[88]], ['0000000004', '0000000000006599'])
  deepEqual(verdicts(await run()), [['balanced', true]])
  await bench.close()
})

test('1993: the host closes a batch that differs, so it is closed here too', async () => {
  const { host, bench, reconcile: run } = await opened('host-93')
  await day(bench)
  await host.plays({ next: [{ scenario: 'out_of_balance', of: 'reconciliation' }] })
  const [done] = await run()
  deepEqual([done?.verdict, done?.code, done?.isClosed], ['out_of_balance', '501', true])
  deepEqual(await run(), [])
  await bench.close()
})

test('without an answer nothing is known and nothing is closed', async () => {
  const { host, bench, reconcile: run } = await opened('plain-87-ascii')
  await day(bench)
  await host.plays({ next: [{ scenario: 'acquirer_silent', of: 'reconciliation' }] })
  let done: readonly Reconciled[] | null = null
  void run().then(result => {
    done = result
  })
  await until(async () => {
    await bench.clock.advance(1_000)
    return done !== null
  }, 'the end of the time limit')
  deepEqual(verdicts(done ?? []), [['unanswered', false]])
  deepEqual(verdicts(await run()), [['balanced', true]])
  await bench.close()
})

test('a dialect without totals closes its batch', async () => {
  const { bench, reconcile: run } = await opened('pos-87-bcd')
  await bench.acquirer.authorise(anOrder('s1'), 'charge')
  const [done] = await run()
  deepEqual([done?.verdict, done?.theirs, done?.isSameNet], ['balanced', {}, null])
  deepEqual(await run(), [])
  await bench.close()
})
