// test/unit/bodies.test.ts — what lies in the store is short, and says the same.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { NO_CARD } from '../../src/domain/card.ts'
import type { OnlinePayment } from '../../src/domain/online-payment.ts'
import type { OnlinePaymentEvent } from '../../src/domain/online-payment-events.ts'
import type { TerminalTransaction } from '../../src/domain/terminal-transaction.ts'
import type { TransactionEvent } from '../../src/domain/terminal-transaction-events.ts'
import { bodyOf, eventBodyOf, happeningIn, recordIn } from '../../src/engine/bodies.ts'
import { TERMINAL_TRANSACTION } from '../../src/engine/machines.ts'
import { ONLINE_PAYMENT } from '../../src/engine/online/online-machine.ts'
import { PAYMENT_AT_REST } from '../../src/engine/online/payment-at-rest.ts'
import { TRANSACTION_AT_REST } from '../../src/engine/transaction-at-rest.ts'
import { SALE } from '../support/records.ts'

const STARTED: TransactionEvent = {
  type: 'started',
  requestId: 'r1',
  merchantAccount: 'demo',
  tid: '22160001',
  request: SALE,
  partner: { softwareHouseId: null, installerId: null },
  limits: { transactionMs: 200_000, signatureMs: 80_000 },
  authorisedBy: 'gateway',
  paperOut: false,
}

const ISSUED: OnlinePaymentEvent = {
  type: 'issued',
  id: 'p1',
  merchantAccount: 'demo',
  order: {
    transactionType: 'SALE',
    amountMinor: 1999,
    currencyCode: '826',
    orderId: 'A-1001',
    orderDescription: 'Two tickets',
    merchantTransactionId: null,
    moto: false,
    payer: { userAgent: '', emailAddress: 'a@shop.example', phoneNumber: '', ipAddress: '' },
    billingAddress: null,
    shippingDetails: null,
    newTransaction: false,
    crossReference: null,
    webHook: null,
    metaData: null,
    waitPreExecute: false,
    customerId: null,
    paymentMethodId: null,
    previousTransactionId: null,
    cofSetup: null,
  },
}

const sale = TERMINAL_TRANSACTION.apply(null, { event: STARTED, at: 1_000, report: 0 })
const payment = ONLINE_PAYMENT.apply(null, { event: ISSUED, at: 1_000, report: 0 })

// Whoever changes one of these texts changes what stored ones mean: that takes a migration.
test('a sale that has begun, and its event, are stored without what every sale begins with', () => {
  equal(
    bodyOf(TERMINAL_TRANSACTION, sale),
    '{"requestId":"r1","merchantAccount":"demo","tid":"22160001",' +
      '"request":{"transactionType":"SALE","amountMinor":2599,"currency":"GBP"},' +
      '"limits":{"transactionMs":200000,"signatureMs":80000},"authorisedBy":"gateway","version":1,"startedAt":1000,' +
      '"amounts":{"baseMinor":2599}}',
  )
  equal(
    eventBodyOf(TERMINAL_TRANSACTION, { event: STARTED, at: 1_000, report: 0 }),
    '{"event":{"type":"started","requestId":"r1","merchantAccount":"demo","tid":"22160001",' +
      '"request":{"transactionType":"SALE","amountMinor":2599,"currency":"GBP"},' +
      '"limits":{"transactionMs":200000,"signatureMs":80000},"authorisedBy":"gateway"},"at":1000,"report":0}',
  )
  deepEqual(TRANSACTION_AT_REST.begins, {
    request: { cashbackMinor: 0, cardholderNotPresent: false, authCode: null, preAuthorisedTotalMinor: null },
    partner: { softwareHouseId: null, installerId: null },
    progress: 'accepted',
    cancel: 'none',
    authorisation: 'none',
    finishedAt: null,
    notifications: ['TRANSACTION_STARTED'],
    lastReport: 0,
    signature: null,
    authorisationId: null,
    acquirerReference: '',
    declineReason: null,
    card: {
      paymentMethod: 'UNKNOWN',
      cardholderVerificationMethod: 'UNKNOWN',
      primaryAccountNumber: '',
      primaryAccountNumberSequence: '',
      applicationId: '',
      applicationLabel: '',
      cardSchemeName: '',
      dateOfExpiry: '',
      dateOfStart: '',
    },
    amounts: { cashbackMinor: 0, gratuityMinor: 0 },
    authCode: '',
    transactionId: '',
    transactionNumber: '',
    receipts: { MERCHANT: [], CUSTOMER: [] },
    result: null,
    messages: [],
    repeated: null,
  })
})

