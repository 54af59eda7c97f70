// test/api/garbage-town.ts — an account with a record of every kind, so that each operation has an existing address, and
// a fingerprint of its state, which shows whether a request has changed anything.
import { equal, ok } from 'node:assert/strict'
import type { Operation } from '../../src/api/operation.ts'
import { testAccountsOf } from '../../src/cli/test-accounts.ts'
import type { Collection } from '../../src/simulator/memory/memory.ts'
import { type BrowserSession, ORIGIN, ownerOf, PASSWORD, PASSWORD_COST } from '../support/console-user.ts'
import { jwtFor, signJwtOf } from '../support/merchant-jwts.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import type { Shop } from '../support/shop.ts'
import { basic, type Reply, send } from '../support/till.ts'
import { openWebShop, type WebShop } from '../support/web-shop.ts'

const SCRIPTED = 'VCMDEMOSIP0'
const SIGNING = 'VCMDEMOSIS0'
const BY_KEYS = '22160001'
const AT_TABLES = '22160002'
const CHALLENGED = { cardNumber: '4456530000001096', cV2: '020' }
const HOOK = 'https://shop.example/hook'
const CARD = { cardNumber: '5200000000000056', expiryDate: '12/30' }

export interface Town {
  readonly shop: Shop
  /** Bodies that are valid here, or nearly. */
  readonly samples: readonly object[]
  /** Calls the operation at an existing address. Time passes only until there is an answer. */
  call(body: string | Uint8Array, mediaType: string): Promise<Called>
  /** State of the store, the simulator and the read operations, by name. */
  fingerprint(): Promise<Readonly<Record<string, unknown>>>
}

export interface Called {
  readonly reply: Reply
  readonly path: string
  /** Time has passed meanwhile, so timers may have changed something. */
  readonly waited: boolean
}

interface Things {
  readonly requestId: string
  /** Access tokens: unused, paid, during a challenge, and for a refund. */
  readonly tokens: Readonly<Record<'fresh' | 'paid' | 'challenged' | 'linked', string>>
  readonly md: string
  readonly crossReference: string
  readonly order: string
  readonly orderToken: string
  /** Of an owner of the account, for operations that only people may call. */
  readonly session: BrowserSession | null
  readonly walletTokens: Readonly<Record<'APPLE_PAY' | 'GOOGLE_PAY', unknown>>
}

/** Opens an account with what the operation needs. Records that are slow to make exist for their own operations only. */
export async function openTown(operation: Operation): Promise<Town> {
  const later: { web: WebShop | null } = { web: null }
  const random = new SeededRandom(7)
  const gateway = () => {
    ok(later.web)
    return later.web.shop.gateway
  }
  const wallets = () => gateway().wallets
  const web = await openWebShop({
    limits: { testAccountsPerHour: 1_000_000 },
    parts: {
      passwordCost: PASSWORD_COST,
      wallets: {
        testSheet: true,
        offered: account => wallets().offered(account),
        sheets: (...given) => wallets().sheets(...given),
        open: (...given) => wallets().open(...given),
        // Apple answers every request with a session.
        merchantSession: async () => ({ session: { nonce: 'n' } }),
      },
      demo: { cards: [], jwt: async audience => jwtFor(later.web?.apiKeyId ?? '', { uniqueKeys: { aud: audience } }) },
      openTestAccount: requested => {
        const { provisioning, store } = gateway()
        const signJwt = signJwtOf(store)
        return testAccountsOf({ provisioning, random, defaultZone: 'Europe/London', signJwt })(requested)
      },
    },
  })
  later.web = web
  const base = isOfDemoShop(operation) ? await listen(web.shop) : null
  const things = await fill(web, base, operation)
  return {
    shop: web.shop,
    samples: samplesOf(operation, things),
    call: (body, mediaType) => call(web, base, operation, things, { body, mediaType }),
    fingerprint: () => fingerprint(web.shop),
  }
}

function isOfDemoShop({ path }: Operation): boolean {
  return path.startsWith('/demo/')
}

/** Operations of signed-in users, and the one by which they sign in. */
function isOfPeople({ name, peopleOnly }: Operation): boolean {
  return peopleOnly === true || name === 'signIn' || name === 'signInByPasskey'
}

