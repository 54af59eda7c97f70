// test/support/web-shop.ts — a web shop's server and its payers' browsers, with a gateway in memory.

import { deepEqual, equal } from 'node:assert/strict'
import type { AccessToken } from '../../src/domain/ids.ts'
import type { OnlinePayment } from '../../src/domain/online/payment.ts'
import { decodeRecord } from '../../src/engine/decoding.ts'
import { API_KEY } from '../../src/engine/machines.ts'
import { ONLINE_PAYMENT } from '../../src/engine/online-machine.ts'
import { idOfToken } from '../../src/services/online/tokens.ts'
import { jwtFor } from './merchant-jwts.ts'
import { onlineFaultsOf } from './online-schemas.ts'
import { openShop, type Shop, type ShopOptions } from './shop.ts'

export interface WebAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** The body as JSON; reading another body fails the test. */
  readonly json: Record<string, unknown>
}

export interface WebShop {
  readonly shop: Shop
  readonly jwt: string
  readonly apiKeyId: string
  /** Sends a request of the shop's server. */
  call(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<WebAnswer>
  /** Sends a request of the payer's browser. */
  browse(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<WebAnswer>
  /** Creates a token, for a sale of 19.99 unless changed. */
  token(changes?: Readonly<Record<string, unknown>>): Promise<string>
  /** Pays a token by card, without 3-D Secure unless another card is given. */
  pay(token: string, changes?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
  payment(token: string): Promise<Record<string, unknown>>
  record(token: string): Promise<OnlinePayment>
  /** Cross reference of a finished payment. */
  referenceOf(token: string): Promise<string>
  /** Makes a linked payment with its own token. Returns its outcome. */
  linked(
    type: string,
    crossReference: string,
    changes?: Readonly<Record<string, unknown>>,
  ): Promise<Record<string, unknown>>
}

/** A card that is not enrolled in 3-D Secure, and is approved. */
export const PLAIN_CARD = { cardName: 'John Watson', cardNumber: '5200000000000056', expiryDate: '12 / 30', cV2: '341' }

let orders = 0

export async function openWebShop(options: ShopOptions = {}): Promise<WebShop> {
  const shop = await openShop(options)
  const account = options.account ?? 'demo'
  const [key] = await shop.store.list(account, { kind: API_KEY.kind, limit: 1 })
  const apiKeyId = key?.id ?? ''
  const jwt = jwtFor(apiKeyId)
  const send = async (
    method: 'GET' | 'POST',
    url: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ) => {
    const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await shop.api.inject({
      method,
      url,
      headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      get json() {
        return JSON.parse(answer.body) as Record<string, unknown>
      },
    }
  }
  const call: WebShop['call'] = async (method, path, body, headers = {}) => {
    const answer = await send(method, path, body, { authorization: `Bearer ${jwt}`, ...headers })
    const mediaType = String(answer.headers['content-type'] ?? '')
    deepEqual(onlineFaultsOf(method, path, { status: answer.status, text: answer.text, mediaType }), [], path)
    return answer
  }
  const browse: WebShop['browse'] = (path, body = {}, headers = {}) => send('POST', path, body, headers)

  const token: WebShop['token'] = async (changes = {}) => {
    orders += 1
    const answer = await call('POST', '/v1/access-tokens', { ...aTokenRequest(`O-${orders}`), ...changes })
    equal(answer.status, 200, answer.text)
    return String(answer.json['id'])
  }
  const payment: WebShop['payment'] = async given => {
    const answer = await call('GET', `/v1/payments/${given}`)
    equal(answer.status, 200, answer.text)
    return answer.json
  }
  return {
    ...{ shop, jwt, apiKeyId, call, browse, token, payment },
    async pay(given, changes = {}) {
      const answer = await browse(`/api/payments/${given}`, { ...PLAIN_CARD, ...changes })
      return answer.json
    },
    async record(given) {
      const stored = await shop.store.load({ account, kind: 'online-payment', id: idOfToken(given as AccessToken) })
      // Tests that erase a payment read it all the same.
      return stored === null ? (null as never) : decodeRecord(ONLINE_PAYMENT, stored.body)
    },
    referenceOf: async given => String((await payment(given))['crossReference']),
    async linked(type, crossReference, changes = {}) {
      const given = await token({ transactionType: type, crossReference, ...changes })
      const answer = await call('POST', `/v1/cross-reference-payments/${given}`, { crossReference })
      return { http: answer.status, ...(answer.status === 200 ? answer.json : { text: answer.text }), token: given }
    },
  }
}

/** A valid token request. */
export function aTokenRequest(orderId: string) {
  return {
    merchantUrl: 'shop.example',
    currencyCode: '826',
    amount: '1999',
    transactionType: 'SALE',
    orderId,
    orderDescription: 'Two tickets',
  }
}
