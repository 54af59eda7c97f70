// test/contract/nexo-cloud.test.ts — nexo terminals that are reached through the provider's cloud: what it delivers, refuses, loses and gives up.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import type { Fault } from '../../src/peers/nexo-terminal/behaviour.ts'
import { checkTerminal } from '../../src/terminals/nexo/check.ts'
import { createHttpsCarrier } from '../../src/terminals/nexo/https-carrier.ts'
import { closedAfterEachTest, type NexoPeer, openNexoDriver, startNexoPeer } from '../support/nexo-peer.ts'
import type { Script } from '../support/nexo-script.ts'
import { PocketGateway } from '../support/pocket-gateway.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { keepingLog, silentLog } from '../support/silent-log.ts'
import { TestClock } from '../support/test-clock.ts'
import { callOf, reported } from './driver-bench.ts'

let peer: NexoPeer
const opened = closedAfterEachTest()
beforeAll(async () => {
  peer = await startNexoPeer()
})
afterAll(() => peer.close())

const APPROVED = { Result: 'Success' }
const QUIET_MS = 150_000

async function openShop(
  script: Script = {},
  made: Promise<Terminal> = peer.makeInCloud('22160001'),
  given: Parameters<typeof openNexoDriver>[2] = {},
) {
  const terminal = await made
  await peer.script(terminal, script)
  const log = keepingLog()
  const bench = openNexoDriver(peer, [terminal], { log, ...given })
  if (given.store === undefined) opened.push(bench)
  const gateway = new PocketGateway({ ...bench, acquirer: { name: 'none' } as never })
  await bench.driver.listen(gateway.sink)
  const received = async (category: string) =>
    (await peer.received(terminal)).filter(each => each.category === category)
  /** Result of a transaction and how often a payment came to the terminal. */
  const outcome = async (id: string) => {
    const { result } = gateway.record(id)
    return { result, sent: (await received('Payment')).length, ended: reported(gateway, 'ended') }
  }
  return { ...bench, terminal, gateway, received, outcome, log }
}

const faulty = (...cloud: readonly Fault[]) => openShop({ cloud })

describe.each([
  ['in clear text', false],
  ['encrypted', true],
])('%s', (_, isEncrypted) => {
  test('a sale is approved, and its answer read', async () => {
    const { gateway, terminal, clock, outcome } = await openShop({}, peer.makeInCloud('22160001', { isEncrypted }))
    const id = await gateway.start(terminal)
    await clock.advance(0)
    deepEqual(await outcome(id), { result: 'SUCCESSFUL', sent: 1, ended: 1 })
    equal(gateway.record(id).authCode, '654321')
  })

  test('a cancel stops what waits for a card', async () => {
    const shop = await openShop({ payments: ['wait'] }, peer.makeInCloud('22160001', { isEncrypted }))
    const id = await shop.gateway.start(shop.terminal)
    await shop.clock.advance(1_000)
    const transaction = shop.gateway.record(id)
    await shop.driver.cancel({ ...callOf(shop.terminal, id), transaction })
    await shop.clock.advance(1_000)
    deepEqual(await shop.outcome(id), { result: 'CANCELLED', sent: 1, ended: 1 })
  })

  test('21 and 5: a terminal that is not connected to the cloud ends the payment at once: it never got there', async () => {
    const shop = await openShop({}, peer.makeInCloud('22160001', { isEncrypted }))
    await peer.unplug(shop.terminal)
    const id = await shop.gateway.start(shop.terminal)
    await shop.clock.advance(1_000)
    equal((await shop.outcome(id)).ended, 0)
    await shop.clock.advance(2_000)
    deepEqual(await shop.outcome(id), { result: 'UNSUCCESSFUL', sent: 0, ended: 1 })
    equal(shop.driver.presence(shop.terminal), null)
    await peer.plugIn(shop.terminal)
    await shop.clock.advance(60_000)
    deepEqual(shop.driver.presence(shop.terminal), { paperOut: false })
    equal((await shop.outcome(id)).sent, 0)
  })
})

