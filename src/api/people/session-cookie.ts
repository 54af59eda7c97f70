// src/api/people/session-cookie.ts — the cookie of a session. It counts for the management API and the sandbox only.
import type { IncomingMessage } from 'node:http'

const NAME = 'tollgate_session'
/** The browser sends it to these paths and to no other page, least of all one that shows what other people have written. */
const PATHS = ['/api', '/sandbox', '/console'] as const
/** Account, id of the session and its secret. */
const VALUE = /^([A-Za-z0-9_-]{1,128})\.([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/
/** No control characters: no account has them, and databases do not take all of them. */
const PLAIN = /^[^\p{Cc}]+$/u
/** More than browsers send to one path. */
const LONGEST_HEADER = 8_192

export interface SessionParts {
  readonly account: string
  readonly id: string
  readonly secret: string
}

/** `Set-Cookie` headers of a new session. The browser forgets it when it is closed. */
export function cookiesOf({ account, id, secret }: SessionParts, isSecure: boolean): readonly string[] {
  const value = `${Buffer.from(account).toString('base64url')}.${id}.${secret}`
  return PATHS.map(path => `${NAME}=${value}; Path=${path}${attributes(isSecure)}`)
}

/** `Set-Cookie` headers that erase it. */
export function erasedCookies(isSecure: boolean): readonly string[] {
  return PATHS.map(path => `${NAME}=; Path=${path}; Max-Age=0${attributes(isSecure)}`)
}

export function isSecure(origin: string): boolean {
  return origin.startsWith('https:')
}

function attributes(isSecure: boolean): string {
  return `; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

/** Reads the session of a request. Null when it has none, or something that is none. */
export function sessionIn({ headers }: Pick<IncomingMessage, 'headers'>): SessionParts | null {
  const { cookie } = headers
  if (cookie === undefined || cookie.length > LONGEST_HEADER) return null
  for (const pair of cookie.split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() !== NAME) continue
    const [, account, id, secret] = VALUE.exec(pair.slice(at + 1).trim()) ?? []
    if (account === undefined || id === undefined || secret === undefined) return null
    const name = Buffer.from(account, 'base64url').toString('utf8')
    return PLAIN.test(name) ? { account: name, id, secret } : null
  }
  return null
}
