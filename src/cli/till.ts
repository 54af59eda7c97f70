// src/cli/till.ts — a till that speaks to a gateway over HTTP as any other does: the public interface, version 2.
import type { Notification } from '../domain/counter/notifications.ts'
import type { TransactionResult } from '../domain/counter/transaction-events.ts'
import type { Verdict } from '../domain/counter/transaction-verdict.ts'
import type { ReceiptLine } from '../domain/receipt.ts'
import { Failure } from './failure.ts'

/** How long the gateway may hold an answer back while nothing changes, in seconds. */
const WAIT_SECONDS = 30
/** How much longer a request may take before the line counts as lost. */
const SLACK_MS = 10_000

export interface TillOptions {
  /** Base address of the gateway, without a slash at the end. */
  readonly url: string
  readonly apiKey: string
  /** Who is credited with the transaction. */
  readonly softwareHouse: string
  readonly installer: string
  /** What payments play at simulated terminals; absent: what the terminal has for them. */
  readonly scenario?: string
}

export interface Started {
  readonly requestId: string
  readonly location: string
}

/** A transaction as version 2 shows it. All but the first two come at the end. */
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

/** What was seen of a transaction, and the tag by which the gateway knows what was seen. */
export interface Seen {
  readonly view: TransactionView
  readonly tag: string | null
}

/** The gateway could not be asked: whatever was asked may or may not have been done. */
export class LineLost extends Error {
  override readonly name = 'LineLost'
}

export interface Till {
  /** The currency a terminal takes. */
  currencyOf(tid: string): Promise<string>
  /** Starts a transaction. The same `idempotencyKey` again never starts a second one. */
  start(tid: string, request: Readonly<Record<string, unknown>>, idempotencyKey: string): Promise<Started>
  /** Resolves when the transaction is no longer as it was seen; null when nothing has changed for a while. */
  change(location: string, tag: string | null): Promise<Seen | null>
  cancel(location: string): Promise<void>
  decideSignature(location: string, accepted: boolean): Promise<void>
  /** What may be concluded; null at a gateway that gives no verdicts. */
  verdict(requestId: string): Promise<Verdict | null>
}

/** Every method throws `LineLost` when there is no answer, and Failure with the gateway's words when it refuses. */
export function openTill(options: TillOptions): Till {
  const { url } = options
  const ask = (method: string, address: string, more: Readonly<Record<string, string>> = {}, body?: unknown) =>
    request(method, address, { ...headersOf(options), ...more }, body)
  const terminalUrl = (tid: string) => `${url}/pac/terminals/${encodeURIComponent(tid)}`
  return {
    async currencyOf(tid) {
      const { currency } = (await jsonOf(await ask('GET', terminalUrl(tid)))) as { readonly currency: string }
      return currency
    },
    async start(tid, request, idempotencyKey) {
      const headers = { 'idempotency-key': idempotencyKey }
      return (await jsonOf(await ask('POST', `${terminalUrl(tid)}/transactions`, headers, request))) as Started
    },
    async change(location, tag) {
      const unchanged: Record<string, string> = tag === null ? {} : { 'if-none-match': tag }
      const answer = await ask('GET', location, { prefer: `wait=${WAIT_SECONDS}`, ...unchanged })
      if (answer.status === 304) return null
      return { view: (await jsonOf(answer)) as TransactionView, tag: answer.headers.get('etag') }
    },
    async cancel(location) {
      await refusedOf(await ask('DELETE', location))
    },
    async decideSignature(location, accepted) {
      await refusedOf(await ask('PUT', `${location}/signature`, {}, { accepted }))
    },
    async verdict(requestId) {
      const answer = await ask('GET', `${url}/api/transactions/${requestId}`, { accept: 'application/json' })
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
    throw new LineLost(`The gateway at ${new URL(url).origin} answers ${answer.status}.`)
  } catch (error) {
    if (error instanceof LineLost) throw error
    throw new LineLost(`No gateway answers at ${new URL(url).origin}.`, { cause: error })
  }
}

async function jsonOf(answer: Response): Promise<unknown> {
  await refusedOf(answer)
  try {
    return await answer.json()
  } catch (error) {
    throw new LineLost('The answer of the gateway was cut off.', { cause: error })
  }
}

/** @throws Failure with what the gateway says to people, when it says no. */
async function refusedOf(answer: Response): Promise<void> {
  if (answer.ok) return
  const body = (await answer.json().catch(() => ({}))) as { readonly userMessage?: string; readonly location?: string }
  const told = body.userMessage ?? `The gateway answers ${answer.status}.`
  throw new Failure(body.location === undefined ? told : `${told} See ${body.location}`)
}
