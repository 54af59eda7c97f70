// test/simulation/online.test.ts — web shops in many seeded worlds: payments with and without security codes, pauses,
// refunds and revocations, with kills of the gateway and lost answers of the acquirer. At the end the acquirer's ledger and
// the gateway's answers agree to the penny.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { CardNumber, SecurityCode } from '../../src/domain/card-number.ts'
import { NO_ADDRESS, type OnlineType } from '../../src/domain/online/access-token.ts'
import { apply, type OnlinePayment } from '../../src/domain/online/payment.ts'
import type { Submission } from '../../src/domain/online/payment-events.ts'
import { refundedOf } from '../../src/domain/online/payment-ledger.ts'
import { paymentVerdictOf } from '../../src/domain/online/payment-verdict.ts'
import { decodeEvent, decodeRecord } from '../../src/engine/decoding.ts'
import { ONLINE_PAYMENT } from '../../src/engine/online-machine.ts'
import { moneyOfAccount } from '../support/acquirer-book.ts'
import { numbersThatLookLikeCards } from '../support/card-scanner.ts'
import { repetitions } from '../support/depth.ts'
import { type Faults, faultsIn, NO_FAULTS, openWorld, type World } from './world.ts'

/** `SIMULATION_SEEDS=1000` runs longer; `SIMULATION_FIRST_SEED=42 SIMULATION_SEEDS=1` repeats one world. */
const SEEDS = repetitions('SIMULATION_SEEDS', { usual: 20, long: 30 })
const FIRST_SEED = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1)
const STEPS = 60

const KINDS_OF_WORLD: Readonly<Record<string, Faults>> = {
  'no faults': NO_FAULTS,
  'an acquirer that fails': { ...NO_FAULTS, answerLost: 250, orderLost: 250 },
  'a gateway that is killed': { ...NO_FAULTS, crashBeforeCommit: 30, crashAfterCommit: 30 },
  'everything at once': { ...NO_FAULTS, crashBeforeCommit: 20, crashAfterCommit: 20, answerLost: 100, orderLost: 100 },
}

const CARDS = [
  ['5200000000000056', 'MASTERCARD', '341', 'John Watson'],
  ['5200000000001005', 'MASTERCARD', '020', 'Ann Example'],
  ['4921810000009076', 'VISA', '875', 'Jack Lewis'],
  ['4456530000001096', 'VISA', '020', 'John Watson'],
] as const

/** Notes of the shop. */
interface WebShop {
  orders: number
  readonly told: Map<string, number>
}

async function step(world: World, shop: WebShop): Promise<void> {
  const { random } = world
  switch (random.integer(6)) {
    case 0:
    case 1:
      void payNew(world, shop)
      return world.settle()
    case 2:
      void onSome(
        world,
        shop,
        ({ progress }) => progress === 'waiting',
        (gateway, key) => gateway.online.resume(key),
      )
      return world.settle()
    case 3:
      void linkSome(world, shop)
      return world.settle()
    case 4:
      void answerIssuer(world)
      if (random.integer(4) === 0)
        void onSome(
          world,
          shop,
          ({ progress }) => progress === 'authorizing',
          (gateway, key) => gateway.online.revoke(key),
        )
      return world.settle()
    case 5:
      return world.clock.advance(random.integer(random.integer(5) === 0 ? 1_200_000 : 20_000))
  }
}

type Gateway = World['gateway']

