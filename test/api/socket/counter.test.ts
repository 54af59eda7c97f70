// test/api/socket/counter.test.ts — several tills, both interfaces and lost connections, on the same terminals.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { connectTill, openSocketShop } from '../../support/socket-till.ts'

const TID = 'VCMDEMOSIP0'
const SALE = { tid: TID, currency: 'GBP', amount: 1250 }
const BUSY = {
  code: -32071,
  message: 'Terminal busy',
  data: { tid: TID, userMessage: `${TID} is busy. Please wait for the current request to finish.` },
}

test('the terminals are listed in the order of their ids, without params and with', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  const plain = (await till.ask('connectedTerminals')).result as unknown as { tid: string }[]
  const ids = plain.map(({ tid }) => tid)
  deepEqual(ids, ids.toSorted())
  deepEqual(
    plain.find(({ tid }) => tid === TID),
    { tid: TID, currency: 'GBP', status: 'AVAILABLE' },
  )
  deepEqual((await till.ask('connectedTerminals', {})).result, plain)
  deepEqual((await till.ask('connectedTerminals', { currency: 'GBP', status: 'AVAILABLE' })).result, plain)
  deepEqual((await till.ask('connectedTerminals', { currency: 'EUR' })).result, [])
  till.request('sale', SALE)
  await till.settle()
  deepEqual((await till.ask('connectedTerminals', { status: 'BUSY' })).result, [
    { tid: TID, currency: 'GBP', status: 'BUSY' },
  ])
})

test('disconnected terminals are not listed, and an account without terminals has an empty list', async () => {
  const shop = await openSocketShop({ account: 'demo-eur' })
  const till = await connectTill(shop, { key: 'demo-eur-api-key' })
  const ids = async () =>
    ((await till.ask('connectedTerminals')).result as unknown as { tid: string }[]).map(({ tid }) => tid)
  const [first = '', ...others] = await ids()
  const unplugged = await shop.till.ask('POST', `/sandbox/terminals/${first}/keys`, { body: { key: 'unplug' } })
  equal(unplugged.status, 200)
  deepEqual(await ids(), others)
  for (const tid of others) await shop.gateway.provisioning.removeTerminal('demo-eur', tid)
  await shop.clock.advance(1_001)
  deepEqual(await ids(), [])
})

test('of two tills at one terminal the first gets it, and only the first gets the notifications', async () => {
  const shop = await openSocketShop()
  const [first, second] = [await connectTill(shop), await connectTill(shop)]
  const sale = first.request('sale', SALE)
  await first.settle()
  deepEqual((await second.ask('sale', SALE)).error, BUSY)
  deepEqual((await second.ask('duplicate', { tid: TID })).error, BUSY)
  equal((await second.ask('terminalDetails', { tid: TID })).result?.['status'], 'BUSY')
  await first.answerTo(sale)
  await second.settle()
  ok(first.notifications().length > 5)
  deepEqual(second.notifications(), [])
  equal((await second.ask('terminalDetails', { tid: TID })).result?.['status'], 'AVAILABLE')
})

test('of concurrent sales on one terminal one starts', async () => {
  const shop = await openSocketShop()
  const tills = await Promise.all(Array.from({ length: 8 }, () => connectTill(shop)))
  const ids = tills.map(till => till.request('sale', SALE))
  for (const till of tills) await till.settle()
  const refused = tills.filter((till, at) =>
    till.heard.some(({ id, error }) => id === ids[at] && error?.code === -32071),
  )
  equal(refused.length, 7)
})

