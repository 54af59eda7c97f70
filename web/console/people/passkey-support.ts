// web/console/people/passkey-support.ts — whether this page can use passkeys, and what to say when it cannot.
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'

/** Null when passkeys work here. Browsers bind them to a name, and want HTTPS everywhere but on this machine. */
export function whyNoPasskeys(): string | null {
  if (!isSecureContext) return 'Passkeys need HTTPS. Open the console at an address that begins with https.'
  if (!browserSupportsWebAuthn()) return 'This browser has no passkeys.'
  // What browsers take for an address, not for a name.
  if (/^[\d.]+$|^\[/.test(location.hostname))
    return `Passkeys need a name instead of ${location.hostname}: open the console at ${location.protocol}//localhost:${location.port}/console.`
  return null
}

/** What to say when the browser made or found no passkey. */
export function passkeyProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return 'This device has a passkey for you already.'
  if (name === 'NotAllowedError' || name === 'AbortError') return 'The browser gave no passkey, or nobody confirmed it.'
  return `The browser gave no passkey${name === '' ? '.' : ` (${name}).`}`
}