/** Creates a token and pays with it. */
async function payNew(world: World, shop: WebShop): Promise<void> {
  const { random, gateway } = world
  const [digits, scheme, code, holder] = CARDS[random.integer(CARDS.length)]!
  const types: readonly OnlineType[] = ['SALE', 'SALE', 'PREAUTH', 'ACCOUNT_VERIFICATION']
  const transactionType = types[random.integer(types.length)]!
  const amountMinor = transactionType === 'ACCOUNT_VERIFICATION' ? 0 : 1_000 + random.integer(9_000)
  const withCode = random.integer(3) > 0
  const authenticate = random.integer(4) > 0
  const waitPreExecute = random.integer(4) === 0
  const issued = await issue(gateway, shop, transactionType, amountMinor, waitPreExecute)
  const number = new CardNumber(digits, scheme)
  const card = { number, expiry: { month: 12, year: 2040 }, holder }
  const vault = await gateway.vault.storeCard('demo', card, issued.id)
  const submission: Submission = {
    ...{ by: 'card_form', securityCodeGiven: withCode, authenticate, original: null, billingAddress: NO_ADDRESS },
    card: { vault, lookup: digits.slice(-4), masked: number.masked, scheme, expiry: card.expiry, holder },
    ...{ shippingDetails: null, emailAddress: '', phoneNumber: '', metaData: null, saveCard: false },
    ...{ mitConsentGiven: false, walletProof: null },
  }
  await gateway.online.submit(issued, submission, withCode ? new SecurityCode(code) : null)
}

async function issue(
  gateway: Gateway,
  shop: WebShop,
  transactionType: OnlineType,
  amountMinor: number,
  waitPreExecute: boolean,
): Promise<OnlinePayment> {
  shop.orders += 1
  const issued = await gateway.online.issue('demo', {
    ...{ transactionType, amountMinor, currencyCode: '826', orderId: `O${shop.orders}`, orderDescription: '' },
    ...{ merchantTransactionId: `mt${shop.orders}`, moto: false, billingAddress: null, shippingDetails: null },
    payer: { userAgent: '', emailAddress: '', phoneNumber: '', ipAddress: '' },
    ...{ newTransaction: false, crossReference: null, webHookUrl: null, metaData: null, waitPreExecute },
    ...{ customerId: null, paymentMethodId: null, previousTransactionId: null, cofSetup: null },
  })
  if ('refused' in issued) throw new Error(issued.refused.code)
  return issued.record
}

/** Acts on a random payment that fits. */
async function onSome(
  world: World,
  shop: WebShop,
  fits: (record: OnlinePayment) => boolean,
  act: (gateway: Gateway, key: { readonly account: string; readonly id: string }) => Promise<unknown>,
): Promise<void> {
  const record = await someOf(world, fits)
  if (record === null) return
  note(shop, record)
  await act(world.gateway, { account: 'demo', id: record.id })
}

async function someOf(world: World, fits: (record: OnlinePayment) => boolean): Promise<OnlinePayment | null> {
  const fitting = (await paymentsIn(world)).filter(fits)
  return fitting[world.random.integer(Math.max(fitting.length, 1))] ?? null
}

/** Collects, refunds or voids part of a payment, or charges its card again. */
async function linkSome(world: World, shop: WebShop): Promise<void> {
  const { random, gateway } = world
  const original = await someOf(world, ({ statusCode }) => statusCode === 0)
  if (original === null || original.submission === null) return
  note(shop, original)
  const types: readonly OnlineType[] = ['REFUND', 'REFUND', 'COLLECTION', 'VOID', 'SALE']
  const type = types[random.integer(types.length)]!
  const issued = await issue(gateway, shop, type, 1 + random.integer(original.order.amountMinor + 500), false)
  const submission: Submission = {
    ...original.submission,
    ...{ by: 'cross_reference', original: original.id, securityCodeGiven: false, authenticate: false },
  }
  await gateway.online.submit(issued, submission, null)
}

/** The payer answers the issuer, correctly or not, and may return. */
async function answerIssuer(world: World): Promise<void> {
  const { random, gateway } = world
  const record = await someOf(world, ({ progress }) => progress === 'authorizing')
  if (record?.challenge == null || gateway.sandbox === null) return
  const code = random.integer(4) === 0 ? 'wrong' : '1234'
  gateway.sandbox.issuerPages.answer(record.challenge.md, { action: 'submit', code })
  if (random.integer(3) === 0) return
  if (random.integer(8) > 0) return gateway.online.completeChallenge(record, 0)
  await gateway.online.abandon({ account: 'demo', id: record.id }, 'closed')
}

/** A final status that a shop has read never changes. */
function note({ told }: WebShop, { id, statusCode }: OnlinePayment): void {
  if (statusCode === null) return
  equal(told.get(id) ?? statusCode, statusCode, id)
  told.set(id, statusCode)
}

