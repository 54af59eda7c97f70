// test/api/reading.test.ts — spellings of bodies, media types and addresses that tills in the field send.
import { equal, match } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { openShop } from '../support/shop.ts'
import { basic, type Reply, type Started } from '../support/till.ts'
import { talkTo } from '../support/wire-talk.ts'

const SALE = '{"transactionType":"SALE","amount":2599,"currency":"GBP"}'
const PATH = '/pac/terminals/VCMDEMOSIP0/transactions'

/** Sends a sale with this text as its amount. Returns the amount that was charged, or the refusal. */
async function amountTaken(amount: string): Promise<number | string> {
  const shop = await openShop()
  const reply = await shop.till.ask('POST', PATH, { body: SALE.replace('2599', amount) })
  if (reply.status !== 201) return `${reply.status} ${reply.json['userMessage']}`
  return (await shop.finished(reply.json as unknown as Started)).amountBase ?? 'none'
}

describe('an amount is an exact integer or is refused, and never rounded', () => {
  test.each([
    ['1234.0', 1234],
    ['1234.000', 1234],
    ['"2599"', 2599],
    ['" 77 "', 77],
    ['1e3', 1000],
    ['2.599e3', 2599],
    ['259900e-2', 2599],
  ])('%s is taken as %i', async (amount, taken) => equal(await amountTaken(amount), taken))

  test.each([
    '1998.9999999999998',
    '1998.99999999999999999999',
    '0.99999999999999999',
    '25.99',
    '"25.99"',
    '"460.00"',
    '"5.0"',
    '"1e3"',
    '"25,99"',
    '"£25"',
    '"0x10"',
    '"1 000"',
    '1e400',
    'true',
    '[2599]',
    '{"value":2599}',
    '9007199254740993',
  ])('%s is refused', async amount =>
    match(
      String(await amountTaken(amount)),
      /^422 The field amount (?:is|has) [^.]+\. It must be a whole number from 1 to 99999999 in minor units: 25\.99 is 2599\.$/,
    ),
  )
})

describe('a decision about a signature', () => {
  test.each<[string, number]>([
    ['{"accepted":true}', 202],
    ['{"accepted":false}', 202],
    ['{"accepted":"true"}', 202],
    ['{"accepted":"False"}', 202],
    ['{"accepted":true,"by":"Ann"}', 202],
    ['{"accepted":null}', 422],
    ['{"accepted":""}', 422],
    ['{"accepted":1}', 422],
    ['{"accepted":"yes"}', 422],
    ['{"Accepted":true}', 422],
    ['{}', 422],
    ['[true]', 422],
    ['', 422],
  ])('%s is answered %i', async (body, status) => {
    const shop = await openShop({ terminal: 'VCMDEMOSIS0' })
    const sale = await shop.till.sale(2599)
    await shop.until(sale, 'SIGNATURE_VERIFICATION')
    const reply = await shop.till.ask('PUT', `${new URL(sale.location).pathname}/signature`, {
      body,
      headers: { 'content-type': 'application/json' },
    })
    equal(reply.status, status)
    await shop.clock.advance(5_000)
    const result = (await shop.till.look(sale)).transactionResult
    if (status === 202) equal(result, /true/i.test(body) ? 'SUCCESSFUL' : 'VOID')
    else equal(result, undefined)
  })
})

describe('a body with the Content-Type', () => {
  test.each<[string | null, number]>([
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['application/json;charset="UTF-8"', 201],
    ['Application/JSON', 201],
    ['application/connect.v2+json', 201],
    ['application/connect.v1+json; charset=utf-8', 201],
    ['text/json', 201],
    ['application/json; charset=iso-8859-1', 201],
    [null, 201],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/json; charset=klingon', 415],
    ['json', 415],
    ['application/', 415],
    ['application/jsonp', 415],
  ])('%s is answered %i', async (type, status) => {
    const shop = await openShop()
    const reply = await shop.till.ask('POST', PATH, {
      body: SALE,
      headers: type === null ? {} : { 'content-type': type },
    })
    equal(reply.status, status)
  })

  test('and Content-Encoding gzip is refused', async () => {
    const shop = await openShop()
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    equal((await shop.till.ask('POST', PATH, { body: SALE, headers })).status, 415)
  })
})

const TYPE_MISSING =
  'The field transactionType is missing. ' +
  'It must be one of SALE, REFUND, DUPLICATE, PRE_AUTH, COMPLETION, ACCOUNT_VERIFICATION.'

