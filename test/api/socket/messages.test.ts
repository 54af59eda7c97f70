// test/api/socket/messages.test.ts — validation of messages, and the errors for invalid ones.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { refusedFieldIn } from '../../support/refused-field.ts'
import { connectTill, type Heard, openSocketShop, type SocketTill } from '../../support/socket-till.ts'

const TID = 'VCMDEMOSIP0'
const SALE = { tid: TID, currency: 'GBP', amount: 1250 }

/** Sends a message and returns its only answer. */
async function answerTo(till: SocketTill, message: unknown): Promise<Heard> {
  const before = till.heard.length
  till.say(message)
  await till.settle()
  equal(till.heard.length, before + 1, JSON.stringify(till.heard.slice(before)))
  return till.heard.at(-1)!
}

const NOT_JSON: readonly [string, string | Uint8Array][] = [
  ['nothing', ''],
  ['words', 'hello'],
  ['half an object', '{"jsonrpc":"2.0","id":1,'],
  ['two objects', '{"jsonrpc":"2.0","id":1,"method":"connectedTerminals"}{}'],
  ['a trailing comma', '{"jsonrpc":"2.0","id":1,"method":"connectedTerminals",}'],
  ['single quotes', "{'jsonrpc':'2.0'}"],
  ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x7b])],
  ['a number that is none', '{"jsonrpc":"2.0","id":NaN,"method":"connectedTerminals"}'],
]

test.each(NOT_JSON)('%s is a parse error without an id, and the connection stays open', async (_, text) => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  deepEqual(await answerTo(till, text), { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } })
  ok('result' in (await till.ask('connectedTerminals')))
})

const REQUEST = { jsonrpc: '2.0', id: 5, method: 'terminalDetails', params: { tid: TID } }

/** The mistake, the message, and the id of the error; null when the error has none. */
const BAD_ENVELOPES: readonly [string, unknown, number | null][] = [
  ['null', null, null],
  ['a number', 7, null],
  ['a text', '"text"', null],
  ['a batch', [REQUEST], null],
  ['an empty batch', [], null],
  ['an empty object', {}, null],
  ['without jsonrpc', { ...REQUEST, jsonrpc: undefined }, 5],
  ['with jsonrpc as a number', { ...REQUEST, jsonrpc: 2.0 }, 5],
  ['with jsonrpc 1.0', { ...REQUEST, jsonrpc: '1.0' }, 5],
  ['without an id', { ...REQUEST, id: undefined }, null],
  ['with an id of null', { ...REQUEST, id: null }, null],
  ['with a text as id', { ...REQUEST, id: '1' }, null],
  ['with a fraction as id', { ...REQUEST, id: 1.5 }, null],
  ['with a negative id', { ...REQUEST, id: -1 }, null],
  ['with id 1000000', { ...REQUEST, id: 1_000_000 }, null],
  [
    'with an id that only a parser would round',
    '{"jsonrpc":"2.0","id":5.0000000000000000001,"method":"terminalDetails"}',
    null,
  ],
  ['with an object as id', { ...REQUEST, id: {} }, null],
  ['without a method', { ...REQUEST, method: undefined }, 5],
  ['with a number as method', { ...REQUEST, method: 1 }, 5],
  ['with something beside', { ...REQUEST, comment: 'hi' }, 5],
  [
    'with a name that objects have',
    '{"jsonrpc":"2.0","id":5,"method":"terminalDetails","params":{"tid":"a"},"__proto__":1}',
    5,
  ],
  ['with a result beside the method', { ...REQUEST, result: {} }, 5],
  ['a reply with result and error', { jsonrpc: '2.0', id: 5, result: {}, error: {} }, 5],
  ['a reply with something beside', { jsonrpc: '2.0', id: 5, result: {}, params: {} }, 5],
  ['a reply without jsonrpc', { id: 5, result: {} }, 5],
  ['a reply with a text as id', { jsonrpc: '2.0', id: '1', result: { accepted: true } }, null],
]

