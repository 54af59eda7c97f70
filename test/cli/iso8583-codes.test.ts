// test/cli/iso8583-codes.test.ts — dialects with codes (MAC) against the simulated host, which makes and checks them with its own code.
import { deepEqual, equal, match } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { BUILT_IN_DIALECTS } from '../../src/acquirers/iso8583/built-in.ts'
import type { DialectDocument } from '../../src/acquirers/iso8583/dialect-schema.ts'
import { ChipData, PinBlock } from '../../src/domain/chip-data.ts'
import type { AcquirerOrder } from '../../src/engine/ports/acquirer.ts'
import { createSoftwareKeys, type SoftwareKeys } from '../../src/platform/payment-keys/software-keys.ts'
import { fixedRing } from '../../src/platform/vault/key-ring.ts'
import { freshSettings } from '../../src/services/provisioning/provisioning.ts'
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts'
import { exerciseAcquirer } from '../contract/acquirer.suite.ts'
import { until } from '../support/acquirer-host.ts'
import { createChipTerminals } from '../support/chip-terminals.ts'
import { anOrder, type BenchParts, type Iso8583Bench, openIso8583 } from '../support/iso8583-bench.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { openShop } from '../support/shop.ts'
import { TestClock } from '../support/test-clock.ts'
import { benchHost, movedBy, type SimulatedHost, simulatedHost, underTest } from './simulated-host.ts'
import { emptyDirectory } from './tollgate.ts'

const MAC_KEY = '0123456789ABCDEFFEDCBA9876543210'
const PIN_KEY = 'FEDCBA98765432100123456789ABCDEF'

async function keysOf(mac = MAC_KEY): Promise<SoftwareKeys> {
  const ring = fixedRing([new Uint8Array(32).fill(7)])
  const keys = createSoftwareKeys({
    store: openMemoryStore(),
    ring,
    random: new SeededRandom(1),
    clock: new TestClock(),
  })
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  await keys.put({ name: 'host-mac', use: 'mac', algorithm: 'tdes', bytes: bytes(mac) })
  await keys.put({ name: 'host-pin', use: 'pin', algorithm: 'tdes', bytes: bytes(PIN_KEY) })
  await keys.put({ name: 'terminals', use: 'terminals', algorithm: 'tdes', bytes: bytes(MAC_KEY) })
  return keys
}

interface Opened {
  readonly host: SimulatedHost
  readonly bench: Iso8583Bench
}

async function opened(dialect: string, given: Partial<BenchParts> = {}): Promise<Opened> {
  const folder = emptyDirectory()
  const [mac, pin] = [join(folder, 'mac'), join(folder, 'pin')]
  writeFileSync(mac, MAC_KEY)
  writeFileSync(pin, PIN_KEY)
  const document = BUILT_IN_DIALECTS[dialect] as DialectDocument
  const host = await simulatedHost([
    '--dialect',
    dialect,
    ...(document.mac === undefined ? [] : ['--mac-key', mac]),
    '--pin-key',
    pin,
  ])
  await host.plays({ next: [], cards: [{ ending: '0135', scenario: 'declined' }] })
  const parts = { document, keys: await keysOf(), terminalKey: 'terminals', ...given }
  return { host, bench: await openIso8583(benchHost(host), host.port, parts) }
}

describe.each(['pos-87-bcd', 'host-93'])('%s', dialect => {
  exerciseAcquirer(`iso8583, to the simulated host in ${dialect}`, async () => {
    const { host, bench } = await opened(dialect)
    return underTest(host, bench)
  })

  test('an answer with a wrong code is no answer: the order is reversed', async () => {
    const { host, bench } = await opened(dialect)
    await host.plays({ next: [{ scenario: 'wrong_mac' }] })
    const asked = bench.acquirer.authorise(anOrder('o1'), 'charge')
    const isWrong = () => bench.log.lines.some(({ message }) => message === 'message of the host without a right code')
    await until(isWrong, 'the wrong code')
    await until(async () => {
      await bench.clock.advance(1_000)
      return (await bench.note('o1'))?.phase === 'undone'
    }, 'the reversal')
    deepEqual(await asked, { answer: 'unknown' })
    equal(await bench.moneyOf('demo', 'o1'), 0)
    equal((await bench.acquirer.authorise(anOrder('o2'), 'charge')).answer, 'approved')
    await bench.close()
  })

  test('with another key nothing is taken, and two wrong codes end the connection', async () => {
    const { host, bench } = await opened(dialect, { keys: await keysOf(PIN_KEY) })
    void bench.acquirer.authorise(anOrder('o1'), 'charge')
    void bench.acquirer.authorise(anOrder('o2'), 'charge')
    await until(async () => {
      await bench.clock.advance(1_000)
      return bench.log.lines.some(line => /2 messages had wrong codes/.test(JSON.stringify(line)))
    }, 'the end of the connection')
    deepEqual(await host.entries(), [])
    await bench.close()
  })

  test('without its key an order is not sent, and is sent when it is asked for again', async () => {
    const keys = await keysOf()
    const { host, bench } = await opened(dialect, { keys })
    await keys.remove('host-mac')
    deepEqual(await bench.acquirer.authorise(anOrder('o1'), 'charge'), { answer: 'unknown' })
    deepEqual(await host.entries(), [])
    await keys.put({ name: 'host-mac', use: 'mac', algorithm: 'tdes', bytes: Buffer.from(MAC_KEY, 'hex') })
    equal((await bench.acquirer.authorise(anOrder('o1'), 'charge')).answer, 'approved')
    await bench.close()
  })
})

