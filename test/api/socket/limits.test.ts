// test/api/socket/limits.test.ts — limits of a socket connection, who is disconnected, and shutdown. ADR 10.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'vitest'
import { RPC_LIMITS } from '../../../src/api/socket/socket-limits.ts'
import { connectTill, openSocketShop, refusalOf } from '../../support/socket-till.ts'
import { frame, talkFrames } from '../../support/wire-frames.ts'

const TID = 'VCMDEMOSIP0'
const SALE = { tid: TID, currency: 'GBP', amount: 1250 }
const ASK = { jsonrpc: '2.0', id: 1, method: 'terminalDetails', params: { tid: TID } }

describe('keep-alive', () => {
  test('pings every 30 seconds, and a till that answers stays connected', async () => {
    const shop = await openSocketShop()
    const till = await connectTill(shop)
    let asked = 0
    till.socket.on('ping', () => (asked += 1))
    for (let round = 1; round <= 5; round += 1) {
      await shop.clock.advance(29_999)
      await till.settle()
      equal(asked, round - 1)
      await shop.clock.advance(1)
      await till.settle()
      equal(asked, round)
    }
    equal(till.socket.readyState, till.socket.OPEN)
  })

  test('closes with 1001 after 60 seconds without a frame', async () => {
    const shop = await openSocketShop()
    const till = await connectTill(shop, { autoPong: false })
    const pinged = once(till.socket, 'ping')
    await shop.clock.advance(30_000)
    await pinged
    await shop.clock.advance(29_999)
    equal(till.socket.readyState, till.socket.OPEN)
    await shop.clock.advance(1)
    equal(await till.closed, 1001)
  })

  test('counts every frame, not only pongs', async () => {
    const shop = await openSocketShop()
    const till = await connectTill(shop, { autoPong: false })
    for (let seconds = 0; seconds < 300; seconds += 50) {
      await shop.clock.advance(50_000)
      await till.ask('terminalDetails', { tid: TID })
    }
    equal(till.socket.readyState, till.socket.OPEN)
  })

  test('closes a connection that does not answer the close frame', async () => {
    const shop = await openSocketShop()
    const talk = await talkFrames(shop)
    await shop.clock.advance(60_000)
    equal(await talk.closeCode, 1001)
    await shop.clock.advance(RPC_LIMITS.leaveMs)
    await talk.closed
    equal(shop.api.tills, 0)
  })

  test('answers pings of the till', async () => {
    const shop = await openSocketShop()
    const till = await connectTill(shop)
    const answered = once(till.socket, 'pong')
    till.socket.ping('are you there')
    deepEqual(String((await answered)[0]), 'are you there')
  })
})

describe('a till that sends too much', () => {
  test('in one message is closed with 1009', async () => {
    const shop = await openSocketShop()
    const fits = await connectTill(shop)
    fits.say(`"${'x'.repeat(1_048_574)}"`)
    await fits.settle()
    equal(fits.heard[0]?.error?.code, -32600)
    fits.say(`"${'x'.repeat(1_048_575)}"`)
    equal(await fits.closed, 1009)
  })

  test('in pieces, or by an announced length, is closed with 1009', async () => {
    const shop = await openSocketShop()
    const pieces = await connectTill(shop)
    for (let piece = 0; piece < 5; piece += 1) pieces.socket.send('x'.repeat(250_000), { fin: false })
    equal(await pieces.closed, 1009)
    const announced = await talkFrames(shop)
    announced.send(frame(Buffer.alloc(0), { length: 2 ** 40 }))
    equal(await announced.closeCode, 1009)
  })

  test('within a second is closed with 1008, and may come back', async () => {
    const shop = await openSocketShop({ limits: { messagesPerSecond: 50 } })
    const till = await connectTill(shop)
    const ended = once(till.socket, 'close')
    for (let count = 0; count < 51; count += 1) till.say(ASK)
    const [code, reason] = await ended
    deepEqual([code, String(reason)], [1008, 'Too many messages'])
    equal((await (await connectTill(shop)).ask('terminalDetails', { tid: TID })).error, undefined)
  })

  test('but not in one second stays', async () => {
    const shop = await openSocketShop({ limits: { messagesPerSecond: 50 } })
    const till = await connectTill(shop)
    for (let second = 0; second < 4; second += 1) {
      // `settle` pings as well.
      for (let count = 0; count < 40; count += 1) till.say(ASK)
      await till.settle()
      await shop.clock.advance(1_000)
    }
    equal(till.heard.length, 160)
  })

  test('and has too many open requests is refused further ones', async () => {
    const shop = await openSocketShop({ limits: { openRequests: 2 } })
    const till = await connectTill(shop)
    till.request('sale', SALE)
    till.request('sale', { ...SALE, tid: 'VCMDEMODIP0' })
    await till.settle()
    const { error } = await till.ask('terminalDetails', { tid: TID })
    equal(error?.code, -32070)
    await till.until('TRANSACTION_FINISHED')
    await shop.clock.advance(60_000)
    equal((await till.ask('terminalDetails', { tid: TID })).error, undefined)
  })
})

