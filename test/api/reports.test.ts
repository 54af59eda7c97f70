// test/api/reports.test.ts — reports over REST, in every version, and in the management API.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { refusedFieldIn } from '../support/refused-field.ts'
import { openShop, PACE_MS, type Shop } from '../support/shop.ts'
import type { Reply, Started } from '../support/till.ts'

const PARTNER = { 'software-house-id': 's', 'installer-id': 'i' }
const accept = (version: string) => ({ accept: `application/connect.${version}+json`, ...PARTNER })
const REPORTS = '/pac/terminals/VCMDEMOSIP0/reports'

type Json = Readonly<Record<string, unknown>>

function start(shop: Shop, reportType: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return shop.till.ask('POST', REPORTS, { body: { reportType }, headers })
}

async function started(shop: Shop, reportType: string): Promise<Started> {
  const reply = await start(shop, reportType)
  ok(reply.status === 201 || reply.status === 200, reply.text)
  return reply.json as unknown as Started
}

const read = (shop: Shop, report: Started, headers: Record<string, string> = {}) =>
  shop.till.ask('GET', new URL(report.location).pathname, { headers })

/** Starts a report and advances time to its end. */
async function finished(shop: Shop, reportType: string): Promise<Json> {
  const report = await started(shop, reportType)
  await shop.clock.advance(20 * PACE_MS)
  const reply = await read(shop, report)
  equal(reply.status, 200)
  return reply.json
}

const linesOf = (body: Json) => (body['reportLines'] as { value: string }[]).map(({ value }) => value)

test('an end of day is started, runs while the terminal is busy, and shows sessions and banking', async () => {
  const shop = await openShop()
  await shop.finished(await shop.till.sale(2599, { amountCashback: 1000 }))
  await shop.finished(await shop.till.sale(1000))
  await shop.finished(await shop.till.refund(500))
  const reply = await start(shop, 'END_OF_DAY')
  equal(reply.status, 201)
  const { requestId, location } = reply.json as unknown as Started
  equal(location, `http://pay.example${REPORTS}/${requestId}`)
  equal(reply.headers['location'], location)
  const running = await read(shop, { requestId, location })
  deepEqual(running.json, { requestId, location, notifications: ['REPORT_STARTED'], tid: 'VCMDEMOSIP0' })
  equal((await shop.till.ask('GET', '/pac/terminals/VCMDEMOSIP0')).json['status'], 'BUSY')
  equal((await shop.till.start({ transactionType: 'SALE', amount: 1, currency: 'GBP' })).status, 422)
  equal((await start(shop, 'X_BALANCE')).status, 422)
  await shop.clock.advance(20 * PACE_MS)
  const { json } = await read(shop, { requestId, location })
  deepEqual(json['notifications'], ['REPORT_FINISHED', 'REPORT_STARTED'])
  deepEqual([json['reportType'], json['reportResult']], ['END_OF_DAY', 'COMPLETE'])
  match(String(json['reportTime']), /^2026-05-06T14:\d\d:\d\d$/)
  const balances = json['balances'] as Json
  deepEqual(
    [
      balances['totalAmount'],
      balances['totalSalesAmount'],
      balances['totalSalesCount'],
      balances['totalRefundsAmount'],
    ],
    [4099, 4599, 2, 500],
  )
  deepEqual([balances['totalCashbackAmount'], balances['totalCashbackCount']], [1000, 1])
  equal(balances['totalsSince'], 'INSTALLATION')
  const [bank] = Object.values(json['banking'] as Record<string, Json>)
  deepEqual(bank?.['currentSessionTransactionNumbers'], ['0001', '0003'])
  ok(linesOf(json).includes('REPORT COMPLETE'))
  equal((await shop.till.ask('GET', '/pac/terminals/VCMDEMOSIP0')).json['status'], 'AVAILABLE')

  const next = await finished(shop, 'END_OF_DAY')
  equal((next['balances'] as Json)['totalSalesCount'], 0)
  match(String((next['balances'] as Json)['totalsSince']), /^2026-05-06T14:\d\d:\d\d$/)
  const [moved] = Object.values(next['banking'] as Record<string, Json>)
  deepEqual(moved?.['previousSessionTransactionNumbers'], ['0001', '0003'])
})

test.each([
  ['X_BALANCE', true, false],
  ['Z_BALANCE', true, false],
  ['BANKING', false, true],
  ['END_OF_DAY', true, true],
])('%s has balances: %s, banking: %s', async (reportType, balances, banking) => {
  const shop = await openShop()
  await shop.finished(await shop.till.sale(100))
  const body = await finished(shop, reportType)
  deepEqual(['balances' in body, 'banking' in body], [balances, banking])
})

test('an invalid body is refused, and an unknown terminal before it', async () => {
  const shop = await openShop()
  for (const reportType of ['Y_BALANCE', '', null, 7, undefined]) {
    const reply = await start(shop, reportType)
    equal(reply.status, 422)
    equal(refusedFieldIn(reply.json['userMessage']), 'reportType')
  }
  equal((await shop.till.ask('POST', REPORTS, { body: 'x' })).status, 422)
  equal((await shop.till.ask('POST', '/pac/terminals/none/reports', { body: {} })).status, 404)
  const unknown = await shop.till.ask('GET', `${REPORTS}/none`)
  deepEqual([unknown.status, unknown.json['userMessage']], [404, 'The report was not found.'])
  match(String((await shop.till.ask('GET', '/pac/terminals/x/reports/y')).json['userMessage']), /^x is unavailable/)
})

