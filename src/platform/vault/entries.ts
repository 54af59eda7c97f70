// src/platform/vault/entries.ts — stores vault entries as records without events.
// So no event feed or audit trail holds a second copy that could not be erased.

import type { Commit, CommitResult, Key, Store, StoredRecord } from '../../engine/ports/store.ts'
import { PERSON_SECRET_KIND, SECRET_KIND } from '../../engine/ports/vault.ts'
import type { Envelope } from './sealing.ts'

/** Kinds of vault records. */
export const VAULT_KINDS = [
  'vault-card',
  'vault-token',
  SECRET_KIND,
  'vault-driver',
  'vault-chip',
  'vault-acquirer',
  'vault-authentication',
  'vault-payment-key',
  PERSON_SECRET_KIND,
  'vault-lookup',
  'vault-signing',
] as const
export type VaultKind = (typeof VAULT_KINDS)[number]

/** Account of the vault's own entries. No merchant account can have this id. */
export const VAULT_ACCOUNT = '(vault)'

/** An envelope with the facts that retention needs. */
export interface Entry extends Envelope {
  /** Id of the record that refers to it. Absent in entries without an owner, and in those of older program versions. */
  readonly owner?: string
  /** Time of creation, in epoch milliseconds. */
  readonly keptAt?: number
  /** Time of the last use in epoch milliseconds, exact to a day. Absent when not used since the day of its creation. */
  readonly usedAt?: number
}

/** Decodes an entry. Null for one that an older program version marked as erased. */
export function entryOf({ body }: Pick<StoredRecord, 'body'>): Entry | null {
  const entry = JSON.parse(body) as Entry | { readonly forgotten: true }
  return 'forgotten' in entry ? null : entry
}

/** Writes an entry. @param at time of the commit, in epoch milliseconds */
export function writeEntry(
  store: Store,
  key: Key,
  expectedVersion: number,
  entry: Entry,
  at: number,
): Promise<CommitResult> {
  const commit: Commit = {
    ...key,
    expectedVersion,
    version: expectedVersion + 1,
    body: JSON.stringify(entry),
    parent: '',
    live: true,
    lockKey: null,
    at,
    events: [],
    effects: [],
    effectsDone: [],
    timers: null,
    idempotency: null,
  }
  return store.commit(commit)
}
