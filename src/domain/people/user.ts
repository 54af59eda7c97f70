// src/domain/people/user.ts — a person who signs in to the console of a merchant account. Only a hash of the password is stored.
import type { MerchantAccountId } from '../ids.ts'
import { accepts, type Decision, type EventEnvelope, next, type Transitions } from '../machine.ts'
import type { Refusal } from '../refusals.ts'
import { applyFactor, decideFactor, type FactorCommand, type FactorEvent, type Factors } from './factors.ts'
import type { Role } from './roles.ts'

/** Letters, digits and what e-mail addresses need. Compared in lower case. */
export const USER_NAME = /^[a-z0-9][a-z0-9._@+-]{0,63}$/
export const USER_NAME_RULE = 'must have 1 to 64 letters, digits or any of . _ @ + -, and begin with a letter or digit.'

export type UserStatus = 'active' | 'ended'

export const TRANSITIONS: Transitions<UserStatus, UserEvent['type']> = {
  active: {
    ...{ role_changed: 'active', password_set: 'active', codes_set: 'active', code_used: 'active' },
    ...{ recovery_code_used: 'active', codes_removed: 'active', factors_removed: 'active' },
    ...{ passkey_added: 'active', passkey_used: 'active', passkey_removed: 'active', ended: 'ended' },
  },
  ended: {},
}

/** A password as it is stored: scrypt (RFC 7914), base64url. */
export interface PasswordHash {
  readonly salt: string
  readonly hash: string
  /** The parameters of scrypt: N, r and p. */
  readonly cost: readonly [number, number, number]
}

export interface User extends Factors {
  /** The name by which the person signs in: lower case, unique in the account for good. */
  readonly id: string
  readonly merchantAccount: MerchantAccountId
  /** The person's name, for lists. */
  readonly name: string
  readonly role: Role
  readonly password: PasswordHash
  /** Sessions that began before this time are over. */
  readonly passwordSetAt: number
  readonly status: UserStatus
  readonly version: number
  readonly createdAt: number
}

/** `now`: epoch milliseconds of the gateway's clock, as sessions have it. */
type Added = Pick<User, 'id' | 'merchantAccount' | 'name' | 'role' | 'password'> & { readonly now: number }

export type UserCommand =
  | ({ readonly type: 'add' } & Added)
  | { readonly type: 'change_role'; readonly role: Role }
  | { readonly type: 'set_password'; readonly password: PasswordHash; readonly now: number }
  | { readonly type: 'end' }
  | FactorCommand

export type UserEvent =
  | ({ readonly type: 'added' } & Added)
  | { readonly type: 'role_changed'; readonly role: Role }
  | { readonly type: 'password_set'; readonly password: PasswordHash; readonly now: number }
  | { readonly type: 'ended' }
  | FactorEvent

/** Facts for a change that may leave the account without an owner. */
export interface UserFacts {
  /** Whether another active user is an owner. Absent: it does not matter, the command line can make one. */
  readonly hasOtherOwner?: boolean
}

/** Decides a command. One that changes nothing is not refused. */
export function decide(
  record: User | null,
  command: UserCommand,
  facts: UserFacts | null,
): Decision<UserEvent, Refusal> {
  if (command.type === 'add') {
    if (record !== null) return { refused: { code: 'already_exists', field: command.id } }
    return { events: [{ ...command, type: 'added' }] }
  }
  if (record === null || record.status !== 'active') return { refused: { code: 'user_unknown' } }
  switch (command.type) {
    case 'change_role':
      if (record.role === command.role) return { events: [] }
      if (isLastOwner(record, facts)) return lastOwner(record)
      return { events: [{ type: 'role_changed', role: command.role }] }
    case 'set_password':
      return { events: [{ ...command, type: 'password_set' }] }
    case 'end':
      if (isLastOwner(record, facts)) return lastOwner(record)
      return { events: accepts(TRANSITIONS, record.status, 'ended') ? [{ type: 'ended' }] : [] }
    default:
      return decideFactor(record, command)
  }
}

function isLastOwner({ role }: User, facts: UserFacts | null): boolean {
  return role === 'owner' && facts?.hasOtherOwner === false
}

function lastOwner({ id }: User): { readonly refused: Refusal } {
  return { refused: { code: 'last_owner', field: id } }
}

/** Folds one event into the record. */
export function apply(record: User | null, { event }: EventEnvelope<UserEvent>): User {
  if (event.type === 'added') {
    const { id, merchantAccount, name, role, password, now } = event
    const fresh = { status: 'active', version: 1, createdAt: now, passwordSetAt: now } as const
    return { id, merchantAccount, name, role, password, ...fresh }
  }
  if (record === null) throw new Error(`${event.type} before added`)
  const changed = { ...record, status: next(TRANSITIONS, record.status, event.type), version: record.version + 1 }
  switch (event.type) {
    case 'role_changed':
      return { ...changed, role: event.role }
    case 'password_set':
      return { ...changed, password: event.password, passwordSetAt: event.now }
    case 'ended':
      return changed
    default:
      return { ...changed, ...applyFactor(record, event) }
  }
}