test('a sale on the socket is visible over REST and occupies the terminal', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  const sale = till.request('sale', SALE)
  await till.settle()
  const { json } = await shop.till.ask('GET', '/api/transactions')
  const [listed] = json['transactions'] as { requestId: string; tid: string; partner: object }[]
  deepEqual([listed?.tid, listed?.partner], [TID, { softwareHouseId: 'maker', installerId: 'fitter' }])
  equal((await shop.till.start({ transactionType: 'SALE', amount: 1, currency: 'GBP' })).status, 422)
  const { result } = await till.answerTo(sale)
  const read = await shop.till.ask('GET', `/pac/terminals/${TID}/transactions/${listed?.requestId}`)
  const { requestId, location, notifications, cardHolderVerificationMethod, ...facts } = read.json
  deepEqual({ tid: TID, ...facts }, result)
  deepEqual((notifications as string[]).toReversed(), till.notifications())
})

test('a sale over REST occupies the terminal for the socket, and pushes nothing there', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  const sale = await shop.till.sale(1250)
  deepEqual((await till.ask('sale', SALE)).error, BUSY)
  await shop.finished(sale)
  await till.settle()
  deepEqual(till.notifications(), [])
  const { result } = await till.answerTo(till.request('duplicate', { tid: TID }))
  deepEqual([result?.['transactionType'], result?.['amountTotal']], ['SALE', 1250])
})

test('while a signature is pending, other requests are refused with the reason on both interfaces', async () => {
  const tid = 'VCMDEMOSIS0'
  const shop = await openSocketShop({ terminal: tid })
  const [till, other] = [await connectTill(shop), await connectTill(shop)]
  const sale = till.request('sale', { ...SALE, tid })
  await till.until('SIGNATURE_VERIFICATION_IN_PROGRESS')
  for (const [method, more] of [
    ['sale', { currency: 'GBP', amount: 1 }],
    ['duplicate', {}],
  ] as const)
    deepEqual((await other.ask(method, { tid, ...more })).error, {
      code: -32071,
      message: 'Terminal busy',
      data: { tid, userMessage: `${tid} is waiting for a signature check.` },
    })
  equal((await other.ask('terminalDetails', { tid })).result?.['status'], 'BUSY')
  const refused = await shop.till.start({ transactionType: 'SALE', amount: 1, currency: 'GBP' })
  equal(refused.status, 423)

  // The signature can be decided over REST. The later decision of the till is ignored.
  const location = new URL(String(refused.json['location'])).pathname
  equal((await shop.till.ask('PUT', `${location}/signature`, { body: { accepted: false } })).status, 202)
  till.say({ jsonrpc: '2.0', id: till.questions()[0]?.id, result: { accepted: true } })
  equal((await till.answerTo(sale)).result?.['transactionResult'], 'VOID')
  equal(till.notifications().filter(each => each === 'SIGNATURE_VERIFICATION_IN_PROGRESS').length, 1)
})

test('a till that reconnects finds the outcome by a duplicate', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  till.request('sale', SALE)
  await till.until('PRESENT_CARD')
  till.socket.terminate()
  await till.closed
  await shop.settle()
  match(JSON.stringify(shop.log.lines), /transaction result not delivered to till/)

  const back = await connectTill(shop)
  deepEqual((await back.ask('duplicate', { tid: TID })).error, BUSY)
  for (let seconds = 0; (await back.ask('terminalDetails', { tid: TID })).result?.['status'] === 'BUSY'; seconds += 2) {
    ok(seconds < 200)
    await shop.clock.advance(2_000)
  }
  const { result } = await back.answerTo(back.request('duplicate', { tid: TID }))
  const { transactionType, transactionResult, amountTotal, currency } = result ?? {}
  deepEqual([transactionType, transactionResult, amountTotal, currency], ['SALE', 'SUCCESSFUL', 1250, 'GBP'])
  // Notifications of the old connection are not sent to the new one.
  deepEqual(back.notifications(), [])
})

