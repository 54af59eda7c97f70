// src/domain/accounts/jwt-key.ts — a merchant's public key, which verifies its JWTs.
import type { MerchantAccountId } from '../ids.ts'
import { accepts, type Decision, type EventEnvelope, next, type Transitions } from '../machine.ts'
import type { Refusal } from '../refusals.ts'

export type JwtKeyStatus = 'active' | 'revoked'

export const TRANSITIONS: Transitions<JwtKeyStatus, 'revoked'> = {
  active: { revoked: 'revoked' },
  revoked: {},
}

export interface JwtKey {
  readonly id: string
  readonly merchantAccount: MerchantAccountId
  /** The `kid` in the header of a JWT; unique among the account's active keys. */
  readonly kid: string
  /** PEM, SubjectPublicKeyInfo. */
  readonly publicKey: string
  readonly label: string
  readonly status: JwtKeyStatus
  readonly version: number
  readonly createdAt: number
}

export type JwtKeyCommand =
  | { readonly type: 'register'; readonly key: Pick<JwtKey, 'id' | 'merchantAccount' | 'kid' | 'publicKey' | 'label'> }
  | { readonly type: 'revoke' }

export type JwtKeyEvent =
  | {
      readonly type: 'registered'
      readonly key: Pick<JwtKey, 'id' | 'merchantAccount' | 'kid' | 'publicKey' | 'label'>
    }
  | { readonly type: 'revoked' }

/** Facts for a registration: whether an active key of the account has this `kid`. */
export interface JwtKeyFacts {
  readonly kidTaken: boolean
}

/** Decides a command. Revoking twice changes nothing. */
export function decide(
  record: JwtKey | null,
  command: JwtKeyCommand,
  facts: JwtKeyFacts | null,
): Decision<JwtKeyEvent, Refusal> {
  switch (command.type) {
    case 'register':
      if (record !== null || facts?.kidTaken === true)
        return { refused: { code: 'already_exists', field: command.key.kid } }
      return { events: [{ type: 'registered', key: command.key }] }
    case 'revoke':
      if (record === null) return { refused: { code: 'key_unknown' } }
      return { events: accepts(TRANSITIONS, record.status, 'revoked') ? [{ type: 'revoked' }] : [] }
  }
}

/** Folds one event into the record. */
export function apply(record: JwtKey | null, { event, at }: EventEnvelope<JwtKeyEvent>): JwtKey {
  if (event.type === 'registered') return { ...event.key, status: 'active', version: 1, createdAt: at }
  if (record === null) throw new Error(`${event.type} before registered`)
  return { ...record, status: next(TRANSITIONS, record.status, event.type), version: record.version + 1 }
}
