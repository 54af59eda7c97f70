// test/api/socket/over-http.test.ts — JSON-RPC by POST, for methods that push nothing. ADR 10.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { faultsOfMessage } from '../../support/rpc-schemas.ts'
import { openShop, type Shop } from '../../support/shop.ts'
import type { Heard } from '../../support/socket-till.ts'
import { basic, send } from '../../support/till.ts'
import { talkTo } from '../../support/wire-talk.ts'

const TID = 'VCMDEMOSIP0'

interface Posted {
  readonly status: number
  readonly message: Heard
  readonly type: string
}

async function post(shop: Shop, body: unknown, query = '', headers: Record<string, string> = {}): Promise<Posted> {
  const reply = await shop.till.ask('POST', `/pac${query}`, { body, headers })
  const message = reply.json as unknown as Heard
  if (reply.status === 200) {
    const version = query.includes('v0') ? 'v0' : 'v1'
    deepEqual(faultsOfMessage(version, message, String(Object(body).method)), [], reply.text)
  }
  return { status: reply.status, message, type: reply.headers['content-type'] ?? '' }
}

function call(method: string, params?: object) {
  return { jsonrpc: '2.0', id: 31, method, ...(params === undefined ? {} : { params }) }
}

test('terminals are listed and shown', async () => {
  const shop = await openShop()
  const { status, type, message } = await post(shop, call('terminalDetails', { tid: TID }))
  deepEqual([status, type], [200, 'application/json; charset=utf-8'])
  deepEqual(message, { jsonrpc: '2.0', id: 31, result: { tid: TID, currency: 'GBP', status: 'AVAILABLE' } })
  const listed = (await post(shop, call('connectedTerminals'))).message.result as unknown as object[]
  equal(listed.length, 11)
})

test('a duplicate is answered when it has finished', async () => {
  const shop = await openShop()
  await shop.finished(await shop.till.sale(1250))
  const posted = post(shop, call('duplicate', { tid: TID }))
  await shop.settle()
  await shop.clock.advance(5_000)
  const { status, message } = await posted
  equal(status, 200)
  equal(message.result?.['amountTotal'], 1250)
  deepEqual(Object.keys(message.result?.['receiptLines'] as object), ['CUSTOMER'])
})

test('a running transaction can be cancelled', async () => {
  const shop = await openShop({ terminal: '22160001' })
  const sale = await shop.till.sale(1250)
  await shop.until(sale, 'PRESENT_CARD')
  const { message } = await post(shop, call('cancelTransaction', { tid: '22160001' }))
  deepEqual(message.result, { tid: '22160001', cancelling: true })
  equal((await shop.finished(sale)).transactionResult, 'CANCELLED')
})

test('methods that push are not found', async () => {
  const shop = await openShop()
  for (const method of ['sale', 'refund', 'preAuth', 'completion', 'accountVerification', 'terminalsDetails'])
    equal((await post(shop, call(method, { tid: TID, currency: 'GBP', amount: 1 }))).message.error?.code, -32601)
  deepEqual((await shop.till.ask('GET', '/api/transactions')).json['transactions'], [])
})

test('errors are those of the socket, with status 200', async () => {
  const shop = await openShop()
  for (const [body, code, id] of [
    ['{', -32700, undefined],
    ['', -32700, undefined],
    ['[]', -32600, undefined],
    [[call('connectedTerminals')], -32600, undefined],
    [{ ...call('connectedTerminals'), id: '1' }, -32600, undefined],
    [{ jsonrpc: '2.0', id: 5, result: { accepted: true } }, -32600, 5],
    [call('nothing'), -32601, 31],
    [call('duplicate', {}), -32602, 31],
    [call('duplicate', { tid: 'none' }), -32602, 31],
    [call('cancelTransaction', { tid: TID }), -32072, 31],
  ] as const) {
    const { status, message } = await post(shop, body, '', { 'content-type': 'application/json' })
    deepEqual([status, message.error?.code, message.id], [200, code, id], JSON.stringify(body))
  }
})

test('the version is in the query, as on the socket', async () => {
  const shop = await openShop()
  const { message } = await post(shop, call('terminalsDetails', { tpis: [TID] }), '?api-version=v0')
  equal((message.result as unknown as { tpi: string }[])[0]?.tpi, TID)
  equal((await post(shop, call('terminalDetails', { tid: TID }), '?api-version=v0')).message.error?.code, -32601)
  equal((await post(shop, call('connectedTerminals'), '?api-version=v9')).status, 406)
})

test('v1 requires the partner ids, in the query or in headers', async () => {
  const shop = await openShop()
  const body = call('connectedTerminals')
  equal((await post(shop, body, '?api-version=v1')).status, 422)
  equal((await post(shop, body, '?api-version=v1&software-house-id=s&installer-id=i')).status, 200)
  const headers = { 'Software-House-Id': 's', 'Installer-Id': 'i' }
  equal((await post(shop, body, '?api-version=v1', headers)).status, 200)
})

test('only Basic authentication is accepted', async () => {
  const shop = await openShop()
  const body = call('connectedTerminals')
  for (const [path, headers] of [
    ['/pac', {}],
    ['/pac?token=demo-api-key', {}],
    ['/pac', { authorization: basic('wrong') }],
  ] as const)
    equal((await send(shop.api.inject, 'POST', path, headers, body)).status, 401)
})

test('a body of another media type or above the limit is refused', async () => {
  const shop = await openShop({ settings: { bodyLimitBytes: 1_024 } })
  equal((await post(shop, '{}', '', { 'content-type': 'text/plain' })).status, 415)
  equal((await post(shop, ' '.repeat(1_025), '', { 'content-type': 'application/json' })).status, 413)
})

test('a caller that disconnects before the answer leaves the terminal free afterwards', async () => {
  const shop = await openShop({ terminal: '22160001' })
  const talk = await talkTo(shop)
  const body = JSON.stringify(call('duplicate', { tid: '22160001' }))
  talk.send(
    `POST /pac HTTP/1.1\r\nHost: pay.example\r\nAuthorization: ${basic('demo-api-key')}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await busy(shop, '22160001')
  talk.socket.destroy()
  await talk.closed
  await shop.settle()
  await shop.clock.advance(10_000)
  const { message } = await post(shop, call('terminalDetails', { tid: '22160001' }))
  equal(message.result?.['status'], 'AVAILABLE')
})

test('when the gateway stops, a waiting caller gets a time-out', async () => {
  const shop = await openShop()
  const posted = post(shop, call('duplicate', { tid: TID }))
  await busy(shop, TID)
  await shop.api.close()
  deepEqual((await posted).message.error, {
    code: -32073,
    message: 'Response timeout',
    data: { tid: TID, userMessage: `No answer from ${TID}. Check the PDQ before you try again.` },
  })
})

test('the number of waiting callers is limited', async () => {
  const shop = await openShop({ limits: { waitsPerAccount: 1 } })
  const posted = post(shop, call('duplicate', { tid: TID }))
  await busy(shop, TID)
  equal((await post(shop, call('connectedTerminals'))).status, 503)
  await shop.clock.advance(5_000)
  equal((await posted).status, 200)
  equal((await post(shop, call('connectedTerminals'))).status, 200)
})

/** Waits until a terminal has a transaction. */
async function busy({ gateway, settle }: Shop, tid: string): Promise<void> {
  while ((await gateway.transactions.liveOn('demo', tid)) === null) await settle()
}
