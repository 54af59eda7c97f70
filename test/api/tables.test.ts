// test/api/tables.test.ts — pay at table over REST, in every version; see docs/pay-at-table.md. The test till checks each
// answer against the published type of its version.

import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { refusedFieldIn } from '../support/refused-field.ts'
import {
  ALL,
  addressOf,
  BILL,
  change,
  type Json,
  keyOf,
  list,
  open,
  payByCard,
  put,
  read,
  remove,
  SEEN,
  saysOf,
  upload,
  WINDOW,
  withTable,
} from '../support/table-till.ts'

describe.each(ALL)('in %s', version => {
  test.each(['PUT', 'POST'])(
    '%s uploads a table: 201 with its address; the name is taken until it is deleted',
    async method => {
      const shop = await open(version)
      const ask = () => shop.till.ask(method, '/pat/tables', { body: WINDOW })
      const first = await ask()
      equal(first.status, 201)
      const location = 'http://pay.example/pat/tables/Window%202'
      deepEqual(first.json, { location, tableName: 'Window 2' })
      equal(first.headers['location'], location)
      const second = await ask()
      deepEqual([second.status, saysOf(second)], [409, 'A table with this name already exists.'])
      equal((await remove(shop)).status, 204)
      equal((await read(shop)).status, 404)
      equal((await ask()).status, 201)
    },
  )

  test('a new table has no payments, no lock and no waiters', async () => {
    const shop = await open(version)
    equal((await put(shop, '/pat/tables', { tableName: 'T', amount: 0, currency: 'GBP' })).status, 201)
    const { json } = await read(shop, 'T')
    const sums = { amount: 0, amountPaid: 0, amountCashback: 0, amountGratuity: 0 }
    const start = { tableName: 'T', ...sums, payments: [], locked: false, lockedBy: '', waiterIds: [] }
    deepEqual(json, version === 'v0' ? { ...start, receipt: [] } : start)
  })

  test('the bill is in the answer where the version has it, under the names of the version', async () => {
    const shop = await withTable(version)
    const without = (await read(shop)).json
    const withBill = (await read(shop, 'Window 2', '?receipt=true')).json
    // .NET writes booleans with a capital letter.
    deepEqual((await read(shop, 'Window 2', '?receipt=True')).json, withBill)
    const [listed] = await list(shop, '?receipt=true')
    const names = (json: Json | undefined) => Object.keys(json ?? {}).filter(name => name.startsWith('receipt'))
    deepEqual(names(without), version === 'v0' ? ['receipt'] : [])
    deepEqual(names(withBill), version === 'v0' ? ['receipt'] : ['receiptLines', 'receipt'])
    equal(listed?.['tableName'], 'Window 2')
    deepEqual(names(listed), version === 'v0' ? ['receipt'] : [])
    const [asked] = await list(shop, '?withBill=true')
    deepEqual(asked, listed)
    if (version !== 'v2') equal((await read(shop, 'Window 2', '?receipt=maybe')).status, 200)
    for (const name of names(withBill)) deepEqual(withBill[name], BILL)
    deepEqual((await read(shop, 'Window 2', '?receipt=false')).json, without)
  })

  test('both names of the bill and the line types of both lists are accepted, and the default type is TEXT', async () => {
    const shop = await open(version)
    const line = (type: string) => ({ value: type, type })
    equal((await upload(shop, { receipt: undefined, receiptLines: [{ value: 'Soup' }, line('BOX_VOID')] })).status, 201)
    const bill = async () => (await shop.gateway.tables.find('demo', 'Window 2'))?.record.bill
    deepEqual(await bill(), [{ value: 'Soup', type: 'TEXT' }, line('BOX_VOID')])
    equal((await upload(shop, { tableName: 'Bar', receipt: [{ value: 'Tea' }], receiptLines: [] })).status, 201)
    deepEqual((await shop.gateway.tables.find('demo', 'Bar'))?.record.bill, [{ value: 'Tea', type: 'TEXT' }])
    const codes = ['IMAGE_LOGO', 'BARCODE_CODE25', 'BARCODE_CODE39', 'BARCODE_CODE128', 'BOX_DECLINE'].map(line)
    equal((await change(shop, 'receipt', { newReceipt: codes })).status, 204)
    deepEqual(await bill(), codes)
  })

  test.each([
    'Window 2',
    'Terrace/left',
    '🍕 au coin',
    'a%2Fb',
    '100%',
    'amount',
    'x?y#z',
    "O'Neill & <sons>",
    'a+b',
    '🍕'.repeat(25),
  ])('the name %s is read, changed and deleted at its address', async name => {
    const shop = await withTable(version, { tableName: name })
    const reply = await shop.till.ask('GET', addressOf(name))
    deepEqual([reply.status, reply.json['tableName']], [200, name])
    equal((await change(shop, 'amount', { newAmount: 6100 }, name)).status, 204)
    deepEqual([(await read(shop, name)).json['amount']], [6100])
    equal((await remove(shop, { ...SEEN, lastKnownAmount: 6100 }, name)).status, 204)
    equal((await read(shop, name)).status, 404)
  })

  test('tables are listed in the order of their creation, and filtered by lock and currency', async () => {
    const shop = await open(version)
    for (const [tableName, currency] of [
      ['A', 'GBP'],
      ['B', 'EUR'],
      ['C', 'GBP'],
    ])
      await upload(shop, { tableName, currency })
    equal((await change(shop, 'lock', { locked: true }, 'C')).status, 204)
    const names = async (query: string) => (await list(shop, query)).map(({ tableName }) => tableName)
    deepEqual(await names(''), ['A', 'B', 'C'])
    deepEqual(await names('?locked=true'), ['C'])
    deepEqual(await names('?locked=false'), ['A', 'B'])
    deepEqual(await names('?currency=EUR'), ['B'])
    deepEqual(await names('?currency=GBP&locked=false'), ['A'])
    const wrong = await shop.till.ask('GET', '/pat/tables?currency=USD')
    deepEqual([wrong.status, wrong.json['tables']], version === 'v2' ? [422, undefined] : [200, []])
  })

  test('checks are made in this order: 404, the body, the amount, the paid amount, the lock', async () => {
    const shop = await withTable(version)
    equal((await change(shop, 'lock', { locked: true })).status, 204)
    const bodies = {
      amount: { newAmount: 1 },
      receipt: { newReceipt: [] },
      waiterids: { newWaiterIds: [] },
      lock: { locked: true },
    }
    for (const [what, body] of Object.entries(bodies)) {
      const ask = async (sent: object, name = 'Window 2') => {
        const reply = await put(shop, `${addressOf(name)}/${what}`, sent)
        return [reply.status, saysOf(reply)]
      }
      deepEqual(await ask({}, 'Window 3'), [404, 'The table was not found.'], what)
      const wrong = { ...body, lastKnownAmount: 1, lastKnownPaidAmount: 1 }
      deepEqual(await ask({ ...wrong, lastKnownAmount: 'x' }), [
        422,
        'The field lastKnownAmount is not a number. It must be a whole number in minor units: 25.99 is 2599.',
      ])
      deepEqual(await ask({ ...body, lastKnownAmount: 5400 }), [
        422,
        'The field lastKnownPaidAmount is missing. It must be a whole number in minor units: 25.99 is 2599.',
      ])
      deepEqual(await ask(wrong), [422, 'lastKnownAmount is not the stored amount.'], what)
      deepEqual(await ask({ ...wrong, lastKnownAmount: 5400 }), [422, 'lastKnownPaidAmount is not the stored amount.'])
      deepEqual(await ask({ ...SEEN, ...body }), [423, 'The table is locked.'], what)
    }
    equal((await remove(shop, {}, 'Window 3')).status, 404)
    equal((await remove(shop, {})).status, 422)
    equal(saysOf(await remove(shop, { ...SEEN, lastKnownAmount: 1 })), 'lastKnownAmount is not the stored amount.')
    equal(
      saysOf(await remove(shop, { ...SEEN, lastKnownPaidAmount: 1 })),
      'lastKnownPaidAmount is not the stored amount.',
    )
    // A locked table can be deleted: the files list no 423 there.
    equal((await remove(shop)).status, 204)
  })

  test('amount, bill and waiters are changed, and nothing else', async () => {
    const shop = await withTable(version)
    equal((await change(shop, 'amount', { newAmount: 6100 })).status, 204)
    const seen = { lastKnownAmount: 6100 }
    equal((await change(shop, 'receipt', { ...seen, newReceipt: [{ value: 'Total 61.00' }] })).status, 204)
    equal((await change(shop, 'waiterids', { ...seen, newWaiterIds: ['7', '9'] })).status, 204)
    const { json } = await read(shop, 'Window 2', '?receipt=true')
    deepEqual([json['amount'], json['waiterIds']], [6100, ['7', '9']])
    deepEqual(json['receipt'], [{ value: 'Total 61.00', type: 'TEXT' }])
    deepEqual([json['amountPaid'], json['locked']], [0, false])
  })

  test('a lock can be released by its holder, and by others with override', async () => {
    const shop = await withTable(version)
    const lock = async (body: object) => (await change(shop, 'lock', body)).status
    const holder = async () => (await read(shop)).json['lockedBy']
    equal(await lock({ locked: false }), 204)
    equal(await lock({ locked: true }), 204)
    equal(await holder(), 'EPoS')
    // Locking what is locked is 423, for its own holder too.
    equal(await lock({ locked: true }), 423)
    equal(await lock({ locked: true, lockedBy: 'Till 1' }), 423)
    equal(await lock({ locked: true, lockedBy: 'Till 1', override: true }), 204)
    equal(await holder(), 'Till 1')
    equal(await lock({ locked: false }), 423)
    equal(await lock({ locked: false, lockedBy: 'Till 1' }), 204)
    deepEqual([await holder(), (await read(shop)).json['locked']], ['', false])
    await shop.gateway.tables.lockFor(await keyOf(shop), { tid: '22160002', waiterId: '7' })
    equal(await holder(), '22160002')
    equal(await lock({ locked: false, lockedBy: '22160002' }), 423)
    equal(await lock({ locked: false, override: true }), 204)
    equal(await holder(), '')
  })

  test('a payment is shown with the sums, and a deletion with outdated amounts is refused', async () => {
    const shop = await withTable(version)
    await payByCard(shop, { amountMinor: 2700, gratuityMinor: 300 })
    const { json } = await read(shop)
    deepEqual(
      [json['amount'], json['amountPaid'], json['amountCashback'], json['amountGratuity']],
      [5400, 2700, 0, 300],
    )
    const [payment] = json['payments'] as readonly Json[]
    const { paymentId, authCode, time, ...rest } = payment ?? {}
    match(String(authCode), /^\w+$/)
    match(String(time), /^2026-05-06T\d\d:\d\d:\d\d\.\d{3}Z$/)
    const sums = { amountPaid: 2700, amountCashback: 0, amountGratuity: 300 }
    deepEqual(rest, { ...sums, currency: 'GBP', cardSchemeName: 'VISA', paymentMethod: 'ICC_CHIP' })
    equal(paymentId, 'p1')
    deepEqual((await list(shop))[0]?.['payments'], json['payments'])
    equal(saysOf(await remove(shop)), 'lastKnownPaidAmount is not the stored amount.')
    equal((await remove(shop, { ...SEEN, lastKnownPaidAmount: 2700 })).status, 204)
  })

  test('a table of another account is not found', async () => {
    const shop = await withTable(version)
    const other = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
    equal((await other.ask('GET', addressOf('Window 2'))).status, 404)
    deepEqual((await other.ask('GET', '/pat/tables')).json['tables'], [])
    equal((await other.ask('PUT', '/pat/tables', { body: WINDOW })).status, 201)
  })

  test('missing credentials are 401, and an invalid body is 422', async () => {
    const shop = await open(version)
    equal((await shop.till.ask('GET', '/pat/tables', { headers: { authorization: '' } })).status, 401)
    for (const [field, wrong] of WRONG) {
      const reply = await upload(shop, wrong)
      deepEqual([reply.status, refusedFieldIn(saysOf(reply))], [422, field], JSON.stringify(wrong))
    }
    equal((await put(shop, '/pat/tables', 'x')).status, 422)
    deepEqual(await list(shop), [])
  })

  test('reports of terminals are listed and read for three days, under the names of the version', async () => {
    const shop = await withTable(version)
    await payByCard(shop, { amountMinor: 2700, gratuityMinor: 300 })
    deepEqual((await shop.till.ask('GET', '/pat/reports')).json, { reports: [] })
    const order = { account: 'demo', tid: 'VCMDEMOSIP0', origin: 'terminal' } as const
    await shop.gateway.reports.start({ ...order, requestId: 'r-1', reportType: 'X_BALANCE' })
    equal((await shop.till.ask('GET', '/pat/reports/r-1')).status, 404)
    await shop.clock.advance(60_000)
    const { json, status } = await shop.till.ask('GET', '/pat/reports/r-1')
    equal(status, 200)
    deepEqual(
      [json['reportId'], json['requestId'], json['location']],
      ['r-1', 'r-1', 'http://pay.example/pat/reports/r-1'],
    )
    const tidName = version === 'v2' ? 'tid' : 'tpi'
    deepEqual([json[tidName], json['reportType'], json['banking']], ['VCMDEMOSIP0', 'X_BALANCE', {}])
    equal(json['reportResult'], version === 'v0' ? undefined : 'COMPLETE')
    match(String(json['reportTime']), /Z$/)
    const balances = json['balances'] as Json
    deepEqual([balances['totalSalesAmount'], balances['totalGratuityAmount']], [3000, 300])
    equal((balances['waiterTotals'] as Record<string, Json>)['7']?.['totalSalesAmount'], 3000)
    const listed = async (query = '') =>
      ((await shop.till.ask('GET', `/pat/reports${query}`)).json['reports'] as readonly Json[]).map(
        each => each['reportId'],
      )
    deepEqual(await listed(), ['r-1'])
    deepEqual(await listed(`?${tidName}=VCMDEMOSIP0`), ['r-1'])
    deepEqual(await listed(`?${tidName}=22160001`), [])
    await shop.clock.advance(3 * 24 * 60 * 60 * 1000)
    deepEqual(await listed(), [])
    equal((await shop.till.ask('GET', '/pat/reports/r-1')).status, 404)
  })

  test('a report that a till started is not listed under /pat', async () => {
    const shop = await open(version)
    await shop.till.ask('POST', '/pac/terminals/VCMDEMOSIP0/reports', { body: { reportType: 'BANKING' } })
    await shop.clock.advance(60_000)
    deepEqual((await shop.till.ask('GET', '/pat/reports')).json, { reports: [] })
  })
})

