// test/api/older-versions.test.ts — each difference between the versions in docs/versions.md. The test till checks each answer
// against the published type of its version.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { openShop, PACE_MS, type Shop, type ShopOptions } from '../support/shop.ts'
import type { Reply, Started } from '../support/till.ts'

const OLDER = ['v0', 'v1'] as const
const ALL = ['v0', 'v1', 'v2'] as const
type Version = (typeof ALL)[number]

const PARTNER = { 'software-house-id': 's', 'installer-id': 'i' }
const accept = (version: Version) => ({ accept: `application/connect.${version}+json`, ...PARTNER })
const openOlder = (version: Version, options: ShopOptions = {}) => openShop({ ...options, headers: accept(version) })

const errorsIn = (reply: Reply) => (reply.json['messages'] as { error: string[] }).error
const prefixOf = (version: Version) => (version === 'v0' ? '/retail' : '/pac')

/** Advances time until a delayed answer comes. */
async function answerTo(shop: Shop, asked: Promise<Reply>): Promise<Reply & { readonly waitedMs: number }> {
  const from = shop.clock.now()
  let reply: Reply | null = null
  void asked.then(come => (reply = come))
  while (reply === null) await shop.clock.advance(PACE_MS)
  return { ...(await asked), waitedMs: shop.clock.now() - from }
}

describe.each(ALL)('in %s', version => {
  test('addresses work under both prefixes, and locations begin with the prefix of the version', async () => {
    const shop = await openOlder(version, { terminal: '22160001' })
    for (const prefix of ['/pac', '/retail', '//retail/']) {
      const list = await shop.till.ask('GET', `${prefix}/terminals`)
      const [terminal] = list.json['terminals'] as [{ location: string }]
      equal(new URL(terminal.location).pathname, `${prefixOf(version)}/terminals/VCMDEMOSIP0`)
      equal((await shop.till.ask('GET', `${prefix}/terminals/VCMDEMOSIP0`)).status, 200)
    }
    const started = await shop.till.start({ transactionType: 'SALE', amount: 100, currency: 'GBP' })
    const { location, requestId } = started.json as unknown as Started
    equal(location, `http://pay.example${prefixOf(version)}/terminals/22160001/transactions/${requestId}`)
    equal(started.headers['location'], location)
    for (const prefix of ['/pac', '/retail'])
      equal((await shop.till.ask('GET', `${prefix}/terminals/22160001/transactions/${requestId}`)).status, 200)
    equal((await shop.till.ask('PATCH', `/retail/terminals/22160001/transactions/${requestId}`)).status, 405)
    equal((await shop.till.ask('GET', '/retail/nothing')).status, 404)
    equal((await shop.till.ask('OPTIONS', '/retail/terminals/22160001/reports')).headers['allow'], 'POST, OPTIONS')
  })

  test('a terminal has its id and, before v2, its capabilities', async () => {
    const shop = await openOlder(version)
    const { json } = await shop.till.ask('GET', '/pac/terminals/VCMDEMOSIP0')
    const older = ['tpi', 'status', 'currency', 'capabilities', 'location']
    deepEqual(Object.keys(json), version === 'v2' ? ['tid', 'status', 'currency', 'location'] : older)
    if (version !== 'v2') equal((json['capabilities'] as string[]).length, 9)
  })

  test('partner headers are required in v2, and ignored before', async () => {
    const shop = await openShop()
    const ask = (headers: Record<string, string>) =>
      shop.till.ask('GET', '/pac/terminals', {
        headers: { accept: `application/connect.${version}+json`, ...headers },
      })
    equal((await ask({})).status, version === 'v2' ? 422 : 200)
    const long = { 'software-house-id': 'x'.repeat(256), 'installer-id': 'i' }
    equal((await ask(long)).status, version === 'v2' ? 422 : 200)
  })

  test('a signature decision in time is taken, and one too late is refused before v2 and ignored in v2', async () => {
    const shop = await openOlder(version, { terminal: 'VCMDEMOSIS0' })
    const sale = await shop.till.sale(2599)
    const early = await shop.till.sign(sale, true)
    await shop.until(sale, 'SIGNATURE_VERIFICATION')
    const taken = await shop.till.sign(sale, true)
    const second = await shop.till.sign(sale, false)
    const end = await shop.finished(sale)
    const late = await shop.till.sign(sale, false)
    equal(end.transactionResult, 'SUCCESSFUL')
    equal(taken.status, 202)
    deepEqual(taken.json, version === 'v2' ? {} : { messages: { status: ['Signature verification in progress.'] } })
    for (const reply of [early, second, late]) {
      equal(reply.status, version === 'v2' ? 202 : 422)
      if (version !== 'v2')
        deepEqual(errorsIn(reply), [
          'Unable to action the signature check. When required, signatures must be verified within 80 seconds.',
        ])
    }
    equal((await shop.till.sign(sale, 'perhaps')).status, 422)
  })

  test('at the signature stage the card is shown from v1 on', async () => {
    const shop = await openOlder(version, { terminal: 'VCMDEMOSIS0' })
    const sale = await shop.till.sale(2599)
    const body = await shop.until(sale, 'SIGNATURE_VERIFICATION')
    const always = ['requestId', 'location', 'notifications']
    if (version === 'v0') deepEqual(Object.keys(body), always)
    else equal(body.cardholderVerificationMethod, 'SIGNATURE')
  })

  test('the location of a pending signature is one string, or a list in v0', async () => {
    const shop = await openOlder(version, { terminal: 'VCMDEMOSIS0' })
    const sale = await shop.till.sale(2599)
    await shop.until(sale, 'SIGNATURE_VERIFICATION')
    const reply = await shop.till.start({ transactionType: 'SALE', amount: 100, currency: 'GBP' })
    equal(reply.status, 423)
    deepEqual(reply.json['location'], version === 'v0' ? [sale.location] : sale.location)
    const elsewise = await shop.till.ask('POST', '/pac/terminals/VCMDEMOSIS0/reports', {
      body: { reportType: 'X_BALANCE' },
    })
    equal(elsewise.status, 422)
  })

  test('the time of a transaction is local, with a Z in v0', async () => {
    const shop = await openOlder(version)
    const end = await shop.finished(await shop.till.sale(2599))
    match(String(end.transactionTime), version === 'v0' ? /^2026-05-06T14:03:\d\dZ$/ : /^2026-05-06T14:03:\d\d$/)
  })

  test('a signature time-out has a userMessage in v2 only', async () => {
    const shop = await openOlder(version, { terminal: 'VCMDEMOSIS0' })
    const end = await shop.finished(await shop.till.sale(2599))
    ok(end.notifications.includes('SIGNATURE_VERIFICATION_TIMEOUT'))
    equal('userMessage' in end, version === 'v2')
  })
})

