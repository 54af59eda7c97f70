// test/contract/terminal-driver.suite.ts — what the gateway relies on in any terminal driver: reports come in order, each
// until it is taken, calls may be repeated, and a terminal knows what it has done when it is asked.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { afterEach, describe, test } from 'vitest'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import type { TerminalTransaction } from '../../src/domain/counter/transaction.ts'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import type { ReportCall, TerminalCall, TerminalDriver } from '../../src/engine/ports/terminal.ts'
import { PocketGateway } from '../support/pocket-gateway.ts'
import type { TestClock } from '../support/test-clock.ts'

export interface DriverUnderTest {
  readonly driver: TerminalDriver
  readonly clock: TestClock
  /** Terminals by what happens at them. Their payments are small, their cards are good. */
  readonly terminals: {
    readonly approving: Terminal
    readonly signing: Terminal
    /** Where nobody presents a card. */
    readonly waiting: Terminal
  }
  /** Cuts a terminal's power, and gives it back. */
  unplug(terminal: Terminal): Promise<void>
  plugIn(terminal: Terminal): Promise<void>
  /** The terminals as a new process of the gateway finds them; they have kept going meanwhile. */
  afterCrash(): DriverUnderTest
  close(): void
}

const APPROVAL = { answer: 'approved', authCode: 'AB12C3', reference: '1' } as const

/** Says yes to everything. */
const approves: Acquirer = {
  name: 'approves',
  authorise: async () => APPROVAL,
  capture: async () => APPROVAL,
  refund: async () => APPROVAL,
  verify: async () => APPROVAL,
  reverse: async () => 'reversed',
}

interface Bench extends DriverUnderTest {
  readonly gateway: PocketGateway
}