test('a signature request whose till has disconnected goes to no other till, and counts as accepted', async () => {
  const tid = 'VCMDEMOSIS0'
  const shop = await openSocketShop({ terminal: tid })
  const [till, other] = [await connectTill(shop), await connectTill(shop)]
  till.request('sale', { ...SALE, tid })
  await till.until('SIGNATURE_VERIFICATION_IN_PROGRESS')
  await till.close()
  await shop.clock.advance(90_000)
  await other.settle()
  deepEqual(other.questions(), [])
  const { result } = await other.answerTo(other.request('duplicate', { tid }))
  equal(result?.['transactionResult'], 'SUCCESSFUL')
})

test('a terminal that disconnects during a sale leads to TIMED_OUT after 200 seconds', async () => {
  const tid = '22160001'
  const shop = await openSocketShop({ terminal: tid })
  const till = await connectTill(shop)
  const sale = till.request('sale', { ...SALE, tid })
  await till.until('PRESENT_CARD')
  await shop.till.ask('POST', `/sandbox/terminals/${tid}/keys`, { body: { key: 'unplug' } })
  equal((await till.ask('sale', { ...SALE, tid })).error?.code, -32602)
  await shop.clock.advance(190_000)
  await till.settle()
  equal(
    till.heard.some(({ id, result }) => id === sale && result !== undefined),
    false,
  )
  const { result } = await till.answerTo(sale)
  equal(result?.['transactionResult'], 'TIMED_OUT')
  deepEqual(result?.['receiptLines'], { MERCHANT: [], CUSTOMER: [] })
  equal(till.notifications().at(-1), 'TRANSACTION_FINISHED')
})

test('a duplicate repeats the last transaction, with the customer receipt only, and pushes nothing', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  deepEqual((await till.answerTo(till.request('duplicate', { tid: TID }))).error, {
    code: -32074,
    message: 'No data',
    data: { tid: TID, userMessage: `${TID} has no transaction to repeat.` },
  })
  const sale = await till.answerTo(till.request('sale', SALE))
  const heard = till.notifications().length
  for (const id of [0, 999_999]) {
    const { result } = await till.answerTo(till.request('duplicate', { tid: TID }, id))
    const { receiptLines, ...facts } = result ?? {}
    const { receiptLines: _, ...first } = sale.result ?? {}
    deepEqual(facts, first)
    deepEqual(Object.keys(receiptLines as object), ['CUSTOMER'])
    match(JSON.stringify(receiptLines), /DUPLICATE/)
  }
  equal(till.notifications().length, heard)
})

test('a duplicate that the terminal does not answer is a time-out', async () => {
  const tid = '22160001'
  const shop = await openSocketShop({ terminal: tid })
  const till = await connectTill(shop)
  const question = till.request('duplicate', { tid })
  await till.settle()
  await shop.till.ask('POST', `/sandbox/terminals/${tid}/keys`, { body: { key: 'unplug' } })
  const { error } = await till.answerTo(question)
  deepEqual(error, {
    code: -32073,
    message: 'Response timeout',
    data: { tid, userMessage: `No answer from ${tid}. Check the PDQ before you try again.` },
  })
})

test('a till can connect for each request', async () => {
  const shop = await openSocketShop()
  for (let time = 0; time < 3; time += 1) {
    const till = await connectTill(shop, { version: time === 1 ? 'v0' : 'v1' })
    equal(
      (await till.answerTo(till.request('sale', { [till.member]: TID, currency: 'GBP', amount: 5 }))).error,
      undefined,
    )
    await till.close()
  }
  equal(((await shop.till.ask('GET', '/api/transactions')).json['transactions'] as object[]).length, 3)
})

test('a failing store is an internal error, and nothing is started', async () => {
  let broken = false
  const shop = await openSocketShop({
    store: store => ({
      ...store,
      commit: commit => (broken ? Promise.reject(new Error('disk gone')) : store.commit(commit)),
    }),
  })
  const till = await connectTill(shop)
  broken = true
  deepEqual((await till.ask('sale', SALE)).error, { code: -32603, message: 'Internal error' })
  broken = false
  equal((await till.answerTo(till.request('sale', SALE))).result?.['transactionResult'], 'SUCCESSFUL')
})