test.each(BAD_ENVELOPES)('%s is an invalid request, with the id when it could be read', async (_, message, id) => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  const error = { code: -32600, message: 'Invalid request' }
  deepEqual(await answerTo(till, message), id === null ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error })
  ok('result' in (await till.ask('connectedTerminals')))
})

test('an id from 0 to 999999 is returned with the answer', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  for (const id of [0, 1, 999_999]) equal((await till.ask('terminalDetails', { tid: TID }, id)).id, id)
  equal((await answerTo(till, '{"jsonrpc":"2.0","id":-0,"method":"connectedTerminals"}')).id, 0)
  equal((await answerTo(till, '{"jsonrpc":"2.0","id":7.0,"method":"connectedTerminals"}')).id, 7)
})

test('an id can be reused, also while its request is open, and each request is answered', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  till.request('sale', SALE, 1)
  await till.ask('terminalDetails', { tid: TID }, 1)
  till.request('sale', { ...SALE, tid: 'VCMDEMODIP0' }, 1)
  await till.until('TRANSACTION_FINISHED')
  await shop.clock.advance(60_000)
  await till.settle()
  const answers = till.heard.filter(({ id, method }) => id === 1 && method === undefined)
  equal(answers.length, 3)
})

test('a reply without a request is ignored', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  till.say({ jsonrpc: '2.0', id: 1, result: { accepted: true } })
  till.say({ jsonrpc: '2.0', id: 2, error: { code: 1 } })
  till.say({ jsonrpc: '2.0', id: 3, result: null })
  await till.settle()
  deepEqual(till.heard, [])
})

test.each(['Sale', 'SALE', 'tableListRequest', 'terminalNotification', 'terminalsDetails', 'constructor', ''])(
  'there is no method %s',
  async method => {
    const shop = await openSocketShop()
    const till = await connectTill(shop)
    const error = { code: -32601, message: 'Method not found' }
    deepEqual(await till.ask(method, { anything: 1 }), { jsonrpc: '2.0', id: 1, error })
  },
)

