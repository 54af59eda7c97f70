// test/cli/sale.test.ts — a payment from the command line, over HTTP, at a gateway in another process.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { begin, emptyDirectory, run, type Serving, serving } from './tollgate.ts'

describe('at one gateway', () => {
  let gateway: Serving
  beforeAll(async () => {
    gateway = await serving()
  })
  afterAll(() => gateway.stop())

  const sale = (tid: string, ...more: readonly string[]) => [
    ...['sale', '--url', gateway.summary.url, '--terminal', tid],
    ...more,
  ]

  test('an approved sale shows progress, result, verdict and receipt, and exits with 0', async () => {
    const { code, stdout, stderr } = await run(sale('VCMDEMOSIP0', '--amount', '2599'))
    deepEqual({ code, stderr }, { code: 0, stderr: '' })
    match(stdout, /^SALE of GBP 25\.99 at VCMDEMOSIP0\nTransaction [0-9a-f-]{36}\. Ctrl-C/)
    const way = [...stdout.matchAll(/^ +\d+\.\d s {2}([A-Z_]+)$/gm)].map(found => found[1])
    deepEqual([way[0], way.at(-1)], ['TRANSACTION_STARTED', 'TRANSACTION_FINISHED'])
    ok(way.includes('PIN_ENTRY') && way.includes('APPROVED'), way.join(' '))
    equal(new Set(way).size, way.length, 'nothing is shown twice')
    match(stdout, /^SUCCESSFUL: GBP 25\.99, \w+ \*{12}\d{4} \(ICC_CHIP, PIN\), code \w{6}$/m)
    match(stdout, /^Money has moved on the card\. Close the bill\.$/m)
    match(stdout, /^│ .*TOTAL.*25\.99.* │$/m)
  })

  test('another type and JSON, with the sum on stderr', async () => {
    const { code, stdout, stderr } = await run(sale('VCMDEMOSCD0', '--type', 'REFUND', '--amount', '500', '--json'))
    deepEqual({ code, stderr }, { code: 0, stderr: 'REFUND of GBP 5.00 at VCMDEMOSCD0\n' })
    const { transaction, verdict } = JSON.parse(stdout)
    deepEqual(
      [transaction.transactionType, transaction.amountTotal, transaction.transactionResult],
      ['REFUND', 500, 'SUCCESSFUL'],
    )
    deepEqual([verdict.final, verdict.moneyTaken], [true, 'yes'])
  })

  test.each([
    [
      ['--amount', '2599', '--cashback', '1000'],
      'SALE of GBP 25.99 and cashback of GBP 10.00 at 99999999, GBP 35.99 in all',
    ],
    [['--amount', '1', '--type', 'PRE_AUTH'], 'PRE_AUTH of GBP 0.01 at 99999999'],
    [['--amount', '2599', '--currency', 'EUR'], 'SALE of EUR 25.99 at 99999999'],
    [
      ['--amount', '2599', '--type', 'COMPLETION', '--auth-code', '1', '--pre-authorised-total', '3000'],
      'COMPLETION of GBP 25.99 at 99999999',
    ],
    [['--type', 'DUPLICATE'], 'DUPLICATE at 99999999'],
    [['--type', 'ACCOUNT_VERIFICATION', '--amount', '5'], 'ACCOUNT_VERIFICATION at 99999999'],
  ])('the sum is printed before anything is started: %j', async (options, line) => {
    const { code, stdout } = await run(
      sale('99999999', ...(options.includes('--currency') ? [] : ['--currency', 'GBP']), ...options),
    )
    deepEqual({ code, stdout }, { code: 1, stdout: `${line}\n` })
  })

  test('a declined sale exits with 1 and reports that a retry is safe', async () => {
    const { code, stdout } = await run(sale('VCMDEMODIP0', '--amount', '2599'))
    equal(code, 1)
    match(stdout, /^DECLINED: GBP 25\.99/m)
    match(stdout, /^No money has moved\. It is safe to try again\.$/m)
  })

  test('a signature is refused when the cashier chose so beforehand', async () => {
    const { code, stdout } = await run(sale('VCMDEMOSIS0', '--amount', '2599', '--signature', 'refuse'))
    equal(code, 1)
    match(stdout, /SIGNATURE_VERIFICATION\n/)
    match(stdout, /^VOID: /m)
  })

  test('Ctrl-C cancels until a card is presented', async () => {
    const running = begin(sale('22160001', '--amount', '2599'))
    await running.printed(/PRESENT_CARD/)
    running.child.kill('SIGINT')
    const { code, stdout, stderr } = await running.ended
    equal(code, 1)
    match(stderr, /Asking the terminal to cancel/)
    match(stdout, /ATTEMPTING_CANCEL\n.*CANCELLING\n.*CANCELLED_TRANSACTION\n.*TRANSACTION_FINISHED\n\nCANCELLED: /)
  })

  test('a refusal by the gateway is reported in its words', async () => {
    const unknown = await run(sale('99999999', '--amount', '100'))
    deepEqual([unknown.code, unknown.stderr.startsWith('tollgate: 99999999 is unavailable.')], [1, true])
    const stranger = await run(sale('VCMDEMOSIP0', '--amount', '100', '--key', 'somebody-else'))
    deepEqual([stranger.code, stranger.stderr], [1, 'tollgate: Authorisation was refused.\n'])
    const euros = await run(sale('VCMDEMOSIP0', '--amount', '100', '--currency', 'EUR'))
    deepEqual(
      [euros.code, euros.stderr],
      [1, 'tollgate: The field currency is not the currency of terminal VCMDEMOSIP0. It must be GBP.\n'],
    )
  })

  test('a private test account pays with its own key', async () => {
    const answer = await fetch(`${gateway.summary.url}/sandbox/accounts`, { method: 'POST' })
    equal(answer.status, 201)
    const { key, terminals } = (await answer.json()) as { readonly key: string; readonly terminals: readonly string[] }
    const [tid = ''] = terminals
    const { code } = await run(sale(tid, '--amount', '100', '--key', key))
    equal(code, 0)
    equal((await run(sale('VCMDEMOSIP0', '--amount', '100', '--key', key))).code, 1)
  })

  test('a private test account opened over HTTP sells online without a shell', async () => {
    const { url } = gateway.summary
    const send = (path: string, headers: Record<string, string>, body: unknown) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const opened = await send('/sandbox/accounts', {}, { merchantHosts: ['https://My-Shop.example/pay'] })
    const account = (await opened.json()) as Record<string, unknown>
    deepEqual(account['merchantHosts'], ['my-shop.example'])
    const order = { currencyCode: '826', amount: '1999', transactionType: 'SALE', orderId: 'A-1' }
    const authorization = `Bearer ${account['jwt']}`
    const elsewhere = await send('/v1/access-tokens', { authorization }, { ...order, merchantUrl: 'shop.example' })
    equal(elsewhere.status, 401)
    const issued = await send('/v1/access-tokens', { authorization }, { ...order, merchantUrl: 'my-shop.example' })
    equal(issued.status, 200)
    const { id } = (await issued.json()) as { readonly id: string }
    const card = { cardName: 'John Watson', cardNumber: '5200000000000056', expiryDate: '12 / 30', cV2: '341' }
    equal(((await (await send(`/api/payments/${id}`, {}, card)).json()) as Record<string, unknown>)['statusCode'], 0)
    const read = await fetch(`${url}/v1/payments/${id}`, { headers: { authorization } })
    equal(((await read.json()) as Record<string, unknown>)['statusCode'], 0)
    const claims = JSON.parse(Buffer.from(String(account['jwt']).split('.')[1] ?? '', 'base64url').toString()) as object
    equal((claims as Record<string, unknown>)['apiKey'], account['keyId'])
  })

  test('the key can be read from a file', async () => {
    const file = join(emptyDirectory(), 'key')
    writeFileSync(file, 'demo-eur-api-key\n')
    const { code, stdout } = await run(sale('VCMEUROSIP0', '--amount', '300', '--key-file', file))
    equal(code, 0)
    match(stdout, /^SUCCESSFUL: EUR 3\.00/m)
  })
})

test.concurrent('a result is not lost when the gateway is killed and restarted', async () => {
  const data = emptyDirectory()
  const first = await serving(data)
  const { url } = first.summary
  const running = begin(['sale', '--url', url, '--terminal', '22160001', '--amount', '2599'])
  await running.printed(/PRESENT_CARD/)
  first.child.kill('SIGKILL')
  await first.ended
  await running.printed(/The payment continues; retrying/)
  const second = await serving(data, { PORT: new URL(url).port })
  running.child.kill('SIGINT')
  const { code, stdout } = await running.ended
  equal(code, 1)
  match(stdout, /TRANSACTION_FINISHED\n\nCANCELLED: /)
  await second.stop()
})

test.concurrent('a missing gateway is reported', async () => {
  const { code, stdout, stderr } = await run([
    ...['sale', '--url', 'http://127.0.0.1:9', '--terminal', '22160001', '--amount', '100'],
  ])
  deepEqual({ code, stdout }, { code: 1, stdout: '' })
  match(stderr, /^tollgate: No gateway answers at http:\/\/127\.0\.0\.1:9\. Is it running \(`tollgate serve`\)/)
})
