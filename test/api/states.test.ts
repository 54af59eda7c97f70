// test/api/states.test.ts — terminals that are added and removed, resets, snapshots and seeds of an account.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { createLedger } from '../../src/simulator/acquirer/ledger.ts'
import { checkInvariants } from '../support/invariants.ts'
import { openShop, type Shop } from '../support/shop.ts'
import type { Till } from '../support/till.ts'

const post = async (till: Till, path: string, body: object | undefined, status: number) => {
  const reply = await till.ask('POST', `/sandbox/${path}`, body === undefined ? {} : { body })
  equal(reply.status, status, reply.text)
  return reply.json
}
const advance = (till: Till, ms: number) => post(till, 'clock', { do: 'advance', ms }, 200)
const listed = async (till: Till) => (await till.ask('GET', '/api/transactions')).json['transactions'] as unknown[]

/** Everything that the API shows of an account. */
async function seen({ till }: Shop) {
  const paths = ['/api/transactions', '/api/events', '/sandbox/terminals', '/pac/terminals', '/api/reports']
  return Promise.all(paths.map(async path => (await till.ask('GET', path)).json))
}

test('a terminal is added with its settings, takes payments, and is removed', async () => {
  const shop = await openShop()
  const { till } = shop
  const added = await post(till, 'terminals', { tid: 'VCMBARDIP0', settings: { gratuity: true, paceMs: 0 } }, 201)
  deepEqual(
    [added['tid'], added['connected'], (added['settings'] as { gratuity: boolean }).gratuity],
    ['VCMBARDIP0', true, true],
  )
  const bar = till.at('VCMBARDIP0')
  const body = await shop.finished(await bar.sale(1000))
  equal(body.transactionResult, 'DECLINED')
  await post(till, 'terminals', { tid: 'VCMBARDIP0' }, 409)
  await post(till, 'terminals', { tid: 'VCM BAR' }, 422)
  equal((await till.ask('DELETE', '/sandbox/terminals/VCMBARDIP0')).status, 204)
  equal((await till.ask('DELETE', '/sandbox/terminals/VCMBARDIP0')).status, 404)
  equal((await bar.start({ transactionType: 'SALE', amount: 1, currency: 'GBP' })).status, 404)
  await post(till, 'terminals', { tid: 'VCMBARDIP0' }, 201)
  const none = await shop.finished(await bar.started({ transactionType: 'DUPLICATE' }))
  equal(none.transactionResult, 'UNSUCCESSFUL')
})

test('a reset terminal loses its transaction, which times out', async () => {
  const shop = await openShop({ terminal: '22160001' })
  const { till } = shop
  const sale = await till.sale(2599)
  await shop.until(sale, 'PRESENT_CARD')
  const screen = await post(till, 'terminals/22160001/reset', undefined, 200)
  equal(screen['requestId'], null)
  await shop.settle()
  equal((await till.look(sale)).transactionResult, 'TIMED_OUT')
  equal((await till.sale(1)).requestId.length, 36)
  await post(till, 'terminals/none/reset', undefined, 404)
})

test('a reset account is as new, and other accounts are not affected', async () => {
  const shop = await openShop()
  const { till } = shop
  const stranger = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  const theirs = await stranger.sale(100)
  const fresh = await seen(shop)
  await till.sale(2599)
  await post(till, 'terminals/VCMDEMODIP0/scenarios', { next: ['approved'] }, 200)
  await till.ask('PATCH', '/sandbox/terminals/VCMDEMODIP0/settings', { body: { gratuity: true } })
  await post(till, 'faults', { fault: 'http_500', path: '/pac/terminals/none' }, 201)
  await post(till, 'scenarios', { name: 'mine' }, 201)
  const open = await till.at('22160001').sale(300)
  await advance(till, 60 * 60 * 1_000)
  await till.start({ transactionType: 'SALE', amount: 1, currency: 'GBP' }, { headers: { 'idempotency-key': 'k' } })

  equal((await till.ask('POST', '/sandbox/reset')).status, 204)
  deepEqual(await listed(till), [])
  equal((await till.read(open)).status, 404)
  equal(createLedger(shop.memory).list('demo').length, 0)
  const [transactions, , terminals, connect] = await seen(shop)
  deepEqual([transactions, terminals, connect], [fresh[0], fresh[2], fresh[3]])
  deepEqual((await till.ask('GET', '/sandbox/faults')).json['armed'], [])
  equal((await till.ask('GET', '/sandbox/clock')).json['offsetMs'], 0)
  equal((await till.ask('GET', '/sandbox/scenarios/mine')).status, 200)
  const declined = await shop.finished(await till.at('VCMDEMODIP0').sale(1))
  equal(declined.transactionResult, 'DECLINED')
  equal(declined.transactionNumber, '0001')
  await shop.clock.advance(10_000)
  equal((await stranger.look(theirs)).transactionResult, 'SUCCESSFUL')
})