describe.each(OLDER)('in %s', version => {
  test('errors are a map', async () => {
    const shop = await openOlder(version)
    const replies = [
      [401, await shop.till.ask('GET', '/pac/terminals', { headers: { authorization: '' } })],
      [404, await shop.till.ask('GET', '/pac/terminals/none')],
      [404, await shop.till.ask('GET', '/pac/terminals/VCMDEMOSIP0/transactions/none')],
      [422, await shop.till.start({ transactionType: 'SALE', amount: 0, currency: 'GBP' })],
      [422, await shop.till.start('nonsense')],
      [415, await shop.till.start('<a/>', { headers: { 'content-type': 'text/xml' } })],
    ] as const
    for (const [status, reply] of replies) {
      equal(reply.status, status)
      equal(errorsIn(reply).length, 1)
      deepEqual(Object.keys(reply.json), ['messages'])
    }
  })

  test.each([
    ['SALE,REFUND', 11],
    ['SALE, REPORT_X_BALANCE', 11],
    ['["SALE","REFUND"]', 11],
    ['[]', 11],
    ['', 11],
    ['SALE,PRE_AUTH', 0],
    ['["SALE","LOGON"]', 0],
    ['["SALE"', 0],
    ['sale', 0],
  ])('terminals that can do %s are %s', async (capabilities, count) => {
    const shop = await openOlder(version)
    const query = new URLSearchParams({ capabilities })
    const reply = await shop.till.ask('GET', `/pac/terminals?${query}`)
    equal((reply.json['terminals'] as unknown[]).length, count)
  })

  test('a filter with an unknown value gives an empty list', async () => {
    const shop = await openOlder(version)
    for (const query of ['status=SLEEPING', 'currency=USD', 'status=AVAILABLE&currency=QQQ']) {
      const reply = await shop.till.ask('GET', `/pac/terminals?${query}`)
      equal(reply.status, 200)
      deepEqual(reply.json, { terminals: [] })
    }
    const busy = await shop.till.ask('GET', '/pac/terminals?status=AVAILABLE&capabilities=SALE&currency=GBP')
    equal((busy.json['terminals'] as unknown[]).length, 11)
  })

  test('only sales, refunds and duplicates are known, and fields of later versions are ignored', async () => {
    const shop = await openOlder(version)
    for (const transactionType of ['PRE_AUTH', 'COMPLETION', 'ACCOUNT_VERIFICATION', 'LOGON', undefined]) {
      const reply = await shop.till.start({ transactionType, amount: 100, currency: 'GBP', authCode: 'AB12C3' })
      equal(reply.status, 422)
      const wrong = transactionType === undefined ? 'is missing' : 'has an unknown value'
      deepEqual(errorsIn(reply), [`The field transactionType ${wrong}. It must be one of SALE, REFUND, DUPLICATE.`])
    }
    const sale = await shop.till.sale(2599, { amountCashback: 1000, cardholderNotPresent: true, authCode: 'X' })
    const end = await shop.finished(sale)
    deepEqual([end.amountBase, end.amountCashback, end.paymentMethod], [2599, 0, 'ICC_CHIP'])
    const again = await shop.till.started({ transactionType: 'DUPLICATE', amount: 1, currency: 'EUR' })
    const copy = await shop.finished(again)
    deepEqual([copy.transactionType, copy.transactionResult, copy.amountTotal], ['SALE', 'SUCCESSFUL', 2599])
  })

  test('a cancel in time is answered when it has succeeded', async () => {
    const shop = await openOlder(version, { terminal: '22160001' })
    const sale = await shop.till.sale(2599)
    await shop.until(sale, 'PRESENT_CARD')
    const reply = await answerTo(shop, shop.till.cancel(sale))
    equal(reply.status, 204)
    ok(reply.waitedMs > 0)
    const end = await shop.finished(sale)
    equal(end.transactionResult, 'CANCELLED')
    equal(end.cardholderVerificationMethod, 'NONE')
    equal(end.cardHolderVerificationMethod, 'NONE')
    deepEqual(end.notifications, ['TRANSACTION_FINISHED', 'PRESENT_CARD', 'TRANSACTION_STARTED'])
    // A till that lost the answer may repeat the request.
    equal((await shop.till.cancel(sale)).status, 204)
  })

  test('a cancel too late is refused at once', async () => {
    const shop = await openOlder(version, { terminal: 'VCMDEMOSIS0' })
    const sale = await shop.till.sale(2599)
    await shop.until(sale, 'SIGNATURE_VERIFICATION')
    const reply = await shop.till.cancel(sale)
    equal(reply.status, 422)
    deepEqual(errorsIn(reply), ['The transaction can no longer be cancelled.'])
    await shop.till.sign(sale, true)
    equal((await shop.finished(sale)).transactionResult, 'SUCCESSFUL')
    equal((await shop.till.cancel(sale)).status, 422)
    equal((await shop.till.ask('DELETE', '/pac/terminals/VCMDEMOSIS0/transactions/none')).status, 404)
  })

  test('a cancel without an outcome is refused after 25 seconds', async () => {
    const shop = await openOlder(version, { terminal: '22160001' })
    const sale = await shop.till.sale(2599)
    await shop.until(sale, 'PRESENT_CARD')
    await shop.till.ask('POST', '/sandbox/terminals/22160001/keys', { body: { key: 'unplug' } })
    const reply = await answerTo(shop, shop.till.cancel(sale))
    equal(reply.status, 422)
    deepEqual(errorsIn(reply), ['No answer from 22160001. Check the PDQ before you try again.'])
    ok(reply.waitedMs >= 25_000 && reply.waitedMs <= 26_000, String(reply.waitedMs))
  })

  test('a transaction that v2 started can be read, without the fields of v2', async () => {
    const shop = await openShop({ headers: accept('v2') })
    const held = await shop.till.started({ transactionType: 'PRE_AUTH', amount: 100, currency: 'GBP' })
    const newest = await shop.finished(held)
    const path = new URL(held.location).pathname
    const older = await shop.till.ask('GET', path, { headers: accept(version) })
    equal(newest.transactionType, 'PRE_AUTH')
    equal(older.status, 200)
    equal('transactionType' in older.json, false)
    equal(older.json['transactionResult'], 'SUCCESSFUL')
    notEqual(older.headers['etag'], (await shop.till.ask('GET', path)).headers['etag'])
  })
})

