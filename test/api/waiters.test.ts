// test/api/waiters.test.ts — waiters at simulated terminals, with uploaded tables.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type DropReason, sumsOf } from '../../src/domain/tables/table.ts'
import { createLedger } from '../../src/simulator/acquirer/ledger.ts'
import { WAITER_SCRIPTS } from '../../src/simulator/terminals/waiter-library.ts'
import { allTables, at } from '../support/restaurant.ts'
import { openShop, type Shop } from '../support/shop.ts'

const BILL = [
  { value: '2 x Set menu       54.00', type: 'TEXT' },
  { value: 'Wine               12.00', type: 'TEXT' },
  { value: 'TOTAL              66.00', type: 'TEXT' },
]

async function openTable(shop: Shop, more: Record<string, unknown> = {}) {
  const body = { tableName: 'Window 2', amount: 6_600, currency: 'GBP', receipt: BILL, ...more }
  const reply = await shop.till.ask('PUT', '/pat/tables', { body })
  equal(reply.status, 201, reply.text)
}

async function read(shop: Shop, name = 'Window 2') {
  const reply = await shop.till.ask('GET', `/pat/tables/${encodeURIComponent(name)}`)
  equal(reply.status, 200, reply.text)
  return reply.json as {
    amount: number
    amountPaid: number
    amountGratuity: number
    locked: boolean
    lockedBy: string
    payments: {
      paymentId: string
      amountPaid: number
      paymentMethod: string
      authCode: string
      cardSchemeName: string
    }[]
  }
}

test('a waiter locks a table, prints the bill, and releases it', async () => {
  const shop = await openShop()
  await openTable(shop)
  const waiter = at(shop, '22160001')
  await waiter.press({ key: 'waiter', waiterId: '7' })
  deepEqual((await waiter.screen()).waiter?.tables, ['Window 2'])
  await waiter.press({ key: 'choose_table', table: 'Window 2' })
  deepEqual(await read(shop).then(({ locked, lockedBy }) => [locked, lockedBy]), [true, '22160001'])
  await waiter.press({ key: 'print_bill' })
  const { waiter: view, lines } = await waiter.screen()
  deepEqual(
    view?.printed.map(({ value }) => value),
    BILL.map(({ value }) => value),
  )
  deepEqual(view?.items, [
    { text: '2 x Set menu', amountMinor: 5_400 },
    { text: 'Wine', amountMinor: 1_200 },
  ])
  ok(lines.includes('TO PAY GBP 66.00'), lines.join())
  await waiter.press({ key: 'leave' })
  equal((await waiter.screen()).waiter, null)
  deepEqual(await read(shop).then(({ locked, payments }) => [locked, payments]), [false, []])
})

test('a card payment at the table takes the same steps as at the counter', async () => {
  const shop = await openShop()
  await openTable(shop)
  const waiter = at(shop, '22160001')
  await waiter.press({ key: 'waiter', waiterId: '7' })
  await waiter.press({ key: 'choose_table', table: 'Window 2' })
  await waiter.press({ key: 'pay' })
  await waiter.until(({ keys }) => keys.includes('present_card'))
  await waiter.press({ key: 'present_card', card: 'sim-visa-debit', how: 'insert' })
  await waiter.until(({ keys }) => keys.includes('pin'))
  await waiter.press({ key: 'pin', digits: '1234' })
  await waiter.until(({ lines }) => lines.includes('REMOVE CARD'))
  await waiter.press({ key: 'remove_card' })
  await waiter.until(({ waiter }) => waiter === null)
  const table = await read(shop)
  equal(table.amountPaid, 6_600)
  equal(table.locked, false)
  const [payment] = table.payments
  equal(payment?.paymentMethod, 'ICC_CHIP')
  match(payment?.authCode ?? '', /^\w{6}$/)
})

