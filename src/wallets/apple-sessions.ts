// src/wallets/apple-sessions.ts — asks Apple for the merchant session that a browser opens its sheet with. Source:
// Apple's "Requesting an Apple Pay payment session".
import type { MerchantSession, WalletProviderClient } from '../engine/ports/wallets.ts'
import type { AppleIdentity } from './apple-pay.ts'

/**
 * Apple's hosts for this, of production and of its sandbox, in all regions. The address comes from a browser, so anybody
 * can write anything there, and what it leads to would be called under our certificate.
 */
const HOSTS = /^(?:cn-)?apple-pay-gateway(?:-(?:nc|pr|sh|tj)-pod[1-9]|-cert)?\.apple\.com$/
const PATHS: readonly string[] = ['/paymentservices/startSession', '/paymentservices/paymentSession']
/** The sheet gives up half a minute after it has asked; what comes later is of no use. */
const LIMIT_MS = 20_000

/** One question, never repeated: the shopper presses the button again. */
export async function askForSession(
  line: WalletProviderClient,
  { identifier, certificate, privateKey, displayName }: AppleIdentity & { readonly identifier: string },
  pageHost: string,
  validationUrl: string,
): Promise<MerchantSession> {
  if (!isApples(validationUrl)) return { refused: 'url_refused', reason: 'the validation address is none of Apple’s' }
  const body = JSON.stringify({
    ...{ merchantIdentifier: identifier, displayName },
    ...{ initiative: 'web', initiativeContext: pageHost },
  })
  const answer = await line.post({ url: validationUrl, body, certificate, privateKey, limitMs: LIMIT_MS })
  if ('failed' in answer) return { refused: 'no_session', reason: answer.failed }
  const session = answer.status === 200 ? objectIn(answer.body) : null
  return session === null ? { refused: 'no_session', reason: `status ${answer.status}` } : { session }
}

/** https, the usual port, one of the hosts and paths, and nothing else in it. */
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