describe('a PIN', () => {
  const SERIAL = 'FFFF9876543210E00001'
  const order = (orderId: string, block = RIGHT_PIN): AcquirerOrder => ({
    ...anOrder(orderId),
    cardToken: 'card of the terminal',
    chipData: new ChipData(CHIP),
    pinBlock: new PinBlock(block, SERIAL),
  })

  test.each(['plain-87-ascii', 'pos-87-bcd', 'host-93'])('reaches the host in %s under its key', async dialect => {
    const { host, bench } = await opened(dialect)
    const answer = await bench.acquirer.authorise(order('o1'), 'charge')
    equal(answer.answer, 'approved', JSON.stringify([answer, bench.log.lines]))
    match(host.said(), /pin=right/)
    equal(host.said().includes(RIGHT_PIN), false)
    const stored = JSON.stringify(await bench.store.all('iso8583-order', { limit: 10 }))
    equal(/1B9C1845EB993A7A|"52"/.test(stored), false)
    await bench.close()
  })

  test('of a terminal that the gateway authorises reaches the host with the data of the chip', async () => {
    const { host, bench } = await opened('host-93')
    const chip = createChipTerminals(new TestClock(), new Map(), { chip: CHIP, pin: RIGHT_PIN })
    const shop = await openShop({ terminal: 'CHIP1', drivers: [chip], acquirer: () => bench.acquirer })
    const settings = freshSettings('GBP')
    await shop.gateway.provisioning.addTerminal({ account: 'demo', tid: 'CHIP1', driver: 'chip', settings })
    const sale = await shop.till.sale(2599)
    const { transactionResult, authCode } = await shop.finished(sale)
    equal(transactionResult, 'SUCCESSFUL')
    match(authCode ?? '', /^[0-9A-Z]{6}$/)
    match(host.said(), /<- 1200 charge card=401234\*+8909 .* pin=right/)
    deepEqual((await host.entries()).map(movedBy), [2599])
    const kept = JSON.stringify([
      ...[await shop.store.eventsAfter('demo', 0, 1_000), await bench.store.all('iso8583-order', { limit: 10 })],
      ...[shop.log.lines, bench.log.lines],
    ])
    for (const secret of [RIGHT_PIN, '4012345678909', '1122334455667788']) equal(kept.includes(secret), false, secret)
    await bench.close()
  })

  test('that is not the right one is declined', async () => {
    const { bench } = await opened('pos-87-bcd')
    deepEqual(await bench.acquirer.authorise(order('o1', OTHER_PIN), 'charge'), {
      ...{ answer: 'declined', reason: 'incorrect_pin', responseCode: '55' },
    })
    await bench.close()
  })

  test('of another terminal is no PIN, and nothing is sent', async () => {
    const { host, bench } = await opened('pos-87-bcd')
    const other = { ...order('o1'), pinBlock: new PinBlock('1B9C1845EB993A7A', 'FFFF9876543210E00002') }
    deepEqual(await bench.acquirer.authorise(other, 'charge'), {
      ...{ answer: 'declined', reason: 'incorrect_pin', responseCode: '86' },
    })
    deepEqual(await host.entries(), [])
    await bench.close()
  })
})

/** Tags of a card: number, expiry, sequence, amount, and what the chip has signed. */
const CHIP = [
  ...['5A074012345678909F', '5F2403301231', '5F340101', '9F0206000000002599', '9F270180'],
  ...['9F36020001', '9F26081122334455667788', '9F100706010A03A00000', '9F3704DEADBEEF', '95050000000000'],
  ...['9A03260506', '9C0100', '5F2A020826', '82021980', '9F1A020826'],
].join('')

/** ANSI X9.24-1: PIN 1234 of card 4012345678909, under the terminal's first key. */
const RIGHT_PIN = '1B9C1845EB993A7A'
/** PIN 4321 of the same card, under the same key of the terminal. */
const OTHER_PIN = '36B431A93DE5853E'