test('without a version the newest answers, and v0 under /retail', async () => {
  const shop = await openShop()
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
    const newest = await shop.till.ask('GET', '/pac/terminals/VCMDEMOSIP0', { headers })
    equal(newest.headers['content-type'], 'application/connect.v2+json')
    const oldest = await shop.till.ask('GET', '/retail/terminals/VCMDEMOSIP0', { headers })
    equal(oldest.headers['content-type'], 'application/connect.v0+json')
  }
  const missing = await shop.till.ask('GET', '/retail/terminals/none')
  equal(errorsIn(missing).length, 1)
})

test('defaultVersion applies where no version is named, except under /retail', async () => {
  const shop = await openShop({ settings: { defaultVersion: 'v1' } })
  const typeAt = async (url: string) =>
    (await shop.api.inject({ url, headers: { authorization: `Basic ${btoa('t:demo-api-key')}`, host: 'pay.example' } }))
      .headers['content-type']
  equal(await typeAt('/pac/terminals'), 'application/connect.v1+json')
  equal(await typeAt('/retail/terminals'), 'application/connect.v0+json')
})

test('a version that does not exist is 406 under both prefixes', async () => {
  const shop = await openShop()
  const headers = { accept: 'application/connect.v3+json' }
  for (const prefix of ['/pac', '/retail'])
    equal((await shop.till.ask('GET', `${prefix}/terminals`, { headers })).status, 406)
})

