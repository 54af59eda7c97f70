// test/api/timeline.test.ts — the timeline of a transaction, without secrets, and its export as a scenario.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { numbersThatLookLikeCards } from '../support/card-scanner.ts'
import { holdsNumber } from '../support/lone-number.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'
import type { Started } from '../support/till.ts'

interface Entry {
  readonly at: string
  readonly from: string
  readonly to: string | null
  readonly what: string
  readonly version: number | null
  readonly notifications: readonly string[]
  readonly data: Readonly<Record<string, unknown>> | null
  readonly answer: unknown
  readonly answeredAt: string | null
  readonly times: number
}

async function timeline(shop: Shop, { requestId }: Started): Promise<readonly Entry[]> {
  const reply = await shop.till.ask('GET', `/api/transactions/${requestId}/timeline`)
  equal(reply.status, 200, reply.text)
  deepEqual(numbersThatLookLikeCards(reply.text), [])
  return reply.json['entries'] as Entry[]
}

const said = ({ from, to, what }: Entry) => (to === null ? what : `${from}→${to} ${what}`)

async function start(shop: Shop, scenario: string, tid = 'VCMDEMOSIP0', body: object = {}): Promise<Started> {
  const sale = { transactionType: 'SALE', amount: 2599, currency: 'GBP', ...body }
  const reply = await shop.till.at(tid).start(sale, { headers: { 'tollgate-scenario': scenario } })
  equal(reply.status, 201, reply.text)
  return reply.json as unknown as Started
}

test('a timeline has the requests, calls and events of a sale in order', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  for (let step = 0; step < 8; step += 1) {
    await shop.clock.advance(500)
    await shop.till.look(sale)
    await shop.till.look(sale)
  }
  const entries = await timeline(shop, sale)
  deepEqual(entries.filter(({ to }) => to !== 'gateway').map(said), [
    'started',
    'gateway→terminal start',
    'prompted',
    'card_read',
    'pin_requested',
    'linking',
    'linking',
    'authorisation_requested',
    'gateway→acquirer charge',
    'authorisation_approved',
    'gateway→terminal answer_authorisation',
    'outcome_shown',
    'ended',
    'authorisation_confirmed',
  ])
  const [first] = entries
  deepEqual(first?.data, {
    method: 'POST',
    tid: 'VCMDEMOSIP0',
    body: { transactionType: 'SALE', amount: 2599, currency: 'GBP' },
  })
  deepEqual(first?.answer, { status: 201, body: { requestId: sale.requestId, location: sale.location } })
  const polls = entries.filter(({ what }) => what === 'getTransaction')
  equal(
    polls.reduce((sum, { times }) => sum + times, 0),
    16,
  )
  ok(polls.every(({ times }) => times >= 2))
  deepEqual(
    entries.flatMap(({ notifications }) => notifications),
    (await shop.till.look(sale)).notifications.toReversed(),
  )
  equal(entries.filter(({ what }) => what === 'report').length, 7)
  const asked = entries.find(({ what }) => what === 'charge')
  equal(asked?.data?.['cardToken'], '[redacted]')
  equal((asked?.answer as { answer: string } | undefined)?.answer, 'approved')
})

test('unknown fields of a till are not recorded, and a decision is followed by its consequences', async () => {
  const shop = await openShop({ terminal: 'VCMDEMOSIS0' })
  const reply = await shop.till.start({
    transactionType: 'SALE',
    amount: 2599,
    currency: 'GBP',
    ...{ note: 'card 4111 1111 1111 1111 please', token: 'abc' },
    ...{ cv2: '341', cvv: '341', cvc: '341', track2: ';4111111111111111=30121010000?', pan: '4111111111111111' },
    ...{ __proto__x: { cv2: '341' }, Currency: '341', amountcashback: '341' },
  })
  const sale = reply.json as unknown as Started
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  await shop.till.cancel(sale)
  await shop.till.sign(sale, false)
  await shop.finished(sale)
  const entries = await timeline(shop, sale)
  const [first] = entries.filter(({ from }) => from === 'till')
  deepEqual(first?.data?.['body'], { transactionType: 'SALE', amount: 2599, currency: 'GBP' })
  const line = entries.map(said)
  const order = ['till→gateway answerSignature', 'signature_decided', 'gateway→terminal answer_signature', 'reversed']
  const places = order.map(each => line.indexOf(each))
  ok(!places.includes(-1), line.join())
  deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  )
  ok(line.includes('till→gateway cancelTransaction') && line.includes('gateway→acquirer reverse'))
})

