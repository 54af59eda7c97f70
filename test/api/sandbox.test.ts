// test/api/sandbox.test.ts — the simulator's controls, and private test accounts.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { OpenTestAccount } from '../../src/api/parts.ts'
import { freshSettings } from '../../src/services/provisioning/provisioning.ts'
import { openShop } from '../support/shop.ts'
import { send } from '../support/till.ts'

const KEYS = '/sandbox/terminals/22160001/keys'

test('a sale is taken by pressing the keys of the terminal: card, PIN, removal', async () => {
  const shop = await openShop({ terminal: '22160001' })
  const screen = async () => (await shop.till.ask('GET', '/sandbox/terminals/22160001')).json
  equal((await screen())['requestId'], null)
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'PRESENT_CARD')
  equal((await screen())['requestId'], sale.requestId)
  ok(((await screen())['keys'] as string[]).includes('present_card'))
  const press = (body: object) => shop.till.ask('POST', KEYS, { body })
  const presented = await press({ key: 'present_card', card: 'sim-visa-debit', how: 'insert' })
  equal(presented.status, 200)
  equal(presented.json['cardInSlot'], true)
  await shop.until(sale, 'PIN_ENTRY')
  const cards = (await send(shop.api.inject, 'GET', '/sandbox/cards', {})).json['cards'] as {
    card: string
    pin: string
  }[]
  const pin = cards.find(({ card }) => card === 'sim-visa-debit')?.pin
  equal((await press({ key: 'pin', digits: pin })).status, 200)
  await shop.until(sale, 'REMOVE_CARD')
  equal((await press({ key: 'remove_card' })).json['cardInSlot'], false)
  equal((await shop.finished(sale)).transactionResult, 'SUCCESSFUL')
})

test('a key that is not available now is 409, and an invalid one is 422 with its field', async () => {
  const shop = await openShop()
  for (const [body, status, field] of [
    [{ key: 'pin', digits: '1234' }, 409, undefined],
    [{ key: 'cancel' }, 409, undefined],
    [{ key: 'present_card', card: 'sim-visa-debit' }, 422, 'how'],
    [{ key: 'present_card', card: 'sim-visa-debit', how: 'throw' }, 422, 'how'],
    [{ key: 'pin', digits: 'abcd' }, 422, 'digits'],
    [{ key: 'pin', digits: 1234 }, 422, 'digits'],
    [{ key: 'gratuity', amountMinor: 1.5 }, 422, 'amountMinor'],
    [{ key: 'self_destruct' }, 422, 'key'],
    [{}, 422, 'key'],
    [[], 422, 'body'],
  ] as const) {
    const reply = await shop.till.ask('POST', KEYS, { body })
    deepEqual([reply.status, reply.json['field']], [status, field], JSON.stringify(body))
  }
  equal((await shop.till.ask('POST', '/sandbox/terminals/none/keys', { body: { key: 'unplug' } })).status, 404)
})

test('an unplugged terminal still has its screen, and can be plugged in again', async () => {
  const shop = await openShop()
  const unplugged = await shop.till.ask('POST', KEYS, { body: { key: 'unplug' } })
  deepEqual([unplugged.status, unplugged.json['connected']], [200, false])
  equal((await shop.till.ask('GET', '/sandbox/terminals/22160001')).json['connected'], false)
  const terminals = (await shop.till.ask('GET', '/sandbox/terminals')).json['terminals'] as { tid: string }[]
  equal(terminals.length, 11)
  equal((await shop.till.ask('POST', KEYS, { body: { key: 'plug_in' } })).json['connected'], true)
})

test('PATCH changes the settings that it names', async () => {
  const shop = await openShop()
  const path = '/sandbox/terminals/VCMDEMOSIP0/settings'
  const reply = await shop.till.ask('PATCH', path, { body: { paceMs: '0', gratuity: 'true', printing: null } })
  equal(reply.status, 200)
  deepEqual(reply.json, {
    currency: 'GBP',
    gratuity: true,
    cashbackAllowed: true,
    printing: true,
    contactlessCustomerCopy: false,
    paceMs: 0,
  })
  equal((await shop.till.ask('PATCH', path, { body: { paceMs: -1 } })).json['field'], 'paceMs')
  equal((await shop.till.ask('PATCH', '/sandbox/terminals/none/settings', { body: {} })).status, 404)
})

test('the controls reach terminals of the caller only', async () => {
  const shop = await openShop()
  const stranger = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  equal((await stranger.ask('POST', KEYS, { body: { key: 'unplug' } })).status, 404)
  equal((await send(shop.api.inject, 'POST', KEYS, {}, { key: 'unplug' })).status, 401)
})

test('test accounts need no credentials and are rate-limited', async () => {
  const requests: unknown[] = []
  const openTestAccount: OpenTestAccount = async requested => {
    requests.push(requested)
    const signed = { keyId: 'key-1', jwt: 'eyJ.eyJ.secret' }
    return { account: 'test-abcd', key: 'tg_secret', ...signed, merchantHosts: [], terminals: ['VCMABCDSIP0'] }
  }
  const shop = await openShop({ parts: { openTestAccount }, limits: { testAccountsPerHour: 2 } })
  const open = (body?: unknown) => send(shop.api.inject, 'POST', '/sandbox/accounts', {}, body)
  equal((await open({ timeZone: 'Mars/Olympus' })).json['field'], 'timeZone')
  equal((await open({ name: 'x'.repeat(25) })).json['field'], 'name')
  const opened = await open()
  deepEqual([opened.status, opened.json['key']], [201, 'tg_secret'])
  equal((await open({ name: 'My Shop', currency: 'EUR', timeZone: 'Europe/Dublin' })).status, 201)
  const online = { merchantHosts: null, audience: 'http://pay.example' }
  deepEqual(requests, [
    { name: 'Test Shop', currency: 'GBP', timeZone: null, ...online },
    { name: 'My Shop', currency: 'EUR', timeZone: 'Europe/Dublin', ...online },
  ])
  equal((await open()).status, 503)
  await shop.clock.advance(60 * 60 * 1_000)
  equal((await open()).status, 201)
  ok(!/tg_secret|eyJ/.test(JSON.stringify(shop.log.lines)))
})

test('an account has at most 1,000 terminals, and gets another when one was removed', async () => {
  const shop = await openShop()
  const installed = (await shop.till.ask('GET', '/sandbox/terminals')).json['terminals'] as { tid: string }[]
  const add = (tid: string) => shop.till.ask('POST', '/sandbox/terminals', { body: { tid } })
  const settings = freshSettings('GBP')
  const tids = Array.from({ length: 1_000 - installed.length }, (_, index) => `FILL${index}`)
  await Promise.all(tids.map(tid => shop.gateway.provisioning.addTerminal({ account: 'demo', tid, settings })))
  const refused = await add('ONEMORE')
  deepEqual([refused.status, refused.json['code'], refused.json['retry']], [409, 'too_many_terminals', false])
  equal((await shop.till.ask('GET', '/sandbox/terminals/ONEMORE')).status, 404)
  equal((await shop.till.ask('DELETE', '/sandbox/terminals/FILL0')).status, 204)
  equal((await add('ONEMORE')).status, 201)
})
