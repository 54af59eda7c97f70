// src/wallets/apple-sessions.ts — requests Apple Pay merchant sessions. Source: Apple's "Requesting an Apple Pay payment
// session".
import type { MerchantSession, WalletProviderClient } from '../engine/ports/wallets.ts'
import type { AppleIdentity } from './apple-pay.ts'

/**
 * Apple's hosts for sessions, production and sandbox, in all regions. The address comes from a browser and is not trusted: it
 * would be called with the merchant's certificate.
 */
const HOSTS = /^(?:cn-)?apple-pay-gateway(?:-(?:nc|pr|sh|tj)-pod[1-9]|-cert)?\.apple\.com$/
const PATHS: readonly string[] = ['/paymentservices/startSession', '/paymentservices/paymentSession']
/** Time limit, in milliseconds. The sheet gives up after 30 seconds. */
const LIMIT_MS = 20_000

/** Requests a session. No retry: the shopper presses the button again. */
export async function requestSession(
  provider: WalletProviderClient,
  { identifier, certificate, privateKey, displayName }: AppleIdentity & { readonly identifier: string },
  pageHost: string,
  validationUrl: string,
): Promise<MerchantSession> {
  if (!isApples(validationUrl)) return { refused: 'url_refused', reason: 'the validation address is none of Apple’s' }
  const body = JSON.stringify({
    ...{ merchantIdentifier: identifier, displayName },
    ...{ initiative: 'web', initiativeContext: pageHost },
  })
  const answer = await provider.post({ url: validationUrl, body, certificate, privateKey, limitMs: LIMIT_MS })
  if ('failed' in answer) return { refused: 'no_session', reason: answer.failed }
  const session = answer.status === 200 ? objectIn(answer.body) : null
  return session === null ? { refused: 'no_session', reason: `status ${answer.status}` } : { session }
}

/** Whether an address is one of Apple's: https, the default port, a known host and path, and nothing else. */
export function isApples(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '')
    return false
  return HOSTS.test(url.hostname) && PATHS.includes(url.pathname) && url.search === '' && url.hash === ''
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null
  } catch {
    return null
  }
}
