// test/api/nodes/secrets.test.ts — security codes and PIN blocks stay in the memory of the node that received them, which calls
// the acquirer with them. Two gateways on one Postgres. ADR 70.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { CardNumber, SecurityCode } from '../../../src/domain/card-number.ts'
import { NO_ADDRESS } from '../../../src/domain/online/access-token.ts'
import type { OnlinePayment } from '../../../src/domain/online/payment.ts'
import type { Submission } from '../../../src/domain/online/payment-events.ts'
import { TERMINAL_TRANSACTION } from '../../../src/engine/machines.ts'
import { ONLINE_PAYMENT } from '../../../src/engine/online-machine.ts'
import type { AcquirerAnswer } from '../../../src/engine/ports/acquirer.ts'
import type { IssueOrder } from '../../../src/services/online/payments.ts'
import { PIN_HEX } from '../../support/chip-terminals.ts'
import { ACCOUNT, type Node, type Nodes, openNodes, TID } from '../../support/linked-nodes.ts'
import { SALE } from '../../support/records.ts'

const CODE = '341'
const ORDER: IssueOrder = {
  ...{ transactionType: 'SALE', amountMinor: 1_999, currencyCode: '826', orderId: 'R-1', orderDescription: '' },
  ...{ merchantTransactionId: null, moto: false, billingAddress: null, shippingDetails: null, newTransaction: false },
  payer: { userAgent: '', emailAddress: '', phoneNumber: '', ipAddress: '' },
  ...{ crossReference: null, webHookUrl: null, metaData: null, waitPreExecute: false, customerId: null },
  ...{ paymentMethodId: null, previousTransactionId: null, cofSetup: null },
}

/** Submits a card with its security code to a node. */
async function submit({ gateway }: Node, order: Partial<IssueOrder> = {}) {
  const issued = await gateway.online.issue(ACCOUNT, { ...ORDER, ...order })
  ok('record' in issued)
  const { record } = issued
  await gateway.online.submit(record, await submissionOf(gateway, record.id), new SecurityCode(CODE))
  return { account: ACCOUNT, id: record.id }
}

async function submissionOf({ vault }: Node['gateway'], id: string): Promise<Submission> {
  const number = new CardNumber('5200000000000056', 'MASTERCARD')
  const expiry = { month: 12, year: 2030 }
  const holder = 'John Watson'
  return {
    ...{ by: 'card_form', securityCodeGiven: true, authenticate: false, original: null, billingAddress: NO_ADDRESS },
    card: {
      vault: await vault.storeCard(ACCOUNT, { number, expiry, holder }, id),
      ...{ lookup: 'l', masked: number.masked, scheme: 'MASTERCARD', expiry, holder },
    },
    ...{ shippingDetails: null, emailAddress: '', phoneNumber: '', metaData: null, saveCard: false },
    ...{ mitConsentGiven: false, walletProof: null },
  }
}

type Key = Awaited<ReturnType<typeof submit>>

async function paymentAt({ gateway }: Node, key: Key): Promise<OnlinePayment> {
  const entry = await gateway.engine.read(ONLINE_PAYMENT, key)
  ok(entry !== null)
  return entry.record
}

const ended = ({ first, until }: Nodes, key: Key) =>
  until(async () => (await paymentAt(first, key)).progress === 'final')

/** Everything in the records and events of the store. */
async function stored({ store }: Node): Promise<string> {
  const events = await store.allEvents(0, 1_000)
  const records = await store.all('online-payment', { limit: 100 })
  return [...events, ...records].map(({ body }) => body).join('\n')
}

test('the node with a security code calls the acquirer, and the node with the work records the answer', async () => {
  const nodes = await openNodes()
  const { first, second } = nodes
  const key = await submit(second)
  await ended(nodes, key)
  const payment = await paymentAt(first, key)
  deepEqual([payment.statusCode, payment.money], [0, 'approved'])
  equal(first.orders.length, 0)
  deepEqual(
    second.orders.map(({ orderId, online }) => [orderId, online?.securityCode?.reveal()]),
    [[payment.authorisationId, CODE]],
  )
  // The change of the other node is read, and the code forgotten.
  await nodes.until(() => second.gateway.online.codes.count === 0)
  equal(first.gateway.online.codes.count, 0)
  ok(!(await stored(first)).includes(CODE))
})

test('an order that the acquirer has not answered is repeated by the same node under the same id', async () => {
  const nodes = await openNodes()
  const { second } = nodes
  const answers: AcquirerAnswer[] = [{ answer: 'unknown' }, { answer: 'unknown' }]
  second.answer = async () => answers.shift() ?? { answer: 'declined', reason: 'do_not_honour', responseCode: '05' }
  const key = await submit(second)
  await ended(nodes, key)
  const payment = await paymentAt(second, key)
  equal(payment.money, 'declined')
  deepEqual(
    second.orders.map(({ orderId }) => orderId),
    Array.from({ length: 3 }, () => payment.authorisationId),
  )
})