test('an account continues from a restored snapshot, as often as it is restored', async () => {
  const shop = await openShop()
  const { till } = shop
  await post(till, 'clock', { do: 'freeze' }, 200)
  const held = await till.started({ transactionType: 'PRE_AUTH', amount: 5000, currency: 'GBP' })
  await advance(till, 10_000)
  const { authCode } = await till.look(held)
  const running = await till.at('VCMDEMOSIS0').sale(2599)
  await advance(till, 4_000)
  const before = await seen(shop)
  const taken = await post(till, 'snapshots', { name: 'half_way' }, 201)
  equal(taken['records'], 13)
  deepEqual((await till.ask('GET', '/sandbox/snapshots')).json['snapshots'], [taken])

  for (let round = 0; round < 3; round += 1) {
    const signing = till.at('VCMDEMOSIS0')
    equal((await signing.look(running)).notifications[0], 'SIGNATURE_VERIFICATION')
    await signing.sign(running, round % 2 === 0)
    const body = { transactionType: 'COMPLETION', amount: 4000, currency: 'GBP', authCode }
    const completion = await till.started(body)
    await advance(till, 30_000)
    equal((await signing.look(running)).transactionResult, round % 2 === 0 ? 'SUCCESSFUL' : 'VOID')
    equal((await till.look(completion)).transactionResult, 'SUCCESSFUL')
    equal((await till.ask('POST', '/sandbox/snapshots/half_way/restore')).status, 204)
    deepEqual(await seen(shop), before, `round ${round}`)
    equal((await till.read(completion)).status, 404)
  }
  await advance(till, 200_000)
  equal((await till.look(running)).transactionResult, 'SUCCESSFUL')
  await checkInvariants(shop, new Set([held.requestId, running.requestId]))
  equal((await till.ask('DELETE', '/sandbox/snapshots/half_way')).status, 204)
  equal((await till.ask('POST', '/sandbox/snapshots/half_way/restore')).status, 404)
})

test('a restored snapshot has its pending work again: retries, time-outs and a slow acquirer', async () => {
  const shop = await openShop()
  const { till } = shop
  await post(till, 'clock', { do: 'freeze' }, 200)
  const start = async (tid: string, scenario: string) => {
    const body = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
    const reply = await till.at(tid).start(body, { headers: { 'tollgate-scenario': scenario } })
    return reply.json as { requestId: string; location: string }
  }
  const slow = await start('VCMDEMOSIP0', 'slow_acquirer:60000')
  const silent = await start('VCMDEMODIP0', 'approved+acquirer_silent')
  const lost = await start('VCMDEMOTIP0', 'timed_out')
  await advance(till, 30_000)
  await post(till, 'snapshots', { name: 'waiting' }, 201)
  for (const rounds of [1, 2]) {
    await advance(till, 100_000)
    equal((await till.at('VCMDEMOSIP0').look(slow)).transactionResult, 'SUCCESSFUL', `round ${rounds}`)
    await advance(till, 100_000)
    equal((await till.at('VCMDEMODIP0').look(silent)).transactionResult, 'TIMED_OUT')
    equal((await till.at('VCMDEMOTIP0').look(lost)).transactionResult, 'TIMED_OUT')
    await till.ask('POST', '/sandbox/snapshots/waiting/restore')
    equal((await till.at('VCMDEMOSIP0').look(slow)).transactionResult, undefined)
  }
  await advance(till, 2_000_000)
  await checkInvariants(shop, new Set())
})

test('a snapshot is taken and restored while payments run, and no later state remains', async () => {
  const shop = await openShop()
  const { till } = shop
  const tids = ['VCMDEMOSIP0', 'VCMDEMODIP0', 'VCMDEMOSCD0', 'VCMDEMOVIP0', 'VCMDEMOUIP0']
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(
      tids.map(tid => till.at(tid).start({ transactionType: 'SALE', amount: 100 + round, currency: 'GBP' })),
    )
    await advance(till, 700 * (round + 1))
    if (round === 2) await post(till, 'snapshots', { name: 'busy' }, 201)
    if (round > 2 && round % 2 === 1) equal((await till.ask('POST', '/sandbox/snapshots/busy/restore')).status, 204)
  }
  await advance(till, 2_000_000)
  ok((await checkInvariants(shop, new Set())).length >= 5)
})

test('an invalid snapshot name is refused', async () => {
  const { till } = await openShop()
  for (const body of [{}, { name: '' }, { name: 'No Capitals' }, { name: 'a'.repeat(65) }])
    equal((await till.ask('POST', '/sandbox/snapshots', { body })).json['field'], 'name')
})

test('seeding makes past payments in order, with their money, and leaves the clock unchanged', async () => {
  const shop = await openShop()
  const { till } = shop
  const before = (await till.ask('GET', '/sandbox/clock')).json
  const { results } = (await post(till, 'seed', { count: 16, overMs: 3_600_000 }, 200)) as {
    results: Record<string, number>
  }
  deepEqual(results, { SUCCESSFUL: 12, DECLINED: 2, CANCELLED: 2 })
  deepEqual((await till.ask('GET', '/sandbox/clock')).json, before)
  const transactions = (await listed(till)) as { startedAt: string; tid: string }[]
  equal(transactions.length, 16)
  const times = transactions.map(({ startedAt }) => Date.parse(startedAt)).reverse()
  deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  )
  equal(times[0], Number(before['nowMs']) - 3_600_000)
  equal(new Set(transactions.map(({ tid }) => tid)).size, 11)
  await checkInvariants(shop, new Set())

  const refunds = { count: 2, transactionType: 'REFUND', scenario: 'declined', terminal: '22160001' }
  deepEqual(await post(till, 'seed', refunds, 200), { results: { DECLINED: 2 } })
  await post(till, 'seed', { count: 1, scenario: 'nope' }, 422)
  await post(till, 'seed', { count: 1, terminal: 'nope' }, 404)
  await post(till, 'seed', { count: 0 }, 422)
  await till.at('22160001').sale(1)
  await post(till, 'seed', { count: 1 }, 409)
})
