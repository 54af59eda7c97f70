// web/frame/gateway.ts — client of the gateway's browser API. Card data leaves the frame only here.
import type { Outcome, Rejection } from '../protocol.ts'

/** Time limit of a call. Longer than the 15 to 25 s of comparable clients, for slow issuers that still answer. */
const CALL_LIMIT_MS = 40_000
/** A look that takes longer counts as one without an answer. */
const LOOK_LIMIT_MS = 1_000

export const UNKNOWN_OUTCOME: Rejection = {
  statusCode: 500,
  message: 'The outcome of the payment is not known; ask the gateway for it before another try',
}

/** Answer to a payment request. */
export interface PaymentAnswer extends Outcome {
  readonly stepUpUrl: string
  readonly jwt: string
  readonly paReq: string
  readonly md: string
  readonly acsUrl: string
  readonly termUrl: string
}

/** Path for each kind of request. */
export const PATHS = {
  payment: (token: string) => `/api/payments/${encodeURIComponent(token)}`,
  recurring: (token: string) => `/api/payments/recurring/${encodeURIComponent(token)}`,
  deviceData: (token: string) => `/api/device-data/${encodeURIComponent(token)}`,
  threeDsComplete: (token: string) => `/mobile/payments/${encodeURIComponent(token)}/three-ds-complete`,
  googlePay: (token: string) => `/api/payments/${encodeURIComponent(token)}/google-pay`,
  applePay: (token: string) => `/api/payments/${encodeURIComponent(token)}/apple-pay`,
  appleSession: (token: string) => `/api/payments/${encodeURIComponent(token)}/apple-pay/session`,
  walletToken: (token: string) => `/wallet-sheet/tokens/${encodeURIComponent(token)}`,
} as const

/**
 * Moves an address of the gateway to the host name by which the browser has reached this document: the gateway may be known by
 * several, or stand behind a proxy. Addresses of others are unchanged.
 */
export function onThisHost(address: string): string {
  const { base = '' } = document.body.dataset
  return base !== '' && address.startsWith(`${base}/`) ? location.origin + address.slice(base.length) : address
}

/** Posts a body. Null when there is no readable answer; the request may have arrived all the same. */
export async function post(path: string, body: unknown): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    })
    const answer: unknown = await response.json()
    return typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}

/** Asks whether the form can continue with another token. Null without an answer. */
export async function requestToken(
  token: string,
  previous: string,
): Promise<{ readonly state: string; readonly usableMs: number } | null> {
  try {
    const query = new URLSearchParams({ held: previous })
    const response = await fetch(`/payment-form/tokens/${encodeURIComponent(token)}?${query}`, {
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    })
    return response.ok ? ((await response.json()) as { state: string; usableMs: number }) : null
  } catch {
    return null
  }
}

/** Asks how far the payer is with the issuer; null without an answer. */
export async function askHowFar(token: string): Promise<string | null> {
  try {
    const response = await fetch(`/three-ds/tokens/${encodeURIComponent(token)}`, {
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(LOOK_LIMIT_MS),
    })
    return response.ok ? String(((await response.json()) as { state?: unknown }).state) : null
  } catch {
    return null
  }
}

/** Reads the answer to a payment request; null when it has no status code. */
export function paymentAnswer(answer: Readonly<Record<string, unknown>> | null): PaymentAnswer | null {
  if (answer === null || typeof answer['statusCode'] !== 'number') return null
  const text = (name: string): string => {
    const value = answer[name]
    return typeof value === 'string' ? value : ''
  }
  return {
    statusCode: answer['statusCode'],
    authCode: text('authCode'),
    message: text('message'),
    reason: text('reason'),
    stepUpUrl: text('stepUpUrl'),
    jwt: text('jwt'),
    paReq: text('paReq'),
    md: text('md'),
    acsUrl: text('acsUrl'),
    termUrl: text('termUrl'),
  }
}

/** Whether the request was refused before a decision. */
export function isRefusal({ statusCode }: PaymentAnswer): boolean {
  return statusCode >= 400
}
