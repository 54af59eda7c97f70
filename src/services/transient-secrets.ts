// src/services/transient-secrets.ts — keeps secrets for the acquirer in memory only, until the outcome is known.
import { createBoundedCache } from '../engine/bounded-cache.ts'

/** Limit of simultaneous payments. With more, the least recently used secret is dropped and its payment fails. */
const MOST_SECRETS = 50_000

/** Security codes or PIN blocks by the id of their payment. They must never be stored, not even in the vault. ADR 47. */
export interface TransientSecrets<Secret extends object> {
  put(id: string, secret: Secret): void
  /** Null when there was none, or when another process had it. */
  of(id: string): Secret | null
  forget(id: string): void
  readonly count: number
}

export function createTransientSecrets<Secret extends object>(): TransientSecrets<Secret> {
  const secrets = createBoundedCache<string, Secret>(MOST_SECRETS)
  return {
    put: (id, secret) => void secrets.set(id, secret),
    of: id => secrets.get(id) ?? null,
    forget: id => void secrets.delete(id),
    get count() {
      return secrets.size
    },
  }
}
