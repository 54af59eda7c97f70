// src/domain/accounts/api-key.ts — the API key by which a till authenticates as a merchant account. Only its hash is stored.
import type { MerchantAccountId } from '../ids.ts'
import { accepts, type Decision, type EventEnvelope, next, type Transitions } from '../machine.ts'
import type { Refusal } from '../refusals.ts'

export type KeyStatus = 'active' | 'revoked'
type EventType = KeyEvent['type']

export const TRANSITIONS: Transitions<KeyStatus, EventType> = {
  active: { revoked: 'revoked' },
  revoked: {},
}

export interface ApiKey {
  /** Public id of the key, for lists and for revoking. */
  readonly id: string
  readonly merchantAccount: MerchantAccountId
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string
  readonly label: string
  readonly status: KeyStatus
  readonly version: number
  readonly createdAt: number
}

export type KeyCommand =
  | {
      readonly type: 'create'
      readonly id: string
      readonly merchantAccount: MerchantAccountId
      readonly hash: string
      readonly label: string
    }
  | { readonly type: 'revoke' }
export type KeyEvent =
  | {
      readonly type: 'created'
      readonly id: string
      readonly merchantAccount: MerchantAccountId
      readonly hash: string
      readonly label: string
    }
  | { readonly type: 'revoked' }

/** Decides a command. Revoking twice changes nothing. */
export function decide(record: ApiKey | null, command: KeyCommand): Decision<KeyEvent, Refusal> {
  switch (command.type) {
    case 'create':
      if (record !== null) return { refused: { code: 'already_exists', field: command.id } }
      return { events: [{ ...command, type: 'created' }] }
    case 'revoke':
      if (record === null) return { refused: { code: 'key_unknown' } }
      return { events: accepts(TRANSITIONS, record.status, 'revoked') ? [{ type: 'revoked' }] : [] }
  }
}

/** Folds one event into the record. */
export function apply(record: ApiKey | null, envelope: EventEnvelope<KeyEvent>): ApiKey {
  const { event, at } = envelope
  if (event.type === 'created') {
    const { id, merchantAccount, hash, label } = event
    return { id, merchantAccount, hash, label, status: 'active', version: 1, createdAt: at }
  }
  if (record === null) throw new Error(`${event.type} before created`)
  return { ...record, status: next(TRANSITIONS, record.status, event.type), version: record.version + 1 }
}
