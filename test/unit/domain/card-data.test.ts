// test/unit/domain/card-data.test.ts — chip data and PIN blocks reach the acquirer only, with the real engine and vault.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { inspect } from 'node:util'
import { test } from 'vitest'
import type { Acquirer, AcquirerAnswer, AcquirerOrder } from '../../../src/engine/ports/acquirer.ts'
import type { Commit, Store } from '../../../src/engine/ports/store.ts'
import { fixedRing } from '../../../src/platform/vault/key-ring.ts'
import { openVault } from '../../../src/platform/vault/vault.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { type Gateway, wire } from '../../../src/wire.ts'
import { CHIP_HEX, type ChipMemory, createChipTerminals, PIN_HEX } from '../../support/chip-terminals.ts'
import { aTransaction, SALE } from '../../support/records.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { silentMeters } from '../../support/silent-meters.ts'
import { aTerminal } from '../../support/simulated-shop.ts'
import { TestClock } from '../../support/test-clock.ts'

const KEY = { account: 'harbour', id: 'r1' }
const APPROVED: AcquirerAnswer = { answer: 'approved', authCode: 'AB12C3', reference: '1' }
const hangs = () => new Promise<never>(() => {})

/** A store, a vault, a test terminal driver and two acquirers. `begin` starts a gateway in place of the previous one. */
async function openHarbour() {
  const stored = openMemoryStore()
  const written: string[] = []
  const random = new SeededRandom(7)
  const log = keepingLog()
  const terminalMemory: ChipMemory = new Map()
  const orders: AcquirerOrder[] = []
  const reversals: string[] = []
  let gateway: Gateway | null = null
  let dead = { value: false }
  const clock = new TestClock(undefined, settle)

  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < 4; ) {
      await new Promise<void>(resolve => setImmediate(resolve))
      quiet = gateway?.idle === false ? 0 : quiet + 1
    }
  }

  /** @param answer the acquirer's answer to an order */
  async function begin(answer: (order: AcquirerOrder) => Promise<AcquirerAnswer>): Promise<Gateway> {
    dead.value = true
    const died = { value: false }
    dead = died
    const store: Store = {
      ...stored,
      commit(commit: Commit) {
        if (died.value) return hangs()
        written.push(JSON.stringify(commit))
        return stored.commit(commit)
      },
      effectsDone: (account, ids) => (died.value ? hangs() : stored.effectsDone(account, ids)),
    }
    const ask = (order: AcquirerOrder) => {
      orders.push(order)
      return answer(order)
    }
    const acquirer: Acquirer = {
      ...{ name: 'second', authorise: ask, capture: ask, refund: ask, verify: ask },
      async reverse({ orderId }) {
        reversals.push(orderId)
        return 'reversed'
      },
    }
    const first: Acquirer = { ...acquirer, name: 'first', authorise: async () => ({ answer: 'unknown' }) }
    const begun = wire({
      ...{ clock, random, log, store, simulated: null, cachedRecords: 100 },
      vault: await openVault({ store, ring: fixedRing([Buffer.alloc(32, 7)]), random, clock }),
      meters: silentMeters,
      webhookSender: { post: async () => ({ outcome: 'answered', status: 200 }) },
      limits: { transactionMs: 200_000, keyedMs: 400_000, signatureMs: 80_000, reportMs: 120_000 },
      drivers: [createChipTerminals(clock, terminalMemory)],
      acquirers: [first, acquirer],
    })
    const profile = { name: 'Harbour Café', address: '', merchantNumber: '21249872', currency: 'GBP' } as const
    await begun.provisioning.openAccount({
      ...{ id: 'harbour', keyLabel: 'first', terminals: ['T1'] },
      profile: { ...profile, timeZone: 'UTC', public: false, acquirer: 'second' },
    })
    gateway = begun
    await begun.start()
    await settle()
    return begun
  }

  async function sale({ transactions }: Gateway): Promise<void> {
    const partner = { softwareHouseId: null, installerId: null }
    await transactions.start({ account: 'harbour', requestId: 'r1', tid: 'T1', request: SALE, partner })
  }

  /** Enough event-loop turns to reach an acquirer that never answers. `settle` would wait for ever. */
  async function turns(): Promise<void> {
    for (let turn = 0; turn < 100; turn += 1) await new Promise<void>(resolve => setImmediate(resolve))
  }

  async function record() {
    const stored_ = await stored.load({ ...KEY, kind: 'terminal-transaction' })
    return JSON.parse(stored_?.body ?? '{}') as { authorisation: string; result: string | null }
  }
  const chipsInVault = async () => (await stored.all('vault-chip', { limit: 9 })).length
  return {
    ...{ begin, sale, settle, turns, record, chipsInVault, clock, log, orders, reversals, written },
    terminalMemory,
  }
}

test('an acquirer order carries the card data, the merchant and the terminal', async () => {
  const town = await openHarbour()
  await town.sale(await town.begin(async () => APPROVED))
  await town.settle()
  deepEqual(await town.record().then(({ authorisation, result }) => [authorisation, result]), [
    'confirmed',
    'SUCCESSFUL',
  ])
  const [order, ...more] = town.orders
  equal(more.length, 0)
  deepEqual([order?.chipData?.reveal(), order?.pinBlock?.reveal().block], [CHIP_HEX, PIN_HEX])
  deepEqual(
    [order?.merchantId, order?.terminalId, order?.entryMode, order?.terminalCapabilities?.reads],
    ['21249872', 'T1', 'ICC_CHIP', ['ICC_CHIP']],
  )
})

