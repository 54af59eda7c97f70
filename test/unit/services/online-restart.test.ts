// test/unit/services/online-restart.test.ts — a gateway is killed during an online payment and restarted:
// no charge is lost or made twice.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { CardNumber, SecurityCode } from '../../../src/domain/card-number.ts'
import { NO_ADDRESS } from '../../../src/domain/online/access-token.ts'
import type { StoredCard, Submission } from '../../../src/domain/online/payment-events.ts'
import type { Acquirer } from '../../../src/engine/ports/acquirer.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import type { IssueOrder } from '../../../src/services/online/payments.ts'
import { createProcessMemory } from '../../../src/simulator/memory/process-memory.ts'
import { seedSandbox } from '../../../src/simulator/seed.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { type Gateway, wire } from '../../../src/wire.ts'
import { moneyOfAccount } from '../../support/acquirer-book.ts'
import { createMemoryVault } from '../../support/memory-vault.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { silentMeters } from '../../support/silent-meters.ts'
import { TestClock } from '../../support/test-clock.ts'

/** A store and simulated parts that outlive gateways. */
async function openTown() {
  const store = openMemoryStore()
  const memory = createProcessMemory()
  const vault = createMemoryVault()
  const random = new SeededRandom(5)
  let gateway: Gateway | null = null
  const clock = new TestClock(undefined, settle)
  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < 4; ) {
      await new Promise<void>(resolve => setImmediate(resolve))
      quiet = gateway?.idle === false ? 0 : quiet + 1
    }
  }
  /** Starts a gateway, with its acquirer wrapped. */
  async function begin(acquirer: (real: Acquirer) => Acquirer = real => real): Promise<Gateway> {
    const dead = { value: false }
    const mortal = mortalStore(store, dead)
    const begun = wire({
      ...{ clock, random, log: keepingLog(), store: mortal, vault },
      meters: silentMeters,
      webhookSender: { post: async () => ({ outcome: 'answered', status: 200 }) },
      simulated: { memory, images: store, paceMs: 0 },
      limits: { transactionMs: 200_000, keyedMs: 400_000, signatureMs: 80_000, reportMs: 120_000 },
      cachedRecords: 100,
      between: { driver: driver => driver, acquirer: real => acquirer(real) },
    })
    await seedSandbox(begun.provisioning, 'Europe/London')
    gateway = begun
    await begun.start()
    kill = () => {
      dead.value = true
      gateway = null
    }
    return begun
  }
  let kill = (): void => {}
  return { store, memory, vault, clock, settle, begin, kill: () => kill() }
}

/** Writes of a dead gateway never reach the store. */
function mortalStore(store: Store, dead: { readonly value: boolean }): Store {
  const never = () => new Promise<never>(() => {})
  return {
    ...store,
    commit: commit => (dead.value ? never() : store.commit(commit)),
    effectsDone: (account, ids) => (dead.value ? never() : store.effectsDone(account, ids)),
  }
}

type Town = Awaited<ReturnType<typeof openTown>>

const ORDER: IssueOrder = {
  ...{ transactionType: 'SALE', amountMinor: 1_999, currencyCode: '826', orderId: 'R-1', orderDescription: '' },
  ...{ merchantTransactionId: null, moto: false, billingAddress: null, shippingDetails: null, newTransaction: false },
  payer: { userAgent: '', emailAddress: '', phoneNumber: '', ipAddress: '' },
  ...{ crossReference: null, webHookUrl: null, metaData: null, waitPreExecute: false, customerId: null },
  ...{ paymentMethodId: null, previousTransactionId: null, cofSetup: null },
}

/** Submits a card, with its security code or without. */
async function submit(town: Town, gateway: Gateway, withCode: boolean, order: Partial<IssueOrder> = {}) {
  const issued = await gateway.online.issue('demo', { ...ORDER, ...order })
  if ('refused' in issued) throw new Error('no token')
  await gateway.online.submit(
    issued.record,
    await aSubmission(town, withCode, issued.record.id),
    withCode ? new SecurityCode('341') : null,
  )
  return { account: 'demo', id: issued.record.id }
}

async function aSubmission(
  town: Town,
  withCode: boolean,
  id: string,
  number = new CardNumber('5200000000000056', 'MASTERCARD'),
): Promise<Submission> {
  const expiry = { month: 12, year: 2030 }
  const card: StoredCard = {
    vault: await town.vault.storeCard('demo', { number, expiry, holder: 'John Watson' }, id),
    ...{ lookup: 'l', masked: number.masked, scheme: 'MASTERCARD', expiry, holder: 'John Watson' },
  }
  return {
    ...{
      by: 'card_form',
      card,
      securityCodeGiven: withCode,
      authenticate: false,
      original: null,
      billingAddress: NO_ADDRESS,
    },
    ...{ shippingDetails: null, emailAddress: '', phoneNumber: '', metaData: null, saveCard: false },
    ...{ mitConsentGiven: false, walletProof: null },
  }
}

