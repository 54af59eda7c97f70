// test/api/transactions.test.ts — a counter transaction as the till sees it: its stages, and the answers to DELETE, PUT and a
// new POST in each of them.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Progress, TerminalTransaction } from '../../src/domain/counter/transaction.ts'
import { TERMINAL_TRANSACTION } from '../../src/engine/machines.ts'
import { openShop, PACE_MS, type Shop } from '../support/shop.ts'
import type { Started } from '../support/till.ts'

const IN_PROGRESS = ['requestId', 'location', 'notifications']
const SIGNATURE_STAGE = [
  ...IN_PROGRESS,
  'transactionType',
  'authCode',
  'applicationId',
  'applicationLabel',
  'cardholderVerificationMethod',
  'cardHolderVerificationMethod',
  'paymentMethod',
  'primaryAccountNumber',
  'receiptLines',
]
const FINISHED = [
  ...SIGNATURE_STAGE,
  'transactionResult',
  'currency',
  'amountBase',
  'amountCashback',
  'amountGratuity',
  'amountTotal',
  'cardSchemeName',
  'primaryAccountNumberSequence',
  'dateOfStart',
  'dateOfExpiry',
  'transactionId',
  'transactionNumber',
  'transactionTime',
]

test('a sale by chip and PIN is started, read and finished', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  match(sale.requestId, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  equal(sale.location, `http://pay.example/pac/terminals/VCMDEMOSIP0/transactions/${sale.requestId}`)
  // Clients read element 0 without a check, so it exists before the 201 is sent.
  equal((await shop.till.look(sale)).notifications.at(-1), 'TRANSACTION_STARTED')
  const end = await shop.finished(sale)
  deepEqual(Object.keys(end).toSorted(), FINISHED.toSorted())
  equal(end.transactionResult, 'SUCCESSFUL')
  equal(end.transactionType, 'SALE')
  equal(end.location, sale.location)
  deepEqual(
    [end.amountBase, end.amountCashback, end.amountGratuity, end.amountTotal, end.currency],
    [2599, 0, 0, 2599, 'GBP'],
  )
  match(end.primaryAccountNumber ?? '', /^\*{12}\d{4}$/)
  // The test clock is in May 2026, and London has summer time.
  match(end.transactionTime ?? '', /^2026-05-06T14:03:\d\d$/)
  ok((end.receiptLines?.MERCHANT?.length ?? 0) > 0)
})

test('the 201 has a Location header, and each 202 a Content-Length of 0', async () => {
  const shop = await openShop()
  const reply = await shop.till.start({ transactionType: 'SALE', amount: 100, currency: 'GBP' })
  equal(reply.headers['location'], reply.json['location'])
  const sale = reply.json as unknown as Started
  for (const answer of [await shop.till.cancel(sale), await shop.till.sign(sale, true)]) {
    equal(answer.status, 202)
    equal(answer.headers['content-length'], '0')
    equal(answer.headers['content-type'], undefined)
  }
})

test('in progress, at the signature stage and at the end, the answer has exactly the fields of the stage', async () => {
  const shop = await openShop({ terminal: 'VCMDEMOSIS0' })
  const sale = await shop.till.sale(2599)
  let body = await shop.till.look(sale)
  while (body.notifications[0] !== 'SIGNATURE_VERIFICATION') {
    deepEqual(Object.keys(body).toSorted(), IN_PROGRESS.toSorted())
    // Kiosks search the whole body for this text.
    ok(!JSON.stringify(body).includes('SIGNATURE_VERIFICATION'))
    await shop.clock.advance(PACE_MS)
    body = await shop.till.look(sale)
  }
  while (body.notifications[0] !== 'TRANSACTION_FINISHED') {
    deepEqual(Object.keys(body).toSorted(), SIGNATURE_STAGE.toSorted())
    deepEqual(Object.keys(body.receiptLines ?? {}), ['MERCHANT'])
    equal(body.cardholderVerificationMethod, 'SIGNATURE')
    equal(body.cardHolderVerificationMethod, 'SIGNATURE')
    await shop.till.sign(sale, true)
    await shop.clock.advance(PACE_MS)
    body = await shop.till.look(sale)
  }
  deepEqual(Object.keys(body).toSorted(), FINISHED.toSorted())
  equal(body.transactionResult, 'SUCCESSFUL')
})

