// src/simulator/terminals/terminal-links.ts — links by which somebody without an API key presses one terminal. ADR 80.
import { hash, timingSafeEqual } from 'node:crypto'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { SimulatedMemory } from '../memory/memory.ts'

/** How long a link is good, in milliseconds of the gateway's clock: a session of trying out. */
const GOOD_MS = 3_600_000
/** Upper bound of good links of a terminal: more than there are phones around it. */
const MOST_LINKS = 20
/** Random bytes in a secret: too many to guess, so a plain hash is enough for storage. */
const SECRET_BYTES = 32

/** Account and terminal in base64url, and the secret. */
const TOKEN = /^([A-Za-z0-9_-]{1,172})\.([A-Za-z0-9_-]{1,172})\.([A-Za-z0-9_-]{43})$/
const NAME = /^[^\p{Cc}]+$/u

/** The terminal that a link is for. */
export type LinkedTerminal = Pick<Terminal, 'merchantAccount' | 'tid'>

/** A good link. */
export interface FoundLink extends LinkedTerminal {
  /** Id of the user who has made it, and with whom it ends; null for nobody. */
  readonly user: string | null
}

export interface TerminalLinks {
  /**
   * Makes a link. Its token is known to the caller only. Null when the terminal has the most links that it may have.
   * @param user id of the user who makes it; null for nobody
   */
  open(terminal: LinkedTerminal, user: string | null): { readonly token: string; readonly expiresAt: number } | null
  /** Ends all links of a terminal. */
  end(terminal: LinkedTerminal): void
  /**
   * The link of a token. `over`: the link has ended, or there never was one. Null when the text is no token of a link. Whether its user may still
   * operate is not looked at.
   * @throws faults of the database
   */
  find(token: string): Promise<FoundLink | 'over' | null>
}

/** A link as it is stored. `expiresAt`: epoch milliseconds. */
interface StoredLink {
  readonly hash: string
  readonly expiresAt: number
  /** Absent for a link of nobody. */
  readonly user?: string
}

export interface TerminalLinksParts {
  readonly memory: SimulatedMemory
  readonly random: Random
  /** The gateway's own: an account's clock may be frozen. */
  readonly clock: Clock
}

/** The links of a terminal are one document, found by the names in the token: a guess costs one look by key. */
export function createTerminalLinks({ memory, random, clock }: TerminalLinksParts): TerminalLinks {
  const goodIn = (body: string | null): readonly StoredLink[] => {
    const stored = body === null ? [] : (JSON.parse(body) as readonly StoredLink[])
    return stored.filter(({ expiresAt }) => clock.now() < expiresAt)
  }
  return {
    open(terminal, user) {
      const key = keyOf(terminal)
      const good = goodIn(memory.read('terminal-link', key))
      if (good.length >= MOST_LINKS) return null
      const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url')
      const expiresAt = clock.now() + GOOD_MS
      const link: StoredLink = { hash: hashOf(secret), expiresAt, ...(user === null ? {} : { user }) }
      const body = JSON.stringify([...good, link])
      memory.write([{ collection: 'terminal-link', key, parent: terminal.merchantAccount, body }])
      return { token: `${key}.${secret}`, expiresAt }
    },
    end: terminal => memory.erase('terminal-link', keyOf(terminal)),
    async find(token) {
      const [, account, tid, secret] = TOKEN.exec(token) ?? []
      if (account === undefined || tid === undefined || secret === undefined) return null
      const terminal = { merchantAccount: decoded(account), tid: decoded(tid) }
      const key = keyOf(terminal)
      // Otherwise several tokens would name one terminal. The database stores no control characters.
      if (key !== `${account}.${tid}` || !NAME.test(terminal.merchantAccount)) return 'over'
      const body =
        memory.nodes === undefined
          ? memory.read('terminal-link', key)
          : await memory.nodes.find(terminal.merchantAccount, 'terminal-link', key)
      const sent = Buffer.from(hashOf(secret))
      const found = goodIn(body).find(link => timingSafeEqual(Buffer.from(link.hash), sent))
      return found === undefined ? 'over' : { ...terminal, user: found.user ?? null }
    },
  }
}

/** Not ambiguous, whatever the names are. */
function keyOf({ merchantAccount, tid }: LinkedTerminal): string {
  return `${encoded(merchantAccount)}.${encoded(tid)}`
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function decoded(text: string): string {
  return Buffer.from(text, 'base64url').toString('utf8')
}