/** Enough event-loop turns to reach an acquirer that never answers. `settle` would wait for ever. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise<void>(resolve => setImmediate(resolve))
}

const hangs = () => new Promise<never>(() => {})
/** The acquirer performs the order; its answer is lost. */
const deafAfter = (real: Acquirer): Acquirer => ({
  ...real,
  authorise: async (order, purpose) => {
    await real.authorise(order, purpose)
    return hangs()
  },
})
/** The order is lost. */
const deafBefore = (real: Acquirer): Acquirer => ({ ...real, authorise: hangs })

for (const [name, acquirer] of [
  ['the acquirer had approved', deafAfter],
  ['the order had not arrived', deafBefore],
] as const) {
  test(`killed during an authorisation with security code (${name}): it is reversed, and the payment ends with 30`, async () => {
    const town = await openTown()
    const key = await submit(town, await town.begin(acquirer), true)
    await turns()
    town.kill()
    const next = await town.begin()
    await town.settle()
    const record = (await next.online.findById(key))?.record
    deepEqual([record?.statusCode, record?.money, record?.crossReference], [30, 'reversed', ''])
    equal(moneyOfAccount(town.memory, 'demo'), 0)
  })

  test(`killed during an authorisation without security code (${name}): it is repeated and charged once`, async () => {
    const town = await openTown()
    const key = await submit(town, await town.begin(acquirer), false)
    await turns()
    town.kill()
    const next = await town.begin()
    await town.settle()
    equal((await next.online.findById(key))?.record.statusCode, 0)
    equal(moneyOfAccount(town.memory, 'demo'), 1_999)
  })
}

test('a paused payment loses its security code in a restart: resumed, it ends with 30 and is not charged', async () => {
  const town = await openTown()
  const key = await submit(town, await town.begin(), true, { waitPreExecute: true })
  await town.settle()
  town.kill()
  const next = await town.begin()
  await next.online.resume(key)
  await town.settle()
  equal((await next.online.findById(key))?.record.statusCode, 30)
  equal(moneyOfAccount(town.memory, 'demo'), 0)
})

test('of two submissions the second is charged with its own security code if the first cannot be written', async () => {
  const town = await openTown()
  const gateway = await town.begin()
  const issued = await gateway.online.issue('demo', ORDER)
  if ('refused' in issued) throw new Error('no token')
  const submission = await aSubmission(town, true, issued.record.id)
  const { commit } = town.store
  let failing = true
  Object.assign(town.store, {
    commit: (wanted: Parameters<Store['commit']>[0]) => {
      if (!failing) return commit(wanted)
      failing = false
      return Promise.reject(new Error('no room on the disk'))
    },
  })
  const [first, second] = await Promise.allSettled(
    ['342', '341'].map(code => gateway.online.submit(issued.record, submission, new SecurityCode(code))),
  )
  deepEqual([first?.status, second?.status], ['rejected', 'fulfilled'])
  await town.settle()
  const record = (await gateway.online.findById({ account: 'demo', id: issued.record.id }))?.record
  deepEqual([record?.statusCode, gateway.online.codes.count], [0, 0])
})

test('a wait that times out during its first read ends with that read', async () => {
  const town = await openTown()
  const gateway = await town.begin()
  const issued = await gateway.online.issue('demo', ORDER)
  if ('refused' in issued) throw new Error('no token')
  town.kill()
  const { load } = town.store
  const gate = { open: (): void => {}, closed: false, asked: 0 }
  const opened = new Promise<void>(resolve => {
    gate.open = resolve
  })
  Object.assign(town.store, {
    load: async (key: Parameters<Store['load']>[0]) => {
      if (gate.closed) {
        gate.asked += 1
        await opened
      }
      return load(key)
    },
  })
  const next = await town.begin()
  gate.closed = true
  const waiting = next.online.until({ account: 'demo', id: issued.record.id }, () => false, 1_000)
  await town.clock.advance(1_000)
  equal(gate.asked, 1)
  gate.open()
  equal((await waiting).id, issued.record.id)
})

test('time limits outlive a restart: an unused token expires, a pause lapses', async () => {
  const town = await openTown()
  const first = await town.begin()
  const paused = await submit(town, first, false, { waitPreExecute: true })
  const issued = await first.online.issue('demo', ORDER)
  town.kill()
  const next = await town.begin()
  await town.clock.advance(31 * 60_000)
  const lapsed = (await next.online.findById(paused))?.record
  deepEqual([lapsed?.statusCode, lapsed?.message], [30, 'Pre-execute wait expired'])
  equal(
    'record' in issued && (await next.online.findById({ account: 'demo', id: issued.record.id }))?.record.token,
    'expired',
  )
})

/** Goes to its issuer, mode 2.0, code 1234. */
const CHALLENGED = new CardNumber('4456530000001096', 'VISA')

/** Submits a card whose issuer wants to see its payer; may be called again for the same payment. */
async function submitToIssuer(town: Town, gateway: Gateway, key: Awaited<ReturnType<typeof submit>>) {
  const record = (await gateway.online.findById(key))?.record
  if (record === undefined) throw new Error('no payment')
  const submission = await aSubmission(town, true, key.id, CHALLENGED)
  return gateway.online.submit(record, { ...submission, authenticate: true }, new SecurityCode('020'))
}

