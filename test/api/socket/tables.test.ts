// test/api/socket/tables.test.ts — POS table providers (tills that store their own tables) over a socket, in both versions.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { allTables, answering, at, type TillAnswers } from '../../support/restaurant.ts'
import type { Shop } from '../../support/shop.ts'
import {
  connectTill,
  type Heard,
  type Json,
  openSocketShop,
  refusalOf,
  type SocketTill,
} from '../../support/socket-till.ts'

const TID = 'VCMDEMOSIP0'
type Version = 'v0' | 'v1'

interface Options {
  readonly version?: Version
  readonly flag?: string
}

async function connect(shop: Shop, { version = 'v1', flag = '' }: Options = {}): Promise<SocketTill> {
  const partner = version === 'v1' ? '&software-house-id=maker&installer-id=fitter' : ''
  return connectTill(shop, {
    path: '/pat',
    version,
    query: `token=demo-api-key&api-version=${version}${partner}${flag}`,
  })
}

const result = (value: unknown) => ({ result: value })
const BILL = [{ value: 'Set menu  43.80', type: 'TEXT' }]

/** A till with the table 7, on which 43.80 are due. */
const SEVEN: TillAnswers = method => {
  switch (method) {
    case 'tableListRequest':
      return result({ tables: ['7', 'Bar 2'], currency: 'GBP' })
    case 'tableLockRequest':
      return result({ confirmed: true, amount: 4_380, currency: 'GBP' })
    default:
      return result({ receiptLines: BILL })
  }
}

const but =
  (changes: Readonly<Record<string, object | null>>): TillAnswers =>
  (method, params) =>
    Object.hasOwn(changes, method) ? changes[method]! : SEVEN(method, params)

interface Evening {
  readonly shop: Shop
  readonly till: SocketTill
  readonly waiter: ReturnType<typeof at>
}

async function open(answers: TillAnswers, options: Options & { readonly tid?: string } = {}): Promise<Evening> {
  const shop = await openSocketShop()
  const till = await connect(shop, options)
  return { shop, till, waiter: at(shop, options.tid ?? TID, answering(till, answers)) }
}

const methods = (till: SocketTill) => till.heard.flatMap(({ method }) => method ?? [])
const heardOf = (till: SocketTill, method: string) => till.heard.filter(each => each.method === method)
const play = (steps: readonly object[]) => ({ name: 'script', steps })

