// test/simulation/seeds.test.ts — tills in many seeded worlds, with failing connections and kills of the gateway. At the end
// of each world all invariants must hold.
import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { TransactionRequest, TransactionType } from '../../src/domain/counter/transaction-events.ts'
import { scriptedTerminals } from '../../src/simulator/seed.ts'
import { numbersThatLookLikeCards } from '../support/card-scanner.ts'
import { repetitions } from '../support/depth.ts'
import { allTransactions, checkInvariants } from '../support/invariants.ts'
import { SALE } from '../support/records.ts'
import { type Faults, faultsIn, NO_FAULTS, openWorld, type World } from './world.ts'

/** `SIMULATION_SEEDS=1000` runs longer; `SIMULATION_FIRST_SEED=42 SIMULATION_SEEDS=1` repeats one world. */
const SEEDS = repetitions('SIMULATION_SEEDS', { usual: 20, long: 30 })
const FIRST_SEED = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1)
const STEPS = 60

const KINDS_OF_WORLD: Readonly<Record<string, Faults>> = {
  'no faults': NO_FAULTS,
  'lines that fail': { ...NO_FAULTS, reportLost: 100, reportRepeated: 100, receiptLost: 100, callLost: 100 },
  'an acquirer that fails': { ...NO_FAULTS, answerLost: 250, orderLost: 250 },
  'a gateway that is killed': { ...NO_FAULTS, crashBeforeCommit: 30, crashAfterCommit: 30 },
  'everything at once': {
    crashBeforeCommit: 20,
    crashAfterCommit: 20,
    reportLost: 50,
    reportRepeated: 50,
    receiptLost: 50,
    callLost: 50,
    answerLost: 100,
    orderLost: 100,
  },
}

const TERMINALS = [...scriptedTerminals('DEMO'), '22160001']
const TYPES: readonly TransactionType[] = [
  'SALE',
  'SALE',
  'SALE',
  'REFUND',
  'PRE_AUTH',
  'ACCOUNT_VERIFICATION',
  'DUPLICATE',
]

interface Till {
  readonly acknowledged: Set<string>
}

/** One random step: a start, a cancel, a signature, a key, a failure, or passing time. */
async function step(world: World, till: Till): Promise<void> {
  const { random } = world
  const pick = <T>(list: readonly T[]): T => list[random.integer(list.length)]!
  const running = [...till.acknowledged]
  const { transactions } = world.gateway
  switch (random.integer(8)) {
    case 0:
    case 1: {
      const requestId = random.uuid()
      const request = aRequest(pick(TYPES), random.integer(20_000) + 1, random.integer(4) === 0)
      const partner = { softwareHouseId: 'house', installerId: 'installer' }
      const order = { requestId, account: 'demo', tid: pick(TERMINALS), request, partner }
      // When the gateway is killed meanwhile the till gets no answer: only an answered start is acknowledged.
      void transactions.start(order).then(executed => {
        if ('record' in executed) till.acknowledged.add(requestId)
      })
      return world.settle()
    }
    case 2:
      if (running.length > 0) void transactions.execute({ account: 'demo', id: pick(running) }, { type: 'cancel' })
      return world.settle()
    case 3: {
      const accepted = random.integer(2) === 0
      for (const id of running)
        void transactions.execute({ account: 'demo', id }, { type: 'decide_signature', accepted })
      return world.settle()
    }
    case 4:
      await world.unlessItDies(pressSomething(world, '22160001'))
      return world.settle()
    case 5:
      return world.clock.advance(random.integer(20_000))
    case 6:
      // Only in a world with faults; the others show the behaviour without.
      if (world.faults !== NO_FAULTS) breakSomething(world, pick(['terminals', 'acquirer']))
      return world.clock.advance(random.integer(100_000))
    case 7:
      if (world.faults !== NO_FAULTS) await world.unlessItDies(pullPlug(world, pick(TERMINALS)))
      return world.settle()
  }
}

