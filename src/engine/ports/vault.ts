// src/engine/ports/vault.ts — keeps cards and secrets encrypted.

import type { Card, CardNumber } from '../../domain/card-number.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'

/**
 * Keeps what must be kept of cards, sealed. References mean nothing without the vault. What was forgotten cannot be
 * opened by anybody any more. Security codes cannot be kept: there is no way to hand one in.
 */
export interface Vault {
  /**
   * Keeps a card; when it resolves, it is durable. Each call gives a new reference.
   * @param owner the record that will refer to it. What its owner does not refer to is swept out after a while.
   */
  keepCard(account: MerchantAccountId, card: Card, owner: string): Promise<string>
  /** Null: never kept for this account, or forgotten. It counts as used from then on. */
  openCard(account: MerchantAccountId, reference: string): Promise<Card | null>
  /** The same for a short text, bound to what it is for; opening it for another purpose gives null. */
  keepText(account: MerchantAccountId, purpose: TextPurpose, text: string, owner: string): Promise<string>
  openText(account: MerchantAccountId, purpose: TextPurpose, reference: string): Promise<string | null>
  /** Erases card or text. Forgetting twice is the same as once. */
  forget(account: MerchantAccountId, reference: string): Promise<void>
  /** The same card of the same account gives the same text; a keyed hash that says nothing of the number. */
  lookupOf(account: MerchantAccountId, number: CardNumber): Promise<string>
  /** What is kept over all accounts, in order of keeping, from behind a position; for whoever tidies up. */
  entries(kind: KeptKind, after: number, limit: number): Promise<readonly KeptEntry[]>
  /** Erases an entry if nobody has opened it since it was looked at. */
  forgetUnused(entry: KeptEntry): Promise<boolean>
}

export type KeptKind = 'card' | TextPurpose

/** What is known of an entry without opening it. */
export interface KeptEntry {
  readonly position: number
  readonly account: MerchantAccountId
  readonly reference: string
  readonly version: number
  /** Id of the record that it was kept for; null: not known. */
  readonly owner: string | null
  /** Epoch milliseconds of the machine; null: not known. */
  readonly keptAt: number | null
  /** When a card was last opened, to the day. */
  readonly usedAt: number | null
}

/** Kind of the records that hold secrets of an account. They outlive what a sandbox does to its business. */
export const SECRET_KIND = 'vault-secret'

/** Chip data are kept until the outcome of their payment is known; they may not be kept longer. ADR 47. */
export type TextPurpose = 'access-token' | 'webhook-secret' | 'driver-secret' | 'chip-data'
