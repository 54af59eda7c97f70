// test/unit/engine/completion.test.ts — records of version 0.1 are completed with their initial values.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import type { TransactionEvent } from '../../../src/domain/counter/transaction-events.ts'
import type { OnlinePaymentEvent } from '../../../src/domain/online/payment-events.ts'
import { completedRecord, completeEventBody, completeRecordBody } from '../../../src/engine/completion.ts'
import { decodeEvent, decodeRecord } from '../../../src/engine/decoding.ts'
import { TERMINAL_TRANSACTION } from '../../../src/engine/machines.ts'
import { ONLINE_PAYMENT } from '../../../src/engine/online-machine.ts'
import { SALE } from '../../support/records.ts'

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

// As stored in databases of version 0.1. Never change these texts.
const OLD_SALE =
  '{"requestId":"r1","merchantAccount":"demo","tid":"22160001",' +
  '"request":{"transactionType":"SALE","amountMinor":2599,"currency":"GBP"},' +
  '"limits":{"transactionMs":200000,"signatureMs":80000},"authorisedBy":"gateway","version":1,"startedAt":1000,' +
  '"amounts":{"baseMinor":2599}}'
const OLD_STARTED =
  '{"event":{"type":"started","requestId":"r1","merchantAccount":"demo","tid":"22160001",' +
  '"request":{"transactionType":"SALE","amountMinor":2599,"currency":"GBP"},' +
  '"limits":{"transactionMs":200000,"signatureMs":80000},"authorisedBy":"gateway"},"at":1000,"report":0}'
const OLD_ORDER =
  '"order":{"transactionType":"SALE","amountMinor":1999,"currencyCode":"826","orderId":"A-1001",' +
  '"orderDescription":"Two tickets","payer":{"emailAddress":"a@shop.example"}}'
const OLD_PAYMENT = `{"id":"p1","merchantAccount":"demo",${OLD_ORDER},"version":1,"createdAt":1000,"waitingSince":1000}`
const OLD_ISSUED = `{"event":{"type":"issued","id":"p1","merchantAccount":"demo",${OLD_ORDER}},"at":1000,"report":0}`

test('a record and its first event of version 0.1 are decoded with all members', () => {
  deepEqual(decodeRecord(TERMINAL_TRANSACTION, OLD_SALE), sale)
  deepEqual(decodeRecord(ONLINE_PAYMENT, OLD_PAYMENT), payment)
  deepEqual(decodeEvent(TERMINAL_TRANSACTION, OLD_STARTED), { event: STARTED, at: 1_000, report: 0 })
  deepEqual(decodeEvent(ONLINE_PAYMENT, OLD_ISSUED), { event: ISSUED, at: 1_000, report: 0 })
})

test('a completed body equals what is stored today, and a complete body is not changed', () => {
  for (const [kind, old, whole] of [
    [TERMINAL_TRANSACTION.kind, OLD_SALE, sale],
    [ONLINE_PAYMENT.kind, OLD_PAYMENT, payment],
  ] as const) {
    const body = completeRecordBody(kind, old)
    deepEqual(JSON.parse(body), whole)
    equal(completeRecordBody(kind, body), body)
  }
  for (const [kind, old, event] of [
    [TERMINAL_TRANSACTION.kind, OLD_STARTED, STARTED],
    [ONLINE_PAYMENT.kind, OLD_ISSUED, ISSUED],
  ] as const) {
    const body = completeEventBody(kind, old)
    deepEqual(JSON.parse(body), { event, at: 1_000, report: 0 })
    equal(completeEventBody(kind, body), body)
  }
  const table = '{"tableId":"t1","progress":null}'
  equal(completeRecordBody('table', table), table)
})

/** Paths of the members that version 0.1 could leave out. */
function removable(whole: object, old: object, path: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(whole).flatMap(([name, value]) => {
    const own: unknown = (old as Readonly<Record<string, unknown>>)[name]
    if (own === undefined) return [[...path, name]]
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? removable(value, own as object, [...path, name])
      : []
  })
}

/** A copy with another value at a path, or without it if the value is undefined. */
function edited(whole: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const copy: Record<string, unknown> = { ...(whole as Readonly<Record<string, unknown>>) }
  if (rest.length > 0) copy[name] = edited(copy[name] as object, rest, value)
  else if (value === undefined) delete copy[name]
  else copy[name] = value
  return copy
}

for (const [machine, whole, old] of [
  [TERMINAL_TRANSACTION, sale, OLD_SALE],
  [ONLINE_PAYMENT, payment, OLD_PAYMENT],
] as const) {
  const paths = removable(whole, JSON.parse(old) as object)

  test(`a ${machine.kind} lacks any of its ${paths.length} initial values and is read whole`, () => {
    ok(paths.length > 20)
    fc.assert(
      fc.property(fc.subarray([...paths]), missing => {
        const stored = missing.reduce((record, path) => edited(record, path, undefined), whole as object)
        deepEqual(completedRecord(machine.kind, stored), whole)
      }),
    )
  })

  test(`a value of a ${machine.kind} that differs from the initial one is kept`, () => {
    for (const path of paths) {
      const record = edited(whole, path, ['another'])
      deepEqual(completedRecord(machine.kind, JSON.parse(JSON.stringify(record))), record)
    }
  })
}

test('the value of an authentication leaves payments that are over, and their events', () => {
  const proof = {
    version: '2.0',
    status: 'Y',
    challenged: true,
    eci: '05',
    value: 'dmFsdWU=',
    directoryServerTransactionId: 'd',
  }
  const without = { ...proof, value: '' }
  const proofIn = (body: string) => (JSON.parse(body) as { readonly proof: unknown }).proof
  for (const [progress, expected] of [
    ['final', without],
    ['revoked', without],
    ['processing', proof],
  ] as const)
    deepEqual(proofIn(completeRecordBody(ONLINE_PAYMENT.kind, JSON.stringify({ progress, proof }))), expected, progress)
  const event = JSON.stringify({ event: { type: 'authenticated', proof }, at: 1, report: 0 })
  const rewritten = completeEventBody(ONLINE_PAYMENT.kind, event)
  deepEqual(JSON.parse(rewritten), { event: { type: 'authenticated', proof: without }, at: 1, report: 0 })
  equal(completeEventBody(ONLINE_PAYMENT.kind, rewritten), rewritten)
  const sealed = JSON.stringify({
    event: { type: 'authenticated', proof: { ...proof, value: { vault: 'v' } } },
    at: 1,
    report: 0,
  })
  equal(completeEventBody(ONLINE_PAYMENT.kind, sealed), sealed)
})

test('the cryptogram of a wallet leaves payments that are over, and their events', () => {
  const submission = { by: 'GOOGLE_PAY', walletProof: { value: 'dmFsdWU=', eci: '05' } }
  const without = { by: 'GOOGLE_PAY', walletProof: { value: '', eci: '05' } }
  for (const [progress, expected] of [
    ['final', without],
    ['processing', submission],
  ] as const) {
    const record = JSON.parse(completeRecordBody(ONLINE_PAYMENT.kind, JSON.stringify({ progress, submission })))
    deepEqual(record.submission, expected, progress)
  }
  const bodyOf = (given: object) =>
    JSON.stringify({ event: { type: 'submitted', submission: given }, at: 1, report: 0 })
  equal(completeEventBody(ONLINE_PAYMENT.kind, bodyOf(submission)), bodyOf(without))
  for (const right of [without, { by: 'card_form', walletProof: null }, { walletProof: { value: { vault: 'v' } } }])
    equal(completeEventBody(ONLINE_PAYMENT.kind, bodyOf(right)), bodyOf(right))
})
