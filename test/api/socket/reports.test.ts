// test/api/socket/reports.test.ts — reports over the socket and over HTTP.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { connectTill, openSocketShop } from '../../support/socket-till.ts'

const TID = 'VCMDEMOSIP0'
const SALE = { tid: TID, currency: 'GBP', amount: 1250 }

/** Method, type, and whether the report has balances and banking. */
const KINDS = [
  ['reportEndOfDay', 'END_OF_DAY', true, true],
  ['reportBanking', 'BANKING', false, true],
  ['reportXBalance', 'X_BALANCE', true, false],
  ['reportZBalance', 'Z_BALANCE', true, false],
] as const

test.each(KINDS)('%s returns a %s report, and pushes nothing', async (method, reportType, balances, banking) => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  await till.answerTo(till.request('sale', SALE))
  await till.answerTo(till.request('refund', { ...SALE, amount: 200 }))
  const told = till.notifications().length
  const { result } = await till.answerTo(till.request(method, { tid: TID }, 50))
  deepEqual([result?.['tid'], result?.['reportType'], result?.['reportResult']], [TID, reportType, 'COMPLETE'])
  equal(Object.keys(result?.['balances'] as object).length > 0, balances)
  equal(Object.keys(result?.['banking'] as object).length > 0, banking)
  match(JSON.stringify(result?.['reportLines']), /REPORT COMPLETE/)
  equal(Object(result?.['balances']).totalAmount, balances ? 1050 : undefined)
  equal(till.notifications().length, told)
})

test('a report can also be started by its type, as over REST', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  for (const [, reportType] of KINDS)
    equal((await till.answerTo(till.request('report', { tid: TID, reportType }))).result?.['reportType'], reportType)
  equal((await till.ask('report', { tid: TID })).error?.code, -32602)
  equal((await till.ask('report', { tid: TID, reportType: 'NONE' })).error?.code, -32602)
  equal((await till.ask('reportXBalance', { tid: TID, reportType: 'X_BALANCE' })).error?.code, -32602)
})

test('while a report runs the terminal is busy, and the report cannot be cancelled', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  const report = till.request('reportXBalance', { tid: TID })
  await till.settle()
  equal((await till.ask('terminalDetails', { tid: TID })).result?.['status'], 'BUSY')
  for (const [method, params] of [
    ['sale', SALE],
    ['duplicate', { tid: TID }],
    ['reportBanking', { tid: TID }],
  ] as const)
    equal((await till.ask(method, params)).error?.code, -32071, method)
  equal((await till.ask('cancelTransaction', { tid: TID })).error?.code, -32072)
  equal((await shop.till.start({ transactionType: 'SALE', amount: 1, currency: 'GBP' })).status, 422)
  ok('result' in (await till.answerTo(report)))
  equal((await till.ask('terminalDetails', { tid: TID })).result?.['status'], 'AVAILABLE')
})

test('a report is refused on a busy and on an unknown terminal', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  till.request('sale', SALE)
  await till.settle()
  equal((await till.ask('reportEndOfDay', { tid: TID })).error?.code, -32071)
  const { error } = await till.ask('reportEndOfDay', { tid: 'none' })
  deepEqual([error?.code, error?.data?.['tid']], [-32602, 'none'])
})

test('a report without an answer times out', async () => {
  const tid = '22160001'
  const shop = await openSocketShop({ terminal: tid })
  const till = await connectTill(shop)
  const report = till.request('reportZBalance', { tid })
  await till.settle()
  await shop.till.ask('POST', `/sandbox/terminals/${tid}/keys`, { body: { key: 'unplug' } })
  const { result } = await till.answerTo(report)
  const { reportResult, reportLines, balances, banking } = result ?? {}
  deepEqual([reportResult, reportLines, balances, banking], ['TIMED_OUT', [], {}, {}])
})

test('a report is the same as over REST', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  const { result } = await till.answerTo(till.request('reportEndOfDay', { tid: TID }))
  const [listed] = (await shop.till.ask('GET', '/api/reports')).json['reports'] as { requestId: string }[]
  const read = await shop.till.ask('GET', `/pac/terminals/${TID}/reports/${listed?.requestId}`)
  const { requestId, location, notifications, ...told } = read.json
  deepEqual({ ...result }, told)
})

test('v0 has the tpi in a report, and the time as a date-time', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop, { version: 'v0' })
  const { result } = await till.answerTo(till.request('reportXBalance', { tpi: TID }))
  equal(result?.['tpi'], TID)
  match(String(result?.['reportTime']), /Z$/)
})

test('over HTTP the answer comes when the report is finished', async () => {
  const shop = await openSocketShop()
  const body = { jsonrpc: '2.0', id: 5, method: 'reportXBalance', params: { tid: TID } }
  const posted = shop.till.ask('POST', '/pac', { body })
  while ((await shop.gateway.transactions.liveOn('demo', TID)) === null) await shop.settle()
  await shop.clock.advance(10_000)
  const { status, json } = await posted
  deepEqual([status, json['id']], [200, 5])
  equal((json['result'] as Record<string, unknown>)['reportResult'], 'COMPLETE')
})
