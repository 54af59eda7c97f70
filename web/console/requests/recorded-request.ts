// web/console/requests/recorded-request.ts — a request that the gateway has recorded, and what can be done with it.
import { STRUCK_OUT } from '../../../src/domain/redaction.ts'
import { curlWith } from '../curl.ts'
import type { Credentials } from '../gateway.ts'
import { decimalsOf, inWords } from '../money.ts'

type Fields = Readonly<Record<string, unknown>>

/** A request of the account, as `/api/requests` has it: without secrets, card data and headers. */
export interface RecordedRequest {
  readonly at: string
  readonly transport: 'http' | 'websocket'
  readonly operation: string
  /** Method and path, or `JSON-RPC` and the method. */
  readonly route: string
  readonly apiVersion: string | null
  readonly params: Fields
  readonly body: Fields | null
  readonly status: number | null
  readonly code: string | null
  readonly field: string | null
  readonly durationMs: number | null
  readonly requestId: string | null
  readonly rpcId: number | null
  readonly times: number
  readonly lastAt: string
}

/** Whose key a request needs. `shop`: a JWT. `payer`: an access token in its path. */
export type Caller = 'account' | 'shop' | 'payer'

/** A request that can be sent again. */
export interface Repetition {
  readonly method: string
  readonly path: string
  readonly body: Fields | undefined
}

/** Paths that payers' browsers call with their access token. */
const OF_PAYERS = [
  /^POST \/api\/device-data\//,
  /^POST \/api\/payments\/(?!\{token\}\/(?:close|operations)$)/,
  /^POST \/cors\//,
  /^POST \/mobile\//,
  /^\w+ \/three-d/,
  /^\w+ \/payment-form/,
] as const
const OF_SHOPS = /^\w+ \/v1\//
/** Stands in a command for what was not recorded. */
const ACCESS_TOKEN = '$ACCESS_TOKEN'
const TAKES_A_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** What identifies a request in the list. Requests have no id of their own: those over a WebSocket have the id of the till. */
export function idOf({ at, operation, requestId, rpcId }: RecordedRequest): string {
  return `${at} ${operation} ${requestId ?? rpcId ?? ''}`
}

/** Method and path for people. A part that was not recorded keeps its name. */
export function addressIn({ route, params }: RecordedRequest): string {
  return route.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
}

/** Whose key the request of a route needs. */
export function callerOf(route: string): Caller {
  if (OF_SHOPS.test(route)) return 'shop'
  return OF_PAYERS.some(each => each.test(route)) ? 'payer' : 'account'
}

/** Whether the request did not do what it should: refused, failed, or without an answer. */
export function isFailed({ status, code }: RecordedRequest): boolean {
  return code !== null || status === null || status >= 400 || status < 0
}

/** The request with its path filled in. Null when it came over a WebSocket, or had no known address. */
export function repetitionOf({ route, transport, operation, params, body, rpcId }: RecordedRequest): Repetition | null {
  if (route.startsWith('JSON-RPC ') && transport === 'http')
    return {
      ...{ method: 'POST', path: '/pac' },
      body: { jsonrpc: '2.0', id: rpcId ?? 1, method: operation, params: body ?? {} },
    }
  const [, method, template] = /^([A-Z]+) (\/\S*)$/.exec(route) ?? []
  if (method === undefined || template === undefined) return null
  const used = new Set<string>()
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    // An access token is recorded as the id of its payment, which the management API takes as well.
    const source = name === 'token' ? 'payment' : name
    used.add(source)
    if (name === 'token' && callerOf(route) !== 'account') return ACCESS_TOKEN
    return encodeURIComponent(String(params[source] ?? ''))
  })
  const query = Object.entries(params).filter(([name]) => !used.has(name))
  const search = new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString()
  const sent = TAKES_A_BODY.has(method) && body !== null && Object.keys(body).length > 0 ? body : undefined
  return { method, path: search === '' ? path : `${path}?${search}`, body: sent }
}

/** Why the console cannot send a request again; null when it can. */
export function whyNotAgain(request: RecordedRequest): string | null {
  if (request.transport === 'websocket') return 'It came over a WebSocket: the till must send it again.'
  switch (callerOf(request.route)) {
    case 'shop':
      return 'It needs the JWT of the shop, which this page does not have. Copy it as curl instead.'
    case 'payer':
      return 'It needs the access token of the payer, and card data, which are not recorded.'
    case 'account':
      return repetitionOf(request) === null ? 'It had no address that the gateway knows.' : null
  }
}

/** Whether something in the request was replaced, because it was secret. */
export function isRedacted({ params, body }: RecordedRequest): boolean {
  return JSON.stringify([params, body]).includes(STRUCK_OUT)
}

/** The request for a shell; null when none can send it. Keys that this page does not have are variables. */
export function commandOf(request: RecordedRequest, credentials: Credentials, origin: string): string | null {
  const repetition = repetitionOf(request)
  if (repetition === null) return null
  switch (callerOf(request.route)) {
    case 'account':
      return curlWith({ credentials }, versioned(request, repetition), origin)
    case 'shop':
      return `JWT=$(npx tollgate token)\n${curlWith({ bearer: 'JWT' }, repetition, origin)}`
    case 'payer':
      return curlWith(null, repetition, origin)
  }
}

/** Names an older version. The newest is the default; to name it takes headers that are not recorded. */
function versioned({ apiVersion }: RecordedRequest, repetition: Repetition) {
  if (apiVersion === null || apiVersion === 'v2') return repetition
  return { ...repetition, headers: { Accept: `application/connect.${apiVersion}+json` } }
}

/** What will happen when a request is sent again, in a sentence or two. */
export function consequenceOf({ operation, route, params }: RecordedRequest, body: Fields | undefined): string {
  const tid = String(params['tid'] ?? '')
  switch (operation) {
    case 'startTransaction':
      return `Terminal ${tid} starts ${startedBy(body)}. It is a transaction of its own, besides an earlier one.`
    case 'cancelTransaction':
      return 'The transaction is asked to cancel. One that has ended does not change.'
    case 'answerSignature':
      return 'The signature is accepted or refused, if it is still undecided.'
    case 'startReport':
      return `Terminal ${tid} runs the report again. A Z balance, banking or end of day resets its totals.`
    case 'addPaymentOperation':
      return 'Nothing more happens while merchantTransactionId is the same. Change it for another refund, collection or void.'
    case 'closeTransaction':
      return 'The transaction counts as taken or not taken from now on. This cannot be undone.'
    case 'closePayment':
      return 'The payment ends as taken or not taken, and webhooks are sent. This cannot be undone.'
    case 'resendDelivery':
      return 'The webhook is sent again, with the same id.'
    case 'rotateWebhookSecret':
      return 'A new secret signs webhooks from now on.'
    case 'deleteTable':
      return 'The table is deleted. It stays readable under /api/tables.'
    default:
      return `${route.startsWith('DELETE ') ? 'It deletes' : 'It changes'} what ${route} names, as if a program had asked again.`
  }
}

function startedBy(body: Fields = {}): string {
  const { transactionType, amount, currency } = body
  const type = typeof transactionType === 'string' ? transactionType : 'a transaction'
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || !isCurrency(currency)) return type
  return `${type} of ${inWords(amount, currency)}`
}

function isCurrency(text: unknown): text is string {
  if (typeof text !== 'string') return false
  try {
    return decimalsOf(text) >= 0
  } catch {
    return false
  }
}