test('a refused signature ends as VOID', async () => {
  const shop = await openShop({ terminal: 'VCMDEMOSIS0' })
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  await shop.till.sign(sale, false)
  const end = await shop.finished(sale)
  equal(end.transactionResult, 'VOID')
  equal(end.transactionType, 'SALE')
})

test('a signature without a decision counts as accepted, and the userMessage says so', async () => {
  const shop = await openShop({ terminal: 'VCMDEMOSIS0' })
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  await shop.clock.advance(80_000)
  const end = await shop.finished(sale)
  equal(end.transactionResult, 'SUCCESSFUL')
  match(end.userMessage ?? '', /not actioned before timeout/)
})

test('a transaction cancelled in time has the notifications of the cancel', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'PRESENT_CARD')
  equal((await shop.till.cancel(sale)).status, 202)
  const end = await shop.finished(sale)
  equal(end.transactionResult, 'CANCELLED')
  deepEqual(end.notifications.toReversed().slice(-4), [
    'ATTEMPTING_CANCEL',
    'CANCELLING',
    'CANCELLED_TRANSACTION',
    'TRANSACTION_FINISHED',
  ])
  // Without a card, texts are empty, enumerations UNKNOWN, and amounts those of the request.
  equal(end.cardholderVerificationMethod, 'UNKNOWN')
  equal(end.paymentMethod, 'UNKNOWN')
  equal(end.primaryAccountNumber, '')
  deepEqual([end.amountBase, end.amountTotal], [2599, 0])
  deepEqual(end.receiptLines, { MERCHANT: [], CUSTOMER: [] })
})

test('an account verification moves no money, and a duplicate repeats the last transaction', async () => {
  const shop = await openShop()
  const check = await shop.till.started({ transactionType: 'ACCOUNT_VERIFICATION' })
  const verified = await shop.finished(check)
  deepEqual([verified.amountTotal, verified.transactionType], [0, 'ACCOUNT_VERIFICATION'])
  const sale = await shop.till.sale(1234)
  const sold = await shop.finished(sale)
  const repeat = await shop.till.started({ transactionType: 'DUPLICATE' })
  notEqual(repeat.requestId, sale.requestId)
  const repeated = await shop.finished(repeat)
  for (const field of ['transactionType', 'transactionResult', 'amountTotal', 'authCode', 'transactionTime'] as const)
    equal(repeated[field], sold[field], field)
  equal(repeated.location, repeat.location)
})

test('a duplicate with nothing to repeat is unsuccessful and has no type', async () => {
  const shop = await openShop()
  const end = await shop.finished(await shop.till.started({ transactionType: 'DUPLICATE' }))
  equal(end.transactionResult, 'UNSUCCESSFUL')
  equal(end.transactionType, undefined)
  ok((end.userMessage ?? '').length > 0)
})

test('a finished transaction stays readable when its terminal is unplugged, and its answer does not change', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  await shop.finished(sale)
  const before = await shop.till.read(sale)
  await shop.till.ask('POST', '/sandbox/terminals/VCMDEMOSIP0/keys', { body: { key: 'unplug' } })
  await shop.till.cancel(sale)
  await shop.till.sign(sale, true)
  await shop.clock.advance(1_000_000)
  const after = await shop.till.read(sale)
  equal(after.text, before.text)
  equal(after.headers['etag'], before.headers['etag'])
})

test('an unknown transaction is 404, and an unknown terminal is checked first', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  const { requestId } = sale
  const rows = [
    ['/pac/terminals/99999999/transactions/nothing', /^99999999 is unavailable\. Please try again in 10 seconds/],
    ['/pac/terminals/VCMDEMOSIP0/transactions/nothing', /^The transaction was not found\.$/],
    // The transaction exists, on another terminal.
    [`/pac/terminals/VCMDEMODIP0/transactions/${requestId}`, /^The transaction was not found\.$/],
    [`/pac/terminals/VCMDEMOSIP0/transactions/${requestId.toUpperCase()}`, /^The transaction was not found\.$/],
    ['/pac/terminals/VCMDEMOSIP0/transactions/last', /^The transaction was not found\.$/],
  ] as const
  for (const [path, sentence] of rows)
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['DELETE', '', undefined],
      ['PUT', '/signature', { accepted: true }],
    ] as const) {
      const reply = await shop.till.ask(method, path + rest, { body })
      equal(reply.status, 404, `${method} ${path}`)
      match(String(reply.json['userMessage']), sentence)
      deepEqual(reply.json['messages'], [reply.json['userMessage']])
    }
})