test('waiters see the tables assigned to them, in the currency of the terminal', async () => {
  const shop = await openShop()
  await openTable(shop, { tableName: 'for seven', waiterIds: ['7'] })
  await openTable(shop, { tableName: 'for all' })
  await openTable(shop, { tableName: 'in euros', currency: 'EUR' })
  const waiter = at(shop, '22160001')
  await waiter.press({ key: 'waiter', waiterId: '8' })
  deepEqual((await waiter.screen()).waiter?.tables, ['for all'])
  await waiter.press({ key: 'leave' })
  await waiter.press({ key: 'waiter', waiterId: '7' })
  deepEqual((await waiter.screen()).waiter?.tables, ['for seven', 'for all'])
})

describe('the split is a setting', () => {
  const keysWith = async (split: 'never' | 'always' | 'ask') => {
    const shop = await openShop()
    await shop.till.ask('PATCH', '/sandbox/terminals/22160001/settings', { body: { split } })
    await openTable(shop)
    const waiter = at(shop, '22160001')
    await waiter.press({ key: 'waiter', waiterId: '7' })
    await waiter.press({ key: 'choose_table', table: 'Window 2' })
    const { keys } = await waiter.screen()
    return { waiter, keys: keys.filter(key => /pay|split/.test(key)) }
  }

  test('never: only the whole amount can be paid', async () => {
    const { waiter, keys } = await keysWith('never')
    deepEqual(keys, ['pay', 'pay_other'])
    await waiter.press({ key: 'pay_other' })
    await waiter.until(({ waiter }) => waiter === null)
  })

  test('always: the bill is split before the first payment', async () => {
    const { waiter, keys } = await keysWith('always')
    deepEqual(keys, ['split_equally', 'split_amounts', 'split_items'])
    await waiter.press({ key: 'split_amounts', amountsMinor: [1_000] })
    deepEqual((await waiter.screen()).waiter?.shares, [1_000, 5_600])
  })

  test('ask: the waiter chooses', async () => {
    const { waiter, keys } = await keysWith('ask')
    deepEqual(keys, ['split_equally', 'split_amounts', 'split_items', 'pay', 'pay_other'])
    await waiter.press({ key: 'split_items', guests: 2, items: [[0, 1], [1]] })
    deepEqual((await waiter.screen()).waiter?.shares, [2_700, 3_900])
  })
})

describe('scripts', () => {
  test.each(WAITER_SCRIPTS.map(({ name }) => name))(
    '%s ends as its title says, and table and acquirer agree',
    async name => {
      const shop = await openShop()
      await openTable(shop)
      const waiter = at(shop, 'VCMDEMOSIP0')
      const since = shop.clock.now()
      await waiter.play(name)
      await shop.clock.advance(300_000)
      const [table] = await allTables(shop)
      ok(table !== undefined)
      equal(table.begun.length, 0)
      equal(
        moneyOf(shop),
        table.payments.reduce(
          (sum, each) => sum + (each.requestId === null ? 0 : each.amountMinor + each.gratuityMinor),
          0,
        ),
      )
      const { paid, gratuityMinor = 0, dropped = [], tookMs = 0 } = OUTCOMES[name] ?? { paid: ['no outcome'] }
      deepEqual(
        table.payments.map(({ amountMinor, paymentMethod }) => `${amountMinor} ${paymentMethod}`),
        paid,
      )
      equal(sumsOf(table).gratuity.minor, gratuityMinor)
      deepEqual(
        table.dropped.map(({ why }) => why),
        dropped,
      )
      ok((table.payments.at(-1)?.takenAt ?? since) - since >= tookMs)
      equal(table.lock !== null, name.startsWith('dies_'))
    },
  )

  interface Outcome {
    /** Amount and method of each payment. 6600 are due. */
    readonly paid: readonly string[]
    readonly gratuityMinor?: number
    /** Why payments took no money. */
    readonly dropped?: readonly DropReason[]
    /** Shortest time to the last payment, milliseconds. */
    readonly tookMs?: number
  }

  const OUTCOMES: Readonly<Record<string, Outcome>> = {
    look_and_leave: { paid: [] },
    pay_in_one: { paid: ['6600 ICC_CHIP'] },
    split_in_three: { paid: ['2200 ICC_CHIP', '2200 ICC_CHIP', '2200 ICC_CHIP'] },
    split_with_cash: { paid: ['3300 ICC_CHIP', '3300 UNKNOWN'] },
    declined_then_paid: { paid: ['6600 CONTACTLESS'], dropped: ['declined'] },
    with_gratuity: { paid: ['6600 ICC_CHIP'], gratuityMinor: 500 },
    half_and_leave: { paid: ['3300 ICC_CHIP'] },
    dies_with_the_lock: { paid: [] },
    dies_after_a_share: { paid: ['3300 ICC_CHIP'] },
    line_lost_before_approval: { paid: ['6600 ICC_CHIP'], tookMs: 30_000 },
    line_lost_after_approval: { paid: ['6600 ICC_CHIP'], tookMs: 30_000 },
    approved_and_forgotten: { paid: [], dropped: ['timed_out'] },
  }

  test('a share in cash is recorded as paid by other means', async () => {
    const shop = await openShop()
    await openTable(shop)
    await at(shop, 'VCMDEMOSIP0').play('split_with_cash')
    const { payments } = await read(shop)
    deepEqual(
      payments.map(({ paymentMethod, authCode, cardSchemeName }) => [paymentMethod, authCode === '', cardSchemeName]),
      [
        ['ICC_CHIP', false, 'VISA'],
        ['UNKNOWN', true, ''],
      ],
    )
  })

  test('a declined card leaves the table unchanged', async () => {
    const shop = await openShop()
    await openTable(shop)
    const script = { name: 'declined', steps: [{ do: 'pay', scenario: 'declined' }, { do: 'leave' }] }
    await at(shop, 'VCMDEMOSIP0').play(script)
    deepEqual(await read(shop).then(({ amountPaid, payments, locked }) => [amountPaid, payments, locked]), [
      0,
      [],
      false,
    ])
  })
})

