// web/frame/gateway.ts — calls the gateway's browser-side API. Card data leave the frame here and nowhere else.
import type { Outcome, Rejection } from '../protocol.ts'

/** Kits of the original wait 15 to 25 s; a bank that is slow but answers is worth some more. E-commerce 9.7. */
const CALL_LIMIT_MS = 40_000

export const UNKNOWN_OUTCOME: Rejection = {
  statusCode: 500,
  message: 'The outcome of the payment is not known; ask the gateway for it before another try',
}

/** What the gateway says to a payment. E-commerce 9.3. */
export interface PaymentAnswer extends Outcome {
  readonly stepUpUrl: string
  readonly jwt: string
  readonly paReq: string
  readonly md: string
  readonly acsUrl: string
  readonly termUrl: string
}

/** Where each kind of payment is sent. */
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

/** Sends a body; null when nothing that can be read came back, so nobody knows whether it arrived. */
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

/** Asks whether the form may go on with another token; null when nobody answered. */
export async function askForToken(
  token: string,
  held: string,
): Promise<{ readonly state: string; readonly usableMs: number } | null> {
  try {
    const query = new URLSearchParams({ held })
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

/** Reads the answer to a payment; null when it is none. */
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
    stepUpUrl: text('stepUpUrl'),
    jwt: text('jwt'),
    paReq: text('paReq'),
    md: text('md'),
    acsUrl: text('acsUrl'),
    termUrl: text('termUrl'),
  }
}

/** Codes of the page: nothing was decided at the gateway. E-commerce 4. */
export function isRefusal({ statusCode }: PaymentAnswer): boolean {
  return statusCode >= 400
}
