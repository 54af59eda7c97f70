// src/domain/people/factors.ts — what a user signs in by besides the password: one-time codes, recovery codes, and passkeys. ADR 78.
import type { Decision } from '../machine.ts'
import type { Refusal } from '../refusals.ts'

/** Passkeys of one user: more than a person has devices. */
export const MOST_PASSKEYS = 10

/** One-time codes by time (TOTP, RFC 6238). Their secret is in the vault. */
export interface OneTimeCodes {
  /** Reference of the secret. */
  readonly vault: string
  /** Number of the time step of the last code that was used: no code counts twice. */
  readonly lastStep: number
  /** SHA-256 of each recovery code that is left, hexadecimal. */
  readonly recovery: readonly string[]
}

/** A WebAuthn credential. It says nothing to somebody who reads it. */
export interface Passkey {
  /** Of the credential, base64url. */
  readonly id: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** Signatures so far, as the authenticator counts; 0 for one that does not count. */
  readonly counter: number
  readonly transports: readonly string[]
  /** What the user calls it. */
  readonly name: string
  readonly addedAt: number
  /** Null when it was never used to sign in. */
  readonly usedAt: number | null
  /** When the last challenge that it signed was made, epoch milliseconds: no challenge counts twice. */
  readonly challengedAt: number
}

export type FactorCommand =
  | { readonly type: 'set_codes'; readonly vault: string; readonly step: number; readonly recovery: readonly string[] }
  | { readonly type: 'use_code'; readonly step: number }
  | { readonly type: 'use_recovery_code'; readonly hash: string }
  | { readonly type: 'remove_codes' }
  | { readonly type: 'add_passkey'; readonly passkey: Passkey }
  | ({ readonly type: 'use_passkey' } & PasskeyUse)
  | { readonly type: 'remove_passkey'; readonly id: string }
  | { readonly type: 'remove_factors' }

interface PasskeyUse {
  readonly id: string
  readonly counter: number
  readonly challengedAt: number
  readonly now: number
}

export type FactorEvent =
  | { readonly type: 'codes_set'; readonly vault: string; readonly step: number; readonly recovery: readonly string[] }
  | { readonly type: 'code_used'; readonly step: number }
  | { readonly type: 'recovery_code_used'; readonly hash: string }
  | { readonly type: 'codes_removed' }
  | { readonly type: 'passkey_added'; readonly passkey: Passkey }
  | ({ readonly type: 'passkey_used' } & PasskeyUse)
  | { readonly type: 'passkey_removed'; readonly id: string }
  | { readonly type: 'factors_removed' }

/** As users have them. Absent: none. */
export interface Factors {
  /** Null or absent: the password is enough. */
  readonly oneTimeCodes?: OneTimeCodes | null
  readonly passkeys?: readonly Passkey[]
}

/** Decides a command about the factors of an active user. */
export function decideFactor(
  { oneTimeCodes = null, passkeys = [] }: Factors,
  command: FactorCommand,
): Decision<FactorEvent, Refusal> {
  const named = 'id' in command ? passkeys.find(({ id }) => id === command.id) : undefined
  switch (command.type) {
    case 'set_codes':
      return { events: [{ ...command, type: 'codes_set' }] }
    case 'use_code':
      if (oneTimeCodes === null || command.step <= oneTimeCodes.lastStep) return { refused: { code: 'code_refused' } }
      return { events: [{ ...command, type: 'code_used' }] }
    case 'use_recovery_code':
      if (oneTimeCodes?.recovery.includes(command.hash) !== true) return { refused: { code: 'code_refused' } }
      return { events: [{ ...command, type: 'recovery_code_used' }] }
    case 'remove_codes':
      return { events: oneTimeCodes === null ? [] : [{ type: 'codes_removed' }] }
    case 'add_passkey':
      if (passkeys.some(({ id }) => id === command.passkey.id)) return { refused: { code: 'passkey_refused' } }
      if (passkeys.length >= MOST_PASSKEYS) return { refused: { code: 'passkeys_exhausted' } }
      return { events: [{ ...command, type: 'passkey_added' }] }
    case 'use_passkey':
      if (named === undefined || command.challengedAt <= named.challengedAt)
        return { refused: { code: 'passkey_refused' } }
      return { events: [{ ...command, type: 'passkey_used' }] }
    case 'remove_passkey':
      if (named === undefined) return { refused: { code: 'passkey_unknown' } }
      return { events: [{ ...command, type: 'passkey_removed' }] }
    case 'remove_factors':
      return { events: oneTimeCodes === null && passkeys.length === 0 ? [] : [{ type: 'factors_removed' }] }
  }
}

/** The factors after an event. */
export function applyFactor({ oneTimeCodes = null, passkeys = [] }: Factors, event: FactorEvent): Required<Factors> {
  switch (event.type) {
    case 'codes_set':
      return { passkeys, oneTimeCodes: { vault: event.vault, lastStep: event.step, recovery: event.recovery } }
    case 'code_used':
      return { passkeys, oneTimeCodes: oneTimeCodes && { ...oneTimeCodes, lastStep: event.step } }
    case 'recovery_code_used':
      return { passkeys, oneTimeCodes: oneTimeCodes && withoutCode(oneTimeCodes, event.hash) }
    case 'codes_removed':
      return { passkeys, oneTimeCodes: null }
    case 'passkey_added':
      return { oneTimeCodes, passkeys: [...passkeys, event.passkey] }
    case 'passkey_used': {
      const { id, counter, challengedAt, now: usedAt } = event
      return {
        oneTimeCodes,
        passkeys: passkeys.map(each => (each.id === id ? { ...each, counter, challengedAt, usedAt } : each)),
      }
    }
    case 'passkey_removed':
      return { oneTimeCodes, passkeys: passkeys.filter(({ id }) => id !== event.id) }
    case 'factors_removed':
      return { oneTimeCodes: null, passkeys: [] }
  }
}

function withoutCode(codes: OneTimeCodes, hash: string): OneTimeCodes {
  return { ...codes, recovery: codes.recovery.filter(each => each !== hash) }
}
