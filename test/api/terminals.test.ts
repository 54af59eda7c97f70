// test/api/terminals.test.ts — the terminals that a till can use.
import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { openShop } from '../support/shop.ts'
import type { Reply } from '../support/till.ts'

type Listed = { readonly tid: string; readonly status: string; readonly currency: string; readonly location: string }

function terminalsIn(reply: Reply): readonly Listed[] {
  equal(reply.status, 200)
  return reply.json['terminals'] as readonly Listed[]
}

test('connected terminals are listed in the order of installation, each with its location', async () => {
  const shop = await openShop()
  const listed = terminalsIn(await shop.till.ask('GET', '/pac/terminals'))
  deepEqual(
    listed.map(({ tid }) => tid),
    ['SIP0', 'DIP0', 'SCD0', 'SIS0', 'UIP0', 'TIP0', 'CIP0', 'VIP0', 'SCN0']
      .map(code => `VCMDEMO${code}`)
      .concat(['22160001', '22160002']),
  )
  const [first] = listed
  deepEqual(first, {
    tid: 'VCMDEMOSIP0',
    status: 'AVAILABLE',
    currency: 'GBP',
    location: 'http://pay.example/pac/terminals/VCMDEMOSIP0',
  })
  deepEqual((await shop.till.ask('GET', first?.location ?? '')).json, first)
})

test('a terminal is busy from the start of a transaction to its end', async () => {
  const shop = await openShop()
  const statusNow = async () => (await shop.till.ask('GET', '/pac/terminals/VCMDEMOSIP0')).json['status']
  equal(await statusNow(), 'AVAILABLE')
  const sale = await shop.till.sale(2599)
  equal(await statusNow(), 'BUSY')
  const busy = terminalsIn(await shop.till.ask('GET', '/pac/terminals?status=BUSY'))
  deepEqual(
    busy.map(({ tid }) => tid),
    ['VCMDEMOSIP0'],
  )
  equal(terminalsIn(await shop.till.ask('GET', '/pac/terminals?status=AVAILABLE')).length, 10)
  await shop.finished(sale)
  equal(await statusNow(), 'AVAILABLE')
})

test('the list is filtered by currency and status, and an unknown value is refused', async () => {
  const shop = await openShop()
  equal(terminalsIn(await shop.till.ask('GET', '/pac/terminals?currency=EUR')).length, 0)
  equal(terminalsIn(await shop.till.ask('GET', '/pac/terminals?currency=GBP&status=AVAILABLE')).length, 11)
  for (const name of ['status', 'currency']) {
    const reply = await shop.till.ask('GET', `/pac/terminals?${name}=NONE`)
    equal(reply.status, 422)
    match(
      String(reply.json['userMessage']),
      new RegExp(`^The field ${name} has an unknown value\\. It must be one of `),
    )
  }
})

test('a terminal that is not connected is neither listed nor found', async () => {
  const shop = await openShop()
  await shop.till.ask('POST', '/sandbox/terminals/22160001/keys', { body: { key: 'unplug' } })
  equal((await shop.till.ask('GET', '/pac/terminals/22160001')).status, 404)
  equal(
    terminalsIn(await shop.till.ask('GET', '/pac/terminals')).some(({ tid }) => tid === '22160001'),
    false,
  )
  await shop.till.ask('POST', '/sandbox/terminals/22160001/keys', { body: { key: 'plug_in' } })
  equal((await shop.till.ask('GET', '/pac/terminals/22160001')).status, 200)
})

test('each account sees its own terminals only', async () => {
  const shop = await openShop()
  const stranger = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  equal((await stranger.ask('GET', '/pac/terminals/VCMDEMOSIP0')).status, 404)
  equal((await stranger.start({ transactionType: 'SALE', amount: 1, currency: 'EUR' })).status, 201)
  equal((await stranger.at('VCMDEMOSIP0').start({ transactionType: 'SALE', amount: 1, currency: 'EUR' })).status, 404)
})