/** The server of the demo shop calls the gateway over HTTP, so it needs a port. */
async function listen(shop: Shop): Promise<string> {
  const { port } = await shop.api.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${port}`
}

/** Makes a record of every kind. */
async function fill(web: WebShop, base: string | null, operation: Operation): Promise<Things> {
  const { shop } = web
  const isAboutSale = operation.name === 'answerSignature' || operation.name === 'closeTransaction'
  const requestId = isAboutSale ? await saleToSign(shop) : ''
  const paid = await web.token({ webHookUrl: HOOK })
  equal((await web.pay(paid))['statusCode'], 0)
  const challenged = await web.token()
  const { md } = await web.pay(challenged, CHALLENGED)
  const crossReference = await web.referenceOf(paid)
  const linked = await web.token({ transactionType: 'REFUND', crossReference, amount: '7' })
  const ordered = base === null ? { token: '', order: { id: '' } } : await orderedAt(base)
  const fresh = await web.token()
  const session = isOfPeople(operation) ? await ownerOf(shop, 'demo') : null
  // Faults and overrides are armed last, so that they do not apply to these payments.
  await fillSandbox(shop)
  return {
    ...{ requestId, crossReference, order: ordered.order.id, orderToken: ordered.token, md: String(md) },
    session,
    tokens: { fresh, paid, challenged, linked },
    walletTokens: {
      APPLE_PAY: await walletToken(shop, 'APPLE_PAY'),
      GOOGLE_PAY: await walletToken(shop, 'GOOGLE_PAY'),
    },
  }
}

async function walletToken({ till }: Shop, wallet: string): Promise<unknown> {
  const body = { ...CARD, wallet, amount: 1999, currencyCode: '826' }
  return (await till.ask('POST', '/sandbox/wallet-tokens', { body })).json['token']
}

async function saleToSign(shop: Shop): Promise<string> {
  const sale = await shop.till.at(SIGNING).sale(100)
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  return sale.requestId
}

async function orderedAt(base: string) {
  const body = JSON.stringify({ good: 0, kind: 'SALE' })
  const { status, json } = await callBySocket(`${base}/demo/orders`, 'application/json', body)
  equal(status, 200)
  return json as { readonly token: string; readonly order: { readonly id: string } }
}

async function fillSandbox({ till }: Shop): Promise<void> {
  const table = { tableName: 'Window 2', amount: 5400, currency: 'GBP' }
  for (const [method, path, body] of [
    ['PUT', '/pat/tables', table],
    ['POST', '/sandbox/scenarios', { name: 'of_ones_own', like: 'contactless_approved' }],
    ['POST', `/sandbox/terminals/${SCRIPTED}/scenarios`, { next: ['declined', 'declined'] }],
    ['POST', '/sandbox/faults', { fault: 'http_500', method: 'GET', path: '/pac/terminals/none', times: 3 }],
    ['POST', '/sandbox/webhook-drills', { drill: 'late', times: 3 }],
    ['PUT', '/sandbox/online/authentications', { next: [{ status: 'C' }] }],
    ['PATCH', `/sandbox/terminals/${AT_TABLES}/settings`, { mode: 'table' }],
    ['POST', `/pac/terminals/${BY_KEYS}/transactions`, { transactionType: 'SALE', amount: 1, currency: 'GBP' }],
    ['POST', '/sandbox/snapshots', { name: 'before' }],
  ] as const) {
    const { status, text } = await till.ask(method, path, { body })
    ok(status < 300, `${path} ${text}`)
  }
}

function addressOf({ name, path }: Operation, { requestId, tokens, order }: Things): string {
  const token = {
    completeChallenge: 'challenged',
    payByCrossReference: 'linked',
    closePayment: 'paid',
    addPaymentOperation: 'paid',
  } as const
  const tid = { answerSignature: SIGNING, pressKey: BY_KEYS, sendWaiter: AT_TABLES }
  const filled = path
    .replace('{tid}', tid[name as keyof typeof tid] ?? SCRIPTED)
    .replace('{account}', 'demo')
    .replace('{requestId}', requestId)
    .replace('{tableName}', encodeURIComponent('Window 2'))
    .replace('{token}', tokens[token[name as keyof typeof token] ?? 'fresh'])
    .replace('{order}', order)
    .replace('{user}', 'owner')
  ok(!filled.includes('{'), `nothing in the town is there for ${path}`)
  return filled
}

function samplesOf({ name, body }: Operation, things: Things): readonly object[] {
  const { md, crossReference, order, orderToken, walletTokens } = things
  const more: Readonly<Record<string, readonly object[]>> = {
    createTable: [{ tableName: 'Window 3', amount: 1, currency: 'GBP', receiptLines: [{ value: 'x' }] }],
    createTableByPost: [{ tableName: 'Window 3', amount: 1, currency: 'GBP', waiterIds: ['7'] }],
    payByCrossReference: [{ crossReference }],
    payByApplePay: [{ token: walletTokens.APPLE_PAY }],
    payByApplePayAnywhere: [{ token: walletTokens.APPLE_PAY }],
    payByGooglePay: [{ token: walletTokens.GOOGLE_PAY }],
    inspectGooglePay: [{ token: walletTokens.GOOGLE_PAY }],
    completeChallenge: [
      { transactionId: md },
      { transactionId: md, cardinalValidateResponse: { actionCode: 'CANCEL' } },
    ],
    sendDeviceData: [{ JWT: 'x' }],
    endDeviceData: [{ threeDSMethodData: 'e30' }],
    goToIssuer: [{ MD: md, JWT: 'x' }],
    returnFromIssuer: [
      { MD: md, PaRes: 'x' },
      { threeDSSessionData: md, cres: 'x' },
    ],
    openChallenge: [
      { MD: md, JWT: 'x' },
      { MD: md, PaReq: 'x', TermUrl: 'https://shop.example/three-d-secure/return' },
    ],
    answerChallenge: [
      { MD: md, code: '1234' },
      { MD: md, action: 'resend' },
      { MD: md, action: 'cancel' },
    ],
    receiveDeviceData: [{ JWT: 'x' }],
    receiveDemoWebhook: [{ id: orderToken, orderId: order }],
    orderInDemoShop: [{ good: 1, kind: 'PREAUTH', of: order }],
    finishDemoCheckout: [{ connectStatusCode: '0' }],
    goOnWithDemoOrder: ['collect', 'refund', 'void', 'charge-again'].map(step => ({ step })),
    signInWalletSheet: [
      { ...CARD, wallet: 'APPLE_PAY', authMethod: 'device' },
      { ...CARD, cardNumber: '1234', wallet: 'APPLE_PAY', authMethod: 'card' },
    ],
    openTestAccount: [{ timeZone: 'Mars/Olympus' }],
    callJsonRpc: [{ jsonrpc: '2.0', id: 1, method: 'sale', params: { tid: SCRIPTED, currency: 'GBP', amount: 100 } }],
    signIn: [{ account: 'demo', user: 'owner', password: PASSWORD }],
    setOwnPassword: [{ password: PASSWORD, newPassword: 'kettle lamp river' }],
    startTransaction: [{ transactionType: 'COMPLETION', amount: 8150, currency: 'GBP', authCode: 'AB12C3' }],
  }
  const samples = [...(Object.values(body?.examples ?? {}) as object[]), ...(more[name] ?? [])]
  ok(samples.length > 0, `no body is known for ${name}`)
  return samples
}

async function call(
  web: WebShop,
  base: string | null,
  operation: Operation,
  things: Things,
  { body, mediaType }: { readonly body: string | Uint8Array; readonly mediaType: string },
): Promise<Called> {
  const { shop, jwt } = web
  const path = addressOf(operation, things)
  const credentials = { basic: basic('demo-api-key'), jwt: `Bearer ${jwt}`, none: '' }[operation.auth]
  const headers = {
    ...{ 'content-type': mediaType, host: 'localhost', origin: ORIGIN },
    ...(things.session?.headers ?? (credentials === '' ? {} : { authorization: credentials })),
  }
  if (base !== null) return { reply: await callBySocket(base + path, mediaType, body), path, waited: false }
  let reply: Reply | null = null
  const answered = send(shop.api.inject, operation.method, path, headers, body).then(given => {
    reply = given
  })
  await shop.settle()
  await shop.settle()
  const waited = reply === null
  for (let step = 0; reply === null && step < MOST_STEPS; step += 1) await shop.clock.advance(500)
  ok(reply !== null, `${operation.method} ${path} is not answered`)
  await answered
  await shop.settle()
  return { reply, path, waited }
}

/** Steps after which a request without an answer fails the test: ten minutes. */
const MOST_STEPS = 1_200

async function callBySocket(url: string, mediaType: string, body: string | Uint8Array): Promise<Reply> {
  const headers = { 'content-type': mediaType }
  const payload = Buffer.from(body as string)
  const response = await fetch(url, { method: 'POST', headers, body: payload, redirect: 'manual' })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: {}, text, json: isJson ? JSON.parse(text) : {} }
}

/** Read operations in the fingerprint. Records and events are compared as stored. */
const READINGS = [
  ...['/api/terminals', `/sandbox/terminals/${BY_KEYS}`, `/sandbox/terminals/${SCRIPTED}/scenarios`, '/pat/tables'],
  ...['/sandbox/scenarios', '/sandbox/faults', '/sandbox/webhook-drills', '/sandbox/clock', '/sandbox/snapshots'],
  ...['/sandbox/online/authentications', '/sandbox/online/scenarios', '/demo/state'],
  ...['/api/jwt-keys', '/api/webhook-secret', '/api/webhooks'],
]

/** Collections of the simulated terminals, acquirer and issuers. */
const FINGERPRINTED: readonly Collection[] = [
  ...(['device', 'order', 'hold', 'authentication', 'authentication-wish', 'online-script'] as const),
  ...(['scenario', 'clock', 'snapshot'] as const),
]

/** Above the number of records of any test. */
const MOST = 100_000

async function fingerprint(shop: Shop): Promise<Readonly<Record<string, unknown>>> {
  const print: Record<string, unknown> = {}
  for (const path of READINGS) {
    const { status, text } = await shop.till.ask('GET', path)
    equal(status, 200, `${path} ${text}`)
    print[path] = text
  }
  // What people ask for is noted in the audit log also when it is refused.
  for (const account of ['demo', 'demo-eur'])
    print[account] = JSON.stringify(await shop.images.imageOf(account, ['audit-entry']))
  for (const kind of ['merchant-account', 'api-key', 'terminal', 'user', 'session'])
    print[kind] = JSON.stringify(await shop.store.all(kind, { limit: MOST }))
  for (const collection of FINGERPRINTED)
    print[collection] = JSON.stringify(shop.memory.list(collection, { limit: MOST }))
  return print
}
