// test/api/card-numbers.test.ts — what becomes of a card number in each kind of field of each interface, and of one that is stored.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { readTokenRequest } from '../../src/api/online/token-request.ts'
import { idHoldsCardNumber } from '../../src/domain/card-numbers.ts'
import type { TerminalReport } from '../../src/domain/counter/transaction-events.ts'
import { TERMINAL_TRANSACTION } from '../../src/engine/machines.ts'
import type { TerminalDriver } from '../../src/engine/ports/terminal.ts'
import { freshSettings } from '../../src/services/provisioning/provisioning.ts'
import { createChipTerminals } from '../support/chip-terminals.ts'
import { allTables, answering, at } from '../support/restaurant.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'
import { addressOf, change, read, remove, SEEN, saysOf, upload } from '../support/table-till.ts'
import { TestClock } from '../support/test-clock.ts'
import { aTokenRequest, openWebShop } from '../support/web-shop.ts'

const VISA = '4456530000001096'
/** Written in ways of which each was missed by a rule of version 0.1. */
const FORMS = [
  VISA,
  '4456.5300.0000.1096',
  '4456/5300/0000/1096',
  '4456_5300_0000_1096',
  '3530111333300000',
  `order-${VISA}`,
  [...VISA].map(digit => String.fromCodePoint(0xff10 + Number(digit))).join(''),
  [...VISA].join('\u00ad'),
]
const STARS = '*'.repeat(16)

const everythingOf = async ({ store, memory, log }: Shop): Promise<string> => {
  const events = await store.eventsAfter('demo', 0, 1_000)
  const collections = ['device', 'journal', 'order', 'hold', 'scenario', 'snapshot', 'online-script'] as const
  const remembered = collections.flatMap(collection => memory.list(collection, { limit: 1_000 }))
  return JSON.stringify([events, await store.all('table', { limit: 1_000 }), remembered, log.lines])
}

describe('an id is refused and never changed, and nothing of it is kept', () => {
  for (const card of FORMS)
    test(JSON.stringify(card), async () => {
      const shop = await openShop()
      const before = await allTables(shop)
      await upload(shop, { tableName: 'Bar' })
      for (const [field, changes] of [
        ['tableName', { tableName: card }],
        ['waiterIds', { waiterIds: ['7', card] }],
        ['receipt', { receipt: [{ value: card, type: 'BARCODE_CODE128' }] }],
        ['receiptLines', { receiptLines: [{ value: card, type: 'BARCODE_CODE39' }] }],
      ] as const)
        equal(
          saysOf(await upload(shop, changes)),
          `The field ${field} seems to hold a card number, which is never stored in clear.`,
        )
      equal(
        saysOf(await change(shop, 'lock', { locked: true, lockedBy: card }, 'Bar')),
        'The field lockedBy seems to hold a card number, which is never stored in clear.',
      )
      equal(
        saysOf(await change(shop, 'waiterids', { newWaiterIds: [card] }, 'Bar')),
        'The field newWaiterIds seems to hold a card number, which is never stored in clear.',
      )
      deepEqual((await allTables(shop)).length, before.length + 1)
      const text = await everythingOf(shop)
      ok(!text.includes(card), card)
    })

  test('names in the sandbox, and keys', async () => {
    const shop = await openShop()
    const refused = async (method: 'POST' | 'PUT', path: string, body: unknown) => {
      const { status, json } = await shop.till.ask(method, path, { body })
      ok(status === 422, `${path} ${status}`)
      return [json['code'], json['field']]
    }
    const misplaced = (field: string) => ['card_number_misplaced', field]
    deepEqual(await refused('POST', '/sandbox/terminals', { tid: VISA }), misplaced('tid'))
    deepEqual(await refused('POST', '/sandbox/snapshots', { name: '4456_5300_0000_1096' }), misplaced('name'))
    const key = { key: 'waiter', waiterId: '4456.5300.0000.1096' }
    deepEqual(await refused('POST', '/sandbox/terminals/22160001/keys', key), misplaced('waiterId'))
    const unplayable = (field: string) => ['scenario_unplayable', field]
    deepEqual(await refused('POST', '/sandbox/scenarios', { name: `a-${VISA}`, like: 'declined' }), unplayable('name'))
    const path = `/pac/${VISA}`
    deepEqual(await refused('POST', '/sandbox/faults', { fault: 'http_500', path }), unplayable('path'))
    for (const field of ['table', 'waiterId'] as const)
      deepEqual(
        await refused('POST', '/sandbox/terminals/22160001/waiter', { script: 'pay_in_one', [field]: VISA }),
        unplayable(field),
      )
    const headers = { 'idempotency-key': '4456/5300/0000/1096' }
    const body = { transactionType: 'SALE', amount: 100, currency: 'GBP' }
    equal((await shop.till.ask('POST', '/pac/terminals/VCMDEMOSIP0/transactions', { body, headers })).status, 422)
    ok(!(await everythingOf(shop)).includes('0000001096'))
  })

  test('ids of accounts, terminals and keys, wherever they are made', async () => {
    const { gateway } = await openShop()
    const { provisioning } = gateway
    const profile = {
      name: 'A',
      address: '',
      merchantNumber: '',
      currency: 'GBP',
      timeZone: 'UTC',
      public: false,
    } as const
    const open = (changes: object, more: object = {}) =>
      provisioning.openAccount({
        ...{ id: 'harbour', keyLabel: '', terminals: [] },
        ...more,
        profile: { ...profile, ...changes },
      })
    for (const [field, opened] of [
      ['id', await open({}, { id: VISA })],
      ['merchantNumber', await open({ merchantNumber: VISA })],
      ['merchantHosts', await open({ merchantHosts: [`${VISA}.example`] })],
      ['tid', await open({}, { terminals: [VISA] })],
      ['merchantHosts', await provisioning.setMerchantHosts('demo', [`${VISA}.example`])],
    ] as const)
      deepEqual('refused' in opened && opened.refused, { code: 'card_number_misplaced', field })
    // An acquirer's number of a merchant looks like Maestro at times, and cannot be changed.
    const merchantNumber = '675900000000005'
    ok(idHoldsCardNumber(merchantNumber))
    ok('record' in (await open({ merchantNumber })))
  })

  test('the table and the waiter of a till that keeps its tables', async () => {
    const shop = await openSocketShop()
    const till = await connectTill(shop, { path: '/pat' })
    const name = '4456.5300.0000.1096'
    const talk = answering(till, method =>
      method === 'tableListRequest'
        ? { result: { tables: ['7', name], currency: 'GBP' } }
        : { result: { confirmed: true, amount: 100, currency: 'GBP' } },
    )
    const waiter = at(shop, '22160001', talk)
    await waiter.press({ key: 'waiter', waiterId: VISA })
    deepEqual((await waiter.screen()).waiter?.tables, ['7'])
    await waiter.press({ key: 'choose_table', table: '7' })
    equal((await waiter.screen()).waiter?.table, null)
    deepEqual(await allTables(shop), [])
  })
})

