// test/api/online/closing.test.ts — an operator resolves a payment whose acquirer does not answer.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { OnlineAcquirerReport } from '../../../src/domain/online/payment-decisions.ts'
import { ONLINE_PAYMENT } from '../../../src/engine/online-machine.ts'
import type { Acquirer, AcquirerAnswer } from '../../../src/engine/ports/acquirer.ts'
import { openWebShop, type WebShop } from '../../support/web-shop.ts'

const MINUTE_MS = 60_000
const BY = { operator: 'Ann Example', reason: 'Seen in the portal of the acquirer.' }
const headers = { host: 'localhost', authorization: `Basic ${Buffer.from('u:demo-api-key').toString('base64')}` }

async function openTown(closingKey: string | null = null) {
  /** The acquirer answers unknown while `isDown`. */
  const line = { isDown: false }
  const posted: string[] = []
  const over = (real: Acquirer): Acquirer => {
    const through =
      <Order>(ask: (order: Order) => Promise<AcquirerAnswer>) =>
      (order: Order): Promise<AcquirerAnswer> =>
        line.isDown ? Promise.resolve({ answer: 'unknown' }) : ask(order)
    return {
      ...real,
      authorise: (order, purpose) => through((given: typeof order) => real.authorise(given, purpose))(order),
      capture: through(real.capture),
      refund: through(real.refund),
      verify: through(real.verify),
      reverse: async reversal => (line.isDown ? 'unknown' : real.reverse(reversal)),
    }
  }
  const web = await openWebShop({
    settings: { closingKey },
    acquirer: over,
    webhookSender: {
      post: async ({ body }) => {
        posted.push(String(JSON.parse(body).orderId))
        return { outcome: 'answered', status: 200 }
      },
    },
  })
  return { web, line, posted }
}

async function own({ shop }: WebShop, path: string, body?: unknown, more: Readonly<Record<string, string>> = {}) {
  const answer = await shop.api.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: `/api/payments/${path}`,
    headers: { ...headers, 'content-type': 'application/json', ...more },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, json: answer.json() as Record<string, unknown> }
}

/** Reports an answer of the acquirer after the closing, as its effect does. */
async function answersLate({ shop, record }: WebShop, token: string, report: OnlineAcquirerReport): Promise<void> {
  const { merchantAccount: account, id } = await record(token)
  const names = { crossReference: '1', paymentMethodId: 'pm' }
  const facts = () => ({ at: shop.clock.now(), repetition: false, cardGone: false })
  await shop.gateway.engine.execute(
    ONLINE_PAYMENT,
    { account, id },
    { type: 'acquirer_reports', report, names },
    { facts },
  )
}

/** Advances time until a request is answered. */
async function begun(web: WebShop, work: Promise<unknown>, waitMs: number): Promise<void> {
  let over = false
  void work.finally(() => (over = true))
  await web.shop.clock.advance(waitMs)
  while (!over) await web.shop.clock.advance(1_000)
}

async function paid(web: WebShop, changes: Record<string, unknown> = {}): Promise<string> {
  const token = await web.token(changes)
  equal((await web.pay(token))['statusCode'], 0)
  return web.referenceOf(token)
}

/** A linked payment without an answer of the acquirer; its token. */
async function leftOpen(web: WebShop, type: string, crossReference: string, changes = {}): Promise<string> {
  const token = await web.token({ transactionType: type, crossReference, ...changes })
  await begun(web, web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference }), MINUTE_MS)
  equal((await web.payment(token))['statusCode'], 40)
  return token
}

const NEXT_STEP = {
  ...{ VOID: 'record_void', REFUND: 'record_refund', COLLECTION: 'settle_order', SALE: 'settle_order' },
} as const