describe.each(['v0', 'v1'] as const)('in %s', version => {
  const member = version === 'v0' ? 'tpi' : 'tid'

  test('a table session from the list to the unlock, with final-pos-receipt-request', async () => {
    const { till, waiter } = await open(SEVEN, { version, flag: '&final-pos-receipt-request' })
    await waiter.play(
      play([{ do: 'print_bill' }, { do: 'split_equally', shares: 2 }, { do: 'pay' }, { do: 'pay_other' }]),
      {
        table: '7',
        waiterId: '12',
      },
    )
    deepEqual(methods(till), [
      'tableListRequest',
      'tableLockRequest',
      'posReceiptRequest',
      'transactionResponse',
      'finalPOSReceiptRequest',
      'tableUnlock',
    ])
    deepEqual(heardOf(till, 'tableListRequest')[0]?.params, { [member]: TID, waiterId: '12', timeout: 10 })
    deepEqual(heardOf(till, 'tableLockRequest')[0]?.params, {
      [member]: TID,
      waiterId: '12',
      timeout: 10,
      tableId: '7',
    })
    deepEqual(heardOf(till, 'tableUnlock')[0]?.params, { [member]: TID, tableId: '7' })
    const told = heardOf(till, 'transactionResponse')[0]?.params ?? {}
    const [card, cash] = told['payments'] as Json[]
    deepEqual(
      [told[member], told['tableId'], told['waiterId'], told['currency'], told['amountPaid'], told['amountGratuity']],
      [TID, '7', '12', 'GBP', 4_380, 0],
    )
    deepEqual([card?.['amountPaid'], card?.['paymentMethod'], card?.['cardSchemeName']], [2_190, 'ICC_CHIP', 'VISA'])
    deepEqual(
      [cash?.['amountPaid'], cash?.['paymentMethod'], cash?.['cardSchemeName'], cash?.['authCode']],
      [2_190, 'UNKNOWN', '', ''],
    )
    ok(card?.['paymentId'] !== cash?.['paymentId'])
    // Ids of the gateway count up from 1.
    deepEqual(
      till.heard.flatMap(({ id }) => id ?? []),
      [1, 2, 3, 4],
    )
  })

  test.each([
    ['', false],
    ['&final-pos-receipt-request', true],
    ['&FINAL-pos-receipt-request=', true],
    ['&final-pos-receipt-request=true', true],
    ['&final-pos-receipt-request=1', true],
    ['&final-pos-receipt-request=false', false],
    ['&final-pos-receipt-request=0', false],
  ])('with %s in the address the final bill is requested: %s', async (flag, wanted) => {
    const { till, waiter } = await open(SEVEN, { version, flag })
    await waiter.play(play([{ do: 'pay' }]))
    equal(methods(till).includes('finalPOSReceiptRequest'), wanted)
    equal(methods(till).at(-1), 'tableUnlock')
  })

  test('gratuity is sent apart from the paid amount', async () => {
    const { till, waiter } = await open(SEVEN, { version })
    await waiter.play(play([{ do: 'pay', gratuityMinor: 400 }]))
    const told = heardOf(till, 'transactionResponse')[0]?.params
    deepEqual([told?.['amountPaid'], told?.['amountGratuity'], told?.['amountCashback']], [4_380, 400, 0])
  })

  test('without a payment, or with a declined card, only the unlock is sent', async () => {
    const { till, waiter } = await open(SEVEN, { version })
    await waiter.play(play([{ do: 'pay', scenario: 'declined' }, { do: 'leave' }]))
    deepEqual(methods(till), ['tableListRequest', 'tableLockRequest', 'tableUnlock'])
  })

  test('a refused lock is not released', async () => {
    const { shop, till, waiter } = await open(but({ tableLockRequest: result({ confirmed: false }) }), { version })
    await waiter.play('pay_in_one')
    deepEqual(methods(till), ['tableListRequest', 'tableLockRequest'])
    deepEqual(await allTables(shop), [])
  })

  test('without an answer there are no tables, no lock, or no printed bill, and the session continues', async () => {
    const none = await open(but({ tableListRequest: null }), { version, tid: '22160001' })
    await none.waiter.press({ key: 'waiter', waiterId: '12' })
    const { waiter: view } = await none.waiter.until(({ waiter }) => waiter?.message === 'NO TABLES')
    deepEqual(view?.tables, [])

    const noLock = await open(but({ tableLockRequest: null }), { version })
    await noLock.waiter.play('pay_in_one')
    deepEqual(methods(noLock.till), ['tableListRequest', 'tableLockRequest'])

    const silent = but({ posReceiptRequest: null, finalPOSReceiptRequest: null })
    const noBill = await open(silent, { version, flag: '&final-pos-receipt-request' })
    await noBill.waiter.play('pay_in_one')
    deepEqual(methods(noBill.till).slice(-4), [
      'posReceiptRequest',
      'transactionResponse',
      'finalPOSReceiptRequest',
      'tableUnlock',
    ])
  })

  test('the userMessage of an error is shown', async () => {
    const error = { error: { code: -32603, message: 'no', data: { userMessage: 'Ask the manager.' } } }
    const { till, waiter } = await open(but({ tableLockRequest: error }), { version, tid: '22160001' })
    await waiter.press({ key: 'waiter', waiterId: '12' })
    await waiter.until(({ keys }) => keys.includes('choose_table'))
    await waiter.press({ key: 'choose_table', table: '7' })
    const { waiter: view } = await waiter.until(({ waiter }) => waiter?.message === 'Ask the manager.')
    equal(view?.table, null)
    equal(methods(till).includes('tableUnlock'), false)
  })

  test('a confirmation without amount or currency is answered with -32602 and counts as refused', async () => {
    for (const wrong of [
      { confirmed: true },
      { confirmed: true, amount: 4_380 },
      { confirmed: true, amount: '43.80', currency: 'GBP' },
      { confirmed: true, amount: -1, currency: 'GBP' },
    ]) {
      const { till, waiter } = await open(but({ tableLockRequest: result(wrong) }), { version })
      await waiter.play('pay_in_one')
      const error = till.heard.find(each => each.error !== undefined)
      deepEqual([error?.id, error?.error?.code], [2, -32602], JSON.stringify(wrong))
      deepEqual(methods(till), ['tableListRequest', 'tableLockRequest', 'tableUnlock'])
    }
  })

  test('a late confirmation is answered by an unlock', async () => {
    const { shop, till, waiter } = await open(but({ tableLockRequest: null }), { version })
    await waiter.play('pay_in_one')
    await shop.clock.advance(11_000)
    till.say({ jsonrpc: '2.0', id: 2, result: { confirmed: true, amount: 4_380, currency: 'GBP' } })
    await till.settle()
    deepEqual(
      heardOf(till, 'tableUnlock').map(({ params }) => params),
      [{ [member]: TID, tableId: '7' }],
    )
    till.say({ jsonrpc: '2.0', id: 2, result: { confirmed: true, amount: 4_380, currency: 'GBP' } })
    await till.settle()
    equal(heardOf(till, 'tableUnlock').length, 1)
  })

  test('a late refusal is ignored', async () => {
    const { shop, till, waiter } = await open(but({ tableLockRequest: null }), { version })
    await waiter.play('pay_in_one')
    await shop.clock.advance(11_000)
    const before = till.heard.length
    till.say({ jsonrpc: '2.0', id: 2, result: { confirmed: false } })
    till.say({ jsonrpc: '2.0', id: 99, result: { confirmed: true, amount: 1, currency: 'GBP' } })
    await till.settle()
    equal(till.heard.length, before)
  })

  test.each([
    ['a wrapped list', { tables: ['7', '8'], currency: 'GBP' }, ['7', '8']],
    ['tableIds', { tableIds: ['7'], currency: 'GBP' }, ['7']],
    ['a bare list', ['7', '8'], ['7', '8']],
    ['objects with tableId', { tables: [{ tableId: '7' }], currency: 'GBP' }, ['7']],
    ['objects with tableName', [{ tableName: 'Bar 2', more: 1 }], ['Bar 2']],
    ['an empty list without a currency', { tables: [] }, []],
    ['another currency', { tables: ['7'], currency: 'EUR' }, []],
  ])('the list can have the format: %s', async (_, value, names) => {
    const { waiter } = await open(but({ tableListRequest: result(value) }), { version, tid: '22160001' })
    await waiter.press({ key: 'waiter', waiterId: '12' })
    const { waiter: view } = await waiter.until(({ waiter }) => waiter !== null && waiter.message !== '')
    deepEqual(view?.tables, names)
  })

  test.each([
    ['receiptLines', { receiptLines: [{ value: 'a' }] }, ['a']],
    ['a bare list', [{ value: 'a', type: 'BARCODE_CODE39' }], ['a']],
    ['texts', { receiptLines: ['a', 'b'] }, ['a', 'b']],
    ['a type nobody knows', { receiptLines: [{ value: 'a', type: 'HOLOGRAM', format: ['BOLD', 'GOLD'] }] }, ['a']],
  ])('the bill can have the format: %s', async (_, value, lines) => {
    const { waiter } = await open(but({ posReceiptRequest: result(value) }), { version, tid: '22160001' })
    await waiter.press({ key: 'waiter', waiterId: '12' })
    await waiter.until(({ keys }) => keys.includes('choose_table'))
    await waiter.press({ key: 'choose_table', table: '7' })
    await waiter.until(({ keys }) => keys.includes('print_bill'))
    await waiter.press({ key: 'print_bill' })
    const { waiter: view } = await waiter.until(({ waiter }) => waiter?.message === 'BILL PRINTED')
    deepEqual(
      view?.printed.map(({ value: text }) => text),
      lines,
    )
  })

  test('a new connection replaces the one before, which gets -32076 without an id and is closed', async () => {
    const shop = await openSocketShop()
    const first = await connect(shop, { version })
    const second = await connect(shop, { version: version === 'v0' ? 'v1' : 'v0' })
    equal(await first.closed, 1000)
    deepEqual(first.heard, [{ jsonrpc: '2.0', error: { code: -32076, message: 'Connection Discontinued' } }])
    const waiter = at(shop, TID, answering(second, SEVEN))
    await waiter.play('pay_in_one')
    deepEqual(methods(second).slice(0, 2), ['tableListRequest', 'tableLockRequest'])
    // A counter connection of the same account does not replace it.
    const counter = await connectTill(shop, { version })
    equal(second.socket.readyState, second.socket.OPEN)
    await counter.close()
  })

  test('open requests of a replaced connection count as unanswered', async () => {
    const shop = await openSocketShop()
    await connect(shop, { version })
    const waiter = at(shop, '22160001')
    await waiter.press({ key: 'waiter', waiterId: '12' })
    await connect(shop, { version })
    await waiter.until(({ waiter: view }) => view?.message === 'NO TABLES')
    ok(shop.clock.now() < Date.UTC(2026, 4, 6, 13, 3, 36))
  })

  test('payments without a connected till are sent to the next one, in order and once', async () => {
    const shop = await openSocketShop()
    const till = await connect(shop, { version })
    const answers = answering(till, SEVEN)
    const one = at(shop, '22160001', answers)
    const other = at(shop, TID, answers)
    await one.press({ key: 'waiter', waiterId: '12' })
    await one.until(({ keys }) => keys.includes('choose_table'))
    await one.press({ key: 'choose_table', table: 'Bar 2' })
    await one.until(({ keys }) => keys.includes('leave'))
    const script = play([{ do: 'wait', ms: 5_000 }, { do: 'split_equally', shares: 2 }, { do: 'pay_rest' }])
    const { sandbox } = shop.gateway
    const terminal = (await shop.gateway.transactions.connected('demo', TID))!
    equal(await sandbox?.waiters.send(terminal, { script, table: '7' }), 'begun')
    await other.until(({ waiter }) => waiter?.table === '7')
    await till.close()
    const alone = at(shop, TID)
    await alone.until(({ waiter }) => waiter === null)
    await at(shop, '22160001').press({ key: 'leave' })
    await shop.clock.advance(3_600_000)

    const back = await connect(shop, { version })
    await back.settle()
    deepEqual(
      back.heard.map(({ method, params }) => [method, params?.['tableId']]),
      [
        ['transactionResponse', '7'],
        ['tableUnlock', '7'],
        ['tableUnlock', 'Bar 2'],
      ],
    )
    deepEqual((back.heard[0]?.params?.['payments'] as Json[] | undefined)?.length, 2)
    await back.close()
    const again = await connect(shop, { version })
    await again.settle()
    deepEqual(again.heard, [])
  })

  test('messages that wait for a till for a day are dropped', async () => {
    const { shop, till, waiter } = await open(SEVEN, { version, tid: '22160001' })
    await waiter.press({ key: 'waiter', waiterId: '12' })
    await waiter.until(({ keys }) => keys.includes('choose_table'))
    await waiter.press({ key: 'choose_table', table: '7' })
    await waiter.until(({ keys }) => keys.includes('leave'))
    await till.close()
    await at(shop, '22160001').press({ key: 'leave' })
    await shop.clock.advance(24 * 3_600_000 + 1_000)
    const back = await connect(shop, { version })
    await back.settle()
    deepEqual(back.heard, [])
  })

  test('a connected till has precedence over uploaded tables', async () => {
    const shop = await openSocketShop()
    const table = { tableName: 'uploaded', amount: 100, currency: 'GBP' }
    equal((await shop.till.ask('PUT', '/pat/tables', { body: table })).status, 201)
    const waiter = at(shop, '22160001')
    await waiter.press({ key: 'waiter', waiterId: '12' })
    deepEqual((await waiter.screen()).waiter?.tables, ['uploaded'])
    await waiter.press({ key: 'leave' })
    const till = await connect(shop, { version })
    const asked = at(shop, '22160001', answering(till, SEVEN))
    await asked.press({ key: 'waiter', waiterId: '12' })
    const { waiter: view } = await asked.until(({ keys }) => keys.includes('choose_table'))
    deepEqual(view?.tables, ['7', 'Bar 2'])
    // Table sessions are not listed.
    await asked.press({ key: 'choose_table', table: '7' })
    await asked.until(({ keys }) => keys.includes('leave'))
    const listed = (await shop.till.ask('GET', '/pat/tables')).json as { tables: { tableName: string }[] }
    deepEqual(
      listed.tables.map(({ tableName }) => tableName),
      ['uploaded'],
    )
  })

  test('a terminal without waiter ids sends none', async () => {
    const { shop, till, waiter } = await open(SEVEN, { version })
    await shop.till.ask('PATCH', `/sandbox/terminals/${TID}/settings`, { body: { waiterIds: false } })
    await waiter.play('pay_in_one')
    ok(methods(till).includes('transactionResponse'))
    for (const { method, params } of till.heard.filter(each => each.method !== undefined))
      equal(Object.hasOwn(params ?? {}, 'waiterId'), false, method)
  })
})