test('card data are never stored, logged or printed in clear, and are deleted with the outcome', async () => {
  const town = await openHarbour()
  let inVault = -1
  let inMemory = -1
  const gateway: Gateway = await town.begin(async () => {
    inVault = await town.chipsInVault()
    inMemory = gateway.cardData.pinBlocks
    return APPROVED
  })
  await town.sale(gateway)
  await town.settle()
  deepEqual([inVault, inMemory, await town.chipsInVault()], [1, 1, 0])
  const events = await gateway.store.allEvents(0, 1_000)
  const texts = [
    town.written.join(),
    JSON.stringify(events),
    JSON.stringify(town.log.lines),
    inspect(town.orders, { depth: 9 }),
  ]
  for (const text of texts) for (const hex of [CHIP_HEX, PIN_HEX]) equal(text.includes(hex), false)
  ok(town.written.join().includes(String.raw`\"pin\":true`))
  equal(gateway.cardData.pinBlocks, 0)
})

test('an order without an answer is repeated with its card data while the process runs', async () => {
  const town = await openHarbour()
  await town.sale(await town.begin(async () => (town.orders.length < 3 ? { answer: 'unknown' } : APPROVED)))
  await town.clock.advance(10_000)
  deepEqual(
    town.orders.map(({ chipData, pinBlock }) => [chipData?.reveal(), pinBlock?.reveal().block]),
    Array.from({ length: 3 }, () => [CHIP_HEX, PIN_HEX]),
  )
  deepEqual([(await town.record()).result, town.reversals], ['SUCCESSFUL', []])
})

test('after a crash the PIN block is lost: the order is reversed, not repeated, and the terminal gets the outcome', async () => {
  const town = await openHarbour()
  await town.sale(await town.begin(hangs))
  await town.turns()
  deepEqual([town.orders.length, (await town.record()).authorisation, await town.chipsInVault()], [1, 'requested', 1])
  await town.begin(async () => APPROVED)
  await town.settle()
  equal(town.orders.length, 1)
  deepEqual(town.reversals, [town.orders[0]?.orderId])
  const { authorisation, result } = await town.record()
  deepEqual([authorisation, result, await town.chipsInVault()], ['reversed', 'UNSUCCESSFUL', 0])
  deepEqual(town.terminalMemory.get('r1')?.told, ['too_late'])
})

test('after a crash between the time limit and its effects the terminal is told "too late" and the order is reversed', async () => {
  const town = await openHarbour()
  const gateway = await town.begin(hangs)
  await town.sale(gateway)
  await town.turns()
  await gateway.transactions.execute({ account: 'harbour', id: 'r1' }, { type: 'time_is_up', timer: 'limit' })
  await town.turns()
  deepEqual([town.reversals, town.terminalMemory.get('r1')?.told], [[], []])
  await town.begin(async () => APPROVED)
  await town.settle()
  deepEqual(town.reversals, [town.orders[0]?.orderId])
  const { authorisation, result } = await town.record()
  deepEqual([authorisation, result, town.orders.length], ['reversed', 'TIMED_OUT', 1])
  deepEqual(town.terminalMemory.get('r1')?.told, ['too_late'])
})

test('a repeated delivery after a crash stores no second copy and sends no second order', async () => {
  const town = await openHarbour()
  const gateway = await town.begin(hangs)
  await town.sale(gateway)
  await town.turns()
  // The commit was durable, but its acknowledgement never reached the terminal.
  const known = town.terminalMemory.get('r1')
  equal(known?.delivered, 2)
  if (known !== undefined) known.delivered = 1
  const again = await createDelivery(town.terminalMemory)
  known?.outbox.push(again)
  await town.begin(async () => APPROVED)
  await town.settle()
  deepEqual([town.orders.length, town.reversals.length, await town.chipsInVault()], [1, 1, 0])
})

/** The delivery of an authorisation, as a terminal without an acknowledgement repeats it. */
async function createDelivery(memory: ChipMemory) {
  const { outbox } = memory.get('r1') ?? { outbox: [] }
  equal(outbox.length, 0)
  const clock = new TestClock()
  const other: ChipMemory = new Map()
  const driver = createChipTerminals(clock, other)
  const deliveries: Parameters<Parameters<typeof driver.listen>[0]['report']>[0][] = []
  await driver.listen({
    report: async delivery => void deliveries.push(delivery),
    reportProgress: async () => {},
    reconnected: async () => {},
    atTable: async () => ({ reply: 'refused', says: '' }),
  })
  const terminal = { ...aTerminal('T1'), merchantAccount: 'harbour', driver: 'chip' }
  await driver.start({ effectId: 'e', terminal, transaction: aTransaction({ merchantAccount: 'harbour', tid: 'T1' }) })
  for (let turn = 0; turn < 10; turn += 1) await new Promise<void>(resolve => setImmediate(resolve))
  const delivery = deliveries.find(({ cardData }) => cardData !== undefined)
  if (delivery === undefined) throw new Error('no card data were delivered')
  return delivery
}