/** Invalid field, and the change of the body. */
const WRONG: readonly (readonly [string, object])[] = [
  ['tableName', { tableName: undefined }],
  ['tableName', { tableName: '' }],
  ['tableName', { tableName: '   ' }],
  ['tableName', { tableName: '..' }],
  ['tableName', { tableName: 'x'.repeat(51) }],
  ['tableName', { tableName: 'a\u0007b' }],
  ['amount', { amount: undefined }],
  ['amount', { amount: -1 }],
  ['amount', { amount: 1.5 }],
  ['amount', { amount: 100_000_000 }],
  ['currency', { currency: 'USD' }],
  ['currency', { currency: undefined }],
  ['waiterIds', { waiterIds: 'x' }],
  ['waiterIds', { waiterIds: Array.from({ length: 101 }, String) }],
  ['waiterIds.1', { waiterIds: ['7', ''] }],
  ['receipt', { receipt: 'x' }],
  ['receipt.0.value', { receipt: [{}] }],
  ['receipt.0.type', { receipt: [{ value: '', type: 'POEM' }] }],
  ['receipt.0.format.0', { receipt: [{ value: '', format: ['HUGE'] }] }],
]

test('an account has at most a thousand open tables; deleting one frees its place', async () => {
  const shop = await open('v2')
  const { tables } = shop.gateway
  const order = { currency: 'GBP', amountMinor: 100, waiterIds: [], bill: [] } as const
  const named = (name: string, account = 'demo') => tables.create({ ...order, account, name })
  for (let number = 1; number <= 1_000; number += 1) equal('record' in (await named(`${number}`)), true)
  const refused = await upload(shop)
  const says = 'The account has reached the limit of open tables. Delete settled ones.'
  deepEqual([refused.status, saysOf(refused)], [422, says])
  // A name that is taken is refused first.
  equal((await upload(shop, { tableName: '7' })).status, 409)
  equal('record' in (await named('7', 'demo-eur')), true)
  // Tables of a POS provider are not counted.
  const kept = await tables.create({ ...order, account: 'demo', name: 'kept', host: 'till' })
  equal('record' in kept, true)
  equal((await remove(shop, { lastKnownAmount: 100, lastKnownPaidAmount: 0 }, '7')).status, 204)
  equal((await upload(shop)).status, 201)
})