test('a POS provider cannot call methods', async () => {
  const shop = await openSocketShop()
  const till = await connect(shop)
  for (const method of ['sale', 'connectedTerminals', 'tableListRequest', 'reportXBalance'])
    equal((await till.ask(method, { tid: TID })).error?.code, -32601)
})

test('the address is accepted in capitals and with a slash, and a plain GET is 426', async () => {
  const shop = await openSocketShop()
  for (const path of ['/PAT', '/pat/']) {
    const till = await connectTill(shop, { path })
    await till.close()
  }
  equal((await shop.till.ask('GET', '/pat?token=demo-api-key')).status, 426)
  equal((await refusalOf(shop, { path: '/pat', query: 'token=wrong' })).status, 401)
  equal((await refusalOf(shop, { path: '/pat', query: 'token=demo-api-key&api-version=v1' })).status, 422)
  equal((await refusalOf(shop, { path: '/pat', query: 'token=demo-api-key&api-version=v7' })).status, 406)
})

test('when a terminal disconnects with a lock, the till gets its payments within a minute, and the unlock after the lease', async () => {
  const { shop, till, waiter } = await open(SEVEN)
  await waiter.play('dies_after_a_share')
  equal(methods(till).includes('transactionResponse'), false)
  await shop.clock.advance(61_000)
  await till.settle()
  const told = heardOf(till, 'transactionResponse')
  deepEqual(
    told.map(({ params }) => params?.['amountPaid']),
    [2_190],
  )
  equal(methods(till).includes('tableUnlock'), false)
})

