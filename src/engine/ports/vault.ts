// src/engine/ports/vault.ts — port: stores cards and secrets encrypted.

import type { Card, CardNumber } from '../../domain/card-number.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'

/**
 * Stores cards and short texts encrypted. References mean nothing without the vault. A forgotten entry can never be
 * opened again. Security codes cannot be stored: no function takes one.
 */
export interface Vault {
  /**
   * Stores a card, durably once it resolves. Each call returns a new reference.
   * @param owner id of the record that will refer to it. Entries without a reference from their owner are deleted later.
   */
  storeCard(account: MerchantAccountId, card: Card, owner: string): Promise<string>
  /** Null when it was never stored for this account or is forgotten. Opening a card updates `usedAt` of its entry. */
  openCard(account: MerchantAccountId, reference: string): Promise<Card | null>
  /** Stores a short text, bound to its purpose: opening it for another purpose returns null. */
  storeText(account: MerchantAccountId, purpose: TextPurpose, text: string, owner: string): Promise<string>
  openText(account: MerchantAccountId, purpose: TextPurpose, reference: string): Promise<string | null>
  /** Erases a card or text. Idempotent. */
  forget(account: MerchantAccountId, reference: string): Promise<void>
  /** Keyed hash of a card number; equal for the same number in the same account, and reveals nothing of the number. */
  lookupOf(account: MerchantAccountId, number: CardNumber): Promise<string>
  /** Keyed hash of a text for one purpose, base64url. Only this gateway can make it, on any of its nodes. */
  tagOf(purpose: TagPurpose, text: string): Promise<string>
  /** Entries of all accounts after a position, in order of creation. For retention. */
  entries(kind: StoredKind, after: number, limit: number): Promise<readonly VaultEntry[]>
  /** Erases an entry if it has not been opened since it was listed. Returns whether it was erased. */
  forgetUnused(entry: VaultEntry): Promise<boolean>
}

/** What a tag says of a text. */
export type TagPurpose = 'passkey-challenge' | 'passkey-user'

export type StoredKind = 'card' | TextPurpose

/** The facts about an entry that are known without opening it. */
export interface VaultEntry {
  readonly position: number
  readonly account: MerchantAccountId
  readonly reference: string
  readonly version: number
  /** Id of the record that it was stored for; null when not known. */
  readonly owner: string | null
  /** Epoch milliseconds of the machine's clock; null when not known. */
  readonly keptAt: number | null
  /** When a card was last opened, to the day; epoch milliseconds. */
  readonly usedAt: number | null
}

/** Kind of the records with an account's secrets. Snapshots of a sandbox leave them unchanged. */
export const SECRET_KIND = 'vault-secret'
/** Kind of the records with secrets of people. Snapshots of a sandbox leave them unchanged as well. */
export const PERSON_SECRET_KIND = 'vault-person'

/** Chip data are stored only until the outcome of their payment is known (ADR 47), values of authentications for 90 days (ADR 95). */
export type TextPurpose =
  | 'access-token'
  | 'webhook-secret'
  | 'driver-secret'
  | 'chip-data'
  | 'one-time-codes'
  | 'acquirer-card'
  | 'authentication-value'