test('a till that does not read is disconnected, and others are not', async () => {
  const shop = await openSocketShop({ limits: { unreadBytes: 20_000 } })
  const till = await connectTill(shop)
  const slow = await talkFrames(shop)
  slow.socket.pause()
  const ask = frame(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'connectedTerminals' })))
  // Until the socket buffers are full, and 20 kB more.
  for (let round = 0; shop.api.tills === 2 && round < 2_000; round += 1) {
    for (let count = 0; count < 50; count += 1) slow.send(ask)
    await till.settle()
    await shop.clock.advance(RPC_LIMITS.leaveMs)
  }
  equal(shop.api.tills, 1)
  match(JSON.stringify(shop.log.lines), /"code":1013/)
  equal((await till.ask('terminalDetails', { tid: TID })).error, undefined)
})

describe('when too many are connected', () => {
  test('of one account, its next one is refused, until one disconnects', async () => {
    const shop = await openSocketShop({ limits: { tillsPerAccount: 2 } })
    const [first] = [await connectTill(shop), await connectTill(shop)]
    const refusal = await refusalOf(shop, {})
    equal(refusal.status, 503)
    equal(refusal.headers['retry-after'], '10')
    equal(refusal.body['userMessage'], 'Too many connections are open. Close some, or try again later.')
    await connectTill(shop, { key: 'demo-eur-api-key' })
    await first.close()
    await connectTill(shop)
    equal(shop.api.tills, 3)
  })

  test('in all, the next one is refused', async () => {
    const shop = await openSocketShop({ limits: { tills: 2 } })
    await connectTill(shop)
    await connectTill(shop, { key: 'demo-eur-api-key' })
    equal((await refusalOf(shop, { key: 'demo-eur-api-key' })).status, 503)
  })
})

describe('a broken frame ends the connection', () => {
  test.each<[string, Buffer, number]>([
    ['without a mask', Buffer.from([0x81, 0x02, 0x7b, 0x7d]), 1002],
    ['of an unknown kind', frame(Buffer.from('{}'), { opcode: 0x3 }), 1002],
    ['with a reserved bit', frame(Buffer.from('{}'), { opcode: 0x1 | 0x40 }), 1002],
    ['that goes on with nothing begun', frame(Buffer.from('{}'), { opcode: 0x0 }), 1002],
    ['of control that is too long', frame(Buffer.alloc(126), { opcode: 0x9 }), 1002],
    ['of text that is none', frame(Buffer.from([0xff, 0xfe]), { opcode: 0x1 }), 1007],
  ])('%s', async (_, bytes, code) => {
    const shop = await openSocketShop()
    const talk = await talkFrames(shop)
    talk.send(bytes)
    equal(await talk.closeCode, code)
    talk.socket.destroy()
    const till = await connectTill(shop)
    equal((await till.ask('terminalDetails', { tid: TID })).error, undefined)
    equal(shop.api.tills, 1)
  })
})

test('a connection that ends in the middle of a frame is removed', async () => {
  const shop = await openSocketShop()
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from([0x81]),
    Buffer.from([0x81, 0xfe, 0x01]),
    frame(Buffer.from('{"jsonrpc"')).subarray(0, 9),
  ]) {
    const talk = await talkFrames(shop)
    talk.send(bytes)
    talk.socket.destroy()
  }
  const till = await connectTill(shop)
  for (let round = 0; shop.api.tills > 1 && round < 100; round += 1) await till.settle()
  equal(shop.api.tills, 1)
})

