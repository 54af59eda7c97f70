// src/platform/vault/entries.ts — how entries of the vault lie in the store: one record each, without events, so that no
// feed and no audit trail holds a second copy that could not be erased.
import { SECRET_KIND } from '../../engine/online/ports.ts'
import type { Commit, CommitResult, Key, Store, StoredRecord } from '../../engine/ports.ts'
import type { Envelope } from './sealing.ts'

/** Kinds of records. */
export const VAULT_KINDS = ['vault-card', 'vault-token', SECRET_KIND, 'vault-lookup'] as const
export type VaultKind = (typeof VAULT_KINDS)[number]

/** The account of what belongs to the vault itself. No merchant account can have this id. */
export const VAULT_ACCOUNT = '(vault)'

/** Reads an envelope. Null where one was erased. */
export function envelopeOf({ body }: Pick<StoredRecord, 'body'>): Envelope | null {
  const entry = JSON.parse(body) as Envelope | { readonly forgotten: true }
  return 'forgotten' in entry ? null : entry
}

/** Writes an entry; null erases it for good. */
export function writeEntry(
  store: Store,
  key: Key,
  expectedVersion: number,
  envelope: Envelope | null,
  at: number,
): Promise<CommitResult> {
  const commit: Commit = {
    ...key,
    expectedVersion,
    version: expectedVersion + 1,
    body: JSON.stringify(envelope ?? { forgotten: true }),
    parent: '',
    live: envelope !== null,
    exclusive: null,
    at,
    events: [],
    effects: [],
    effectsDone: [],
    timers: null,
    idempotency: null,
  }
  return store.commit(commit)
}
