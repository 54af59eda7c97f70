// test/api/clock.test.ts — the clock of a sandbox account: advancing it fires due timers in order, and the answer comes when
// their work is done. The system clock stands still in all of these tests.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'
import type { Till } from '../support/till.ts'

interface Clock {
  readonly now: string
  readonly nowMs: number
  readonly frozen: boolean
  readonly offsetMs: number
  readonly fired?: number
  readonly settled?: boolean
}

async function clock(till: Till, order?: object): Promise<Clock> {
  const reply = await (order === undefined
    ? till.ask('GET', '/sandbox/clock')
    : till.ask('POST', '/sandbox/clock', { body: order }))
  equal(reply.status, 200, reply.text)
  return reply.json as unknown as Clock
}

const advance = (till: Till, ms: number) => clock(till, { do: 'advance', ms })

test('advancing the clock runs a whole payment before the answer comes', async () => {
  const { till } = await openShop()
  const sale = await till.sale(2599)
  const moved = await advance(till, 10_000)
  deepEqual([moved.settled, moved.frozen, moved.offsetMs], [true, false, 10_000])
  ok((moved.fired ?? 0) >= 7, String(moved.fired))
  const { transactionResult, notifications } = await till.look(sale)
  equal(transactionResult, 'SUCCESSFUL')
  equal(notifications.length, 8)
})

test('steps happen one by one, each at its time', async () => {
  const { till } = await openShop()
  const startedAt = (await clock(till, { do: 'freeze' })).nowMs
  const sale = await till.sale(2599)
  const seen: string[] = []
  for (let step = 0; step < 4; step += 1) {
    await advance(till, 500)
    seen.push((await till.look(sale)).notifications[0] ?? '')
  }
  deepEqual(seen, ['PRESENT_CARD', 'PLEASE_WAIT', 'PIN_ENTRY', 'CONNECTING'])
  deepEqual(await clock(till), {
    now: new Date(startedAt + 2_000).toISOString(),
    nowMs: startedAt + 2_000,
    frozen: true,
    offsetMs: 2_000,
  })
  const { events } = (await till.ask('GET', `/api/transactions/${sale.requestId}/events`)).json as {
    events: { at: string; type: string }[]
  }
  deepEqual(
    events.map(({ at, type }) => `${type} ${Date.parse(at) - startedAt}`),
    ['started 0', 'prompted 500', 'card_read 1000', 'pin_requested 1500', 'linking 2000'],
  )
})

test('advancing the clock fires the signature, transaction and report time-outs', async () => {
  const { till } = await openShop()
  const signing = till.at('VCMDEMOSIS0')
  const signed = await signing.sale(2599)
  await advance(till, 5_000)
  equal((await signing.look(signed)).notifications[0], 'SIGNATURE_VERIFICATION')
  await advance(till, 80_000)
  match((await signing.look(signed)).userMessage ?? '', /not actioned before timeout/)

  const silent = till.at('VCMDEMOTIP0')
  const lost = await silent.sale(2599)
  await advance(till, 199_999)
  equal((await silent.look(lost)).transactionResult, undefined)
  await advance(till, 1)
  equal((await silent.look(lost)).transactionResult, 'TIMED_OUT')
  await advance(till, 600_000)
  equal((await silent.sale(1)).requestId.length, 36)
})

test('a finished transaction is gone after a day of the virtual clock', async () => {
  const { till } = await openShop()
  const sale = await till.sale(2599)
  await advance(till, 10_000)
  equal((await till.read(sale)).status, 200)
  await advance(till, 24 * 60 * 60 * 1_000)
  equal((await till.read(sale)).status, 404)
})

test('advancing the clock of one account does not affect another', async () => {
  const shop = await openShop()
  const stranger = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  await clock(stranger, { do: 'freeze' })
  const mine = await shop.till.sale(2599)
  const theirs = await stranger.sale(2599)
  await advance(shop.till, 300_000)
  equal((await shop.till.look(mine)).transactionResult, 'SUCCESSFUL')
  deepEqual((await stranger.look(theirs)).notifications, ['TRANSACTION_STARTED'])
  deepEqual([(await clock(stranger)).offsetMs, (await clock(shop.till)).offsetMs], [0, 300_000])
  await advance(stranger, 500)
  equal((await stranger.look(theirs)).notifications[0], 'PRESENT_CARD')
})