describe('the cloud', () => {
  test('5: says that it could not deliver, and the terminal has not seen it', async () => {
    const { gateway, terminal, clock, outcome } = await faulty('unreachable')
    const id = await gateway.start(terminal)
    await clock.advance(3_000)
    deepEqual(await outcome(id), { result: 'UNSUCCESSFUL', sent: 0, ended: 1 })
  })

  test.each(['gave_up', 'gateway_timeout'] as const)(
    '19 and 20: %s, and the terminal approves afterwards',
    async fault => {
      const shop = await openShop({ cloud: [fault], payments: ['wait'] })
      const id = await shop.gateway.start(shop.terminal)
      await shop.clock.advance(20_000)
      equal((await shop.outcome(id)).ended, 0)
      await peer.finish(shop.terminal, APPROVED)
      await shop.clock.advance(5_000)
      deepEqual(await shop.outcome(id), { result: 'SUCCESSFUL', sent: 1, ended: 1 })
    },
  )

  test('10: gave up without having delivered: nothing is sent again, and that is certain only after the quiet time', async () => {
    const { gateway, terminal, clock, outcome } = await faulty('swallowed')
    const id = await gateway.start(terminal)
    await clock.advance(QUIET_MS - 1_000)
    deepEqual(await outcome(id), { result: null, sent: 0, ended: 0 })
    await clock.advance(20_000)
    deepEqual(await outcome(id), { result: 'UNSUCCESSFUL', sent: 0, ended: 1 })
  })

  test('10: gave up without having delivered, and the gateway is restarted: the quiet time is kept', async () => {
    const before = await faulty('swallowed')
    const id = await before.gateway.start(before.terminal)
    await before.clock.advance(10_000)
    await before.driver.close()
    const { store, clock } = before
    const { gateway, outcome, driver } = await openShop({}, Promise.resolve(before.terminal), { store, clock })
    gateway.takeUp(before.gateway)
    await clock.advance(QUIET_MS - 15_000)
    deepEqual(await outcome(id), { result: null, sent: 0, ended: 0 })
    await clock.advance(30_000)
    deepEqual(await outcome(id), { result: 'UNSUCCESSFUL', sent: 0, ended: 1 })
    await driver.close()
  })

  test.each(['unauthorised', 'refused_by_api'] as const)(
    '2: refuses the request (%s): nothing has begun',
    async fault => {
      const { gateway, terminal, clock, outcome, log, driver } = await faulty(fault)
      const id = await gateway.start(terminal)
      await clock.advance(0)
      deepEqual(await outcome(id), { result: 'UNSUCCESSFUL', sent: 0, ended: 1 })
      ok(log.lines.some(({ level }) => level === 'error'))
      equal(driver.presence(terminal), null)
    },
  )

  test('breaks the connection while the payment runs', async () => {
    const shop = await openShop({ payments: ['wait'] })
    const id = await shop.gateway.start(shop.terminal)
    await shop.clock.advance(1_000)
    await peer.cut(shop.terminal)
    await peer.finish(shop.terminal, APPROVED)
    await shop.clock.advance(5_000)
    deepEqual(await shop.outcome(id), { result: 'SUCCESSFUL', sent: 1, ended: 1 })
  })
})

