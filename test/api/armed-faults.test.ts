// test/api/armed-faults.test.ts — a fault that is armed for an address hits a request there, or is refused when it is armed.
import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Operation } from '../../src/api/operation.ts'
import { FAULT_NAMES, FAULTS, type FaultName } from '../../src/simulator/faults/catalogue.ts'
import { patternsMeet } from '../../src/simulator/faults/path-pattern.ts'
import { type BrowserSession, ownerOf, PASSWORD_COST } from '../support/console-user.ts'
import { ALL_OPERATIONS } from '../support/operations.ts'
import { basic } from '../support/till.ts'
import { openWebShop, PLAIN_CARD, type WebShop } from '../support/web-shop.ts'

const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
const START = '/pac/terminals/VCMDEMOSIP0/transactions'

/** Requests to these name no account, or not by their credentials: pages, documents, health checks, and the sign-in. */
const NAME_NO_ACCOUNT = [
  ...['getScript', 'getTwinScript', 'getTwinTestScript', 'listScripts', 'getThreeDsPage', 'getThreeDsState'],
  ...['sendDeviceData', 'endDeviceData'],
  ...['getLandingPage', 'getTestCardsPage', 'getReference', 'getReferenceFile', 'getAsset'],
  ...['getGuides', 'getGuide', 'getDecision', 'getGuideFile'],
  ...['getAsyncApi', 'listSchemas', 'getSchema', 'getSocketReference', 'getSocketReferenceOf'],
  ...['isLive', 'isReady', 'getMetrics', 'getOpenApi', 'getConsole', 'getTerminalPage'],
  ...['signIn', 'getPasskeyRequest', 'signInByPasskey'],
  'takeTerminalNotification',
]

/** Operations that start a transaction or a payment, with the faults that hit it. */
const STARTING: Readonly<Record<string, readonly string[]>> = {
  startTransaction: ['terminal', 'acquirer'],
  createAccessToken: ['acquirer'],
  payByCard: ['acquirer'],
  payBySavedCard: ['acquirer'],
  payByApplePay: ['acquirer'],
  payByApplePayAnywhere: ['acquirer'],
  payByGooglePay: ['acquirer'],
  payByCrossReference: ['acquirer'],
  addPaymentOperation: ['acquirer'],
}

const operations = ALL_OPERATIONS.filter(
  ({ area, name, path }) => area !== 'sandbox' && !path.startsWith('/demo') && !name.startsWith('connect'),
)

async function arm(web: WebShop, body: object) {
  const { status, json } = await web.shop.till.ask('POST', '/sandbox/faults', { body })
  return { status, json }
}

const armedAt = async ({ shop }: WebShop) =>
  (await shop.till.ask('GET', '/sandbox/faults')).json['armed'] as readonly { fault: string; times: number }[]

/** The path of an operation, with an access token where it takes one. */
const pathOf = ({ path }: Operation, token: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => (name === 'token' ? token : 'x'))

/** A well-formed request of a payer at the issuer, for the operation that finds its payment by the challenge. */
async function challengeOf(web: WebShop): Promise<string> {
  const token = await web.token()
  const answer = await web.browse(
    `/api/payments/${token}`,
    { ...PLAIN_CARD, cardNumber: '4000000000001091' },
    { 'tollgate-scenario': 'challenged' },
  )
  equal(answer.json['statusCode'], 3, answer.text)
  return String((await web.record(token)).challenge?.md)
}

async function request(web: WebShop, operation: Operation, path: string, owner: BrowserSession) {
  const { name, method, auth, peopleOnly } = operation
  const isForm = name === 'returnFromIssuer' || name === 'goToIssuer'
  const { statusCode } = await web.shop.api.inject({
    method,
    url: name === 'getPaymentForm' ? `${path}?token=${await web.token()}` : path,
    headers: {
      host: 'localhost',
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      ...(auth === 'basic' && peopleOnly !== true ? { authorization: basic('demo-api-key') } : {}),
      ...(auth === 'jwt' ? { authorization: `Bearer ${web.jwt}` } : {}),
      ...(peopleOnly === true ? owner.headers : {}),
    },
    ...(method === 'GET' ? {} : { payload: isForm ? `MD=${await challengeOf(web)}` : '{}' }),
  })
  return statusCode
}

describe('an armed fault', () => {
  test('hits a request to each operation whose requests name an account, and is refused for all others', async () => {
    const web = await openWebShop({ parts: { passwordCost: PASSWORD_COST } })
    const owner = await ownerOf(web.shop, 'demo')
    const refused: string[] = []
    for (const operation of operations) {
      const path = pathOf(operation, await web.token())
      const { status, json } = await arm(web, { fault: 'http_500', method: operation.method, path })
      if (status === 422) {
        equal(json['field'], 'path', operation.name)
        refused.push(operation.name)
        continue
      }
      equal(status, 201, operation.name)
      equal(await request(web, operation, path, owner), 500, operation.name)
      deepEqual(await armedAt(web), [], operation.name)
    }
    deepEqual(refused.toSorted(), NAME_NO_ACCOUNT.toSorted())
  })

  test('of terminal or acquirer is refused for an operation that does not start what it hits', async () => {
    const web = await openWebShop()
    for (const operation of operations) {
      const { name, method } = operation
      for (const fault of ['wrong_amount', 'slow_acquirer'] as const) {
        const { status, json } = await arm(web, { fault, method, path: pathOf(operation, 'x') })
        const isHit = STARTING[name]?.includes(FAULTS[fault].at) === true
        equal(status, isHit ? 201 : 422, `${fault} ${name}`)
        if (!isHit) equal(json['field'], NAME_NO_ACCOUNT.includes(name) ? 'path' : 'fault', `${fault} ${name}`)
      }
    }
  })

  test.each([
    ['/nowhere', undefined, 'path'],
    ['/pac/terminals?tid=1', undefined, 'path'],
    ['/sandbox/clock', undefined, 'path'],
    ['/acs/challenge', undefined, 'path'],
    ['/pac/terminals', 'DELETE', 'method'],
    ['/client.js', undefined, 'path'],
  ])('is refused for %s', async (path, method, field) => {
    const web = await openWebShop()
    const { status, json } = await arm(web, { fault: 'http_500', path, ...(method === undefined ? {} : { method }) })
    deepEqual([status, json['field']], [422, field])
  })

  test('of 0 ms is refused, because it changes nothing', async () => {
    const { status, json } = await arm(await openWebShop(), { fault: 'slow_answer:0', path: '/**' })
    deepEqual([status, json['field']], [422, 'fault'])
  })
})