for (const type of ['VOID', 'REFUND', 'COLLECTION', 'SALE'] as const)
  test(`a ${type} left without an answer is closed as taken: 0, a webhook, and the verdict of a success`, async () => {
    const { web, line, posted } = await openTown()
    const original = await paid(web, type === 'COLLECTION' ? { transactionType: 'PREAUTH' } : {})
    line.isDown = true
    const order = { webHookUrl: 'https://shop.example/', orderId: 'CLOSED', amount: type === 'VOID' ? '0' : '700' }
    const token = await leftOpen(web, type, original, order)
    const { status, json } = await own(web, `${token}/close`, { outcome: 'taken', authCode: '654321', ...BY })
    equal(status, 200)
    await web.shop.settle()
    const { statusCode, message, authCode, crossReference } = await web.payment(token)
    deepEqual([statusCode, message, authCode], [0, 'AuthCode: 654321', '654321'])
    match(String(crossReference), /^\d{22}$/)
    deepEqual(posted, ['CLOSED'])
    deepEqual(json['verdict'], {
      final: true,
      moneyTaken: type === 'VOID' ? 'no' : 'yes',
      safeToRetry: false,
      nextStep: NEXT_STEP[type],
    })
    const { outcome, operator, reason } = json['closure'] as Record<string, unknown>
    deepEqual({ outcome, operator, reason }, { outcome: 'taken', ...BY })
    // The original payment counts the refund: the limit holds.
    if (type === 'REFUND') {
      line.isDown = false
      equal((await web.linked('REFUND', original, { amount: '1300' }))['statusCode'], 30)
      equal((await web.linked('REFUND', original, { amount: '1299' }))['statusCode'], 0)
    }
  })

test('where only the command line may close payments, an API key alone is refused, and nothing is said of the payment', async () => {
  const key = 'drawn at the start'
  const { web, line } = await openTown(key)
  const original = await paid(web)
  line.isDown = true
  const token = await leftOpen(web, 'REFUND', original, { amount: '700' })
  const body = { outcome: 'taken', ...BY }
  for (const [name, at] of [
    ['', token],
    ['drawn', token],
    [`${key} `.repeat(2), token],
    [key.toUpperCase(), token],
    ['', 'no-payment'],
  ] as const) {
    const { status, json } = await own(web, `${at}/close`, body, name === '' ? {} : { 'tollgate-closing-key': name })
    deepEqual([status, json['code']], [403, 'command_line_only'], name)
    match(String(json['detail']), /tollgate payments close/)
  }
  equal((await web.payment(token))['statusCode'], 40)
  equal((await own(web, `${token}/close`, body, { 'tollgate-closing-key': key })).status, 200)
  equal((await web.payment(token))['statusCode'], 0)
})

test('a payment closed as not taken ends with 30 and can be tried again, while the order is reversed in the background', async () => {
  const { web, line } = await openTown()
  const original = await paid(web)
  line.isDown = true
  const token = await leftOpen(web, 'REFUND', original, { amount: '1999' })
  const { json } = await own(web, `${token}/close`, { outcome: 'not_taken', ...BY })
  deepEqual(json['verdict'], { final: true, moneyTaken: 'no', safeToRetry: true, nextStep: 'try_again' })
  equal((await web.payment(token))['statusCode'], 30)
  equal((await web.record(token)).money, 'reversing')
  line.isDown = false
  await web.shop.clock.advance(60 * MINUTE_MS)
  equal((await web.record(token)).money, 'reversed')
  equal((await web.linked('REFUND', original, { amount: '1999' }))['statusCode'], 0)
})

test('a void closed as not taken is not retried, and the payment can be voided again', async () => {
  const { web, line } = await openTown()
  const original = await paid(web)
  line.isDown = true
  const token = await leftOpen(web, 'VOID', original, { amount: '0' })
  equal((await own(web, `${token}/close`, { outcome: 'not_taken', ...BY })).status, 200)
  line.isDown = false
  await web.shop.clock.advance(60 * MINUTE_MS)
  equal((await web.record(token)).money, 'declined')
  equal((await web.linked('VOID', original, { amount: '0' }))['statusCode'], 0)
})

test('a late answer that contradicts the closing changes nothing, and is recorded and shown', async () => {
  const { web, line } = await openTown()
  const original = await paid(web)
  line.isDown = true
  const token = await leftOpen(web, 'REFUND', original, { amount: '500' })
  await web.shop.clock.advance(MINUTE_MS)
  equal((await own(web, `${token}/close`, { outcome: 'taken', ...BY })).status, 200)
  equal((await web.payment(token))['message'], 'Successful')
  await answersLate(web, token, { type: 'authorisation_declined', reason: 'do_not_honour', responseCode: '05' })
  equal((await web.payment(token))['statusCode'], 0)
  equal(web.shop.log.lines.filter(({ message }) => message.startsWith('acquirer answer contradicts')).length, 1)
  const { json } = await own(web, token)
  const { answer, agrees } = json['lateAnswer'] as Record<string, unknown>
  deepEqual([answer, agrees], ['declined', false])
  deepEqual(json['verdict'], {
    final: false,
    moneyTaken: 'unknown',
    safeToRetry: false,
    nextStep: 'check_with_acquirer',
  })
  const { json: timeline } = await own(web, `${token}/timeline`)
  const said = (timeline['entries'] as { what: string; data: unknown }[]).map(({ what }) => what)
  for (const what of ['closed_as_taken', 'answered_late']) ok(said.includes(what), what)
})