describe('payments that the cloud only hands over', () => {
  const SECRET = 'posted-By-The-Terminal-1'
  const authorization = `Basic ${Buffer.from(`shop:${SECRET}`).toString('base64')}`
  async function asynchronous(script: Script = {}) {
    const made = await peer.makeInCloud('22160001', { isAsynchronous: true })
    const notificationPassword = { vault: await peer.vault.storeText('demo', 'driver-secret', SECRET, made.tid) }
    const posting = { notificationUser: 'shop', notificationPassword }
    const terminal = { ...made, driverSettings: { ...made.driverSettings, ...posting } }
    const shop = await openShop(script, Promise.resolve(terminal))
    const id = await shop.gateway.start(terminal)
    await shop.clock.advance(0)
    const [payment] = await shop.received('Payment')
    const header = { ServiceID: payment?.serviceId ?? '', POIID: made.driverSettings?.['poiId'] }
    /** The cloud posts a result, or whoever knows the password does. */
    const post = async (content: object) => {
      const text = JSON.stringify({ SaleToPOIResponse: { MessageHeader: header, ...content } })
      const outcome = await shop.driver.takeNotification?.(terminal, { authorization, text })
      await shop.clock.advance(0)
      return outcome
    }
    const questions = async () => (await shop.received('TransactionStatus')).length
    return { ...shop, terminal, id, post, questions }
  }
  const RESULT = { PaymentResponse: { Response: APPROVED } }

  test('a notified result is asked for at once', async () => {
    const { id, outcome, post, questions } = await asynchronous()
    deepEqual(await outcome(id), { result: null, sent: 1, ended: 0 })
    equal(await post(RESULT), 'taken')
    deepEqual([await outcome(id), await questions()], [{ result: 'SUCCESSFUL', sent: 1, ended: 1 }, 1])
    equal(await post(RESULT), 'taken')
    deepEqual([await outcome(id), await questions()], [{ result: 'SUCCESSFUL', sent: 1, ended: 1 }, 1])
  })
  test('a result whose notification is lost is found by asking every 15 s', async () => {
    const { id, clock, outcome, questions } = await asynchronous()
    await clock.advance(14_000)
    deepEqual([(await outcome(id)).ended, await questions()], [0, 0])
    await clock.advance(2_000)
    deepEqual([await outcome(id), await questions()], [{ result: 'SUCCESSFUL', sent: 1, ended: 1 }, 1])
  })
  test('a notified result that is not true changes nothing', async () => {
    const { id, terminal, clock, outcome, post } = await asynchronous({ payments: ['wait'] })
    equal(await post(RESULT), 'taken')
    deepEqual(await outcome(id), { result: null, sent: 1, ended: 0 })
    await peer.finish(terminal, { Result: 'Failure', ErrorCondition: 'Refusal' })
    await clock.advance(16_000)
    deepEqual(await outcome(id), { result: 'DECLINED', sent: 1, ended: 1 })
  })
  test('that the cloud gave up is no end: the terminal is asked', async () => {
    const { id, terminal, outcome, post } = await asynchronous({ payments: ['wait'] })
    await peer.finish(terminal, APPROVED)
    await post({ EventNotification: { EventToNotify: 'Reject', EventDetails: 'message=Did+not+receive+a+response' } })
    deepEqual(await outcome(id), { result: 'SUCCESSFUL', sent: 1, ended: 1 })
  })
  test('what the cloud accepted and never handed over is certain after the quiet time only', async () => {
    const { id, clock, outcome } = await asynchronous({ cloud: ['swallowed'] })
    await clock.advance(QUIET_MS - 1_000)
    deepEqual(await outcome(id), { result: null, sent: 0, ended: 0 })
    await clock.advance(60_000)
    deepEqual(await outcome(id), { result: 'UNSUCCESSFUL', sent: 0, ended: 1 })
  })
  test('what the cloud cannot hand over has not begun', async () => {
    const { id, clock, outcome } = await asynchronous({ cloud: ['unreachable'] })
    await clock.advance(3_000)
    deepEqual(await outcome(id), { result: 'UNSUCCESSFUL', sent: 0, ended: 1 })
  })
  test('a cancel stops what waits for a card', async () => {
    const { id, gateway, clock, outcome } = await asynchronous({ payments: ['wait'] })
    await gateway.execute(id, { type: 'cancel' })
    await clock.advance(16_000)
    deepEqual(await outcome(id), { result: 'CANCELLED', sent: 1, ended: 1 })
  })
})