test('a payer whose answer is lost has paid, and the shop learns it', async () => {
  const web = await openWebShop()
  const { port } = await web.shop.api.listen({ host: '127.0.0.1', port: 0 })
  const token = await web.token()
  equal((await arm(web, { fault: 'answer_lost', method: 'POST', path: '/api/payments/*' })).status, 201)
  const lost = await fetch(`http://127.0.0.1:${port}/api/payments/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(PLAIN_CARD),
  }).then(
    ({ status }) => status,
    () => 'lost',
  )
  equal(lost, 'lost')
  deepEqual([(await web.payment(token))['statusCode'], await armedAt(web)], [0, []])
})

test('a fault of another account spares the payer', async () => {
  const web = await openWebShop()
  const stranger = web.shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  const body = { fault: 'http_500', path: '/api/payments/*' }
  equal((await stranger.ask('POST', '/sandbox/faults', { body })).status, 201)
  equal((await web.pay(await web.token()))['statusCode'], 0)
})

test('a fault of the acquirer hits the payment that a browser makes, beside the scenario of its token', async () => {
  const web = await openWebShop()
  const issued = await web.call('POST', '/v1/access-tokens', aToken(), { 'tollgate-scenario': 'insufficient_funds' })
  const token = String(issued.json['id'])
  equal((await arm(web, { fault: 'slow_acquirer:5000', method: 'POST', path: `/api/payments/${token}` })).status, 201)
  let answer: Record<string, unknown> | null = null
  const paying = web.pay(token).then(paid => (answer = paid))
  await web.shop.clock.advance(4_999)
  equal(answer, null)
  await web.shop.clock.advance(1)
  match(JSON.stringify(await paying), /"statusCode":5/)
})

test('a request that starts nothing leaves faults of the terminal to the next one', async () => {
  const { shop } = await openWebShop()
  const body = { fault: 'wrong_amount', path: '/**' }
  equal((await shop.till.ask('POST', '/sandbox/faults', { body })).status, 201)
  await shop.till.ask('GET', '/pac/terminals')
  equal((await shop.till.start({ ...SALE, amount: -1 })).status, 422)
  equal((await shop.finished(await shop.till.started(SALE))).amountTotal, 2699)
  equal((await shop.finished(await shop.till.started(SALE))).amountTotal, 2599)
})

test('faults that exclude each other hit one request each', async () => {
  const web = await openWebShop()
  const { till } = web.shop
  for (const fault of ['http_503', 'http_500', 'http_503', 'answer_lost'] satisfies FaultName[])
    equal((await arm(web, { fault, path: '/pac/**' })).status, 201)
  const statuses: number[] = []
  for (let count = 0; count < 3; count += 1) statuses.push((await till.ask('GET', '/pac/terminals')).status)
  deepEqual(statuses, [503, 500, 503])
  equal((await armedAt(web)).map(({ fault }) => fault).join(), 'answer_lost')
})

test('a fault hits a till that doubles slashes or encodes letters', async () => {
  const web = await openWebShop()
  for (const url of ['//pac//terminals/', '/pac/term%69nals']) {
    equal((await arm(web, { fault: 'http_503', path: '/pac//terminals/' })).status, 201)
    equal((await web.shop.till.ask('GET', url)).status, 503, url)
  }
})

test('an armed fault also hits a request that is answered from its idempotency key', async () => {
  const web = await openWebShop()
  const { till, clock } = web.shop
  const ask = () => till.start(SALE, { headers: { 'idempotency-key': 'k1' } })
  equal((await ask()).status, 201)
  equal((await arm(web, { fault: 'slow_answer:4000', method: 'POST', path: START })).status, 201)
  let status = 0
  const again = ask().then(reply => (status = reply.status))
  await clock.advance(3_999)
  equal(status, 0)
  await clock.advance(1)
  equal(await again, 201)
})

test.each([
  ['/pac/**', '/pac/terminals/{tid}', true],
  ['/**/transactions', '/pac/terminals/{tid}/transactions', true],
  ['/pac/terminals/*', '/pac/terminals/{tid}/transactions', false],
  ['/pac/*/V*1', '/pac/terminals/{tid}', true],
  ['/pac/terminals/', '/pac/terminals/{tid}', false],
  ['*', '/', false],
  ['/*', '/', true],
])('the pattern %s meets %s: %s', (pattern, address, meets) => {
  equal(patternsMeet(pattern, address), meets)
})

test('every fault can be armed for the start of a transaction', async () => {
  const web = await openWebShop()
  for (const fault of FAULT_NAMES) equal((await arm(web, { fault, path: START })).status, 201, fault)
})

function aToken() {
  return {
    ...{ merchantUrl: 'shop.example', currencyCode: '826', amount: '1999', transactionType: 'SALE' },
    ...{ orderId: 'armed-1', orderDescription: 'Two tickets' },
  }
}
