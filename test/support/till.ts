// test/support/till.ts — a till on the terminal interface. It fails the test when an answer differs from the published
// types.
import { deepEqual, equal } from 'node:assert/strict'
import type { Api } from '../../src/api/api.ts'
import type { TransactionBody } from '../../src/api/transaction-body.ts'
import { type ConnectVersion, faultsOf } from './connect-schemas.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** The body as JSON; an empty object when it is empty or not JSON. */
  readonly json: Readonly<Record<string, unknown>>
}

export interface Ask {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; strings and bytes are sent unchanged. */
  readonly body?: unknown
}

export interface Started {
  readonly requestId: string
  readonly location: string
}

export interface Till {
  /** Sends any request with the till's key. */
  ask(method: string, path: string, ask?: Ask): Promise<Reply>
  /** Requests a transaction on the till's terminal. */
  start(body: unknown, ask?: Ask): Promise<Reply>
  /** Starts a transaction; any status but 201 fails the test. */
  started(body: unknown): Promise<Started>
  sale(amount: number, more?: object): Promise<Started>
  refund(amount: number): Promise<Started>
  read(transaction: Started, ask?: Ask): Promise<Reply>
  /** The body of a transaction; any status but 200 fails the test. */
  look(transaction: Started): Promise<TransactionBody>
  cancel(transaction: Started, ask?: Ask): Promise<Reply>
  sign(transaction: Started, accepted: unknown): Promise<Reply>
  /** The same till with another terminal. */
  at(tid: string): Till
}

export interface TillOptions {
  readonly tid: string
  readonly key: string
  readonly currency: 'GBP' | 'EUR'
  /** Headers of each request, overridden by its own. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Creates a till that injects requests without a socket. */
export function createTill(inject: Api['inject'], options: TillOptions): Till {
  const { tid, currency } = options
  const terminal = `/pac/terminals/${encodeURIComponent(tid)}`
  const ask: Till['ask'] = (method, path, { headers = {}, body } = {}) =>
    send(inject, method, path, { authorization: basic(options.key), ...options.headers, ...headers }, body)
  const start: Till['start'] = (body, more = {}) => ask('POST', `${terminal}/transactions`, { ...more, body })
  const started: Till['started'] = async body => {
    const reply = await start(body)
    equal(reply.status, 201, reply.text)
    return reply.json as unknown as Started
  }
  const pathOf = (transaction: Started): string => new URL(transaction.location).pathname
  const till: Till = {
    ask,
    start,
    started,
    sale: (amount, more = {}) => started({ transactionType: 'SALE', amount, currency, ...more }),
    refund: amount => started({ transactionType: 'REFUND', amount, currency }),
    read: (transaction, more) => ask('GET', pathOf(transaction), more),
    async look(transaction) {
      const reply = await till.read(transaction)
      equal(reply.status, 200, reply.text)
      return reply.json as unknown as TransactionBody
    },
    cancel: (transaction, more) => ask('DELETE', pathOf(transaction), more),
    sign: (transaction, accepted) => ask('PUT', `${pathOf(transaction)}/signature`, { body: { accepted } }),
    at: other => createTill(inject, { ...options, tid: other }),
  }
  return till
}

/** An Authorization header. */
export function basic(key: string, user = 'till'): string {
  return `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`
}

/** Sends a request, and checks the answer of the terminal interface against the published types. */
export async function send(
  inject: Api['inject'],
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Reply> {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const response = await inject({
    method: method as 'GET',
    url: path,
    headers: { host: 'pay.example', ...(raw ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: raw ? Buffer.from(body as string) : JSON.stringify(body) }),
  })
  const text = response.payload
  const type = String(response.headers['content-type'] ?? '')
  // `/pac` itself is the JSON-RPC endpoint.
  if (/^\/+(?:pac|pat|retail)\/+[^/?]/.test(path) && method !== 'HEAD' && method !== 'OPTIONS') {
    const plain = `/${path
      .replace(/[?#].*$/s, '')
      .split('/')
      .filter(part => part !== '')
      .join('/')}`
    const version = versionOf(plain, headers['accept'])
    const name = `${version} ${method} ${path} ${response.statusCode} ${text}`
    deepEqual(faultsOf(version, method, plain, response.statusCode, text), [], name)
    if (text !== '') equal(type, `application/connect.${version}+json`, name)
  }
  return {
    status: response.statusCode,
    headers: response.headers as Reply['headers'],
    text,
    json: /json/.test(type) && text !== '' ? JSON.parse(text) : {},
  }
}

/** Version of the answer, with the gateway set to the newest one. */
function versionOf(path: string, accept = ''): ConnectVersion {
  const named = /application\/connect\.(v[012])\+json/i.exec(accept)?.[1]?.toLowerCase() as ConnectVersion | undefined
  return named ?? (path.startsWith('/retail/') ? 'v0' : 'v2')
}