describe('what people read is masked', () => {
  for (const card of [...FORMS, `visa${VISA}exp1230`])
    test(JSON.stringify(card), async () => {
      const shop = await openShop()
      equal((await upload(shop, { receipt: [{ value: `Paid ${card}` }] })).status, 201)
      const { json } = await read(shop, 'Window 2', '?receipt=true')
      const [line] = json['receiptLines'] as { value: string }[]
      ok(line?.value.startsWith('Paid ') && !/\d{5}/.test(line.value), line?.value)
      ok(!(await everythingOf(shop)).includes(card))
    })

  test('names and addresses of accounts, labels of keys, titles of scenarios', async () => {
    const shop = await openShop()
    const { provisioning } = shop.gateway
    const profile = { name: VISA, address: `1 ${VISA}`, merchantNumber: '', currency: 'GBP', timeZone: 'UTC' } as const
    const opened = await provisioning.openAccount({
      ...{ id: 'harbour', keyLabel: `key ${VISA}`, terminals: [] },
      profile: { ...profile, public: false },
    })
    ok('record' in opened)
    deepEqual([opened.record.name, opened.record.address], [STARS, `* ${STARS}`])
    const key = await provisioning.createKey('harbour', VISA)
    equal('record' in key && key.record.label, STARS)
    const body = { name: 'mine', title: `with ${VISA}`, like: 'declined' }
    equal((await shop.till.ask('POST', '/sandbox/scenarios', { body })).status, 201)
    equal((await shop.till.ask('GET', '/sandbox/scenarios/mine')).json['title'], `with ${STARS}`)
    const accounts = await shop.store.all('merchant-account', { limit: 10 })
    ok(!JSON.stringify(accounts).includes(VISA))
  })

  test('receipts that a terminal prints', async () => {
    const chip = createChipTerminals(new TestClock())
    const lines = [
      { value: `CARD ${VISA}`, type: 'TEXT' },
      { value: 'REF 615366058993', type: 'TEXT' },
    ] as const
    const printing = (report: TerminalReport): TerminalReport =>
      report.type === 'ended'
        ? { ...report, ending: { ...report.ending, receipts: { MERCHANT: lines, CUSTOMER: lines } } }
        : report
    const listen: TerminalDriver['listen'] = sink =>
      chip.listen({
        ...sink,
        report: delivery => sink.report({ ...delivery, reports: delivery.reports.map(printing) }),
      })
    const shop = await openShop({ terminal: 'CHIP1', drivers: [{ ...chip, listen }] })
    const settings = freshSettings('GBP')
    await shop.gateway.provisioning.addTerminal({ account: 'demo', tid: 'CHIP1', driver: 'chip', settings })
    const sale = await shop.till.sale(2599)
    await shop.finished(sale)
    const stored = await shop.gateway.engine.read(TERMINAL_TRANSACTION, { account: 'demo', id: sale.requestId })
    // Twelve digits are the number by which acquirers find a payment.
    deepEqual(
      stored?.record.receipts.MERCHANT.map(({ value }) => value),
      [`CARD ${STARS}`, 'REF 615366058993'],
    )
    ok(!(await everythingOf(shop)).includes(VISA))
  })
})

