// web/console/phone/link.ts — a link to a terminal, as the gateway gives it and as the address of the phone's page holds it.

/** The answer of `POST /sandbox/terminals/{tid}/links`. */
export interface TerminalLink {
  readonly url: string
  readonly expiresAt: string
  /** The page at each address of the gateway in its networks. */
  readonly addresses: readonly string[]
}

/** Hosts that are this machine, whichever it is. */
const THIS_MACHINE = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** The addresses at which a phone can open a link, the best one first. Empty when none leaves this machine. */
export function addressesOf({ url, addresses }: TerminalLink): readonly string[] {
  return [...new Set([url, ...addresses])].filter(address => !THIS_MACHINE.test(new URL(address).hostname))
}

/** The terminal that a link is for, from what follows the number sign of its address. Null when that is no link. */
export function tidIn(token: string): string | null {
  const [, tid] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token) ?? []
  if (tid === undefined) return null
  try {
    const bytes = Uint8Array.from(atob(tid.replaceAll('-', '+').replaceAll('_', '/')), each => each.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