/** Exercises a driver completely. `make` gives fresh terminals each time. */
export function exerciseTerminalDriver(name: string, make: () => DriverUnderTest): void {
  describe(`terminal driver: ${name}`, () => {
    let opened: DriverUnderTest[] = []
    const bench = (under: DriverUnderTest): Bench => {
      opened.push(under)
      const { clock, driver } = under
      return { ...under, gateway: new PocketGateway({ clock, driver, acquirer: approves }) }
    }
    const open = async (): Promise<Bench> => {
      const opening = bench(make())
      await opening.driver.listen(opening.gateway.sink)
      return opening
    }
    afterEach(async () => {
      for (const under of opened) {
        await under.driver.close()
        under.close()
      }
      opened = []
    })

    const call = (gateway: PocketGateway, terminal: Terminal, requestId: string, effectId: string): TerminalCall => ({
      effectId,
      terminal,
      transaction: gateway.record(requestId),
    })
    const sequences = (gateway: PocketGateway, requestId: string) =>
      gateway.deliveries.filter(delivery => delivery.requestId === requestId).map(({ sequence }) => sequence)
    const reported = (gateway: PocketGateway, type: string) =>
      gateway.deliveries.flatMap(({ reports }) => reports).filter(report => report.type === type).length
    const oneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

    const reportCall = (terminal: Terminal, effectId = 'p1.1.terminal.run_report'): ReportCall => ({
      effectId,
      terminal,
      report: {
        requestId: 'p1',
        merchantAccount: terminal.merchantAccount,
        tid: terminal.tid,
        reportType: 'END_OF_DAY',
        progress: 'requested',
        version: 1,
        limitMs: 120_000,
        startedAt: 0,
        finishedAt: null,
        lastReport: 0,
        result: null,
        totals: null,
        lines: [],
      },
    })

    test('a report begins, and ends with what was paid before it', async () => {
      const { driver, gateway, clock, terminals } = await open()
      await gateway.start(terminals.approving)
      await clock.advance(60_000)
      await driver.runReport(reportCall(terminals.approving))
      await clock.advance(60_000)
      deepEqual(
        gateway.progress.flatMap(({ sequence, reports }) => reports.map(report => `${sequence} ${report.type}`)),
        ['1 started', '2 totals_read'],
      )
      const [last] = gateway.progress.at(-1)?.reports ?? []
      ok(last?.type === 'totals_read')
      equal(last.totals.balances?.salesMinor, 2_599)
      ok(last.lines.some(({ value }) => value === 'REPORT COMPLETE'))
      deepEqual(await driver.lastTransaction(terminals.approving, 'p1'), { state: 'ended', successful: true })
    })

    test('a report that is asked for twice runs once', async () => {
      const { driver, gateway, clock, terminals } = await open()
      await driver.runReport(reportCall(terminals.approving))
      await driver.runReport(reportCall(terminals.approving))
      await clock.advance(60_000)
      await driver.runReport(reportCall(terminals.approving))
      await clock.advance(60_000)
      deepEqual(
        gateway.progress.map(({ sequence }) => sequence),
        [1, 2],
      )
    })

    test('a report that could not be delivered is delivered when somebody listens again', async () => {
      const { driver, gateway, clock, terminals } = await open()
      gateway.alive = false
      await driver.runReport(reportCall(terminals.approving))
      await clock.advance(60_000)
      deepEqual(gateway.progress, [])
      gateway.alive = true
      await clock.advance(60_000)
      deepEqual(
        gateway.progress.map(({ sequence }) => sequence),
        [1, 2],
      )
    })

    test('a terminal that loses its power forgets the report it was running, not one that it has ended', async () => {
      const { driver, gateway, clock, terminals, unplug, plugIn } = await open()
      await driver.runReport(reportCall(terminals.approving))
      await clock.advance(0)
      const before = await driver.lastTransaction(terminals.approving, 'p1')
      await unplug(terminals.approving)
      await rejects(driver.runReport(reportCall(terminals.approving)))
      await plugIn(terminals.approving)
      // A terminal without a pace has ended it before anybody can pull the plug.
      const after = before.state === 'running' ? { state: 'forgotten' } : { state: 'ended', successful: true }
      deepEqual(await driver.lastTransaction(terminals.approving, 'p1'), after)
      equal(gateway.reconnections.length, 1)
    })

    test('a payment is reported from the first screen to the end, numbered without a gap', async () => {
      const { gateway, clock, terminals } = await open()
      const requestId = await gateway.start(terminals.approving)
      await clock.advance(60_000)
      const { result, card, receipts, transactionNumber } = gateway.record(requestId)
      equal(result, 'SUCCESSFUL')
      ok(card.primaryAccountNumber.startsWith('************'))
      ok(receipts.MERCHANT.length > 0)
      ok(transactionNumber !== '')
      const numbers = sequences(gateway, requestId)
      deepEqual(numbers, oneTo(numbers.length))
      const before = gateway.record(requestId)
      await gateway.execute(requestId, { type: 'cancel' })
      await clock.advance(60_000)
      deepEqual(gateway.record(requestId), before)
      equal(reported(gateway, 'ended'), 1)
    })

    test('a call that comes twice has one effect', async () => {
      const { gateway, clock, driver, terminals } = await open()
      const requestId = await gateway.start(terminals.signing)
      const started = call(gateway, terminals.signing, requestId, `${requestId}.1.terminal.start`)
      await driver.start(started)
      await clock.advance(60_000)
      await driver.start(started)
      equal(gateway.record(requestId).progress, 'awaiting_signature')
      await gateway.execute(requestId, { type: 'decide_signature', accepted: true })
      const { version } = gateway.record(requestId)
      const decided = call(gateway, terminals.signing, requestId, `${requestId}.${version}.terminal.answer_signature`)
      await driver.answerSignature(decided, { accepted: true, timedOut: false })
      await clock.advance(60_000)
      await driver.answerAuthorisation({ ...decided, effectId: 'late' })
      await driver.start(started)
      await clock.advance(60_000)
      equal(gateway.record(requestId).result, 'SUCCESSFUL')
      deepEqual(
        ['authorisation_requested', 'signature_requested', 'signature_applied', 'ended'].map(type =>
          reported(gateway, type),
        ),
        [1, 1, 1, 1],
      )
    })

    test('a cancel is obeyed while the terminal waits for a card', async () => {
      const { gateway, clock, driver, terminals } = await open()
      const requestId = await gateway.start(terminals.waiting)
      await clock.advance(2_000)
      await gateway.execute(requestId, { type: 'cancel' })
      const again = call(gateway, terminals.waiting, requestId, `${requestId}.3.terminal.cancel`)
      await driver.cancel(again)
      await driver.cancel(again)
      await clock.advance(10_000)
      const { result, cancel } = gateway.record(requestId)
      deepEqual({ result, cancel }, { result: 'CANCELLED', cancel: 'done' })
      equal(reported(gateway, 'cancel_accepted'), 1)
    })

    test('a cancel after the card was presented is refused, and the payment goes on', async () => {
      const { gateway, clock, driver, terminals } = await open()
      const requestId = await gateway.start(terminals.signing)
      await clock.advance(60_000)
      const late = call(gateway, terminals.signing, requestId, 'a cancel that was under way')
      await driver.cancel(late)
      await driver.cancel(late)
      await clock.advance(1_000)
      equal(reported(gateway, 'cancel_refused'), 1)
      equal(gateway.record(requestId).progress, 'awaiting_signature')
    })

    test('a refused signature ends void, an accepted and an unanswered one successful', async () => {
      const { gateway, clock, terminals } = await open()
      const results: unknown[] = []
      for (const command of [
        { type: 'decide_signature', accepted: true },
        { type: 'decide_signature', accepted: false },
        { type: 'time_is_up', timer: 'signature' },
      ] as const) {
        const requestId = await gateway.start(terminals.signing)
        await clock.advance(60_000)
        await gateway.execute(requestId, command)
        await clock.advance(60_000)
        results.push(gateway.record(requestId).result)
      }
      deepEqual(results, ['SUCCESSFUL', 'VOID', 'SUCCESSFUL'])
    })

    test('what is not taken is delivered again, in order and under its number', async () => {
      const { gateway, clock, terminals } = await open()
      const requestId = await gateway.start(terminals.approving)
      gateway.alive = false
      await clock.advance(30_000)
      gateway.alive = true
      await clock.advance(60_000)
      equal(gateway.record(requestId).result, 'SUCCESSFUL')
      const numbers = sequences(gateway, requestId)
      deepEqual(numbers, oneTo(numbers.length))
    })

    test('a terminal remembers what runs, how it ended, and that it knows nothing', async () => {
      const { gateway, clock, driver, terminals } = await open()
      const paid = await gateway.start(terminals.approving)
      const stopped = await gateway.start(terminals.waiting)
      await clock.advance(2_000)
      deepEqual(await driver.lastTransaction(terminals.waiting, stopped), { state: 'running' })
      await gateway.execute(stopped, { type: 'cancel' })
      await clock.advance(60_000)
      deepEqual(await driver.lastTransaction(terminals.approving, paid), { state: 'ended', successful: true })
      deepEqual(await driver.lastTransaction(terminals.waiting, stopped), { state: 'ended', successful: false })
      deepEqual(await driver.lastTransaction(terminals.waiting, 'never heard of'), { state: 'forgotten' })
    })

    test('what a terminal has denied it does not begin later', async () => {
      const { gateway, clock, driver, terminals } = await open()
      deepEqual(await driver.lastTransaction(terminals.approving, 'r1'), { state: 'forgotten' })
      const requestId = await gateway.start(terminals.approving)
      equal(requestId, 'r1')
      await clock.advance(60_000)
      deepEqual(gateway.deliveries, [])
      deepEqual(await driver.lastTransaction(terminals.approving, 'r1'), { state: 'forgotten' })
    })

    test('an unplugged terminal cannot be reached; back again it says so, and has forgotten what it was doing', async () => {
      const { gateway, clock, driver, terminals, unplug, plugIn } = await open()
      const requestId = await gateway.start(terminals.waiting)
      await clock.advance(2_000)
      await unplug(terminals.waiting)
      equal(driver.presence(terminals.waiting), null)
      const cancel = call(gateway, terminals.waiting, requestId, 'e1')
      await rejects(driver.start(cancel))
      await rejects(driver.cancel(cancel))
      await rejects(driver.answerAuthorisation({ ...cancel, transaction: approved(cancel.transaction) }))
      await rejects(driver.answerSignature(cancel, { accepted: true, timedOut: false }))
      await rejects(driver.lastTransaction(terminals.waiting, requestId))
      const before = gateway.deliveries.length
      await plugIn(terminals.waiting)
      // A start that is repeated now must not begin anew what the terminal has lost.
      await driver.start(cancel)
      await clock.advance(60_000)
      ok(driver.presence(terminals.waiting) !== null)
      deepEqual(gateway.reconnections, [`${terminals.waiting.merchantAccount}/${terminals.waiting.tid}`])
      deepEqual(await driver.lastTransaction(terminals.waiting, requestId), { state: 'forgotten' })
      equal(gateway.deliveries.length, before)
    })

    test('what an unplugged terminal had not delivered of its transaction is lost with it', async () => {
      const { gateway, clock, terminals, unplug, plugIn } = await open()
      await gateway.start(terminals.waiting)
      gateway.alive = false
      const heard = gateway.deliveries.length
      await clock.advance(2_000)
      await unplug(terminals.waiting)
      gateway.alive = true
      await plugIn(terminals.waiting)
      await clock.advance(60_000)
      equal(gateway.deliveries.length, heard)
    })

    test('after a crash of the gateway it hears all it has missed before listening is over', async () => {
      const before = await open()
      const { terminals } = before
      const requestId = await before.gateway.start(terminals.signing)
      await before.clock.advance(60_000)
      before.gateway.alive = false
      const { version } = before.gateway.record(requestId)
      const decided = call(before.gateway, terminals.signing, requestId, `${requestId}.${version + 1}.answer`)
      await before.driver.answerSignature(decided, { accepted: true, timedOut: false })
      await before.clock.advance(20_000)
      await before.driver.close()

      const after = bench(before.afterCrash())
      after.gateway.takeUp(before.gateway)
      await after.gateway.execute(requestId, { type: 'decide_signature', accepted: true })
      await after.driver.listen(after.gateway.sink)
      equal(reported(after.gateway, 'signature_applied'), 1)
      await after.clock.advance(60_000)
      equal(after.gateway.record(requestId).result, 'SUCCESSFUL')
      deepEqual(await after.driver.lastTransaction(terminals.signing, requestId), { state: 'ended', successful: true })
      deepEqual(sequences(after.gateway, requestId).at(0), before.gateway.record(requestId).lastReport + 1)
    })

    test('terminals do not wait for each other', async () => {
      const { gateway, clock, terminals } = await open()
      const waiting = await gateway.start(terminals.waiting)
      const signing = await gateway.start(terminals.signing)
      const approving = await gateway.start(terminals.approving)
      await clock.advance(30_000)
      deepEqual(
        [waiting, signing, approving].map(id => gateway.record(id).progress),
        ['awaiting_card', 'awaiting_signature', 'finished'],
      )
    })
  })
}

function approved(transaction: TerminalTransaction): TerminalTransaction {
  return { ...transaction, authorisation: 'approved', authCode: 'AB12C3' }
}
