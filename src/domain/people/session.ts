// src/domain/people/session.ts — the time between signing in and out. Only a hash of its secret is stored.
import type { MerchantAccountId } from '../ids.ts'
import { accepts, type Decision, type EventEnvelope, next, type Transitions } from '../machine.ts'
import type { Refusal } from '../refusals.ts'
import type { User } from './user.ts'

export type SessionStatus = 'active' | 'ended'

export const TRANSITIONS: Transitions<SessionStatus, SessionEvent['type']> = {
  active: { used: 'active', ended: 'ended' },
  ended: {},
}

/** A session that is not used for this time is over, in milliseconds. */
export const IDLE_MS = 60 * 60_000
/** No session lasts longer, in milliseconds: a working day. */
export const LONGEST_MS = 12 * 60 * 60_000
/** Uses are noted at most this often, in milliseconds: each is a commit. */
export const NOTED_EVERY_MS = 5 * 60_000

export interface Session {
  readonly id: string
  readonly merchantAccount: MerchantAccountId
  /** Id of the user. */
  readonly user: string
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string
  /** What the browser calls itself, for lists. */
  readonly agent: string
  readonly status: SessionStatus
  readonly startedAt: number
  /** When it was last used, to a few minutes. */
  readonly usedAt: number
  readonly version: number
}

/** `now`: epoch milliseconds of the gateway's clock. The clock of a sandbox account may be moved, and people are not part of it. */
type Started = Pick<Session, 'id' | 'merchantAccount' | 'user' | 'hash' | 'agent'> & { readonly now: number }

export type SessionCommand =
  | ({ readonly type: 'start' } & Started)
  | { readonly type: 'use'; readonly now: number }
  | { readonly type: 'end' }

export type SessionEvent =
  | ({ readonly type: 'started' } & Started)
  | { readonly type: 'used'; readonly now: number }
  | { readonly type: 'ended' }

/** Decides a command. Ending twice changes nothing. */
export function decide(record: Session | null, command: SessionCommand): Decision<SessionEvent, Refusal> {
  if (command.type === 'start') {
    if (record !== null) return { refused: { code: 'already_exists', field: command.id } }
    return { events: [{ ...command, type: 'started' }] }
  }
  if (record === null) return { refused: { code: 'session_unknown' } }
  const event: SessionEvent = command.type === 'use' ? { type: 'used', now: command.now } : { type: 'ended' }
  return { events: accepts(TRANSITIONS, record.status, event.type) ? [event] : [] }
}

/** Folds one event into the record. */
export function apply(record: Session | null, { event }: EventEnvelope<SessionEvent>): Session {
  if (event.type === 'started') {
    const { id, merchantAccount, user, hash, agent, now } = event
    return { id, merchantAccount, user, hash, agent, status: 'active', startedAt: now, usedAt: now, version: 1 }
  }
  if (record === null) throw new Error(`${event.type} before started`)
  const status = next(TRANSITIONS, record.status, event.type)
  const usedAt = event.type === 'used' ? event.now : record.usedAt
  return { ...record, status, usedAt, version: record.version + 1 }
}

/** When a session ends by itself, epoch milliseconds. */
export function endOf({ startedAt, usedAt }: Session): number {
  return Math.min(startedAt + LONGEST_MS, usedAt + IDLE_MS)
}

/** Whether a session of this user is still good. A new password ends those from before. */
export function isGood(session: Session, user: User, at: number): boolean {
  return (
    session.status === 'active' &&
    user.status === 'active' &&
    session.user === user.id &&
    session.startedAt >= user.passwordSetAt &&
    at < endOf(session)
  )
}