describe('presence by the list of the cloud', () => {
  const idle = async (script: Script = {}) => {
    const shop = await openShop(script)
    const asked = async () => ({
      lists: (await shop.received('connectedDevices')).length,
      diagnoses: (await shop.received('Diagnosis')).length,
    })
    return { ...shop, asked, present: () => shop.driver.presence(shop.terminal) !== null }
  }
  test('a terminal that stays connected is listed every 30 s, and diagnosed every 5 minutes', async () => {
    const { clock, asked, present } = await idle()
    deepEqual(await asked(), { lists: 1, diagnoses: 1 })
    await clock.advance(290_000)
    deepEqual(await asked(), { lists: 10, diagnoses: 1 })
    await clock.advance(20_000)
    deepEqual([await asked(), present()], [{ lists: 11, diagnoses: 2 }, true])
  })
  test('one that is gone is asked once more, and then only when it is listed again', async () => {
    const { clock, asked, present, terminal, gateway } = await idle()
    await peer.unplug(terminal)
    await clock.advance(30_000)
    equal(present(), false)
    await clock.advance(200_000)
    // The cloud has not passed on any diagnosis.
    deepEqual([(await asked()).diagnoses, present()], [1, false])
    await peer.plugIn(terminal)
    await clock.advance(30_000)
    deepEqual([(await asked()).diagnoses, present(), gateway.reconnections.length], [2, true, 1])
  })
  test('a list that leaves the terminal out makes it no less present', async () => {
    const { clock, asked, present } = await idle({ lists: Array(8).fill('not_listed') })
    await clock.advance(60_000)
    deepEqual([await asked(), present()], [{ lists: 3, diagnoses: 3 }, true])
  })
  test('a list that cannot be read is told once, and the terminal is diagnosed every minute', async () => {
    const { clock, asked, present, log } = await idle({ lists: Array(100).fill('refused_by_api') })
    await clock.advance(180_000)
    deepEqual([await asked(), present()], [{ lists: 4, diagnoses: 4 }, true])
    const said = log.lines.filter(({ message }) => /cannot be listed/.test(message))
    deepEqual(
      said.map(({ fields }) => fields['why']),
      ['HTTP 422'],
    )
  })
})

test('a wrong API key makes no terminal present, and is in no line of the log', async () => {
  const apiKey = 'AQEyhmfxLI3MaBFLw0m-wrong'
  const { driver, terminal, log } = await openShop({}, peer.makeInCloud('22160001', { apiKey }))
  equal(driver.presence(terminal), null)
  ok(!JSON.stringify(log.lines).includes(apiKey))
})

describe('a check', () => {
  const check = async (terminal: Terminal) => {
    const clock = new TestClock()
    return checkTerminal(
      {
        ...{ mode: 'sandbox', vault: peer.vault, clock, random: new SeededRandom(1), log: silentLog },
        carrier: createHttpsCarrier({ clock }),
        readFile: async path => Promise.reject(new Error(`no file ${path}`)),
        software: { name: 'Tollgate', version: '0' },
      },
      terminal,
    )
  }
  test('says that it goes through the cloud, and what the terminal is', async () => {
    const { facts, problems } = await check(await peer.makeInCloud('22160001'))
    const said = new Map(facts)
    deepEqual(problems, [])
    ok(said.get('address')?.endsWith('the cloud of the provider'))
    deepEqual([said.get('API key'), said.get('software'), said.get('state')], ['accepted', 'Scripted', 'OK'])
  })
  test('tells a wrong API key from a terminal that is away', async () => {
    const refused = await check(await peer.makeInCloud('22160001', { apiKey: 'AQEyhmfxLI3MaBFLw0m-wrong' }))
    equal(
      refused.problems.join(),
      'The provider refuses the request (HTTP 401). Check apiKey and its role, merchantAccount, region and poiId.',
    )
    const away = await peer.makeInCloud('22160001')
    await peer.unplug(away)
    equal((await check(away)).problems.join(), 'The provider cannot reach the terminal. Is it on, and in its network?')
  })
})