async function paymentsIn({ store }: World): Promise<readonly OnlinePayment[]> {
  const stored = await store.all('online-payment', { limit: 100_000 })
  return stored.map(({ body }) => decodeRecord(ONLINE_PAYMENT, body))
}

async function live(world: World, faults: Faults): Promise<WebShop> {
  const shop: WebShop = { orders: 0, told: new Map() }
  world.faults = faults
  for (let count = 0; count < STEPS; count += 1) {
    await world.revive()
    if (world.alive) await step(world, shop)
  }
  world.faults = NO_FAULTS
  await world.revive()
  for (let minutes = 0; minutes < 50; minutes += 1) await world.clock.advance(60_000)
  return shop
}

async function check(world: World, shop: WebShop): Promise<readonly OnlinePayment[]> {
  const payments = await paymentsIn(world)
  for (const payment of payments) {
    note(shop, payment)
    ok(paymentVerdictOf(payment).final, `${payment.id} ${payment.progress} ${payment.money}`)
    ok(payment.reservation !== 'reserved' && payment.reservation !== 'requested', payment.id)
    ok(refundedOf(payment.entries, 'GBP').minor <= payment.order.amountMinor)
    ok(payment.entries.every(({ state }) => state !== 'reserved'))
    const events = await world.store.eventsOf({ account: 'demo', kind: 'online-payment', id: payment.id })
    const happenings = events.map(event => decodeEvent(ONLINE_PAYMENT, event.body))
    const folded = happenings.reduce<OnlinePayment | null>((sofar, envelope) => apply(sofar, envelope), null)
    deepEqual(JSON.parse(JSON.stringify(folded)), payment)
  }
  const byId = new Map(payments.map(payment => [payment.id, payment]))
  for (const { order, submission, statusCode, undoesMinor } of payments)
    if (order.transactionType === 'VOID' && statusCode === 0) {
      const voided = byId.get(submission?.original ?? '')
      equal(undoesMinor, voided?.order.amountMinor)
      equal(voided && paymentVerdictOf(voided).nextStep, 'treat_as_unpaid')
    }
  const moneyOf = (payment: OnlinePayment): number => {
    if (payment.statusCode !== 0) return 0
    const { transactionType, amountMinor } = payment.order
    if (transactionType === 'REFUND') return -amountMinor
    if (transactionType === 'SALE' || transactionType === 'COLLECTION') return amountMinor
    const voided = transactionType === 'VOID' ? byId.get(payment.submission?.original ?? '') : undefined
    return voided === undefined || voided.order.transactionType === 'PREAUTH' ? 0 : -voided.order.amountMinor
  }
  equal(
    moneyOfAccount(world.memory, 'demo'),
    payments.reduce((sum, payment) => sum + moneyOf(payment), 0),
  )
  deepEqual(numbersThatLookLikeCards(JSON.stringify([await world.store.imageOf('demo', []), world.log.lines])), [])
  equal(world.gateway.online.codes.count, 0)
  return payments
}

for (const [kind, faults] of Object.entries(KINDS_OF_WORLD))
  test(`every online payment is accounted for in ${SEEDS} worlds with ${kind}`, { timeout: 600_000 }, async () => {
    const seen = new Set<string>()
    const drawn = new Set<string>()
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const world = await openWorld(seed, { cachedRecords: seed % 2 === 0 ? 0 : 1_000 })
      try {
        for (const { order, statusCode, progress } of await check(world, await live(world, faults)))
          seen.add(`${order.transactionType} ${statusCode ?? progress}`)
      } catch (error) {
        throw new Error(`seed ${seed} of ${kind}`, { cause: error })
      }
      for (const fault of world.drawn) drawn.add(fault)
    }
    // A simulation in which little happens proves little.
    if (SEEDS < 20) return
    deepEqual([...drawn].sort(), faultsIn(faults))
    for (const what of [
      'SALE 0',
      'SALE 5',
      'SALE 30',
      'PREAUTH 0',
      'COLLECTION 0',
      'REFUND 0',
      'REFUND 30',
      'VOID 0',
      'ACCOUNT_VERIFICATION 0',
    ])
      ok(seen.has(what), `no ${what}`)
  })