test('an Idempotency-Key identifies a request across versions', async () => {
  const shop = await openShop()
  const body = { transactionType: 'SALE', amount: 100, currency: 'GBP' }
  const key = { 'idempotency-key': 'bill-1' }
  const first = await shop.till.start(body, { headers: { ...accept('v2'), ...key } })
  const again = await shop.till.start(body, { headers: { ...accept('v0'), ...key } })
  equal(again.status, 201)
  equal(again.json['requestId'], first.json['requestId'])
  equal(again.headers['idempotency-replayed'], 'true')
})

test('waiting for a change in v1 ignores notifications that v1 does not have', async () => {
  const shop = await openShop({ terminal: '22160001', headers: accept('v1') })
  const sale = await shop.till.sale(100)
  await shop.until(sale, 'PRESENT_CARD')
  await shop.till.ask('POST', '/sandbox/terminals/22160001/keys', { body: { key: 'unplug' } })
  const etag = (await shop.till.read(sale)).headers['etag'] ?? ''
  const wait = () => shop.till.read(sale, { headers: { 'if-none-match': etag, prefer: 'wait=20' } })
  let woken = false
  const asked = wait()
  void asked.then(() => (woken = true))
  await shop.settle()
  equal((await shop.till.cancel(sale, { headers: accept('v2') })).status, 202)
  const newest = await shop.till.read(sale, { headers: accept('v2') })
  equal((newest.json['notifications'] as string[])[0], 'ATTEMPTING_CANCEL')
  await shop.settle()
  equal(woken, false)
  const reply = await answerTo(shop, asked)
  deepEqual([reply.status, reply.waitedMs], [304, 20_000])
  const next = wait()
  await shop.till.ask('POST', '/sandbox/terminals/22160001/keys', { body: { key: 'plug_in' } })
  equal((await answerTo(shop, next)).status, 200)
})

test('OpenAPI describes for each operation what is different in v1', async () => {
  const shop = await openShop()
  const { paths } = (await shop.till.ask('GET', '/openapi.json')).json as {
    paths: Record<string, Record<string, object>>
  }
  const counter = Object.entries(paths).filter(([path]) => path.startsWith('/pac/'))
  equal(counter.length, 7)
  for (const [path, methods] of counter)
    for (const [method, operation] of Object.entries(methods)) {
      const { description } = operation as { description: string }
      match(description, /\*\*v1\*\*, other than v2: /, `${method} ${path}`)
    }
})