async function anIssued(gateway: Gateway, order: Partial<IssueOrder> = {}) {
  const issued = await gateway.online.issue('demo', { ...ORDER, ...order })
  if ('refused' in issued) throw new Error('no token')
  return { account: 'demo', id: issued.record.id }
}

async function answerIssuer(town: Town, gateway: Gateway, key: Awaited<ReturnType<typeof submit>>): Promise<void> {
  const record = (await gateway.online.findById(key))?.record
  if (record?.challenge == null) throw new Error('no challenge')
  gateway.sandbox?.issuerPages.answer(record.challenge.md, { action: 'submit', code: '1234' })
  await gateway.online.completeChallenge(record, 0)
  await town.settle()
}

for (const [name, settles] of [
  ['after 3-D Secure was needed, before the browser heard of it', true],
  ['while the directory server is asked', false],
] as const)
  test(`killed ${name}: the shopper pays again with the same token, sees the bank, and is charged once`, async () => {
    const town = await openTown()
    const first = await town.begin()
    const key = await anIssued(first)
    await submitToIssuer(town, first, key)
    if (settles) await town.settle()
    town.kill()
    const next = await town.begin()
    const again = await submitToIssuer(town, next, key)
    equal('record' in again && again.events.length, 0)
    await town.settle()
    equal((await next.online.findById(key))?.record.progress, 'authorizing')
    await answerIssuer(town, next, key)
    const ended = (await next.online.findById(key))?.record
    deepEqual([ended?.statusCode, ended?.money], [0, 'approved'])
    equal(moneyOfAccount(town.memory, 'demo'), 1_999)
  })

test('killed at a pause of which the browser has not heard: the shopper pays again, and the shop resumes it', async () => {
  const town = await openTown()
  const first = await town.begin()
  const key = await anIssued(first, { waitPreExecute: true })
  await submitToIssuer(town, first, key)
  await town.settle()
  await answerIssuer(town, first, key)
  town.kill()
  const next = await town.begin()
  await submitToIssuer(town, next, key)
  equal((await next.online.findById(key))?.record.progress, 'waiting')
  await next.online.resume(key)
  await town.settle()
  equal((await next.online.findById(key))?.record.statusCode, 0)
  equal(moneyOfAccount(town.memory, 'demo'), 1_999)
})

test('killed after 3-D Secure: the value of the authentication goes from the vault to the acquirer, and is in no record', async () => {
  const town = await openTown()
  const first = await town.begin()
  const key = await anIssued(first, { waitPreExecute: true })
  await submitToIssuer(town, first, key)
  await town.settle()
  await answerIssuer(town, first, key)
  town.kill()
  const sent: (string | undefined)[] = []
  const next = await town.begin(real => ({
    ...real,
    authorise(order, purpose) {
      sent.push(order.online?.proof?.value)
      return real.authorise(order, purpose)
    },
  }))
  await submitToIssuer(town, next, key)
  await next.online.resume(key)
  await town.settle()
  const [value = ''] = sent
  match(value, /^[\w+/]{27}=$/)
  const stored = { ...key, kind: 'online-payment' }
  const bodies = [await town.store.load(stored), ...(await town.store.eventsOf(stored))].map(each => each?.body)
  ok(bodies.length > 5 && bodies.every(body => body?.includes(value) === false))
})

test('killed while the shopper is at the bank: without the code the payment ends with 30, and is not charged', async () => {
  const town = await openTown()
  const first = await town.begin()
  const key = await anIssued(first)
  await submitToIssuer(town, first, key)
  await town.settle()
  town.kill()
  const next = await town.begin()
  await answerIssuer(town, next, key)
  const ended = (await next.online.findById(key))?.record
  deepEqual([ended?.statusCode, ended?.money], [30, 'reversed'])
  equal(moneyOfAccount(town.memory, 'demo'), 0)
})

test('another card cannot take the place of the one that is being authenticated', async () => {
  const town = await openTown()
  const gateway = await town.begin()
  const key = await anIssued(gateway)
  await submitToIssuer(town, gateway, key)
  await town.settle()
  const record = (await gateway.online.findById(key))?.record
  if (record?.submission == null) throw new Error('no payment')
  const { card } = record.submission
  for (const changes of [
    { card: { ...card, lookup: 'another' } },
    { card: { ...card, expiry: { month: 11, year: 2030 } } },
    { by: 'saved_card', original: 'p' } as const,
    { securityCodeGiven: false },
  ]) {
    const answer = await gateway.online.submit(record, { ...record.submission, ...changes }, new SecurityCode('999'))
    deepEqual(answer, { refused: { code: 'access_token_spent' } })
  }
  await answerIssuer(town, gateway, key)
  equal((await gateway.online.findById(key))?.record.statusCode, 0, 'with the code of the first')
})