test.each([true, false])('at a table the waiter decides the signature: %s', async accepted => {
  const shop = await openShop()
  await openTable(shop)
  const waiter = at(shop, '22160001')
  await waiter.press({ key: 'waiter', waiterId: '7' })
  await waiter.press({ key: 'choose_table', table: 'Window 2' })
  await waiter.press({ key: 'pay' })
  await waiter.until(({ keys }) => keys.includes('present_card'))
  await waiter.press({ key: 'present_card', card: 'sim-visa-signature', how: 'insert' })
  await waiter.until(({ keys }) => keys.includes('signature'))
  await waiter.press({ key: 'signature', accepted })
  await waiter.until(({ keys, waiter: view }) => {
    if (keys.includes('remove_card')) void waiter.press({ key: 'remove_card' })
    return view === null || (view.message !== '' && keys.includes('pay'))
  })
  equal((await read(shop)).amountPaid, accepted ? 6_600 : 0)
  equal(moneyOf(shop), accepted ? 6_600 : 0)
})

test('a script accepts every signature without waiting', async () => {
  const shop = await openShop()
  await openTable(shop)
  const since = shop.clock.now()
  await at(shop, 'VCMDEMOSIS0').play('pay_in_one')
  equal((await read(shop)).amountPaid, 6_600)
  ok(shop.clock.now() - since < 80_000)
})

test('a terminal that was unplugged with a lock can lock the table again', async () => {
  const shop = await openShop()
  await openTable(shop)
  const waiter = at(shop, 'VCMDEMOSIP0')
  await waiter.play('dies_after_a_share')
  equal((await read(shop)).lockedBy, 'VCMDEMOSIP0')
  await waiter.press({ key: 'plug_in' })
  await waiter.play('pay_in_one')
  deepEqual(await read(shop).then(({ amountPaid, locked }) => [amountPaid, locked]), [6_600, false])
})