test('a revoked key closes its connections: at the next request within a second, or at the next ping', async () => {
  const shop = await openSocketShop()
  const made = await shop.gateway.provisioning.createKey('demo', 'second')
  ok('secret' in made)
  const [talking, silent, other] = [
    await connectTill(shop, { key: made.secret }),
    await connectTill(shop, { key: made.secret }),
    await connectTill(shop),
  ]
  await shop.gateway.provisioning.revokeKey('demo', made.record.id)
  await shop.clock.advance(1_000)
  talking.say({ ...ASK, method: 'sale', params: SALE })
  equal(await talking.closed, 1008)
  deepEqual(talking.heard, [])
  await shop.clock.advance(30_000)
  equal(await silent.closed, 1008)
  equal((await other.ask('terminalDetails', { tid: TID })).error, undefined)
  deepEqual((await shop.till.ask('GET', '/api/transactions')).json['transactions'], [])
})

test('a pending signature is decided with a revoked key, and then the connection is closed', async () => {
  const shop = await openSocketShop()
  const made = await shop.gateway.provisioning.createKey('demo', 'second')
  ok('secret' in made)
  const till = await connectTill(shop, { key: made.secret })
  till.request('sale', { ...SALE, tid: 'VCMDEMOSIS0' })
  await till.until('SIGNATURE_VERIFICATION')
  await till.settle()
  await shop.gateway.provisioning.revokeKey('demo', made.record.id)
  await shop.clock.advance(1_000)
  till.say({ jsonrpc: '2.0', id: till.questions()[0]?.id, result: { accepted: false } })
  equal(await till.closed, 1008)
  await shop.clock.advance(100_000)
  const [sold] = (await shop.till.ask('GET', '/api/transactions')).json['transactions'] as { readonly result: string }[]
  equal(sold?.result, 'VOID')
})

test('with a revoked key each pending signature is decided, across a ping, before the connection is closed', async () => {
  const shop = await openSocketShop()
  const made = await shop.gateway.provisioning.createKey('demo', 'second')
  ok('secret' in made)
  const till = await connectTill(shop, { key: made.secret })
  const body = { next: ['chip_signature'] }
  equal((await shop.till.ask('POST', '/sandbox/terminals/VCMDEMOSIP0/scenarios', { body })).status, 200)
  till.request('sale', { ...SALE, tid: 'VCMDEMOSIS0' })
  till.request('sale', { ...SALE, tid: 'VCMDEMOSIP0' })
  for (let second = 0; till.questions().length < 2 && second < 30; second += 1) {
    await shop.clock.advance(1_000)
    await till.settle()
  }
  equal(till.questions().length, 2)
  await shop.gateway.provisioning.revokeKey('demo', made.record.id)
  await shop.clock.advance(31_000)
  for (const { id } of till.questions()) {
    till.say({ jsonrpc: '2.0', id, result: { accepted: false } })
    await till.settle()
  }
  equal(await till.closed, 1008)
  await shop.clock.advance(100_000)
  const sold = (await shop.till.ask('GET', '/api/transactions')).json['transactions'] as { readonly result: string }[]
  deepEqual(
    sold.map(({ result }) => result),
    ['VOID', 'VOID'],
  )
})

describe('when the gateway stops', () => {
  test('all tills are closed with 1001, and running transactions continue', async () => {
    const shop = await openSocketShop()
    const [till, other] = [await connectTill(shop), await connectTill(shop, { version: 'v0' })]
    till.request('sale', SALE)
    await till.until('PRESENT_CARD')
    const closed = shop.api.close()
    deepEqual(await Promise.all([till.closed, other.closed]), [1001, 1001])
    await closed
    await shop.clock.advance(60_000)
    const { store } = shop
    const [listed] = await store.list('demo', { kind: 'terminal-transaction', limit: 1 })
    equal(JSON.parse(listed?.body ?? '{}').result, 'SUCCESSFUL')
  })

  test('shutdown waits for a till that does not answer the close frame, up to the limit', async () => {
    const shop = await openSocketShop()
    const talk = await talkFrames(shop)
    let done = false
    const closed = shop.api.close().then(() => (done = true))
    equal(await talk.closeCode, 1001)
    await shop.clock.advance(RPC_LIMITS.leaveMs - 1)
    equal(done, false)
    await shop.clock.advance(1)
    await closed
    await talk.closed
    equal(done, true)
  })
})
