// src/services/people/sessions.ts — signs users in and out, and identifies them by their session.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import { isGood, NOTED_EVERY_MS, type Session } from '../../domain/people/session.ts'
import type { User } from '../../domain/people/user.ts'
import type { Refusal } from '../../domain/refusals.ts'
import { decodeRecord } from '../../engine/decoding.ts'
import type { Engine } from '../../engine/engine.ts'
import { MERCHANT_ACCOUNT } from '../../engine/machines.ts'
import { SESSION, USER } from '../../engine/people-machines.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Store } from '../../engine/ports/store.ts'
import type { OneTimeCodesService } from './one-time-codes.ts'
import type { Passwords } from './passwords.ts'

/** Random bytes in the secret of a session: too many to guess, so a plain hash is enough for storage. */
const SECRET_BYTES = 32
/** Listed sessions of an account: more than people have. */
const MOST_SESSIONS = 200
/** Kept of what a browser calls itself, in characters. */
const AGENT_LENGTH = 200

export interface SignInOrder {
  readonly account: string
  readonly user: string
  readonly password: string
  /** A one-time code or a recovery code; null when none was given. */
  readonly code: string | null
  readonly agent: string
}

/** Who has a session. `secret`: of the session; the browser has it in a cookie. */
export interface SignedIn {
  readonly account: MerchantAccount
  readonly user: User
  readonly session: Session
  readonly secret: string
}

export interface Sessions {
  signIn(order: SignInOrder): Promise<SignedIn | { readonly refused: Refusal }>
  /** Starts a session for a user whose passkey was verified. */
  start(user: User, agent: string): Promise<SignedIn | { readonly refused: Refusal }>
  /** Finds a session by its parts. Null when there is none, it is over, or its user or account has ended. */
  find(account: MerchantAccountId, id: string, secret: string): Promise<SignedIn | null>
  /** Notes that a session is used, every few minutes. */
  noteUse(session: Session): Promise<void>
  /** The good sessions of an account, newest first. */
  list(account: MerchantAccountId): Promise<readonly Session[]>
  end(account: MerchantAccountId, id: string): Promise<{ readonly refused: Refusal } | null>
}

export interface SessionsParts {
  readonly engine: Engine
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly passwords: Passwords
  readonly oneTimeCodes: Pick<OneTimeCodesService, 'use'>
}

export function createSessions({ engine, store, clock, random, passwords, oneTimeCodes }: SessionsParts): Sessions {
  /** A user of an account that is enabled. */
  async function userOf(id: MerchantAccountId, name: string): Promise<Pick<SignedIn, 'account' | 'user'> | null> {
    const account = (await engine.read(MERCHANT_ACCOUNT, { account: id, id }))?.record
    if (account?.status !== 'enabled') return null
    const user = (await engine.read(USER, { account: id, id: name }))?.record
    return user === undefined ? null : { account, user }
  }

  async function begin(found: Pick<SignedIn, 'account' | 'user'>, agent: string): Promise<SignedIn> {
    const { id: account } = found.account
    const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url')
    const id = random.uuid()
    const started = { id, merchantAccount: account, user: found.user.id, hash: hashOf(secret), now: clock.now() }
    const command = { type: 'start', ...started, agent: agent.slice(0, AGENT_LENGTH) } as const
    const executed = await engine.execute(SESSION, { account, id }, command, { isNew: true })
    if (!('record' in executed)) throw new Error('a new session was refused')
    return { ...found, session: executed.record, secret }
  }

  return {
    async signIn({ account, user: name, password, code, agent }) {
      const known = await userOf(account, name.toLowerCase())
      const found = known?.user.status === 'active' ? known : null
      const isRight = await passwords.matches(password, found?.user.password ?? null)
      if (isRight === null) return { refused: { code: 'gateway_busy' } }
      if (!isRight || found === null) return { refused: { code: 'sign_in_refused' } }
      if (found.user.oneTimeCodes) {
        if (code === null) return { refused: { code: 'code_needed' } }
        const refused = await oneTimeCodes.use(found.account.id, found.user, code)
        if (refused !== null) return refused
      }
      return begin(found, agent)
    },
    async start({ merchantAccount, id }, agent) {
      const found = await userOf(merchantAccount, id)
      return found?.user.status === 'active' ? begin(found, agent) : { refused: { code: 'passkey_refused' } }
    },
    async find(account, id, secret) {
      const session = (await engine.read(SESSION, { account, id }))?.record
      if (session === undefined || !timingSafeEqual(Buffer.from(session.hash), Buffer.from(hashOf(secret)))) return null
      const found = await userOf(account, session.user)
      return found !== null && isGood(session, found.user, clock.now()) ? { ...found, session, secret } : null
    },
    async noteUse({ merchantAccount: account, id, usedAt }) {
      const now = clock.now()
      if (now < usedAt + NOTED_EVERY_MS) return
      await engine.execute(SESSION, { account, id }, { type: 'use', now })
    },
    async list(account) {
      const listed = await store.list(account, { kind: SESSION.kind, live: true, limit: MOST_SESSIONS })
      const sessions = listed.map(({ body }) => decodeRecord(SESSION, body))
      const good = await Promise.all(
        sessions.map(async session => {
          const found = await userOf(account, session.user)
          return found !== null && isGood(session, found.user, clock.now())
        }),
      )
      return sessions.filter((_, index) => good[index])
    },
    async end(account, id) {
      const executed = await engine.execute(SESSION, { account, id }, { type: 'end' })
      return 'refused' in executed ? executed : null
    },
  }
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/**
 * The token that a page of the console sends with each request. It comes from the secret of the session, which scripts cannot
 * read: a page that has the cookie sent along by the browser, but was not given the token, can do nothing.
 */
export function pageTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('page token').digest('base64url')
}
