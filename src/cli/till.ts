// src/cli/till.ts — a client of the connect interface, version 2.
import type { Notification } from '../domain/counter/notifications.ts'
import type { TransactionResult } from '../domain/counter/transaction-events.ts'
import type { Verdict } from '../domain/counter/transaction-verdict.ts'
import type { ReceiptLine } from '../domain/receipt.ts'
import { Failure } from './failure.ts'

/** Longest long poll, in seconds. */
const WAIT_SECONDS = 30
/** Additional time before a request counts as unanswered. */
const SLACK_MS = 10_000

export interface TillOptions {
  /** Base address of the gateway, without a slash at the end. */
  readonly url: string
  readonly apiKey: string
  /** Partner ids, sent with every request. */
  readonly softwareHouse: string
  readonly installer: string
  /** Scenario that simulated terminals play. Default: that of the terminal. */
  readonly scenario?: string
}

export interface Started {
  readonly requestId: string
  readonly location: string
}

/** A transaction in version 2. The optional members are present at the end. */
export interface TransactionView {
  /** Newest first. */
  readonly notifications: readonly Notification[]
  readonly location: string
  readonly transactionResult?: TransactionResult
  readonly currency?: string
  readonly amountTotal?: number
  readonly authCode?: string
  readonly cardSchemeName?: string
  readonly primaryAccountNumber?: string
  readonly paymentMethod?: string
  readonly cardholderVerificationMethod?: string
  readonly userMessage?: string
  readonly receiptLines?: { readonly MERCHANT?: readonly ReceiptLine[]; readonly CUSTOMER?: readonly ReceiptLine[] }
}

/** A state of a transaction with its ETag. */
export interface Seen {
  readonly view: TransactionView
  readonly tag: string | null
}

/** The gateway did not answer, so it is not known whether the request was served. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

export interface Till {
  /** Returns the currency of a terminal. */
  currencyOf(tid: string): Promise<string>
  /** Starts a transaction. The same `idempotencyKey` never starts a second one. */
  start(tid: string, request: Readonly<Record<string, unknown>>, idempotencyKey: string): Promise<Started>
  /** Waits for a change since `tag`. Null when there is none within WAIT_SECONDS. */
  change(location: string, tag: string | null): Promise<Seen | null>
  cancel(location: string): Promise<void>
  decideSignature(location: string, accepted: boolean): Promise<void>
  /** Reads the verdict. Null at a gateway without verdicts. */
  verdict(requestId: string): Promise<Verdict | null>
}

/** Methods throw ConnectionLost when the gateway does not answer, and Failure with its message when it refuses. */
export function openTill(options: TillOptions): Till {
  const { url } = options
  const send = (method: string, address: string, more: Readonly<Record<string, string>> = {}, body?: unknown) =>
    request(method, address, { ...headersOf(options), ...more }, body)
  const terminalUrl = (tid: string) => `${url}/pac/terminals/${encodeURIComponent(tid)}`
  return {
    async currencyOf(tid) {
      const { currency } = (await jsonOf(await send('GET', terminalUrl(tid)))) as { readonly currency: string }
      return currency
    },
    async start(tid, request, idempotencyKey) {
      const headers = { 'idempotency-key': idempotencyKey }
      return (await jsonOf(await send('POST', `${terminalUrl(tid)}/transactions`, headers, request))) as Started
    },
    async change(location, tag) {
      const unchanged: Record<string, string> = tag === null ? {} : { 'if-none-match': tag }
      const answer = await send('GET', location, { prefer: `wait=${WAIT_SECONDS}`, ...unchanged })
      if (answer.status === 304) return null
      return { view: (await jsonOf(answer)) as TransactionView, tag: answer.headers.get('etag') }
    },
    async cancel(location) {
      await refusedOf(await send('DELETE', location))
    },
    async decideSignature(location, accepted) {
      await refusedOf(await send('PUT', `${location}/signature`, {}, { accepted }))
    },
    async verdict(requestId) {
      const answer = await send('GET', `${url}/api/transactions/${requestId}`, { accept: 'application/json' })
      return answer.ok ? ((await jsonOf(answer)) as { readonly verdict: Verdict }).verdict : null
    },
  }
}

function headersOf({ apiKey, softwareHouse, installer, scenario }: TillOptions): Readonly<Record<string, string>> {
  return {
    accept: 'application/connect.v2+json',
    authorization: `Basic ${Buffer.from(`tollgate:${apiKey}`).toString('base64')}`,
    'software-house-id': softwareHouse,
    'installer-id': installer,
    ...(scenario === undefined ? {} : { 'tollgate-scenario': scenario }),
  }
}

async function request(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Response> {
  try {
    const answer = await fetch(url, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(WAIT_SECONDS * 1000 + SLACK_MS),
    })
    if (answer.status < 500) return answer
    throw new ConnectionLost(`The gateway at ${new URL(url).origin} answers ${answer.status}.`)
  } catch (error) {
    if (error instanceof ConnectionLost) throw error
    throw new ConnectionLost(`No gateway answers at ${new URL(url).origin}.`, { cause: error })
  }
}

async function jsonOf(answer: Response): Promise<unknown> {
  await refusedOf(answer)
  try {
    return await answer.json()
  } catch (error) {
    throw new ConnectionLost('The answer of the gateway was cut off.', { cause: error })
  }
}

/** @throws Failure with the `userMessage` of a refusal */
async function refusedOf(answer: Response): Promise<void> {
  if (answer.ok) return
  const body = (await answer.json().catch(() => ({}))) as { readonly userMessage?: string; readonly location?: string }
  const message = body.userMessage ?? `The gateway answers ${answer.status}.`
  throw new Failure(body.location === undefined ? message : `${message} See ${body.location}`)
}
