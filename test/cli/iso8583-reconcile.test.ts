// test/cli/iso8583-reconcile.test.ts — totals of the journal against those of the simulated host: agreed, different, cut over, repeated, uploaded.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { BUILT_IN_DIALECTS } from '../../src/acquirers/iso8583/built-in.ts'
import type { DialectDocument } from '../../src/acquirers/iso8583/dialect-schema.ts'
import { createJournal } from '../../src/acquirers/iso8583/orders/journal.ts'
import { createNumbers } from '../../src/acquirers/iso8583/orders/numbers.ts'
import { type Reconciled, reconcile } from '../../src/acquirers/iso8583/reconciliation/reconcile.ts'
import { money } from '../../src/domain/money.ts'
import { until } from '../support/acquirer-host.ts'
import { anOrder, type BenchParts, type Iso8583Bench, openIso8583 } from '../support/iso8583-bench.ts'
import { TestClock } from '../support/test-clock.ts'
import { benchHost, movedBy, type SimulatedHost, simulatedHost } from './simulated-host.ts'
import { emptyDirectory } from './tollgate.ts'

type Given = Partial<Pick<BenchParts, 'clock' | 'store' | 'vault' | 'document'>> & { readonly host?: SimulatedHost }

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

async function opened(dialect: string, given: Given = {}): Promise<Opened> {
  const { clock = new TestClock(), document = documentOf(dialect) } = given
  const host = given.host ?? (await simulatedHost(['--dialect', dialect]))
  const bench = await openIso8583(benchHost(host), host.port, { ...given, document, clock })
  const { store, vault, connection } = bench
  return {
    ...{ host, bench },
    reconcile: () =>
      reconcile({
        ...{ dialect: bench.dialect, connection, vault, clock, journal: createJournal(store, clock) },
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

test.each(['plain-87-ascii', 'pos-87-bcd', 'host-93'])(
  '%s: the totals of a day agree with those of the host, and the next day begins with nothing',
  async dialect => {
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
  },
)

describe.each(['plain-87-ascii', 'host-93'])('%s', dialect => {
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
  const { reconciliation: _, ...document } = documentOf('pos-87-bcd')
  const messages = {
    ...document.messages,
    reconcile: { mti: '0500', fields: '3 11 24 41 42 60', set: { 3: '920000' } },
  }
  const file = join(emptyDirectory(), 'without-totals.json')
  writeFileSync(file, JSON.stringify({ ...document, messages }))
  const host = await simulatedHost(['--dialect', file])
  const { bench, reconcile: run } = await opened('pos-87-bcd', { host, document: { ...document, messages } })
  await bench.acquirer.authorise(anOrder('s1'), 'charge')
  const [done] = await run()
  deepEqual([done?.verdict, done?.theirs, done?.isSameNet], ['balanced', {}, null])
  deepEqual(await run(), [])
  await bench.close()
})

describe('a batch that differs is uploaded', () => {
  const POS = 'pos-87-bcd'
  /** Money that the host has taken, less what it has given back. */
  const moved = async (host: SimulatedHost) => (await host.entries()).reduce((sum, entry) => sum + movedBy(entry), 0)
  const uploads = async (host: SimulatedHost) => (await host.entries()).filter(({ kind }) => kind === 'upload').length
  /** Another host, which has forgotten everything. */
  async function withNewHost({ bench }: Opened): Promise<Opened> {
    await bench.close()
    const { store, vault, clock } = bench
    return opened(POS, { store, vault, clock })
  }

  test('the host takes sales that it has lost, and both agree to the penny', async () => {
    const before = await opened(POS)
    await day(before.bench)
    const { host, bench, reconcile: run } = await withNewHost(before)
    equal(await moved(host), 0)
    const [done, ...others] = await run()
    deepEqual([done?.verdict, done?.isClosed, done?.uploaded, done?.notUploaded], ['uploaded', true, 3, []])
    deepEqual(others, [])
    equal(await moved(host), 1000 + 3000 - 500)
    deepEqual(await run(), [])
    await bench.close()
  })

  test('the host drops a sale that only it has', async () => {
    const first = await opened(POS)
    await day(first.bench)
    // Its numbers are those of the first one, a minute later.
    const clock = new TestClock()
    await clock.advance(60_000)
    const other = await opened(POS, { host: first.host, clock })
    equal((await other.bench.acquirer.authorise(anOrder('x1', 777), 'charge')).answer, 'approved')
    equal(await moved(first.host), 3500 + 777)
    const [done] = await first.reconcile()
    deepEqual([done?.verdict, done?.isClosed, done?.uploaded], ['uploaded', true, 3])
    equal(await moved(first.host), 3500)
    equal((await other.bench.note('x1'))?.reconciledAt, null)
    await other.bench.close()
    await first.bench.close()
  })

  test('when the host differs again, nothing is closed; the next run uploads nothing twice', async () => {
    const { host, bench, reconcile: run } = await opened(POS)
    await day(bench)
    const differs = { scenario: 'out_of_balance', of: 'reconciliation' }
    await host.plays({ next: [differs, differs] })
    const [done] = await run()
    deepEqual([done?.verdict, done?.isClosed, done?.uploaded], ['out_of_balance', false, 3])
    deepEqual([done?.theirs['63.salesCount'], done?.theirs['63.sales']], ['003', '000000004000'])
    await host.plays({ next: [differs] })
    deepEqual(
      (await run()).map(({ verdict, isClosed }) => [verdict, isClosed]),
      [['uploaded', true]],
    )
    equal(await uploads(host), 3)
    equal(await moved(host), 3500)
    await bench.close()
  })

  test('while an order is open nothing is uploaded: the host would drop it', async () => {
    const document = documentOf(POS)
    const timers = { ...document.timers, window: 2 }
    const { host, bench, reconcile: run } = await opened(POS, { document: { ...document, timers } })
    await day(bench)
    const differs = { scenario: 'out_of_balance', of: 'reconciliation' }
    await host.plays({ next: [{ scenario: 'acquirer_silent' }, differs, differs] })
    void bench.acquirer.authorise(anOrder('s4', 1000), 'charge')
    await until(async () => (await bench.note('s4'))?.phase === 'sent', 'the open order')
    const [done] = await run()
    deepEqual([done?.verdict, done?.isClosed, done?.uploaded], ['out_of_balance', false, null])
    equal(await uploads(host), 0)
    await bench.clock.advance(30_000)
    await until(async () => (await bench.note('s4'))?.phase === 'undone', 'its reversal')
    deepEqual(verdicts(await run()), [['uploaded', true]])
    await bench.close()
  })

  test('a sale during the upload: the batch is not closed, because the host would drop it', async () => {
    const document = documentOf(POS)
    const timers = { ...document.timers, window: 2 }
    const { host, bench, reconcile: run } = await opened(POS, { document: { ...document, timers } })
    await day(bench)
    const differs = { scenario: 'out_of_balance', of: 'reconciliation' }
    await host.plays({ next: [{ scenario: 'slow_answer:300' }, differs] })
    // The first upload is answered after the sale has begun.
    const running = run()
    await until(async () => (await uploads(host)) > 0, 'an upload')
    equal((await bench.acquirer.authorise(anOrder('s5', 100), 'charge')).answer, 'approved')
    const [done] = await running
    deepEqual([done?.verdict, done?.isClosed, done?.uploaded, done?.meanwhile], ['out_of_balance', false, 3, ['s5']])
    await host.plays({ next: [differs] })
    deepEqual(verdicts(await run()), [['uploaded', true]])
    equal(await moved(host), 3600)
    await bench.close()
  })

  test('an order whose card is forgotten cannot be uploaded; it is named, and the batch stays open', async () => {
    const before = await opened(POS)
    await day(before.bench)
    const { vault } = before.bench
    const card = (await before.bench.note('s2'))?.card ?? ''
    await vault.forget('demo', card)
    const { host, bench, reconcile: run } = await withNewHost(before)
    const [done] = await run()
    deepEqual([done?.verdict, done?.isClosed, done?.uploaded], ['out_of_balance', false, 2])
    deepEqual(
      done?.notUploaded.map(({ orderId }) => orderId),
      ['s2'],
    )
    equal(done?.notUploaded[0]?.why, 'its card is kept no longer (keepDays)')
    deepEqual(
      (await host.entries()).filter(({ isClosed }) => isClosed),
      [],
    )
    await bench.close()
  })
})
