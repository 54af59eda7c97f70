// src/domain/accounts/api-key.ts — the API key by which a till authenticates as a merchant account. Only its hash is stored.
import type { MerchantAccountId } from '../ids.ts'
import { accepts, type Decision, type EventEnvelope, next, type Transitions } from '../machine.ts'
import type { Refusal } from '../refusals.ts'
import type { KeyLimits } from './key-limits.ts'

export type KeyStatus = 'active' | 'revoked'
type EventType = KeyEvent['type']

export const TRANSITIONS: Transitions<KeyStatus, EventType> = {
  active: { jwt_signed: 'active', revoked: 'revoked' },
  revoked: {},
}

export interface ApiKey {
  /** Public id of the key, for lists and for revoking. */
  readonly id: string
  readonly merchantAccount: MerchantAccountId
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string
  readonly label: string
  /** Id of the user who made it and answers for it; null when it was made at the command line. Absent in keys made before there were users. */
  readonly user?: string | null
  /** Id of the session of the user that it ends with. Absent when it lasts. */
  readonly session?: string
  /** Absent when it has none. */
  readonly limits?: KeyLimits
  readonly status: KeyStatus
  readonly version: number
  readonly createdAt: number
  /** End of the last JWT that the gateway signed with a chosen life and that names this key. Absent when there is none. */
  readonly jwtExpiresAt?: number
}

/** A coming end of a JWT is announced from this time before it, in milliseconds: long enough to reach a shop. */
const JWT_END_NOTICE_MS = 30 * 86_400_000

type Created = Pick<ApiKey, 'id' | 'merchantAccount' | 'hash' | 'label' | 'user' | 'session' | 'limits'>

export type KeyCommand =
  | ({ readonly type: 'create' } & Created)
  /** A JWT that names the key is about to be handed out. `expiresAt`: its end, epoch milliseconds. */
  | { readonly type: 'sign_jwt'; readonly expiresAt: number }
  | { readonly type: 'revoke' }
export type KeyEvent =
  | ({ readonly type: 'created' } & Created)
  | { readonly type: 'jwt_signed'; readonly expiresAt: number }
  | { readonly type: 'revoked' }

/** Decides a command. Revoking twice changes nothing. */
export function decide(record: ApiKey | null, command: KeyCommand): Decision<KeyEvent, Refusal> {
  switch (command.type) {
    case 'create':
      if (record !== null) return { refused: { code: 'already_exists', field: command.id } }
      return { events: [{ ...command, type: 'created' }] }
    case 'sign_jwt':
      if (record === null || !accepts(TRANSITIONS, record.status, 'jwt_signed'))
        return { refused: { code: 'key_unknown' } }
      return { events: [{ type: 'jwt_signed', expiresAt: command.expiresAt }] }
    case 'revoke':
      if (record === null) return { refused: { code: 'key_unknown' } }
      return { events: accepts(TRANSITIONS, record.status, 'revoked') ? [{ type: 'revoked' }] : [] }
  }
}

/** Folds one event into the record. */
export function apply(record: ApiKey | null, envelope: EventEnvelope<KeyEvent>): ApiKey {
  const { event, at } = envelope
  if (event.type === 'created') {
    const { type, ...created } = event
    return { ...created, status: 'active', version: 1, createdAt: at }
  }
  if (record === null) throw new Error(`${event.type} before created`)
  const changed = { ...record, status: next(TRANSITIONS, record.status, event.type), version: record.version + 1 }
  if (event.type === 'revoked') return changed
  // A short token for a trial does not replace the one that the shop works with.
  return { ...changed, jwtExpiresAt: Math.max(event.expiresAt, record.jwtExpiresAt ?? 0) }
}

/** When the last JWT that names an active key ends, if that is announced by now. Null otherwise, and once it has ended. */
export function comingJwtEnd({ status, jwtExpiresAt = 0 }: ApiKey, at: number): number | null {
  const isComing = status === 'active' && jwtExpiresAt > at && jwtExpiresAt - at <= JWT_END_NOTICE_MS
  return isComing ? jwtExpiresAt : null
}