test('when the terminal reconnects and locks the table again, the till gets the payments first', async () => {
  let open4380 = 4_380
  const { till, waiter } = await openWith(method =>
    method === 'tableLockRequest' ? result({ confirmed: true, amount: open4380, currency: 'GBP' }) : SEVEN(method, {}),
  )
  await waiter.play('dies_after_a_share')
  await waiter.press({ key: 'plug_in' })
  open4380 = 2_190
  await waiter.play('pay_in_one')
  deepEqual(
    methods(till).filter(method => method !== 'tableListRequest' && method !== 'posReceiptRequest'),
    ['tableLockRequest', 'transactionResponse', 'tableLockRequest', 'transactionResponse', 'tableUnlock'],
  )
  const ids = heardOf(till, 'transactionResponse').flatMap(({ params }) => params?.['payments'] as Json[])
  deepEqual(
    ids.map(({ amountPaid }) => amountPaid),
    [2_190, 2_190],
  )
  equal(new Set(ids.map(({ paymentId }) => paymentId)).size, 2)
})

async function openWith(answers: TillAnswers) {
  return open(answers)
}

test('of two terminals at one table the one with a payment under way keeps it', async () => {
  const shop = await openSocketShop()
  const till = await connect(shop)
  const talk = answering(till, SEVEN)
  const byHand = at(shop, '22160001', talk)
  await byHand.press({ key: 'waiter', waiterId: '1' })
  await byHand.until(({ keys }) => keys.includes('choose_table'))
  await byHand.press({ key: 'choose_table', table: '7' })
  await byHand.until(({ keys }) => keys.includes('pay'))
  await byHand.press({ key: 'pay' })
  await byHand.until(({ keys }) => keys.includes('present_card'))
  // The till would confirm the lock; but a bill must not be paid twice.
  await at(shop, TID, talk).play('pay_in_one')
  deepEqual(heardOf(till, 'tableLockRequest').length, 1)
  await byHand.press({ key: 'cancel' })
  await byHand.until(({ keys }) => keys.includes('pay'))
  await at(shop, TID, talk).play('pay_in_one')
  deepEqual(
    heardOf(till, 'tableUnlock').map(({ params }) => params?.['tid']),
    [TID],
  )
  // The first terminal has no lock any more.
  await byHand.press({ key: 'pay' })
  const { waiter: view } = await byHand.until(({ waiter }) => waiter?.message !== '')
  ok(view?.message !== 'PAID', view?.message)
  equal(heardOf(till, 'transactionResponse').length, 1)
})

