// test/upgrade/maker/online.ts — online payments of each kind and result.
import { type Caller, type GatewayProcess, type Heard, type Json, runCommand } from './gateway.ts'
import { PUBLIC_URL } from './settings.ts'

const PLAIN_CARD = {
  cardName: 'John Watson',
  cardNumber: '5200000000000056',
  expiryDate: '12 / 30',
  cV2: '341',
}
export const CHALLENGED = { cardNumber: '4456530000001096', cV2: '020' }
const FIRST_VERSION = { cardNumber: '4456530000000007', cardName: 'Geoff Wayne', cV2: '020' }
const FRICTIONLESS = { cardNumber: '5200000000001005', cV2: '020' }
const DECLINED = { cardNumber: '4921810000009076', cardName: 'Jack Lewis', cV2: '875' }
const REFERRED = { cardNumber: '4792840000009202', cardName: 'George Toole', cV2: '654' }

const PARTNER = { 'software-house-id': 'maker', 'installer-id': 'fitter' }

/** A web shop's server and its payers' browsers. */
export interface WebShop {
  readonly caller: Caller
  readonly jwt: string
  /** All access tokens received. */
  readonly tokens: readonly string[]
  token(changes?: Json, headers?: Readonly<Record<string, string>>): Promise<string>
  /** Pays in the browser. `expect`: accepted statuses. */
  pay(token: string, changes?: Json, scenario?: string, expect?: readonly number[]): Promise<Json>
  browse(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Heard>
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Heard>
  payment(token: string): Promise<Json>
  /** Makes a payment that succeeds. Returns its cross reference. */
  paid(changes?: Json, card?: Json, scenario?: string): Promise<string>
  /** Makes a linked or repeat payment. Returns its token. */
  linked(type: string, crossReference: string, changes?: Json, scenario?: string): Promise<string>
}

export async function openWebShop(
  gateway: GatewayProcess,
  caller: Caller,
  directory: string,
  merchantUrl: string,
): Promise<WebShop> {
  const made = await runCommand(directory, ['token', caller.account, '--audience', PUBLIC_URL])
  const jwt = String(made['token'])
  const bearer = { authorization: `Bearer ${jwt}` }
  const tokens: string[] = []
  const call: WebShop['call'] = (method, path, body, headers = {}) =>
    gateway.ask(method, path, { ...bearer, ...headers }, body)
  const browse: WebShop['browse'] = (path, body, headers = {}) => gateway.ask('POST', path, headers, body)
  const token: WebShop['token'] = async (changes = {}, headers = {}) => {
    const order = { orderId: `${caller.account}-${tokens.length + 1}`, orderDescription: 'Two tickets', amount: '1999' }
    const body = { merchantUrl, currencyCode: '826', transactionType: 'SALE', ...order, ...changes }
    const heard = await call('POST', '/v1/access-tokens', body, headers)
    if (heard.status !== 200) throw new Error(`${JSON.stringify(body)} is answered with ${heard.text}`)
    tokens.push(String(heard.json['id']))
    return String(heard.json['id'])
  }
  const pay: WebShop['pay'] = async (given, changes = {}, scenario = '', expect = [200]) => {
    const headers = scenario === '' ? {} : { 'tollgate-scenario': scenario }
    const heard = await browse(`/api/payments/${given}`, { ...PLAIN_CARD, ...changes }, headers)
    if (!expect.includes(heard.status)) throw new Error(`${JSON.stringify(changes)} ${scenario}: ${heard.text}`)
    return heard.json
  }
  const payment: WebShop['payment'] = async given => (await call('GET', `/v1/payments/${given}`)).json
  return {
    ...{ caller, jwt, tokens, call, browse, token, pay, payment },
    async paid(changes = {}, card = {}, scenario = '') {
      const given = await token(changes)
      const { statusCode, message } = await pay(given, card, scenario)
      if (statusCode !== 0) throw new Error(`${JSON.stringify(changes)} ends with ${statusCode} ${message}`)
      return String((await payment(given))['crossReference'])
    },
    async linked(type, crossReference, changes = {}, scenario = '') {
      const given = await token({ transactionType: type, crossReference, ...changes })
      const headers = scenario === '' ? {} : { 'tollgate-scenario': scenario }
      await call('POST', `/v1/cross-reference-payments/${given}`, { crossReference }, headers)
      return given
    },
  }
}

/** An order with every field. */
const FULL_ORDER = {
  merchantTransactionId: 'MT-1',
  userAgent: 'Test browser',
  userEmailAddress: 'payer@shop.example',
  userPhoneNumber: '02070000000',
  userIpAddress: '192.0.2.7',
  userAddress1: '1 Harbour Street',
  userAddress2: 'Upper floor',
  userCity: 'London',
  userPostcode: 'N1 1AA',
  userCountryCode: '826',
  shippingDetails: { name: 'Ann Example', address: { address1: '2 Quay', city: 'Dover', countryCode: '826' } },
  metaData: { seat: '12A', basket: 'b-17' },
  cofSetup: { type: 'UNSCHEDULED' },
  previousTransactionId: 'P-0',
}

/** Payments of a web shop on a frozen clock. */
export async function playOnline(shop: WebShop): Promise<void> {
  await playPlain(shop)
  await playLinked(shop)
  await playSavedCards(shop)
  await playWallets(shop)
  await playAuthentications(shop)
  await playPauses(shop)
  await playSilence(shop)
}

async function playPlain(shop: WebShop): Promise<void> {
  await shop.pay(await shop.token(FULL_ORDER, PARTNER), { savePaymentMethod: false, metaData: { colour: 'red' } })
  await shop.pay(await shop.token(), DECLINED)
  await shop.pay(await shop.token(), REFERRED)
  await shop.pay(await shop.token(), { cV2: '999' })
  await shop.paid({ transactionType: 'ACCOUNT_VERIFICATION', amount: '0' })
  await shop.paid({ transactionSource: 'MOTO' })
  // The same order within a minute counts as an accidental repetition.
  await shop.pay(await shop.token({ orderId: 'twice' }))
  await shop.pay(await shop.token({ orderId: 'twice' }))
  await shop.call('POST', `/v1/access-tokens/${await shop.token()}/revoke`)
  await shop.token({ orderId: 'never-used' })
  await shop.caller.advance(31 * 60_000)
}

async function playLinked(shop: WebShop): Promise<void> {
  const hold = await shop.paid({ transactionType: 'PREAUTH', amount: '5000' })
  const collected = await shop.linked('COLLECTION', hold, { amount: '3000' })
  const capture = String((await shop.payment(collected))['crossReference'])
  await shop.linked('REFUND', capture, { amount: '1000' })
  await shop.linked('REFUND', capture, { amount: '500' })
  // More than is left, so it is refused.
  await shop.linked('REFUND', capture, { amount: '9000' })
  // Declined by the issuer, so the reserved amount is released.
  await shop.linked('REFUND', capture, { amount: '100' }, 'declined')
  const sale = await shop.paid()
  await shop.linked('VOID', sale, { amount: '0' })
  await shop.linked('REFUND', sale, { amount: '1' })
  const repeated = await shop.paid({ newTransaction: true })
  await shop.linked('SALE', repeated, { amount: '777' })
  // Collected and voided, so the hold can be collected again.
  const other = await shop.paid({ transactionType: 'PREAUTH', amount: '800' })
  const first = await shop.linked('COLLECTION', other, { amount: '800' })
  await shop.linked('VOID', String((await shop.payment(first))['crossReference']), { amount: '0' })
}

async function playSavedCards(shop: WebShop): Promise<void> {
  const first = await shop.token({ customerId: 'C-1' })
  await shop.pay(first, { savePaymentMethod: true, mitConsentGiven: true })
  const { paymentMethodId } = await shop.payment(first)
  const again = await shop.token({ customerId: 'C-1', paymentMethodId })
  await shop.browse(`/api/payments/recurring/${again}`, { cV2: '341', paymentMethodId })
}

async function playWallets(shop: WebShop): Promise<void> {
  for (const [wallet, path, authMethod] of [
    ['APPLE_PAY', 'apple-pay', 'device'],
    ['GOOGLE_PAY', 'google-pay', 'device'],
    ['GOOGLE_PAY', 'google-pay', 'card'],
  ] as const) {
    const requested = {
      wallet,
      cardNumber: PLAIN_CARD.cardNumber,
      expiryDate: '12/30',
      amount: 1_999,
      currencyCode: '826',
    }
    const more = wallet === 'GOOGLE_PAY' ? { authMethod } : {}
    const { json } = await shop.caller.ask('POST', '/sandbox/wallet-tokens', { ...requested, ...more })
    const heard = await shop.browse(`/api/payments/${await shop.token()}/${path}`, { token: json['token'] })
    if (heard.status !== 200 || heard.json['statusCode'] !== 0) throw new Error(`${wallet}: ${heard.text}`)
  }
}

/** The payer answers the simulated issuer, and returns. */
async function authenticate(shop: WebShop, asked: Json, code: string, action = 'submit'): Promise<void> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const fields = (given: Readonly<Record<string, unknown>>) =>
    new URLSearchParams(
      Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString()
  const md = asked['md']
  await shop.browse('/acs/challenge/answer', fields({ MD: md, code, action }), form)
  const back = asked['threeDSecureVersion'] === '1.0' ? { MD: md, PaRes: 'x' } : { threeDSSessionData: md, cres: 'x' }
  const heard = await shop.browse('/three-d-secure/return', fields(back), form)
  if (heard.status !== 200) throw new Error(heard.text)
}

async function playAuthentications(shop: WebShop): Promise<void> {
  await authenticate(shop, await shop.pay(await shop.token(), CHALLENGED), '1234')
  await authenticate(shop, await shop.pay(await shop.token(), FIRST_VERSION), '1234')
  await authenticate(shop, await shop.pay(await shop.token(), CHALLENGED), '', 'cancel')
  await shop.pay(await shop.token(), FRICTIONLESS)
  for (const scenario of ['attempted', 'not_authenticated', 'authentication_rejected', 'authentication_unavailable'])
    await shop.pay(await shop.token(), CHALLENGED, scenario)
  const wanted = await shop.pay(await shop.token(), FRICTIONLESS, 'authentication_required')
  await authenticate(shop, wanted, '1234')
  // Revoked while its payer is at the issuer, then abandoned until the time limit.
  const revoked = await shop.token()
  await shop.pay(revoked, CHALLENGED)
  await shop.call('POST', `/v1/access-tokens/${revoked}/revoke`)
  await shop.pay(await shop.token(), CHALLENGED)
  await shop.caller.advance(16 * 60_000)
}

async function playPauses(shop: WebShop): Promise<void> {
  const resumed = await shop.token({ waitPreExecute: true })
  await shop.pay(resumed)
  await shop.call('POST', `/v1/payments/${resumed}/resume`)
  await shop.pay(await shop.token({ waitPreExecute: true }))
  await shop.caller.advance(16 * 60_000)
}

const BY = { operator: 'Ann Example', reason: 'Seen in the portal of the acquirer.' }

/** An acquirer that does not answer, answers late, or whose answer an operator replaces. */
async function playSilence(shop: WebShop): Promise<void> {
  const { caller } = shop
  const close = (token: string, outcome: Json) =>
    caller.ask('POST', `/api/payments/${token}/close`, { ...BY, ...outcome })
  const asked: Promise<unknown>[] = []
  /** Starts a request without waiting for its answer: the gateway delays the answer by the machine's clock. */
  const leave = async (work: Promise<unknown>, waitMs: number) => {
    asked.push(work)
    await new Promise(resolve => setTimeout(resolve, 100))
    await caller.advance(waitMs)
  }
  const anyStatus = [200, 500, 502, 503, 504]
  for (const scenario of ['acquirer_silent', 'approval_unknown', 'approval_late:60000'])
    await leave(shop.pay(await shop.token(), {}, scenario, anyStatus), 20 * 60_000)
  for (const [outcome, scenario] of [
    [{ outcome: 'taken', authCode: '654321' }, 'acquirer_silent'],
    [{ outcome: 'not_taken' }, 'acquirer_silent'],
    // The acquirer answers after the operator.
    [{ outcome: 'taken' }, 'declined+slow_acquirer:600000'],
    [{ outcome: 'taken' }, 'approved+slow_acquirer:600000'],
  ] as const) {
    const crossReference = await shop.paid({ amount: '900' })
    const token = await shop.token({ transactionType: 'REFUND', crossReference, amount: '400' })
    const path = `/v1/cross-reference-payments/${token}`
    await leave(shop.call('POST', path, { crossReference }, { 'tollgate-scenario': scenario }), 100_000)
    await close(token, outcome)
    await caller.advance(20 * 60_000)
  }
  await Promise.all(asked)
}
