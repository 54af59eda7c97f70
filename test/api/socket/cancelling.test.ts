// test/api/socket/cancelling.test.ts — `cancelTransaction` in both versions.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { connectTill, openSocketShop, type SocketTill } from '../../support/socket-till.ts'

const TID = '22160001'
const SALE = { tid: TID, currency: 'GBP', amount: 1250 }
const TOO_LATE = {
  code: -32072,
  message: 'Unable to cancel',
  data: { tid: TID, userMessage: 'The transaction can no longer be cancelled.' },
}

/** A sale on a terminal without a scenario, waiting for a card. */
async function waiting(version: 'v0' | 'v1' = 'v1') {
  const shop = await openSocketShop({ terminal: TID })
  const till = await connectTill(shop, { version })
  const sale = till.request('sale', version === 'v0' ? { ...SALE, tid: undefined, tpi: TID } : SALE)
  await till.until('PRESENT_CARD')
  const press = async (key: object) => {
    equal((await shop.till.ask('POST', `/sandbox/terminals/${TID}/keys`, { body: key })).status, 200)
  }
  return { shop, till, sale, press }
}

/** Messages after PRESENT_CARD. */
function since(till: SocketTill): readonly unknown[] {
  const told = till.heard.map(({ method, params, result, error }) =>
    method === undefined
      ? (result?.['transactionResult'] ?? error?.code ?? 'cancelling')
      : params?.['notificationValue'],
  )
  return told.slice(told.indexOf('PRESENT_CARD') + 1)
}

test('a cancel in time is answered at once, followed by its notifications and the result CANCELLED', async () => {
  const { till, sale } = await waiting()
  deepEqual((await till.ask('cancelTransaction', { tid: TID })).result, { tid: TID, cancelling: true })
  await till.answerTo(sale)
  deepEqual(since(till), [
    'cancelling',
    'ATTEMPTING_CANCEL',
    'CANCELLING',
    'CANCELLED_TRANSACTION',
    'TRANSACTION_FINISHED',
    'CANCELLED',
  ])
})

test('a repeated cancel gets the same answer and changes nothing', async () => {
  const { till, sale } = await waiting()
  for (let time = 0; time < 3; time += 1)
    deepEqual((await till.ask('cancelTransaction', { tid: TID })).result, { tid: TID, cancelling: true })
  equal((await till.answerTo(sale)).result?.['transactionResult'], 'CANCELLED')
  equal(till.notifications().filter(each => each === 'ATTEMPTING_CANCEL').length, 1)
})

test('a cancel too late gets the same answer, and the transaction continues with its prompt repeated', async () => {
  const { till, sale, press } = await waiting()
  await press({ key: 'present_card', card: 'sim-visa-debit', how: 'insert' })
  await till.until('PIN_ENTRY')
  deepEqual((await till.ask('cancelTransaction', { tid: TID })).result, { tid: TID, cancelling: true })
  await press({ key: 'pin', digits: '1234' })
  await till.until('REMOVE_CARD')
  await press({ key: 'remove_card' })
  equal((await till.answerTo(sale)).result?.['transactionResult'], 'SUCCESSFUL')
  deepEqual(since(till).slice(0, 6), [
    'PLEASE_WAIT',
    'PIN_ENTRY',
    'cancelling',
    'ATTEMPTING_CANCEL',
    'UNABLE_TO_CANCEL',
    'UNABLE_TO_CANCEL_TRANSACTION',
  ])
  equal(since(till)[6], 'PIN_ENTRY')
})

test('without a running transaction a cancel is refused', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  deepEqual((await till.ask('cancelTransaction', { tid: TID })).error, TOO_LATE)
  await till.answerTo(till.request('sale', { ...SALE, tid: 'VCMDEMOSCD0' }))
  equal((await till.ask('cancelTransaction', { tid: 'VCMDEMOSCD0' })).error?.code, -32072)
})

test('another till of the account can cancel, and the result goes to the till that started', async () => {
  const { shop, till, sale } = await waiting()
  const other = await connectTill(shop)
  deepEqual((await other.ask('cancelTransaction', { tid: TID })).result, { tid: TID, cancelling: true })
  equal((await till.answerTo(sale)).result?.['transactionResult'], 'CANCELLED')
  deepEqual(other.notifications(), [])
})

test('a sale and its cancel that are sent together are handled in order', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  const sale = till.request('sale', SALE)
  const cancel = till.request('cancelTransaction', { tid: TID })
  deepEqual((await till.answerTo(cancel)).result, { tid: TID, cancelling: true })
  equal((await till.answerTo(sale)).result?.['transactionResult'], 'CANCELLED')
})

test('a cancel of a transaction on a disconnected terminal is accepted', async () => {
  const { till, sale, press } = await waiting()
  await press({ key: 'unplug' })
  equal((await till.ask('terminalDetails', { tid: TID })).error?.code, -32602)
  deepEqual((await till.ask('cancelTransaction', { tid: TID })).result, { tid: TID, cancelling: true })
  equal((await till.answerTo(sale)).result?.['transactionResult'], 'TIMED_OUT')
})

test('in v0 the answer waits for the outcome and says that the cancel succeeded', async () => {
  const { till, sale } = await waiting('v0')
  const cancel = till.request('cancelTransaction', { tpi: TID })
  await till.settle()
  equal(
    till.heard.some(({ id }) => id === cancel),
    false,
  )
  deepEqual((await till.answerTo(cancel)).result, { tpi: TID, cancelled: true })
  equal((await till.answerTo(sale)).result?.['transactionResult'], 'CANCELLED')
  // v0 has no notifications for a cancel.
  deepEqual(till.notifications(), ['TRANSACTION_STARTED', 'PRESENT_CARD', 'TRANSACTION_FINISHED'])
})

test('in v0 a cancel too late is an error', async () => {
  const { till, sale, press } = await waiting('v0')
  await press({ key: 'present_card', card: 'sim-visa-debit', how: 'insert' })
  await till.until('PIN_ENTRY')
  const { error } = await till.ask('cancelTransaction', { tpi: TID })
  deepEqual(error, { ...TOO_LATE, data: { tpi: TID, userMessage: TOO_LATE.data.userMessage } })
  await press({ key: 'pin', digits: '1234' })
  await till.until('REMOVE_CARD')
  await press({ key: 'remove_card' })
  equal((await till.answerTo(sale)).result?.['transactionResult'], 'SUCCESSFUL')
})

test('in v0 a cancel without an outcome within 25 seconds is a time-out', async () => {
  const { shop, till, press } = await waiting('v0')
  await press({ key: 'unplug' })
  const cancel = till.request('cancelTransaction', { tpi: TID })
  await till.settle()
  await shop.clock.advance(24_000)
  await till.settle()
  equal(
    till.heard.some(({ id }) => id === cancel),
    false,
  )
  await shop.clock.advance(1_000)
  const { error } = await till.answerTo(cancel)
  deepEqual([error?.code, error?.message], [-32073, 'Response timeout'])
})
