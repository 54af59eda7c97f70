// test/unit/web/console.test.ts — amounts, commands, addresses, events and lists of the console.
import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { curlOf } from '../../../web/console/curl.ts'
import { type AccountEvent, eventsIn, sentenceIn } from '../../../web/console/gateway.ts'
import { decimalsOf, inWords, minorOf } from '../../../web/console/money.ts'
import { merged } from '../../../web/console/parts/live-pages.ts'
import { addressOf, addressOfTerminal, placeIn } from '../../../web/console/places.ts'
import { outcomeInWords, verdictInWords } from '../../../web/console/transactions/verdict.ts'

test('an amount that is typed as it is shown is the same amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.constantFrom('GBP', 'JPY', 'KWD'), (minor, currency) => {
      const decimals = decimalsOf(currency)
      equal(minorOf((minor / 10 ** decimals).toFixed(decimals), currency), minor)
    }),
  )
})

test.each([
  ['25.99', 'GBP', 2_599],
  [' 25,9 ', 'GBP', 2_590],
  ['25.', 'GBP', 2_500],
  ['25', 'GBP', 2_500],
  ['25', 'JPY', 25],
  ['1.234', 'KWD', 1_234],
  ['25.999', 'GBP', null],
  ['1.5', 'JPY', null],
  ['-1', 'GBP', null],
  ['1e3', 'GBP', null],
  ['', 'GBP', null],
  ['1,234.50', 'GBP', null],
  ['123456789', 'GBP', null],
])('%j in %s is %j', (typed, currency, minor) => {
  equal(minorOf(typed, currency), minor)
})

test('amounts are shown with the decimals of their currency', () => {
  deepEqual([decimalsOf('GBP'), decimalsOf('JPY'), decimalsOf('KWD')], [2, 0, 3])
  deepEqual([inWords(2_599, 'GBP'), inWords(500, 'EUR')], ['£25.99', '€5.00'])
})

test('a command has the request, quoted for a shell', () => {
  const who = { account: 'demo', key: "it's" }
  const origin = 'http://127.0.0.1:4020'
  const exchange = { method: 'GET', path: '/api/account', body: undefined, status: 200, answer: null }
  equal(curlOf(exchange, who, origin), `curl -u 'demo:it'\\''s' 'http://127.0.0.1:4020/api/account'`)
  const sent = { ...exchange, method: 'PUT', path: '/x', body: { name: "O'Neill" } }
  equal(
    curlOf(sent, { ...who, key: 'k' }, origin),
    `curl -X PUT -u 'demo:k' -H 'Content-Type: application/json' \\\n  -d '{"name":"O'\\''Neill"}' \\\n  'http://127.0.0.1:4020/x'`,
  )
  equal(curlOf({ ...exchange, method: 'DELETE' }, { ...who, key: 'k' }, origin).startsWith('curl -X DELETE '), true)
})

test('an address names a page, and any other the counter', () => {
  deepEqual(placeIn('#/transactions'), { page: 'transactions', id: null })
  deepEqual(placeIn(addressOf('a b/c')), { page: 'transactions', id: 'a b/c' })
  deepEqual(placeIn('#/today'), { page: 'today', id: null })
  deepEqual(placeIn('#/transactions/%'), { page: 'transactions', id: '%' })
  deepEqual(placeIn(addressOfTerminal('a/b')), { page: 'counter', id: 'a/b' })
  for (const other of ['', '#', '#/counter', '#/nothing', '#/transactions/a/b', '#/today/a'])
    deepEqual(placeIn(other), { page: 'counter', id: null })
})

test('events are read whole, however the stream is cut', async () => {
  const events: AccountEvent[] = [1, 2, 3].map(cursor => ({ cursor, kind: 'table', id: `T–${cursor}`, type: 'opened' }))
  const bytes = new TextEncoder().encode(
    `: hello\n\n${events.map(event => `id: ${event.cursor}\nevent: x\ndata: ${JSON.stringify(event)}\n\n`).join('')}id: 4\nda`,
  )
  for (const size of [1, 7, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    )
    const read: AccountEvent[] = []
    for await (const event of eventsIn(new Response(new Blob(chunks)).body!)) read.push(event)
    deepEqual(read, events)
  }
})

test('a refusal is shown in the words of the gateway, whatever area it is from', () => {
  equal(sentenceIn({ userMessage: 'The till is closed.' }, 422), 'The till is closed.')
  equal(sentenceIn({ title: 'Not found.', detail: 'The table was not found.' }, 404), 'The table was not found.')
  for (const none of [null, '', 'Oh', { detail: '' }]) equal(sentenceIn(none, 502), 'The gateway has answered 502.')
})

test('a newer page changes what is listed in its place and puts new ones in front', () => {
  const idOf = ({ id }: { readonly id: string }) => id
  const [a, b, c, changed, d, e] = [
    { id: 'a', is: 1 },
    { id: 'b', is: 1 },
    { id: 'c', is: 1 },
    { id: 'c', is: 2 },
    { id: 'd', is: 1 },
    { id: 'e', is: 1 },
  ]
  const known = { items: [c, b, a], next: 7 }
  deepEqual(merged({ items: [d, changed], next: 9 }, known, idOf), { items: [d, changed, b, a], next: 7 })
  // Others may lie between a page and what was known, and nothing else is there when a page is the last one.
  deepEqual(merged({ items: [e, d], next: 9 }, known, idOf), { items: [e, d], next: 9 })
  deepEqual(merged({ items: [d, c], next: null }, known, idOf), { items: [d, c], next: null })
})

test('a verdict says what is known of the money and what comes next', () => {
  const verdict = { final: true, moneyTaken: 'yes', safeToRetry: false, nextStep: 'settle_bill' } as const
  equal(verdictInWords({ verdict, transactionType: 'SALE' }), 'Money was taken. Close the bill.')
  equal(
    verdictInWords({ verdict: { ...verdict, nextStep: 'record_refund' }, transactionType: 'REFUND' }),
    'Money was given back. Record the refund.',
  )
  equal(
    verdictInWords({
      verdict: { ...verdict, final: false, moneyTaken: 'unknown', nextStep: 'wait' },
      transactionType: 'SALE',
    }),
    'It is not known yet whether money was taken. Wait for the end.',
  )
})

test('a refund gives money back, and what runs is named in words', () => {
  const verdict = { final: true, moneyTaken: 'no', safeToRetry: true, nextStep: 'try_again' } as const
  equal(verdictInWords({ verdict, transactionType: 'REFUND' }), 'No money was given back. Try again if you like.')
  equal(outcomeInWords({ result: null, progress: 'awaiting_signature' }), 'awaiting signature')
  equal(outcomeInWords({ result: 'TIMED_OUT', progress: 'finished' }), 'TIMED_OUT')
})