test('a terminal with a waiter is busy for tills, and one with a sale has no waiter key', async () => {
  const shop = await openShop()
  await openTable(shop)
  const waiter = at(shop, '22160001')
  await waiter.press({ key: 'waiter', waiterId: '7' })
  const sale = { transactionType: 'SALE', amount: 100, currency: 'GBP' }
  const refused = await shop.till.ask('POST', '/pac/terminals/22160001/transactions', { body: sale })
  deepEqual(
    [refused.status, refused.json['userMessage']],
    [422, '22160001 is busy. Please wait for the current request to finish.'],
  )
  const listed = await shop.till.ask('GET', '/pac/terminals/22160001')
  equal(listed.json['status'], 'BUSY')
  await waiter.press({ key: 'leave' })
  equal((await shop.till.ask('POST', '/pac/terminals/22160001/transactions', { body: sale })).status, 201)
  await shop.settle()
  equal((await waiter.screen()).keys.includes('waiter'), false)
})

test('the mode of a terminal decides whether it serves tills or waiters', async () => {
  const shop = await openShop()
  const set = (mode: string) => shop.till.ask('PATCH', '/sandbox/terminals/22160001/settings', { body: { mode } })
  const waiter = at(shop, '22160001')
  equal((await set('counter')).json['mode'], 'counter')
  equal((await waiter.screen()).keys.includes('waiter'), false)
  await set('table')
  equal((await waiter.screen()).keys.includes('waiter'), true)
  const sale = { transactionType: 'SALE', amount: 100, currency: 'GBP' }
  equal((await shop.till.ask('POST', '/pac/terminals/22160001/transactions', { body: sale })).status, 404)
  equal((await shop.till.ask('GET', '/pac/terminals/22160001')).status, 404)
  await openTable(shop)
  await waiter.press({ key: 'waiter', waiterId: '7' })
  await waiter.press({ key: 'choose_table', table: 'Window 2' })
  await waiter.press({ key: 'pay' })
  await waiter.until(({ keys }) => keys.includes('present_card'))
})

test('a waiter without a key press for two minutes releases the table', async () => {
  const shop = await openShop()
  await openTable(shop)
  const waiter = at(shop, '22160001')
  await waiter.press({ key: 'waiter', waiterId: '7' })
  await waiter.press({ key: 'choose_table', table: 'Window 2' })
  await shop.clock.advance(119_000)
  equal((await read(shop)).locked, true)
  await shop.clock.advance(2_000)
  equal((await read(shop)).locked, false)
})

test('a report that is run at the terminal is listed under /pat/reports', async () => {
  const shop = await openShop()
  const waiter = at(shop, '22160001')
  await waiter.press({ key: 'run_report', reportType: 'X_BALANCE' })
  await shop.clock.advance(10_000)
  const { reports } = (await shop.till.ask('GET', '/pat/reports')).json as {
    reports: { tid: string; reportType: string }[]
  }
  deepEqual(
    reports.map(({ tid, reportType }) => [tid, reportType]),
    [['22160001', 'X_BALANCE']],
  )
})

test('the sandbox API lists scripts, sends a waiter, and refuses invalid scripts', async () => {
  const shop = await openShop()
  await openTable(shop)
  const { waiters } = (await shop.till.ask('GET', '/sandbox/waiters')).json as { waiters: { name: string }[] }
  deepEqual(
    waiters.map(({ name }) => name),
    WAITER_SCRIPTS.map(({ name }) => name),
  )
  const send = (body: object) => shop.till.ask('POST', '/sandbox/terminals/VCMDEMOSIP0/waiter', { body })
  for (const script of [
    'no_such',
    7,
    { name: 'a', steps: [{ do: 'dance' }] },
    { name: 'a', steps: [{ do: 'pay', scenario: 'x' }] },
  ])
    equal((await send({ script })).status, 422)
  const sent = await send({ script: 'pay_in_one', table: 'Window 2' })
  equal(sent.status, 202, sent.text)
  equal((await send({ script: 'pay_in_one' })).status, 409)
  await shop.clock.advance(60_000)
  equal((await read(shop)).amountPaid, 6_600)
})

function moneyOf({ memory }: Shop): number {
  const ledger = createLedger(memory)
  return ledger.list('demo', 1_000).reduce((sum, { orderId }) => sum + ledger.moneyOf('demo', orderId), 0)
}