test('a token, and its event, are stored without what most orders do not say', () => {
  const order =
    '"order":{"transactionType":"SALE","amountMinor":1999,"currencyCode":"826","orderId":"A-1001",' +
    '"orderDescription":"Two tickets","payer":{"emailAddress":"a@shop.example"}}'
  equal(
    bodyOf(ONLINE_PAYMENT, payment),
    `{"id":"p1","merchantAccount":"demo",${order},"version":1,"createdAt":1000,"waitingSince":1000}`,
  )
  equal(
    eventBodyOf(ONLINE_PAYMENT, { event: ISSUED, at: 1_000, report: 0 }),
    `{"event":{"type":"issued","id":"p1","merchantAccount":"demo",${order}},"at":1000,"report":0}`,
  )
  deepEqual(PAYMENT_AT_REST.begins, {
    order: {
      merchantTransactionId: null,
      moto: false,
      payer: { userAgent: '', emailAddress: '', phoneNumber: '', ipAddress: '' },
      billingAddress: null,
      shippingDetails: null,
      newTransaction: false,
      crossReference: null,
      webHook: null,
      metaData: null,
      waitPreExecute: false,
      customerId: null,
      paymentMethodId: null,
      previousTransactionId: null,
      cofSetup: null,
    },
    token: 'issued',
    progress: 'none',
    authentication: 'none',
    reservation: 'none',
    money: 'none',
    submission: null,
    submittedAt: null,
    challenge: null,
    mustChallenge: false,
    proof: null,
    authenticationFailure: null,
    authorisationId: null,
    authCode: '',
    acquirerReference: '',
    declineReason: null,
    statusCode: null,
    message: '',
    finishedAt: null,
    crossReference: '',
    paymentMethodId: null,
    entries: [],
  })
})

test('what was stored reads as what it was, also from a program that left nothing out', () => {
  deepEqual(recordIn(TERMINAL_TRANSACTION, bodyOf(TERMINAL_TRANSACTION, sale)), sale)
  deepEqual(recordIn(TERMINAL_TRANSACTION, JSON.stringify(sale)), sale)
  deepEqual(recordIn(ONLINE_PAYMENT, bodyOf(ONLINE_PAYMENT, payment)), payment)
  deepEqual(recordIn(ONLINE_PAYMENT, JSON.stringify(payment)), payment)
  for (const event of [STARTED, { type: 'cancel_requested' }] as const) {
    const happening = { event, at: 5, report: 7 }
    deepEqual(happeningIn(TERMINAL_TRANSACTION, eventBodyOf(TERMINAL_TRANSACTION, happening)), happening)
    deepEqual(happeningIn(TERMINAL_TRANSACTION, JSON.stringify(happening)), happening)
  }
  const issued = { event: ISSUED, at: 5, report: 0 }
  deepEqual(happeningIn(ONLINE_PAYMENT, eventBodyOf(ONLINE_PAYMENT, issued)), issued)
})

/** The whole with each member in turn, at any depth, given a value that nothing begins with. */
function* changed(whole: object, begins: object): Generator<object> {
  for (const [name, value] of Object.entries(begins)) {
    const own: unknown = (whole as Readonly<Record<string, unknown>>)[name]
    yield { ...whole, [name]: ['changed'] }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    for (const inner of changed(own as object, value)) yield { ...whole, [name]: inner }
  }
}

test('no member that can be left out is left out when it is not as it begins', () => {
  let count = 0
  for (const record of changed(sale, TRANSACTION_AT_REST.begins)) {
    // A partner and the amounts are members of their own.
    if (!isWhole(record as TerminalTransaction)) continue
    deepEqual(recordIn(TERMINAL_TRANSACTION, bodyOf(TERMINAL_TRANSACTION, record as TerminalTransaction)), record)
    count += 1
  }
  for (const record of changed(payment, PAYMENT_AT_REST.begins)) {
    if (!isWhole(record as OnlinePayment)) continue
    deepEqual(recordIn(ONLINE_PAYMENT, bodyOf(ONLINE_PAYMENT, record as OnlinePayment)), record)
    count += 1
  }
  equal(count > 60, true)
})

/** Objects that are always there. */
const OBJECTS = ['request', 'partner', 'amounts', 'order'] as const

function isWhole(record: TerminalTransaction | OnlinePayment): boolean {
  const members = record as unknown as Readonly<Record<string, unknown>>
  const whole = OBJECTS.every(name => !Array.isArray(members[name]))
  return whole && !('order' in record && Array.isArray(record.order.payer))
}

test('an equal card that is another object is stored and read as it is', () => {
  const other = { ...sale, card: { ...NO_CARD }, receipts: { MERCHANT: [], CUSTOMER: [] } }
  deepEqual(recordIn(TERMINAL_TRANSACTION, bodyOf(TERMINAL_TRANSACTION, other)), other)
})
