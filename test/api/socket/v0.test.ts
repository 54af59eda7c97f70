// test/api/socket/v0.test.ts — differences of socket v0.

import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { refusedFieldIn } from '../../support/refused-field.ts'
import { connectTill, openSocketShop } from '../../support/socket-till.ts'

const TID = 'VCMDEMOSIP0'
const SALE = { tpi: TID, currency: 'GBP', amount: 1250 }
const CAPABILITIES = [
  'SALE',
  'REFUND',
  'DUPLICATE',
  'CANCEL_TRANSACTION',
  'REPORT_END_OF_DAY',
  'REPORT_BANKING',
  'REPORT_X_BALANCE',
  'REPORT_Z_BALANCE',
  'TERMINAL_STATUS',
]
const TERMINAL = { tpi: TID, currency: 'GBP', status: 'AVAILABLE', capabilities: CAPABILITIES }

async function oldTill(terminal = TID) {
  const shop = await openSocketShop({ terminal })
  return { shop, till: await connectTill(shop, { version: 'v0' }) }
}

test('terminals have a tpi and capabilities', async () => {
  const { till } = await oldTill()
  const listed = (await till.ask('connectedTerminals')).result as unknown as { tpi: string }[]
  deepEqual(
    listed.find(({ tpi }) => tpi === TID),
    TERMINAL,
  )
  deepEqual((await till.ask('connectedTerminals', { capabilities: ['SALE', 'REPORT_BANKING'] })).result, listed)
  deepEqual((await till.ask('connectedTerminals', { capabilities: [] })).result, listed)
  equal((await till.ask('connectedTerminals', { capabilities: ['FLY'] })).error?.code, -32602)
  equal((await till.ask('connectedTerminals', { capabilities: 'SALE' })).error?.code, -32602)
})

test('terminalsDetails returns a list, without unknown terminals', async () => {
  const { till } = await oldTill()
  for (const params of [{ tpis: ['none', TID] }, { tpi: [TID, TID] }, { tpis: [TID], tpi: ['none'] }])
    deepEqual((await till.ask('terminalsDetails', params)).result, [TERMINAL])
  deepEqual((await till.ask('terminalsDetails', { tpis: [] })).result, [])
  for (const [params, member] of [
    [{}, 'tpis'],
    [{ tpis: TID }, 'tpis'],
    [{ tpi: TID }, 'tpi'],
    [{ tids: [TID] }, 'tids'],
    [{ tpis: [7] }, 'tpis'],
  ] as const)
    equal(refusedFieldIn((await till.ask('terminalsDetails', params)).error?.data?.['userMessage']), member)
})

test.each(['terminalDetails', 'preAuth', 'completion', 'accountVerification'])('there is no %s', async method => {
  const { till } = await oldTill()
  equal((await till.ask(method, SALE)).error?.code, -32601)
})

test('a payment has only tpi, currency and amount', async () => {
  const { till } = await oldTill()
  for (const [params, member] of [
    [{ ...SALE, tid: TID }, 'tid'],
    [{ tid: TID, currency: 'GBP', amount: 1 }, 'tpi'],
    [{ ...SALE, amountCashback: 0 }, 'amountCashback'],
    [{ ...SALE, cardholderNotPresent: false }, 'cardholderNotPresent'],
    [{ ...SALE, authCode: '' }, 'authCode'],
  ] as const)
    equal(refusedFieldIn((await till.ask('sale', params)).error?.data?.['userMessage']), member)
  equal((await till.ask('refund', { ...SALE, authCode: '' })).error?.code, -32602)
})

test('errors and notifications have the tpi', async () => {
  const { till } = await oldTill()
  equal((await till.ask('sale', { ...SALE, tpi: 'none' })).error?.data?.['tpi'], 'none')
  await till.answerTo(till.request('sale', SALE))
  deepEqual(
    till.heard.find(({ method }) => method === 'terminalNotification'),
    {
      jsonrpc: '2.0',
      method: 'terminalNotification',
      params: { tpi: TID, notificationValue: 'TRANSACTION_STARTED' },
    },
  )
})

test('the time of a result is a date-time', async () => {
  const { till } = await oldTill()
  const { result } = await till.answerTo(till.request('sale', SALE))
  match(String(result?.['transactionTime']), /^2026-05-06T14:03:\d\dZ$/)
  const repeated = await till.answerTo(till.request('duplicate', { tpi: TID }))
  equal(repeated.result?.['transactionTime'], result?.['transactionTime'])
})

test('a result without a card has the verification method NONE, and no userMessage', async () => {
  const { till } = await oldTill()
  const sale = till.request('sale', { ...SALE, tpi: '22160001' })
  await till.until('PRESENT_CARD')
  till.request('cancelTransaction', { tpi: '22160001' })
  const cancelled = await till.answerTo(sale)
  equal(cancelled.result?.['cardholderVerificationMethod'], 'NONE')
  const silent = await till.answerTo(till.request('sale', { ...SALE, tpi: 'VCMDEMOTIP0' }))
  equal(silent.result?.['transactionResult'], 'TIMED_OUT')
  equal('userMessage' in (silent.result ?? {}), false)
})

test('signature requests work as in v1', async () => {
  const { till } = await oldTill('VCMDEMOSIS0')
  const sale = till.request('sale', { ...SALE, tpi: 'VCMDEMOSIS0' })
  await till.until('SIGNATURE_VERIFICATION_IN_PROGRESS')
  const [question] = till.questions()
  equal(question?.params?.['tpi'], 'VCMDEMOSIS0')
  till.say({ jsonrpc: '2.0', id: question?.id, result: { accepted: true } })
  equal((await till.answerTo(sale)).result?.['transactionResult'], 'SUCCESSFUL')
})

test('a duplicate of a transaction of v1 keeps its type', async () => {
  const { shop, till } = await oldTill()
  const newer = await connectTill(shop)
  await newer.answerTo(newer.request('preAuth', { tid: TID, currency: 'GBP', amount: 700 }))
  const { result } = await till.answerTo(till.request('duplicate', { tpi: TID }))
  equal(result?.['transactionType'], 'PRE_AUTH')
})

test('both versions share the terminals', async () => {
  const { shop, till } = await oldTill()
  const newer = await connectTill(shop)
  till.request('sale', SALE)
  await till.settle()
  equal((await newer.ask('sale', { tid: TID, currency: 'GBP', amount: 1 })).error?.data?.['tid'], TID)
  equal((await newer.ask('terminalDetails', { tid: TID })).result?.['status'], 'BUSY')
})