test('a frozen clock stands still while system time passes, and continues from there when released', async () => {
  const shop = await openShop()
  const { till } = shop
  await clock(till, { do: 'freeze' })
  const sale = await till.sale(2599)
  await shop.clock.advance(60_000)
  deepEqual((await till.look(sale)).notifications, ['TRANSACTION_STARTED'])
  const released = await clock(till, { do: 'release' })
  deepEqual([released.frozen, released.offsetMs], [false, -60_000])
  await shop.clock.advance(500)
  equal((await till.look(sale)).notifications[0], 'PRESENT_CARD')
  equal((await clock(till)).offsetMs, -60_000)
  equal((await shop.finished(sale)).transactionResult, 'SUCCESSFUL')
  equal((await clock(till, { do: 'reset' })).offsetMs, 0)
})

test('a clock can be set to any time, which receipts show; it is set back only while no transaction runs', async () => {
  const { till } = await openShop()
  const set = await clock(till, { do: 'set', to: '2027-12-31T23:59:50Z' })
  equal(set.now, '2027-12-31T23:59:50.000Z')
  const sale = await till.sale(2599)
  const back = { do: 'set', to: '2026-01-01T00:00:00Z' }
  const refused = await till.ask('POST', '/sandbox/clock', { body: back })
  deepEqual([refused.status, refused.json['code']], [409, 'clock_in_use'])
  equal((await till.ask('POST', '/sandbox/clock', { body: { do: 'reset' } })).status, 409)
  await advance(till, 20_000)
  equal((await till.look(sale)).transactionTime, '2027-12-31T23:59:53')
  equal((await clock(till, back)).now, '2026-01-01T00:00:00.000Z')
  const early = await till.sale(2599)
  await advance(till, 20_000)
  equal((await till.look(early)).transactionTime?.slice(0, 10), '2026-01-01')
  // The clock is behind the system now, so a reset moves it forward.
  equal((await clock(till, { do: 'reset' })).offsetMs, 0)
})

test('a slow acquirer and retried effects follow the virtual clock', async () => {
  const { till } = await openShop()
  const start = async (scenario: string) => {
    const body = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
    const reply = await till.start(body, { headers: { 'tollgate-scenario': scenario } })
    return reply.json as never
  }
  const slow = await start('slow_acquirer:60000')
  await advance(till, 30_000)
  equal((await till.look(slow)).notifications[0], 'CONNECTION_MADE')
  await advance(till, 40_000)
  equal((await till.look(slow)).transactionResult, 'SUCCESSFUL')
  const late = await start('approval_late:90000')
  await advance(till, 190_000)
  equal((await till.look(late)).transactionResult, 'SUCCESSFUL')
})

test('concurrent advances of one account run one after the other and add up', async () => {
  const { till } = await openShop()
  const sale = await till.sale(2599)
  const moves = await Promise.all([advance(till, 1_000), advance(till, 2_000), advance(till, 4_000)])
  deepEqual(
    moves.map(({ offsetMs }) => offsetMs),
    [1_000, 3_000, 7_000],
  )
  equal((await till.look(sale)).transactionResult, 'SUCCESSFUL')
})

test('an invalid clock command is refused with its field', async () => {
  const { till } = await openShop()
  for (const [body, field] of [
    [{}, 'do'],
    [{ do: 'rewind' }, 'do'],
    [{ do: 'advance' }, 'ms'],
    [{ do: 'advance', ms: -1 }, 'ms'],
    [{ do: 'advance', ms: 1e12 }, 'ms'],
    [{ do: 'set', to: 'tomorrow' }, 'to'],
    [{ do: 'set', to: '2099-01-01T00:00:00Z' }, 'to'],
  ] as const) {
    const reply = await till.ask('POST', '/sandbox/clock', { body })
    deepEqual([reply.status, reply.json['field']], [422, field], JSON.stringify(body))
  }
})

test('an idempotency key expires after seven days of the virtual clock', async () => {
  const shop: Shop = await openShop()
  const body = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
  const ask = async () => (await shop.till.start(body, { headers: { 'idempotency-key': 'k' } })).json['requestId']
  const first = await ask()
  await advance(shop.till, 6 * 24 * 60 * 60 * 1_000)
  equal(await ask(), first)
  await advance(shop.till, 25 * 60 * 60 * 1_000)
  ok((await ask()) !== first)
})