test('a report of one account, terminal or kind is not found at another', async () => {
  const shop = await openShop()
  const report = await started(shop, 'X_BALANCE')
  const other = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  equal((await other.ask('GET', new URL(report.location).pathname)).status, 404)
  equal((await shop.till.ask('GET', `/pac/terminals/VCMDEMODIP0/reports/${report.requestId}`)).status, 404)
  equal((await shop.till.ask('GET', `/pac/terminals/VCMDEMOSIP0/transactions/${report.requestId}`)).status, 404)
})

test('a report times out without totals when its terminal stops answering, and the terminal is free again', async () => {
  const shop = await openShop()
  const report = await started(shop, 'END_OF_DAY')
  const press = (key: string) => shop.till.ask('POST', '/sandbox/terminals/VCMDEMOSIP0/keys', { body: { key } })
  await press('unplug')
  await shop.clock.advance(120_000)
  const { json } = await read(shop, report)
  deepEqual([json['notifications'], json['reportResult']], [['REPORT_FINISHED', 'REPORT_STARTED'], 'TIMED_OUT'])
  deepEqual(['balances' in json, 'banking' in json, json['reportLines']], [false, false, []])
  // v0 has no answer for a report without totals.
  equal((await read(shop, report, accept('v0'))).status, 404)
  await press('plug_in')
  equal((await start(shop, 'X_BALANCE')).status, 201)
})

test('one key starts one report, and reading can wait for its end', async () => {
  const shop = await openShop()
  const key = { 'idempotency-key': 'eod-6-may' }
  const first = await start(shop, 'END_OF_DAY', key)
  const again = await start(shop, 'END_OF_DAY', key)
  equal(again.status, 201)
  equal(again.json['requestId'], first.json['requestId'])
  equal(again.headers['idempotency-replayed'], 'true')
  const other = await start(shop, 'X_BALANCE', key)
  equal(other.json['userMessage'], 'This Idempotency-Key was used with a different request.')
  const report = first.json as unknown as Started
  const etag = (await read(shop, report)).headers['etag'] ?? ''
  equal((await read(shop, report, { 'if-none-match': etag })).status, 304)
  const known = { etag }
  let body: Reply | null = null
  for (let wait = 0; body?.json['reportResult'] === undefined && wait < 10; wait += 1) {
    const asked = read(shop, report, { 'if-none-match': known.etag, prefer: 'wait=30' })
    await shop.clock.advance(30_000)
    body = await asked
    known.etag = body.headers['etag'] ?? ''
  }
  equal(body?.json['reportResult'], 'COMPLETE')
  equal(body?.headers['preference-applied'], 'wait=30')
})

describe.each(['v0', 'v1'] as const)('in %s', version => {
  test('a report is started, polled and read', async () => {
    const shop = await openShop({ headers: accept(version) })
    await shop.finished(await shop.till.sale(100))
    const reply = await start(shop, 'END_OF_DAY')
    equal(reply.status, version === 'v0' ? 200 : 201)
    const report = reply.json as unknown as Started
    match(report.location, version === 'v0' ? /\/retail\/terminals\/VCMDEMOSIP0\/reports\// : /\/pac\//)
    const running = await read(shop, report)
    equal(running.status, version === 'v0' ? 409 : 200)
    deepEqual(
      version === 'v0' ? running.json : running.json['notifications'],
      version === 'v0' ? { messages: { error: ['The report is not ready yet.'] } } : ['REPORT_STARTED'],
    )
    await shop.clock.advance(20 * PACE_MS)
    const { status, json } = await read(shop, report)
    equal(status, 200)
    equal(json['tpi'], 'VCMDEMOSIP0')
    equal((json['balances'] as Json)['totalSalesAmount'], 100)
    deepEqual(['notifications' in json, 'reportResult' in json], version === 'v0' ? [false, false] : [true, true])
    match(String(json['reportTime']), version === 'v0' ? /\dZ$/ : /\d$/)
    ok(linesOf(json).includes('REPORT COMPLETE'))
    equal((await shop.till.ask('GET', `${REPORTS}/none`)).status, 404)
    equal((await start(shop, 'NONE')).status, 422)
  })
})

test('v0 has no report without balances and banking', async () => {
  const shop = await openShop({ headers: accept('v0') })
  const empty = await finished(shop, 'BANKING')
  deepEqual([(empty['balances'] as Json)['totalAmount'], empty['banking']], [0, {}])
  await shop.finished(await shop.till.sale(100))
  deepEqual((await finished(shop, 'X_BALANCE'))['banking'], {})
  equal(((await finished(shop, 'BANKING'))['balances'] as Json)['currency'], 'GBP')
})

test('the management API lists reports, and shows the answer of the till', async () => {
  const shop = await openShop()
  const first = await started(shop, 'X_BALANCE')
  await shop.clock.advance(20 * PACE_MS)
  const second = await started(shop, 'Z_BALANCE')
  const page = await shop.till.ask('GET', '/api/reports?limit=1')
  equal(page.status, 200)
  const rows = (reply: Reply) => (reply.json['reports'] as Json[]).map(({ requestId, result }) => [requestId, result])
  deepEqual(rows(page), [[second.requestId, null]])
  const rest = await shop.till.ask('GET', `/api/reports?before=${page.json['next']}&terminal=VCMDEMOSIP0`)
  deepEqual(rows(rest), [[first.requestId, 'COMPLETE']])
  equal(rest.json['next'], null)
  deepEqual((await shop.till.ask('GET', '/api/reports?terminal=none')).json['reports'], [])
  const one = await shop.till.ask('GET', `/api/reports/${first.requestId}`)
  deepEqual(one.json['connect'], (await read(shop, first)).json)
  equal((await shop.till.ask('GET', '/api/reports/none')).status, 404)
  equal((await shop.till.ask('GET', '/api/reports?limit=201')).status, 422)
})