/** Breaks a connection for up to seven minutes, which exceeds every time limit. */
function breakSomething(world: World, what: 'terminals' | 'acquirer'): void {
  const until = world.clock.now() + world.random.integer(420_000)
  if (what === 'terminals') world.outage.terminalsUntil = until
  else world.outage.acquirerUntil = until
}

/** Unplugs a terminal and plugs it in again: it has lost its transaction. */
async function pullPlug(world: World, tid: string): Promise<void> {
  const { sandbox, transactions } = world.gateway
  const terminal = await transactions.connected('demo', tid)
  if (sandbox === null || terminal === null) return
  await sandbox.press(terminal, { key: 'unplug' })
  await sandbox.press(terminal, { key: 'plug_in' })
}

function aRequest(transactionType: TransactionType, amountMinor: number, cashback: boolean): TransactionRequest {
  const none = transactionType === 'DUPLICATE' || transactionType === 'ACCOUNT_VERIFICATION'
  const cashbackMinor = transactionType === 'SALE' && cashback ? 1_000 : 0
  return { ...SALE, transactionType, amountMinor: none ? 0 : amountMinor, cashbackMinor }
}

async function pressSomething(world: World, tid: string): Promise<void> {
  const { sandbox, transactions } = world.gateway
  const terminal = await transactions.connected('demo', tid)
  if (sandbox === null || terminal === null) return
  const card = sandbox.cards[world.random.integer(sandbox.cards.length)]!
  const keys = sandbox.screenOf(terminal).keys
  const key = keys[world.random.integer(Math.max(keys.length, 1))]
  if (key === 'present_card') await sandbox.press(terminal, { key, card: card.card, how: card.how[0]! })
  else if (key === 'pin') await sandbox.press(terminal, { key, digits: card.pin })
  else if (key === 'remove_card' || key === 'cancel') await sandbox.press(terminal, { key })
}

async function live(world: World, seed: number, faults: Faults): Promise<Set<string>> {
  const till: Till = { acknowledged: new Set() }
  world.faults = faults
  for (let count = 0; count < STEPS; count += 1) {
    await world.revive()
    if (world.alive) await step(world, till)
  }
  // No failures from here on: all unfinished work must end.
  world.faults = NO_FAULTS
  await world.revive()
  for (let minutes = 0; minutes < 20; minutes += 1) await world.clock.advance(60_000)
  ok(till.acknowledged.size > 0, `seed ${seed}: no till was ever answered`)
  return till.acknowledged
}

for (const [kind, faults] of Object.entries(KINDS_OF_WORLD)) {
  test(`every promise is kept in ${SEEDS} worlds with ${kind}`, { timeout: 600_000 }, async () => {
    const drawn = new Set<string>()
    const results = new Set<string>()
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const world = await openWorld(seed, { cachedRecords: seed % 2 === 0 ? 0 : 1_000 })
      try {
        const acknowledged = await live(world, seed, faults)
        for (const record of await checkInvariants(world, acknowledged)) results.add(record.result ?? 'none')
      } catch (error) {
        throw new Error(`seed ${seed} of ${kind}`, { cause: error })
      }
      for (const fault of world.drawn) drawn.add(fault)
    }
    // A simulation in which little happens proves little.
    if (SEEDS < 20) return
    deepEqual([...drawn].sort(), faultsIn(faults))
    for (const result of ['SUCCESSFUL', 'DECLINED', 'CANCELLED', 'TIMED_OUT', 'VOID', 'UNSUCCESSFUL'])
      ok(results.has(result), `no ${result}`)
  })
}

test('the same seed gives the same world', async () => {
  const story = async () => {
    const world = await openWorld(7, { cachedRecords: 1_000 })
    await live(world, 7, KINDS_OF_WORLD['everything at once']!)
    return (await allTransactions(world.store)).map(record => [record.requestId, record.notifications, record.result])
  }
  deepEqual(await story(), await story())
})

test('the card number scanner finds a card number', () => {
  deepEqual(numbersThatLookLikeCards('pan=4111 1111 1111 1111.'), ['4111 1111 1111 1111'])
  deepEqual(numbersThatLookLikeCards('at 1778072607000, id 8f7e-4111111111111112'), [])
})