test('invalid answers of a till are refused with -32602', async () => {
  const shop = await openSocketShop()
  const till = await connect(shop)
  const answers: readonly object[] = [result(null), result('7'), result({ tables: 7 }), result({ tables: [7] })]
  for (const answer of answers) {
    const waiter = at(shop, '22160001', answering(till, but({ tableListRequest: answer })))
    await waiter.press({ key: 'waiter', waiterId: '12' })
    await waiter.until(({ waiter: view }) => view?.message === 'NO TABLES')
    await waiter.press({ key: 'leave' })
  }
  const errors = till.heard.filter((each: Heard) => each.error !== undefined).map(({ error }) => error?.code)
  deepEqual(errors, [-32602, -32602, -32602, -32602])
})

test('the till gets the payments before the request for the final bill, even after failed commits', async () => {
  const shop = await openSocketShop({ store: failingMessages })
  const till = await connect(shop, { flag: '&final-pos-receipt-request' })
  await at(shop, TID, answering(till, SEVEN)).play('pay_in_one')
  deepEqual(methods(till).slice(-3), ['transactionResponse', 'finalPOSReceiptRequest', 'tableUnlock'])
})

/** Fails the first three commits of messages to the till. */
function failingMessages(store: Store): Store {
  let failures = 3
  return {
    ...store,
    async commit(commit) {
      if (commit.kind === 'till-message' && failures-- > 0) throw new Error('disk full')
      return store.commit(commit)
    },
  }
}
