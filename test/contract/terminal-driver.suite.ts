// test/contract/terminal-driver.suite.ts — contract of every terminal driver: reports are delivered in order until
// confirmed, calls can be repeated, and a terminal remembers its transactions.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  benchesOf,
  call,
  type DriverUnderTest,
  oneTo,
  reportCall,
  reported,
  rising,
  sequences,
} from './driver-bench.ts'

/** Runs the whole contract. `make` creates new terminals for each test. */
export function exerciseTerminalDriver(name: string, make: () => DriverUnderTest | Promise<DriverUnderTest>): void {
  describe(`terminal driver: ${name}`, () => {
    const { bench, open } = benchesOf(make)

    test('a report starts, and ends with the totals of earlier payments', async () => {
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
      ok(last.lines.length > 0)
      deepEqual(await driver.lastTransaction(terminals.approving, 'p1'), { state: 'ended', successful: true })
    })

    test('a repeated report call runs one report', async () => {
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

    test('an undelivered report result is delivered once the gateway listens again', async () => {
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

    test('a payment is reported from the first screen to the end, numbered in order', async () => {
      const { gateway, clock, terminals, reportsScreens } = await open()
      const requestId = await gateway.start(terminals.approving)
      await clock.advance(60_000)
      const { result, card, receipts, transactionNumber } = gateway.record(requestId)
      equal(result, 'SUCCESSFUL')
      ok(card.primaryAccountNumber.startsWith('************'))
      ok(receipts.MERCHANT.length > 0)
      ok(transactionNumber !== '')
      const numbers = sequences(gateway, requestId)
      deepEqual(numbers, reportsScreens ? oneTo(numbers.length) : rising(numbers))
      const before = gateway.record(requestId)
      await gateway.execute(requestId, { type: 'cancel' })
      await clock.advance(60_000)
      deepEqual(gateway.record(requestId), before)
      equal(reported(gateway, 'ended'), 1)
    })

    test('a repeated start has one effect', async () => {
      const { gateway, clock, driver, terminals } = await open()
      const requestId = await gateway.start(terminals.approving)
      const started = call(gateway, terminals.approving, requestId, `${requestId}.1.terminal.start`)
      await driver.start(started)
      await clock.advance(60_000)
      await driver.start(started)
      await clock.advance(60_000)
      equal(gateway.record(requestId).result, 'SUCCESSFUL')
      equal(reported(gateway, 'ended'), 1)
    })

    test('a cancel is accepted while the terminal waits for a card', async () => {
      const { gateway, clock, driver, terminals, reportsScreens } = await open()
      const requestId = await gateway.start(terminals.waiting)
      await clock.advance(2_000)
      await gateway.execute(requestId, { type: 'cancel' })
      const again = call(gateway, terminals.waiting, requestId, `${requestId}.3.terminal.cancel`)
      await driver.cancel(again)
      await driver.cancel(again)
      await clock.advance(10_000)
      const { result, cancel } = gateway.record(requestId)
      deepEqual({ result, cancel }, { result: 'CANCELLED', cancel: 'done' })
      equal(reported(gateway, 'cancel_accepted'), reportsScreens ? 1 : 0)
      equal(reported(gateway, 'ended'), 1)
    })

    test('an unconfirmed delivery is repeated, in order and with its number', async () => {
      const { gateway, clock, terminals, reportsScreens } = await open()
      const requestId = await gateway.start(terminals.approving)
      gateway.alive = false
      await clock.advance(30_000)
      gateway.alive = true
      await clock.advance(60_000)
      equal(gateway.record(requestId).result, 'SUCCESSFUL')
      const numbers = sequences(gateway, requestId)
      deepEqual(numbers, reportsScreens ? oneTo(numbers.length) : rising(numbers))
    })

    test('a terminal reports a running, an ended and an unknown transaction', async () => {
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

    test('a terminal does not start a transaction later that it has denied', async () => {
      const { gateway, clock, driver, terminals } = await open()
      deepEqual(await driver.lastTransaction(terminals.approving, 'r1'), { state: 'forgotten' })
      const requestId = await gateway.start(terminals.approving)
      equal(requestId, 'r1')
      await clock.advance(60_000)
      deepEqual(gateway.deliveries, [])
      deepEqual(await driver.lastTransaction(terminals.approving, 'r1'), { state: 'forgotten' })
    })

    test('an unplugged terminal cannot be reached; plugged in, it reconnects', async () => {
      const { gateway, clock, driver, terminals, unplug, plugIn } = await open()
      const requestId = await gateway.start(terminals.waiting)
      await clock.advance(2_000)
      await unplug(terminals.waiting)
      equal(driver.presence(terminals.waiting), null)
      const cancel = call(gateway, terminals.waiting, requestId, 'e1')
      await rejects(driver.start(cancel))
      await rejects(driver.cancel(cancel))
      await rejects(driver.runReport(reportCall(terminals.waiting)))
      await rejects(driver.lastTransaction(terminals.waiting, requestId))
      await plugIn(terminals.waiting)
      await clock.advance(0)
      ok(driver.presence(terminals.waiting) !== null)
      deepEqual(gateway.reconnections, [`${terminals.waiting.merchantAccount}/${terminals.waiting.tid}`])
    })

    test('a transaction that ended while the gateway was down is delivered to the next one', async () => {
      const before = await open()
      const { terminals } = before
      const requestId = await before.gateway.start(terminals.approving)
      before.gateway.alive = false
      await before.clock.advance(1_000)
      await before.driver.close()
      const after = bench(before.afterCrash())
      after.gateway.takeUp(before.gateway)
      await after.driver.listen(after.gateway.sink)
      await after.clock.advance(60_000)
      equal(after.gateway.record(requestId).result, 'SUCCESSFUL')
      deepEqual(await after.driver.lastTransaction(terminals.approving, requestId), {
        state: 'ended',
        successful: true,
      })
    })
  })
}
