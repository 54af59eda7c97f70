// src/platform/vault/entries.ts — how entries of the vault lie in the store: one record each, without events, so that no
// feed and no audit trail holds a second copy that could not be erased.

import type { Commit, CommitResult, Key, Store, StoredRecord } from '../../engine/ports/store.ts'
import { SECRET_KIND } from '../../engine/ports/vault.ts'
import type { Envelope } from './sealing.ts'

/** Kinds of records. */
export const VAULT_KINDS = [
  'vault-card',
  'vault-token',
  SECRET_KIND,
  'vault-driver',
  'vault-chip',
  'vault-lookup',
] as const
export type VaultKind = (typeof VAULT_KINDS)[number]

/** The account of what belongs to the vault itself. No merchant account can have this id. */
export const VAULT_ACCOUNT = '(vault)'

/** An envelope with what whoever tidies the vault must know of it. */
export interface Entry extends Envelope {
  /** Record that refers to it. Absent in entries that belong to nobody, and in those of programs that did not note it. */
  readonly owner?: string
  /** Epoch milliseconds. */
  readonly keptAt?: number
  /** When it was last opened, to the day. Absent: on the day on which it was kept, or never. */
  readonly usedAt?: number
}

/** Reads an entry. Null where one was erased by a program that left a mark behind. */
export function entryOf({ body }: Pick<StoredRecord, 'body'>): Entry | null {
  const entry = JSON.parse(body) as Entry | { readonly forgotten: true }
  return 'forgotten' in entry ? null : entry
}

/** Writes an entry. */
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
