// src/api/keys/key-holder.ts — who calls with an API key: the account, the key's limits, and the role of its user. ADR 79.
import type { ApiKey } from '../../domain/accounts/api-key.ts'
import type { KeyLimits } from '../../domain/accounts/key-limits.ts'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Role } from '../../domain/people/roles.ts'
import { LONGEST_MS, type Session } from '../../domain/people/session.ts'
import type { User } from '../../domain/people/user.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Change } from '../../engine/feed.ts'
import { API_KEY, MERCHANT_ACCOUNT } from '../../engine/machines.ts'
import { SESSION, USER } from '../../engine/people-machines.ts'
import type { Clock } from '../../engine/ports/clock.ts'

/** What a key may do. */
export interface HeldKey {
  readonly id: string
  readonly limits: KeyLimits
  /** Id of the user whom it belongs to; null for nobody. */
  readonly user: string | null
  /** Id of the session that it ends with; null when it lasts. */
  readonly session: string | null
  /** Role of the user now; null without a user: then only the limits count. */
  readonly role: Role | null
}

export interface KeyHolder {
  readonly account: MerchantAccount
  readonly key: HeldKey
}

/** Whether a change may have changed what keys of its account may do, or ended them. The use of a session does not. */
export function mayChangeKeys({ kind, record }: Pick<Change, 'kind' | 'record'>): boolean {
  if (kind === SESSION.kind) return (record as Session).status === 'ended'
  return kind === API_KEY.kind || kind === MERCHANT_ACCOUNT.kind || kind === USER.kind
}

/** Reads what a key depends on. */
export interface KeyReader {
  user(id: string): Promise<User | null>
  session(id: string): Promise<Session | null>
}

/**
 * What an active key may do at `at`, epoch milliseconds. Null when its user has ended, or the session that it ends with. Reads nothing for a key
 * of nobody.
 */
export async function heldKey(key: ApiKey, reader: KeyReader, at: number): Promise<HeldKey | null> {
  const { id, limits = {}, user: userId = null, session: sessionId = null } = key
  if (userId === null) return { id, limits, user: null, session: null, role: null }
  const user = await reader.user(userId)
  if (user?.status !== 'active') return null
  if (sessionId !== null && !isOpen(await reader.session(sessionId), user, at)) return null
  return { id, limits, user: userId, session: sessionId, role: user.role }
}

/** Whether a session has not ended. A till may be used for hours without a request of the console, so idle time does not count. */
function isOpen(session: Session | null, user: User, at: number): boolean {
  if (session?.status !== 'active') return false
  return session.startedAt >= user.passwordSetAt && at < session.startedAt + LONGEST_MS
}

/** Reads through the cache of the engine. */
export function engineReader(engine: Pick<Engine, 'read'>, account: MerchantAccountId): KeyReader {
  return {
    user: async id => (await engine.read(USER, { account, id }))?.record ?? null,
    session: async id => (await engine.read(SESSION, { account, id }))?.record ?? null,
  }
}

/** Whether a key may still be used, for what goes on after its request: a stream. */
export async function isHeldStill(
  { engine, clock }: { readonly engine: Engine; readonly clock: Clock },
  account: MerchantAccountId,
  { id }: Pick<HeldKey, 'id'>,
): Promise<boolean> {
  const key = (await engine.read(API_KEY, { account, id }))?.record
  return key?.status === 'active' && (await heldKey(key, engineReader(engine, account), clock.now())) !== null
}
