// test/contract/scriptable-driver.suite.ts — contract of scriptable drivers whose terminals leave authorisation to the
// gateway: signatures, and memory lost with the power.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import { benchesOf, call, type DriverUnderTest, reportCall, reported, sequences } from './driver-bench.ts'

export interface ScriptableDriverUnderTest extends DriverUnderTest {
  readonly terminals: DriverUnderTest['terminals'] & {
    /** Asks for a signature. */
    readonly signing: Terminal
  }
  afterCrash(): ScriptableDriverUnderTest
}

/** Runs the part of the contract that only such drivers have. */
export function exerciseScriptableDriver(name: string, make: () => ScriptableDriverUnderTest): void {
  describe(`scriptable terminal driver: ${name}`, () => {
    const { bench, open } = benchesOf(make)

    test('a terminal that loses power forgets a running report, not an ended one', async () => {
      const { driver, gateway, clock, terminals, unplug, plugIn } = await open()
      await driver.runReport(reportCall(terminals.approving))
      await clock.advance(0)
      const before = await driver.lastTransaction(terminals.approving, 'p1')
      await unplug(terminals.approving)
      await rejects(driver.runReport(reportCall(terminals.approving)))
      await plugIn(terminals.approving)
      // A terminal without a pace has ended it before it can be unplugged.
      const after = before.state === 'running' ? { state: 'forgotten' } : { state: 'ended', successful: true }
      deepEqual(await driver.lastTransaction(terminals.approving, 'p1'), after)
      equal(gateway.reconnections.length, 1)
    })

    test('a repeated call has one effect', async () => {
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
      await driver.answerAuthorisation({ ...decided, effectId: 'late' }, APPROVAL)
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

    test('a cancel after the card was presented is refused, and the payment continues', async () => {
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

    test('a refused signature ends in VOID, an accepted or unanswered one in SUCCESSFUL', async () => {
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

    test('an unplugged terminal cannot be reached; plugged in, it reconnects and has forgotten its transaction', async () => {
      const { gateway, clock, driver, terminals, unplug, plugIn } = await open()
      const requestId = await gateway.start(terminals.waiting)
      await clock.advance(2_000)
      await unplug(terminals.waiting)
      equal(driver.presence(terminals.waiting), null)
      const cancel = call(gateway, terminals.waiting, requestId, 'e1')
      await rejects(driver.start(cancel))
      await rejects(driver.cancel(cancel))
      await rejects(driver.answerAuthorisation(cancel, APPROVAL))
      await rejects(driver.answerSignature(cancel, { accepted: true, timedOut: false }))
      await rejects(driver.lastTransaction(terminals.waiting, requestId))
      const before = gateway.deliveries.length
      await plugIn(terminals.waiting)
      // A repeated start must not restart what the terminal has lost.
      await driver.start(cancel)
      await clock.advance(60_000)
      ok(driver.presence(terminals.waiting) !== null)
      deepEqual(gateway.reconnections, [`${terminals.waiting.merchantAccount}/${terminals.waiting.tid}`])
      deepEqual(await driver.lastTransaction(terminals.waiting, requestId), { state: 'forgotten' })
      equal(gateway.deliveries.length, before)
    })

    test('undelivered reports of an unplugged terminal are lost', async () => {
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

    test('after a crash the gateway receives all missed reports before listen resolves', async () => {
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

const APPROVAL = { answer: 'approved', authCode: 'AB12C3' } as const