test('a lost answer and an unreachable terminal are in the timeline', async () => {
  const shop = await openShop()
  const { port } = await shop.api.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${port}/pac/terminals/VCMDEMOSIP0/transactions`
  const authorization = `Basic ${Buffer.from('till:demo-api-key').toString('base64')}`
  const body = JSON.stringify({ transactionType: 'SALE', amount: 2599, currency: 'GBP' })
  const scenario = 'answer_lost+link_lost_during_authorisation:9000'
  const headers = { authorization, 'tollgate-scenario': scenario, 'content-type': 'application/json' }
  await fetch(url, { method: 'POST', headers, body }).catch(() => {})
  const [sale] = (await shop.till.ask('GET', '/api/transactions')).json['transactions'] as { requestId: string }[]
  await shop.clock.advance(30_000)
  const entries = await timeline(shop, { requestId: sale!.requestId, location: '' })
  ok(entries.map(said).includes('gateway→till answer_lost'))
  const failed = entries.find(({ what, answer }) => what === 'answer_authorisation' && answer !== 'taken')
  deepEqual(failed?.answer, { failed: 'VCMDEMOSIP0 was not reached' })
})

test('a sale over a socket plays the scenario of its terminal, and its messages are in the timeline', async () => {
  const shop = await openSocketShop()
  await shop.till.ask('POST', '/sandbox/terminals/VCMDEMOSIP0/scenarios', { body: { next: ['swipe_signature'] } })
  const socket = await connectTill(shop)
  const id = socket.request('sale', { tid: 'VCMDEMOSIP0', currency: 'GBP', amount: 1250 })
  await socket.until('SIGNATURE_VERIFICATION')
  const [question] = socket.questions()
  socket.say({ jsonrpc: '2.0', id: question?.id, result: { accepted: false } })
  equal((await socket.answerTo(id)).result?.['transactionResult'], 'VOID')
  const [sale] = (await shop.till.ask('GET', '/api/transactions')).json['transactions'] as { requestId: string }[]
  const entries = await timeline(shop, { requestId: sale!.requestId, location: '' })
  const [call] = entries
  deepEqual([call?.what, call?.data], ['SALE', { tid: 'VCMDEMOSIP0', currency: 'GBP', amount: 1250 }])
  match(JSON.stringify(call?.answer), /"transactionResult":"VOID"/)
  const asked = entries.find(({ what }) => what === 'ask_for_signature')
  deepEqual(asked?.answer, { accepted: false })
  const told = entries.filter(({ what }) => what === 'notify').map(({ data }) => data?.['notificationValue'])
  deepEqual(told, socket.notifications())
})

test('the timeline of an unknown transaction or of another account is 404', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(1)
  const stranger = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  for (const path of [
    `/api/transactions/${sale.requestId}/timeline`,
    `/sandbox/transactions/${sale.requestId}/scenario`,
  ])
    equal((await stranger.ask('GET', path)).status, 404)
  equal((await shop.till.ask('GET', '/api/transactions/none/timeline')).status, 404)
})

describe('an exported scenario repeats the transaction step by step, with its timing', () => {
  /** Notifications with their seconds since the start. */
  async function story(shop: Shop, sale: Started) {
    const entries = (await timeline(shop, sale)).filter(({ version }) => version !== null)
    const startedAt = Date.parse(entries[0]?.at ?? '')
    return entries.flatMap(({ at, notifications }) =>
      notifications.map(name => `${name} ${Math.round((Date.parse(at) - startedAt) / 500) / 2}`),
    )
  }

  test.each([
    ['approved', 'VCMDEMOSIP0', {}],
    ['declined', 'VCMDEMOSIP0', {}],
    ['contactless_approved+slow_acquirer:7000', 'VCMDEMOSIP0', {}],
    ['insert_instead', 'VCMDEMOSIP0', {}],
    ['card_expired', 'VCMDEMOSIP0', {}],
    ['technical_failure', 'VCMDEMOSIP0', {}],
    ['voided', 'VCMDEMOSIP0', {}],
    ['removal_prompted', 'VCMDEMOSIP0', { transactionType: 'REFUND' }],
    ['paper_out_at_start', 'VCMDEMOSIP0', {}],
    ['approval_late:4000', 'VCMDEMOSIP0', {}],
    ['cancelled_at_pin', 'VCMDEMOSIP0', {}],
    ['nobody_presents_card', 'VCMDEMOSIP0', {}],
    ['silent_after_pin', 'VCMDEMOSIP0', {}],
  ] as const)('%s', async (scenario, tid, request) => {
    const shop = await openShop()
    const first = await start(shop, scenario, tid, request)
    const result = (await shop.finished(first)).transactionResult
    await shop.clock.advance(600_000)
    const document = (await shop.till.ask('GET', `/sandbox/transactions/${first.requestId}/scenario`)).json
    const { name } = (await shop.till.ask('POST', '/sandbox/scenarios', { body: document })).json
    equal(name, `recorded_${first.requestId.slice(-8)}`, JSON.stringify(document))
    // The pace of the terminal does not change the timing of the recording.
    await shop.till.ask('PATCH', '/sandbox/terminals/VCMDEMODIP0/settings', { body: { paceMs: 0 } })
    const again = await start(shop, String(name), 'VCMDEMODIP0', request)
    equal((await shop.finished(again)).transactionResult, result)
    deepEqual(await story(shop, again), await story(shop, first))
  })

  test('a signature decision is left to the till again', async () => {
    const shop = await openShop()
    const first = await start(shop, 'swipe_signature')
    await shop.until(first, 'SIGNATURE_VERIFICATION')
    const path = `/sandbox/transactions/${first.requestId}/scenario`
    await shop.till.sign(first, true)
    await shop.finished(first)
    const { name } = (
      await shop.till.ask('POST', '/sandbox/scenarios', { body: (await shop.till.ask('GET', path)).json })
    ).json
    for (const [accepted, result] of [
      [true, 'SUCCESSFUL'],
      [false, 'VOID'],
    ] as const) {
      const again = await start(shop, String(name))
      await shop.until(again, 'SIGNATURE_VERIFICATION')
      await shop.till.sign(again, accepted)
      const { transactionResult, paymentMethod } = await shop.finished(again)
      deepEqual([transactionResult, paymentMethod], [result, 'SWIPED'])
    }
  })

  test('a cancel is accepted as long as in the recording', async () => {
    const shop = await openShop({ terminal: '22160001' })
    const first = await shop.till.sale(2599)
    await shop.until(first, 'PRESENT_CARD')
    await shop.clock.advance(20_000)
    const keys = '/sandbox/terminals/22160001/keys'
    await shop.till.ask('POST', keys, { body: { key: 'present_card', card: 'sim-visa-debit', how: 'tap' } })
    await shop.finished(first)
    const path = `/sandbox/transactions/${first.requestId}/scenario`
    const { name } = (
      await shop.till.ask('POST', '/sandbox/scenarios', { body: (await shop.till.ask('GET', path)).json })
    ).json
    const again = await start(shop, String(name))
    await shop.clock.advance(15_000)
    await shop.till.cancel(again)
    equal((await shop.finished(again)).transactionResult, 'CANCELLED')
    const played = await start(shop, String(name))
    equal((await shop.finished(played)).paymentMethod, 'CONTACTLESS')
  })
})

test('a timeline has every event and a limited number of exchanges', async () => {
  const shop = await openShop()
  const sale = await start(shop, 'notification_storm:900')
  await shop.finished(sale)
  const entries = await timeline(shop, sale)
  // All events are there. Exchanges above the limit are not recorded.
  equal(entries.filter(({ version }) => version !== null).length, 911)
  ok(entries.filter(({ version }) => version === null).length < 400)
})

test('an unused field of a known name is recorded only if its value is what the schema allows', async () => {
  const shop = await openShop()
  const sent = { transactionType: 'ACCOUNT_VERIFICATION', amount: { cv2: '341' }, currency: 'GBP' }
  const reply = await shop.till.start(sent)
  const [first] = (await timeline(shop, reply.json as unknown as Started)).filter(({ from }) => from === 'till')
  deepEqual(first?.data?.['body'], { transactionType: 'ACCOUNT_VERIFICATION', currency: 'GBP' })
  const socketShop = await openSocketShop()
  const till = await connectTill(socketShop)
  const amount = { currency: 'GBP', amount: 100 }
  await till.answerTo(till.request('refund', { tid: 'VCMDEMOSIP0', ...amount, authCode: 'cv2 341' }))
  const [refund] = (await socketShop.till.ask('GET', '/api/transactions')).json['transactions'] as Started[]
  const entries = await timeline(socketShop, refund as Started)
  const asked = entries.find(({ from, what }) => from === 'till' && what === 'REFUND')
  deepEqual(asked?.data, { tid: 'VCMDEMOSIP0', ...amount })
  ok(!holdsNumber(JSON.stringify(entries), '341'))
})
