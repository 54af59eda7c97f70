// test/api/polling.test.ts — polling a transaction: ETags, 304, and waiting for the next change.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { openShop, PACE_MS } from '../support/shop.ts'
import { basic, type Reply, type Started, type Till } from '../support/till.ts'
import { talkTo } from '../support/wire-talk.ts'

function waitFor(till: Till, sale: Started, etag: string, prefer: string): Promise<Reply> {
  return till.read(sale, { headers: { 'if-none-match': etag, prefer } })
}

async function etagOf(till: Till, sale: Started, headers: Record<string, string> = {}): Promise<string> {
  const reply = await till.read(sale, { headers })
  equal(reply.status, 200)
  return reply.headers['etag'] ?? ''
}

test('an unchanged transaction is answered with an empty 304', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  const etag = await etagOf(shop.till, sale)
  match(etag, /^"[\w-]{22}"$/)
  for (const names of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const reply = await shop.till.read(sale, { headers: { 'if-none-match': names } })
    equal(reply.status, 304)
    equal(reply.headers['etag'], etag)
    equal(reply.headers['content-length'], undefined)
  }
  equal((await shop.till.read(sale, { headers: { 'if-none-match': '"other"' } })).status, 200)
  await shop.clock.advance(PACE_MS)
  const changed = await shop.till.read(sale, { headers: { 'if-none-match': etag } })
  equal(changed.status, 200)
  notEqual(changed.headers['etag'], etag)
})

test('the ETag depends on the Host header, and HEAD has the same one as GET', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  const etag = await etagOf(shop.till, sale)
  notEqual(await etagOf(shop.till, sale, { host: 'other.example' }), etag)
  equal(await etagOf(shop.till, sale), etag)
  // Over a real connection: only this shows that no body follows.
  const talk = await talkTo(shop)
  let heard = ''
  talk.socket.on('data', bytes => {
    heard += bytes.toString('latin1')
  })
  const head = `Host: pay.example\r\nAuthorization: ${basic('demo-api-key')}\r\nConnection: close\r\n`
  talk.send(`HEAD ${new URL(sale.location).pathname} HTTP/1.1\r\n${head}\r\n`)
  await talk.closed
  match(heard, /^HTTP\/1\.1 200 /)
  match(heard, /\r\ncontent-length: [1-9]/i)
  ok(heard.includes(`etag: ${etag}\r\n`), heard)
  ok(heard.endsWith('\r\n\r\n'), heard)
})

test('each of 500 Host headers gets its own address in the answer', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  for (let host = 0; host < 500; host += 1) {
    const reply = await shop.till.read(sale, { headers: { host: `h${host}.example` } })
    equal(new URL(String(reply.json['location'])).host, `h${host}.example`)
  }
})

describe.each([0, 1_000])('waiting, with %s cached records', cachedRecords => {
  test('ends at the next change', async () => {
    const shop = await openShop({ cachedRecords })
    const sale = await shop.till.sale(2599)
    const waiting = waitFor(shop.till, sale, await etagOf(shop.till, sale), 'wait=30')
    await shop.settle()
    await shop.clock.advance(PACE_MS)
    const reply = await waiting
    equal(reply.status, 200)
    equal(reply.headers['preference-applied'], 'wait=30')
    ok((reply.json['notifications'] as string[]).length > 1)
  })

  test('ends after its time, with a 304', async () => {
    const shop = await openShop({ terminal: 'VCMDEMOSIS0', cachedRecords })
    const sale = await shop.till.sale(2599)
    await shop.until(sale, 'SIGNATURE_VERIFICATION')
    const etag = await etagOf(shop.till, sale)
    const waiting = waitFor(shop.till, sale, etag, 'wait=10')
    let over = false
    void waiting.then(() => {
      over = true
    })
    await shop.clock.advance(9_999)
    equal(over, false)
    await shop.clock.advance(1)
    const reply = await waiting
    equal(reply.status, 304)
    equal(reply.headers['preference-applied'], 'wait=10')
    equal(reply.headers['etag'], etag)
  })

  test('does not begin when the transaction has changed already or is finished', async () => {
    const shop = await openShop({ cachedRecords })
    const sale = await shop.till.sale(2599)
    const old = await waitFor(shop.till, sale, '"old"', 'wait=30')
    equal(old.status, 200)
    equal(old.headers['preference-applied'], undefined)
    await shop.finished(sale)
    const final = await waitFor(shop.till, sale, await etagOf(shop.till, sale), 'wait=30')
    equal(final.status, 304)
    equal(final.headers['preference-applied'], undefined)
  })

  test('follows a transaction to its end without repeating an answer', async () => {
    const shop = await openShop({ cachedRecords })
    const sale = await shop.till.sale(2599)
    const seen: number[] = []
    for (let etag = '"none"', finished = false; !finished; ) {
      const asked = waitFor(shop.till, sale, etag, 'wait=60')
      await shop.clock.advance(PACE_MS)
      const reply = await asked
      equal(reply.status, 200)
      const notifications = reply.json['notifications'] as string[]
      seen.push(notifications.length)
      finished = notifications[0] === 'TRANSACTION_FINISHED'
      etag = reply.headers['etag'] ?? ''
    }
    deepEqual(seen, [...new Set(seen)])
  })
})

test('the wait is at most a minute, and an invalid preference is ignored', async () => {
  const shop = await openShop({ terminal: 'VCMDEMOSIS0' })
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  const etag = await etagOf(shop.till, sale)
  const long = waitFor(shop.till, sale, etag, 'respond-async, Wait = "600"; x=y')
  await shop.clock.advance(60_000)
  equal((await long).headers['preference-applied'], 'wait=60')
  for (const prefer of ['wait', 'wait=', 'wait=0', 'wait=-5', 'wait=soon', 'await=30', 'respond-async', ''])
    equal((await waitFor(shop.till, sale, etag, prefer)).headers['preference-applied'], undefined, prefer)
  // Without If-None-Match there is nothing to wait for.
  equal((await shop.till.read(sale, { headers: { prefer: 'wait=30' } })).status, 200)
})

test('above the limit of waiting requests the answer comes at once', async () => {
  const shop = await openShop({ terminal: 'VCMDEMOSIS0', limits: { waitsPerAccount: 2, waits: 3 } })
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  const etag = await etagOf(shop.till, sale)
  const first = waitFor(shop.till, sale, etag, 'wait=10')
  const second = waitFor(shop.till, sale, etag, 'wait=10')
  await shop.settle()
  const third = await waitFor(shop.till, sale, etag, 'wait=10')
  deepEqual([third.status, third.headers['preference-applied']], [304, undefined])
  await shop.clock.advance(10_000)
  equal((await first).headers['preference-applied'], 'wait=10')
  equal((await second).headers['preference-applied'], 'wait=10')
  const again = waitFor(shop.till, sale, etag, 'wait=10')
  await shop.clock.advance(10_000)
  equal((await again).headers['preference-applied'], 'wait=10')
})

test('reads are not logged unless they are refused', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  const before = shop.log.lines.length
  for (let poll = 0; poll < 10; poll += 1) await shop.till.look(sale)
  await shop.till.ask('GET', '/pac/terminals')
  equal(shop.log.lines.length, before)
  await shop.till.ask('GET', '/pac/terminals/none')
  equal(shop.log.lines.length, before + 1)
  await shop.till.cancel(sale)
  ok(shop.log.lines.slice(before).some(line => line.fields['operation'] === 'cancelTransaction'))
})