test('a transaction of another account is 404', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  const stranger = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  for (const reply of [await stranger.read(sale), await stranger.cancel(sale), await stranger.sign(sale, true)])
    equal(reply.status, 404)
})

describe.each([0, 1_000])('with %s cached records', cachedRecords => {
  // One row per state: the result of a cancel, whether a decision is taken, the status of a new request.
  test.each<[Progress, 'cancelled' | 'unable' | 'unchanged', boolean, number]>([
    ['accepted', 'cancelled', false, 422],
    ['awaiting_card', 'cancelled', false, 422],
    ['card_in_use', 'unable', false, 422],
    ['online', 'unable', false, 422],
    ['awaiting_signature', 'unable', true, 423],
    ['applying_decision', 'unable', false, 422],
    ['finishing', 'unable', false, 422],
    ['finished', 'unchanged', false, 201],
  ])('while %s: DELETE %s, PUT taken %s, POST %i', async (progress, cancel, taken, post) => {
    const busy = await reach(cachedRecords, progress)
    const reply = await busy.shop.till.start({ transactionType: 'SALE', amount: 1, currency: 'GBP' })
    equal(reply.status, post)
    if (post === 423) equal(reply.json['location'], busy.sale.location)
    if (post === 422) match(String(reply.json['userMessage']), /^VCMDEMOSIS0 is busy\./)

    const signed = await reach(cachedRecords, progress)
    const beforePut = await recordOf(signed)
    equal((await signed.shop.till.sign(signed.sale, false)).status, 202)
    const afterPut = await recordOf(signed)
    equal(afterPut.version > beforePut.version, taken)

    const cancelled = await reach(cachedRecords, progress)
    const before = await cancelled.shop.till.look(cancelled.sale)
    equal((await cancelled.shop.till.cancel(cancelled.sale)).status, 202)
    const after = await cancelled.shop.till.look(cancelled.sale)
    const end = await cancelled.shop.finished(cancelled.sale)
    equal(end.transactionResult, cancel === 'cancelled' ? 'CANCELLED' : 'SUCCESSFUL')
    if (cancel === 'unchanged') deepEqual(after, before)
    if (cancel === 'unable') {
      const added = after.notifications.slice(0, after.notifications.length - before.notifications.length).toReversed()
      // The current prompt is repeated, so that clients that read element 0 see it.
      deepEqual(added.slice(0, 3), ['ATTEMPTING_CANCEL', 'UNABLE_TO_CANCEL', 'UNABLE_TO_CANCEL_TRANSACTION'])
      equal(after.notifications[0], before.notifications[0])
    }
  })
})

interface Reached {
  readonly shop: Shop
  readonly sale: Started
}

/** A sale with a signature, advanced to this state. */
async function reach(cachedRecords: number, progress: Progress): Promise<Reached> {
  const shop = await openShop({ terminal: 'VCMDEMOSIS0', cachedRecords })
  const sale = await shop.till.sale(2599)
  const reached = { shop, sale }
  for (let step = 0; step < 400; step += 1) {
    const record = await recordOf(reached)
    if (record.progress === progress) return reached
    // Later states need a decision.
    if (record.progress === 'awaiting_signature') await shop.till.sign(sale, true)
    else await shop.clock.advance(PACE_MS / 10)
  }
  throw new Error(`never ${progress}`)
}

async function recordOf({ shop, sale }: Reached): Promise<TerminalTransaction> {
  const entry = await shop.gateway.engine.read(TERMINAL_TRANSACTION, { account: 'demo', id: sale.requestId })
  ok(entry !== null)
  return entry.record
}