describe('a body that is', () => {
  test.each<[string, string | Buffer, string]>([
    ['cut off', '{"transactionType":"SALE"', 'The request body is not valid JSON.'],
    ['empty', '', 'The request body is not valid JSON.'],
    ['a form', 'amount=1', 'The request body is not valid JSON.'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'The request body is not valid JSON.'],
    ['a list', '[]', 'The field body is a list. It must be an object.'],
    ['null', 'null', 'The field body is null. It must be an object.'],
    ['a text', '"SALE"', 'The field body is text. It must be an object.'],
    ['very deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'The field body is a list. It must be an object.'],
    [
      'deep inside',
      `{"x":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`,
      'The field body is nested too deeply. It must be nested 64 levels at most.',
    ],
    ['poisoned', '{"__proto__":{"transactionType":"SALE","amount":1,"currency":"GBP"}}', TYPE_MISSING],
    ['about the constructor', '{"constructor":{"prototype":{"amount":1}}}', TYPE_MISSING],
  ])('%s is refused with a sentence', async (_, body, sentence) => {
    const shop = await openShop()
    const reply = await shop.till.ask('POST', PATH, { body, headers: { 'content-type': 'application/json' } })
    equal(reply.status, 422)
    equal(reply.json['userMessage'], sentence)
    equal(({} as Record<string, unknown>)['amount'], undefined)
  })

  test('preceded by a byte order mark is read', async () => {
    const shop = await openShop()
    equal((await shop.till.ask('POST', PATH, { body: `\ufeff${SALE}` })).status, 201)
  })

  test('an object with unknown members is accepted', async () => {
    const shop = await openShop()
    // As text: in an object literal, __proto__ sets the prototype.
    const body = SALE.replace('}', ',"tip":5,"__proto__":{"authCode":"A1"},"constructor":1,"list":[1]}')
    equal((await shop.till.ask('POST', PATH, { body, headers: { 'content-type': 'application/json' } })).status, 201)
  })

  test('too large is refused', async () => {
    const shop = await openShop({ settings: { bodyLimitBytes: 1_024 } })
    const fits = SALE.padEnd(1_024, ' ')
    equal((await shop.till.ask('POST', PATH, { body: `${fits} ` })).status, 413)
    equal((await shop.till.ask('POST', PATH, { body: fits })).status, 201)
  })
})

test('a JSON type without a body, and a body where none is expected, are accepted', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  const path = new URL(sale.location).pathname
  const rows: readonly [string, string | undefined, string | undefined, number][] = [
    ['GET', 'application/json', undefined, 200],
    ['GET', 'application/json', '{}', 200],
    ['GET', 'nonsense', undefined, 200],
    ['DELETE', 'application/json', undefined, 202],
    ['DELETE', 'application/json', '{}', 202],
    ['DELETE', 'text/plain', 'please', 202],
    ['DELETE', 'application/', '{', 202],
    ['DELETE', undefined, '{}', 202],
  ]
  for (const [method, type, body, status] of rows) {
    const reply = await shop.till.ask(method, path, {
      body,
      headers: type === undefined ? {} : { 'content-type': type },
    })
    equal(reply.status, status, `${method} ${type} ${body}`)
  }
})

describe('an address may be written', () => {
  test.each([
    '/pac/terminals',
    '//pac/terminals',
    '/pac//terminals',
    '/pac/terminals/',
    '///pac///terminals///',
    '/pac/terminals?',
    '/pac/terminals/?x=1',
    '/%70ac/terminals',
  ])('%s', async path => {
    const shop = await openShop()
    const reply = await shop.till.ask('GET', path)
    equal(reply.status, 200)
    match(reply.text, /"tid":"VCMDEMOSIP0"/)
  })

  test('in absolute form, as it is sent to a proxy', async () => {
    // Over a connection: injected requests lose the host of the address.
    const talk = await talkTo(await openShop())
    const head = `Host: pay.example\r\nAuthorization: ${basic('demo-api-key')}\r\n`
    talk.send(`GET http://pay.example/pac/terminals HTTP/1.1\r\n${head}\r\n`)
    const answer = await talk.answer()
    equal(answer.status, 200)
    match(answer.body, /"tid":"VCMDEMOSIP0"/)
    talk.socket.destroy()
  })

  test('with encoded letters in names', async () => {
    const shop = await openShop()
    equal((await shop.till.ask('GET', '/pac/terminals/%56CMDEMOSIP0')).status, 200)
    equal((await shop.till.ask('GET', '/pac/terminals/VCMDEMOSIP0%00')).status, 404)
    equal((await shop.till.ask('GET', '/pac/terminals/a%2Fb')).status, 404)
    equal((await shop.till.ask('GET', '/pac/terminals/%zz')).status, 400)
    equal((await shop.till.ask('GET', '/pac/terminals/%ff')).status, 400)
  })
})

test('paths and query values are case-sensitive', async () => {
  const shop = await openShop()
  const status = async (path: string): Promise<Reply['status']> => (await shop.till.ask('GET', path)).status
  equal(await status('/PAC/terminals'), 404)
  equal(await status('/pac/terminals?status=available'), 422)
  equal(await status('/pac/terminals?status=AVAILABLE&status=BUSY'), 422)
  equal(await status('/pac/terminals?currency=USD'), 422)
  equal(await status('/pac/terminals?status=&currency='), 200)
  equal(await status('/pac/terminals?capabilities=SALE&__proto__=1'), 200)
})