/** Params, and the name of the invalid member. */
const BAD_PARAMS: readonly [method: string, params: unknown, member: string][] = [
  ['duplicate', undefined, 'params'],
  ['duplicate', null, 'params'],
  ['duplicate', [], 'params'],
  ['duplicate', [TID], 'params'],
  ['duplicate', 'text', 'params'],
  ['duplicate', {}, 'tid'],
  ['duplicate', { tid: 22160001 }, 'tid'],
  ['duplicate', { tid: null }, 'tid'],
  ['duplicate', { tpi: TID }, 'tid'],
  ['duplicate', { tid: TID, transactionType: 'DUPLICATE' }, 'transactionType'],
  ['duplicate', { tid: TID, authCode: '' }, 'authCode'],
  ['terminalDetails', undefined, 'params'],
  ['terminalDetails', { tid: TID, status: 'BUSY' }, 'status'],
  ['cancelTransaction', { tid: TID, requestId: 'a' }, 'requestId'],
  ['connectedTerminals', null, 'params'],
  ['connectedTerminals', [], 'params'],
  ['connectedTerminals', { status: 'AWAY' }, 'status'],
  ['connectedTerminals', { status: 'available' }, 'status'],
  ['connectedTerminals', { currency: 'USD' }, 'currency'],
  ['connectedTerminals', { capabilities: ['SALE'] }, 'capabilities'],
  ['sale', { currency: 'GBP', amount: 1 }, 'tid'],
  ['sale', { tid: TID, amount: 1 }, 'currency'],
  ['sale', { tid: TID, currency: 'GBP' }, 'amount'],
  ['sale', { ...SALE, currency: 'USD' }, 'currency'],
  ['sale', { ...SALE, currency: 'EUR' }, 'currency'],
  ['sale', { ...SALE, amount: 0 }, 'amount'],
  ['sale', { ...SALE, amount: -1 }, 'amount'],
  ['sale', { ...SALE, amount: 100_000_000 }, 'amount'],
  ['sale', { ...SALE, amount: 12.5 }, 'amount'],
  ['sale', { ...SALE, amount: '1250' }, 'amount'],
  ['sale', { ...SALE, amount: null }, 'amount'],
  ['sale', { ...SALE, amountCashback: 10_001 }, 'amountCashback'],
  ['sale', { ...SALE, amountCashback: -1 }, 'amountCashback'],
  ['sale', { ...SALE, amountCashback: null }, 'amountCashback'],
  ['sale', { ...SALE, cardholderNotPresent: 'true' }, 'cardholderNotPresent'],
  ['sale', { ...SALE, authCode: 'A1' }, 'authCode'],
  ['sale', { ...SALE, amountPreAuthorisedTotal: 1 }, 'amountPreAuthorisedTotal'],
  ['sale', { ...SALE, transactionType: 'SALE' }, 'transactionType'],
  ['refund', { ...SALE, amountCashback: 1 }, 'amountCashback'],
  ['refund', { ...SALE, authCode: 7 }, 'authCode'],
  ['preAuth', { ...SALE, cardholderNotPresent: true }, 'cardholderNotPresent'],
  ['preAuth', { ...SALE, amountCashback: 1 }, 'amountCashback'],
  ['completion', SALE, 'authCode'],
  ['completion', { ...SALE, authCode: '' }, 'authCode'],
  ['completion', { ...SALE, authCode: 'x'.repeat(21) }, 'authCode'],
  ['completion', { ...SALE, authCode: 'A\u00001' }, 'authCode'],
  ['completion', { ...SALE, authCode: '4111111111111111' }, 'authCode'],
  ['completion', { ...SALE, authCode: 'A1', amountPreAuthorisedTotal: 0 }, 'amountPreAuthorisedTotal'],
  ['accountVerification', { tid: TID, currency: 'GBP' }, 'amount'],
  ['accountVerification', { ...SALE, amount: -1 }, 'amount'],
  ['accountVerification', { ...SALE, cardholderNotPresent: true }, 'cardholderNotPresent'],
  ['sale', { ...SALE, ['x'.repeat(65)]: 1 }, 'params'],
]

test('invalid params are refused by the name of the member, and nothing is started', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  for (const [method, params, member] of BAD_PARAMS) {
    const answer = await answerTo(till, { jsonrpc: '2.0', id: 9, method, params })
    const userMessage = answer.error?.data?.['userMessage']
    deepEqual(
      answer,
      { jsonrpc: '2.0', id: 9, error: { code: -32602, message: 'Invalid parameter', data: { userMessage } } },
      JSON.stringify([method, params]),
    )
    equal(refusedFieldIn(userMessage), member, JSON.stringify([method, params]))
  }
  deepEqual((await shop.till.ask('GET', '/api/transactions')).json['transactions'], [])
})

test('an amount that a parser would round is refused', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  for (const amount of ['1249.9999999999999999', '1250.00000000000000001', '1e-3', '12500e-2.5', '99999999.1'])
    ok(
      'error' in
        (await answerTo(
          till,
          `{"jsonrpc":"2.0","id":1,"method":"sale","params":{"tid":"${TID}","currency":"GBP","amount":${amount}}}`,
        )),
      amount,
    )
  deepEqual((await shop.till.ask('GET', '/api/transactions')).json['transactions'], [])
})

/** Params that tills in the field send. */
const GOOD_PARAMS: readonly [method: string, params: string][] = [
  ['sale', `{"tid":"${TID}","currency":"GBP","amount":1250.0}`],
  ['sale', `{"tid":"${TID}","currency":"GBP","amount":1.25e3}`],
  ['sale', `{"tid":"${TID}","currency":"GBP","amount":1250,"amountCashback":0,"cardholderNotPresent":false}`],
  ['sale', `{"tid":"${TID}","currency":"GBP","amount":1250,"authCode":"","amountPreAuthorisedTotal":0}`],
  ['refund', `{"tid":"${TID}","currency":"GBP","amount":1250,"authCode":"anything","amountCashback":0}`],
  ['preAuth', `{"tid":"${TID}","currency":"GBP","amount":1250,"cardholderNotPresent":false,"authCode":""}`],
  ['accountVerification', `{"tid":"${TID}","currency":"GBP","amount":0}`],
  ['accountVerification', `{"tid":"${TID}","currency":"GBP","amount":99999999}`],
]