test('a late answer that agrees with the closing is recorded', async () => {
  const { web, line } = await openTown()
  line.isDown = true
  const token = await web.token()
  await begun(web, web.pay(token), 2 * MINUTE_MS)
  equal((await own(web, `${token}/close`, { outcome: 'taken', ...BY })).status, 200)
  await answersLate(web, token, { type: 'authorisation_approved', authCode: '111111', reference: 'r' })
  const { json } = await own(web, token)
  const { answer, agrees } = json['lateAnswer'] as Record<string, unknown>
  deepEqual([answer, agrees], ['approved', true])
  equal((json['verdict'] as Record<string, unknown>)['moneyTaken'], 'yes')
})

test('an approval after a closing as not taken is shown until it is reversed', async () => {
  const { web, line } = await openTown()
  line.isDown = true
  const token = await web.token()
  await begun(web, web.pay(token), 2 * MINUTE_MS)
  equal((await own(web, `${token}/close`, { outcome: 'not_taken', ...BY })).status, 200)
  await answersLate(web, token, { type: 'authorisation_approved', authCode: '111111', reference: 'r' })
  const step = async () => ((await own(web, token)).json['verdict'] as Record<string, unknown>)['nextStep']
  equal(await step(), 'check_with_acquirer')
  line.isDown = false
  await web.shop.clock.advance(60 * MINUTE_MS)
  equal(await step(), 'try_again')
})

test('only a payment without an answer can be closed: none that is finished, unpaid or of another account', async () => {
  const { web, line } = await openTown()
  const closing = { outcome: 'taken', ...BY }
  const unpaid = await web.token()
  equal((await own(web, `${unpaid}/close`, closing)).status, 409)
  const done = await web.token()
  await web.pay(done)
  const refused = await own(web, `${done}/close`, closing)
  deepEqual([refused.status, refused.json['code']], [409, 'payment_not_closable'])
  line.isDown = true
  const open = await web.token()
  await begun(web, web.pay(open), MINUTE_MS)
  const theirs = { ...headers, authorization: `Basic ${Buffer.from('u:demo-eur-api-key').toString('base64')}` }
  const foreign = await web.shop.api.inject({
    ...{ method: 'POST', url: `/api/payments/${open}/close`, payload: closing },
    headers: { ...theirs, 'content-type': 'application/json' },
  })
  equal(foreign.statusCode, 404)
  equal((await own(web, `${open}/close`, closing)).status, 200)
  equal((await own(web, `${open}/close`, closing)).status, 409)
})

test('a closing needs an operator and a reason, without card numbers', async () => {
  const { web } = await openTown()
  const token = await web.token()
  for (const body of [
    { outcome: 'taken' },
    { outcome: 'taken', operator: '', reason: 'x' },
    { outcome: 'perhaps', ...BY },
    { outcome: 'taken', ...BY, reason: 'It was 4456530000001096' },
    { outcome: 'taken', ...BY, operator: '4456 5300 0000 1096' },
    { outcome: 'taken', ...BY, authCode: 'not a code' },
  ]) {
    const { status, json } = await own(web, `${token}/close`, body)
    equal(status, 422, JSON.stringify(body))
    ok(!/4456 ?5300/.test(JSON.stringify(json)))
  }
})

test('of a hundred concurrent closings one is accepted', async () => {
  const { web, line } = await openTown()
  line.isDown = true
  const token = await web.token()
  await begun(web, web.pay(token), MINUTE_MS)
  const outcomes = ['taken', 'not_taken']
  const closings = Array.from({ length: 100 }, (_, index) =>
    own(web, `${token}/close`, { ...BY, outcome: outcomes[index % 2] }),
  )
  const statuses = (await Promise.all(closings)).map(({ status }) => status)
  equal(statuses.filter(status => status === 200).length, 1)
  equal(statuses.filter(status => status === 409).length, 99)
})