describe('a header that is only carried never costs the request', () => {
  for (const card of [VISA, '4456.5300.0000.1096', `a${VISA}b`])
    test(card, async () => {
      const shop = await openShop()
      const headers = { 'x-request-id': card, 'software-house-id': card, 'installer-id': `fitter ${card}` }
      const body = { transactionType: 'SALE', amount: 100, currency: 'GBP' }
      const started = await shop.till.ask('POST', '/pac/terminals/VCMDEMOSIP0/transactions', { body, headers })
      equal(started.status, 201)
      ok(started.headers['x-request-id'] !== card)
      const own = await shop.till.ask('GET', `/api/transactions/${String(started.json['requestId'])}`)
      const { softwareHouseId, installerId } = own.json['partner'] as Record<string, string>
      ok(/^[^\d]+$/.test(`${softwareHouseId}${installerId}`), JSON.stringify(own.json['partner']))
      ok(!(await everythingOf(shop)).includes(card))
    })
})

describe('what is stored already', () => {
  const NAME = '4456.5300.0000.1096'

  test('a table with such a name is read, locked, paid, changed and deleted', async () => {
    const shop = await openShop()
    const order = {
      account: 'demo',
      name: NAME,
      currency: 'GBP',
      amountMinor: 5_400,
      waiterIds: [NAME],
      bill: [],
    } as const
    await shop.gateway.tables.create(order)
    equal((await read(shop, NAME)).status, 200)
    const terminal = at(shop, '22160001')
    await terminal.press({ key: 'waiter', waiterId: NAME })
    await terminal.press({ key: 'choose_table', table: NAME })
    await terminal.press({ key: 'pay_other' })
    const paid = { lastKnownAmount: 5_400, lastKnownPaidAmount: 5_400 }
    const again = { ...paid, newWaiterIds: [NAME, '8'] }
    equal((await shop.till.ask('PUT', `${addressOf(NAME)}/waiterids`, { body: again })).status, 204)
    equal((await remove(shop, paid, NAME)).status, 204)
  })

  test('a lock is given back under its stored name', async () => {
    const shop = await openShop()
    await upload(shop)
    const { amountMinor, paidMinor } = { amountMinor: SEEN.lastKnownAmount, paidMinor: SEEN.lastKnownPaidAmount }
    const lock = { type: 'lock', by: NAME, override: false } as const
    await shop.gateway.tables.change('demo', 'Window 2', { amountMinor, paidMinor }, lock)
    equal((await change(shop, 'lock', { locked: false, lockedBy: NAME })).status, 204)
  })

  test('a payment under such an order is read, paid, tried again, refunded and paid with its saved card', async () => {
    const web = await openWebShop()
    const read = readTokenRequest({ ...aTokenRequest('O'), amount: '1999' }, '')
    ok('value' in read)
    const order = { ...read.value.order, orderId: NAME, customerId: NAME, metaData: { cart: NAME } }
    const issued = await web.shop.gateway.online.issue('demo', order)
    ok('token' in issued)
    equal((await web.pay(issued.token, { savePaymentMethod: true }))['statusCode'], 0)
    const payment = await web.payment(issued.token)
    equal(payment['statusCode'], 0)
    const reference = await web.referenceOf(issued.token)
    equal((await web.linked('REFUND', reference, { amount: '500', orderId: NAME }))['statusCode'], 0)
    equal((await web.call('POST', '/v1/access-tokens', aTokenRequest(NAME))).status, 200)
    const saved = { customerId: NAME, paymentMethodId: payment['paymentMethodId'] }
    const token = await web.token(saved)
    const paid = await web.browse(`/api/payments/recurring/${token}`, { cV2: '341' })
    equal(paid.json['statusCode'], 0)
    // The same customer without the saved card is a new value.
    equal((await web.call('POST', '/v1/access-tokens', { ...aTokenRequest('N'), customerId: NAME })).status, 400)
  })

  test('a start under a stored idempotency key gets its stored answer', async () => {
    const shop = await openShop()
    const body = { transactionType: 'SALE', amount: 100, currency: 'GBP' }
    const start = (key: string) =>
      shop.till.ask('POST', '/pac/terminals/VCMDEMOSIP0/transactions', { body, headers: { 'idempotency-key': key } })
    const first = await start('mine')
    const stored = await shop.store.idempotencyOf('demo', 'mine')
    ok(stored !== null)
    const store = shop.store as { idempotencyOf: typeof shop.store.idempotencyOf }
    const real = store.idempotencyOf.bind(store)
    store.idempotencyOf = (account, key) => real(account, key === NAME ? 'mine' : key)
    const again = await start(NAME)
    deepEqual([again.status, again.json['requestId']], [201, first.json['requestId']])
  })
})

test('the digits of an address are looked at as servers decode them', async () => {
  const web = await openWebShop()
  const encoded = [...VISA].map(digit => `%3${digit}`).join('')
  for (const url of [`https://shop.example/${encoded}`, `https://shop.example/?a=4456+5300+0000+1096`])
    equal((await web.call('POST', '/v1/access-tokens', { ...aTokenRequest('U'), webHookUrl: url })).status, 400, url)
})