test.each(GOOD_PARAMS)('%s accepts %s', async (method, params) => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  // As text: JSON.stringify would turn 1250.0 and 1.25e3 into 1250.
  till.say(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`)
  const { result } = await till.answerTo(1)
  equal(result?.['transactionResult'], 'SUCCESSFUL')
  equal(result?.['amountTotal'], method === 'accountVerification' ? 0 : 1250)
})

test('an amount with many decimal zeros is read exactly', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  till.say(
    `{"jsonrpc":"2.0","id":1,"method":"sale","params":{"tid":"${TID}","currency":"GBP","amount":1250.000000000000000000}}`,
  )
  equal((await till.answerTo(1)).result?.['amountBase'], 1250)
})

describe('frames', () => {
  test('a binary frame is read as text, with a byte order mark or without', async () => {
    const shop = await openSocketShop()
    const till = await connectTill(shop)
    for (const mark of ['', '\uFEFF']) {
      const text = `${mark}{"jsonrpc":"2.0","id":3,"method":"nothing"}`
      equal((await answerTo(till, Buffer.from(text))).error?.code, -32601)
      equal((await answerTo(till, text)).error?.code, -32601)
    }
  })

  test('a fragmented message is assembled', async () => {
    const shop = await openSocketShop()
    const till = await connectTill(shop)
    const text = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'nothing' })
    till.socket.send(text.slice(0, 9), { fin: false })
    till.socket.send(text.slice(9, 20), { fin: false })
    await till.settle()
    equal(till.heard.length, 0)
    till.socket.send(text.slice(20), { fin: true })
    await till.settle()
    equal(till.heard[0]?.error?.code, -32601)
  })
})

test('an unknown terminal is unavailable, and so is N/A', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  for (const tid of ['99999999', 'N/A', '', 'VCMEUROSIP0', 'constructor', 'a\u0000b'])
    for (const [method, more] of [
      ['duplicate', {}],
      ['terminalDetails', {}],
      ['cancelTransaction', {}],
      ['sale', { currency: 'EUR', amount: 1 }],
    ] as const) {
      const userMessage = `${tid} is unavailable. Please try again in 10 seconds or check the PDQ screen and cabling or restart the PDQ. Contact support if the problem persists.`
      deepEqual((await till.ask(method, { tid, ...more })).error, {
        code: -32602,
        message: 'Invalid parameter',
        data: { tid, userMessage },
      })
    }
})

test('errors have an order of precedence: method, params, terminal, busy', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  till.request('sale', SALE)
  await till.settle()
  const refusalOf = async (method: string, params: object) => {
    const { error } = await till.ask(method, { ...params })
    return `${error?.code} ${error?.data?.['userMessage'] ?? error?.message}`
  }
  equal(await refusalOf('nothing', { tid: 'none', amount: 0 }), '-32601 Method not found')
  equal(
    await refusalOf('sale', { ...SALE, tid: 'none', amount: 0 }),
    '-32602 The field amount is zero. It must be a whole number from 1 to 99999999 in minor units: 25.99 is 2599.',
  )
  match(await refusalOf('sale', { ...SALE, tid: 'none' }), /^-32602 none is unavailable\./)
  equal(
    await refusalOf('sale', { ...SALE, currency: 'EUR' }),
    '-32602 The field currency is not the currency of terminal VCMDEMOSIP0. It must be GBP.',
  )
  match(await refusalOf('sale', SALE), /^-32071 VCMDEMOSIP0 is busy\./)
})