test('a payment that waits for its shop is authorised by the node with the code when another one resumes it', async () => {
  const nodes = await openNodes()
  const { first, second } = nodes
  const key = await submit(second, { waitPreExecute: true })
  await nodes.until(async () => (await paymentAt(first, key)).progress === 'waiting')
  equal(second.orders.length, 0)
  await first.gateway.online.resume(key)
  await ended(nodes, key)
  equal((await paymentAt(first, key)).statusCode, 0)
  deepEqual([first.orders.length, second.orders.length], [0, 1])
})

test('a node that has given its work away still calls the acquirer for the codes that it has', async () => {
  const nodes = await openNodes()
  const { first, second } = nodes
  await second.gateway.leave()
  // Longer than a node that says nothing is known.
  await nodes.silence(second)
  await nodes.claim(second)
  await nodes.claim(first)
  deepEqual(first.link.others, [second.link.address])
  const key = await submit(second)
  await ended(nodes, key)
  equal((await paymentAt(first, key)).statusCode, 0)
  deepEqual([first.orders.length, second.orders.length], [0, 1])
})

test('a payment whose code has died with its node ends uncharged, and its order is reversed', async () => {
  const nodes = await openNodes()
  const { first, second } = nodes
  const key = await submit(second, { waitPreExecute: true })
  await nodes.until(async () => (await paymentAt(first, key)).progress === 'waiting')
  await second.die()
  await nodes.forgetDead()
  await first.gateway.online.resume(key)
  await ended(nodes, key)
  const payment = await paymentAt(first, key)
  deepEqual([payment.statusCode, payment.money], [30, 'reversed'])
  equal(first.orders.length, 0)
  deepEqual(first.reversals, [payment.authorisationId])
})

test('a node that may have the code and does not answer is waited for, and given up after a while', async () => {
  const nodes = await openNodes()
  const { first, second } = nodes
  const key = await submit(second, { waitPreExecute: true })
  await nodes.until(async () => (await paymentAt(first, key)).progress === 'waiting')
  await second.die()
  // It has not been missed yet.
  const known = first.link.others
  const { resume } = first.gateway.online
  await resume(key)
  first.link.know(known)
  const begun = first.clock.now()
  await nodes.until(async () => {
    first.link.know(known)
    return (await paymentAt(first, key)).progress === 'final'
  })
  ok(first.clock.now() - begun >= 10_000)
  deepEqual(first.reversals, [(await paymentAt(first, key)).authorisationId])
})

test('what the payer typed last counts, on whatever node', async () => {
  const nodes = await openNodes()
  const { first, second } = nodes
  const key = await submit(second, { waitPreExecute: true })
  const payment = await paymentAt(first, key)
  const { submission } = payment
  ok(submission !== null)
  await first.gateway.online.submit(payment, submission, new SecurityCode('999'))
  equal(second.gateway.online.codes.count, 0)
  await nodes.until(async () => (await paymentAt(first, key)).progress === 'waiting')
  await first.gateway.online.resume(key)
  await ended(nodes, key)
  deepEqual(
    [...first.orders, ...second.orders].map(({ online }) => online?.securityCode?.reveal()),
    ['999'],
  )
})

/** Starts a sale whose terminal reports to the second node, while the first one performs the work of the account. */
async function sale({ first, second }: Nodes) {
  const partner = { softwareHouseId: null, installerId: null }
  first.reportsTo = second
  const started = await second.gateway.transactions.start({
    ...{ account: ACCOUNT, requestId: 'r1', tid: TID, request: SALE, partner },
  })
  ok('record' in started)
  const key = { account: ACCOUNT, id: 'r1' }
  return async () => {
    const entry = await first.gateway.engine.read(TERMINAL_TRANSACTION, key)
    ok(entry !== null)
    return entry.record
  }
}

test('the node with a PIN block calls the acquirer, and the node with the work records the answer', async () => {
  const nodes = await openNodes()
  const { first, second } = nodes
  const record = await sale(nodes)
  await nodes.until(async () => (await record()).authorisation === 'confirmed')
  equal((await record()).result, 'SUCCESSFUL')
  deepEqual(
    second.orders.map(({ pinBlock }) => pinBlock?.reveal().block),
    [PIN_HEX],
  )
  equal(first.orders.length, 0)
})

test('a sale whose PIN block has died with its node is reversed', async () => {
  const nodes = await openNodes()
  const { first, second } = nodes
  // The acquirer never answers the node with the PIN.
  const asked = new Promise<void>(resolve => {
    second.answer = () => {
      resolve()
      return new Promise<never>(() => {})
    }
  })
  const record = await sale(nodes)
  await Promise.all([asked, nodes.until(() => second.orders.length > 0)])
  first.reportsTo = first
  await second.die()
  await nodes.forgetDead()
  await nodes.until(async () => (await record()).authorisation === 'reversed')
  equal(first.orders.length, 0)
  deepEqual(first.reversals, [second.orders[0]?.orderId])
})
