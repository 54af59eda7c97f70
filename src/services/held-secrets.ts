// src/services/held-secrets.ts — secrets on their way to the acquirer: in memory only, until the outcome is known.
import { LRUCache } from 'lru-cache'

/** Payments under way at once; the oldest secret goes when there are more, and its payment with it. */
const MOST_HELD = 50_000

/** Security codes or PIN blocks, by the id of their payment. No store and no vault may have them. ADR 47. */
export interface HeldSecrets<Secret extends object> {
  keep(id: string, secret: Secret): void
  /** Null: there was none, or another process had it. */
  of(id: string): Secret | null
  forget(id: string): void
  readonly count: number
}

export function createHeldSecrets<Secret extends object>(): HeldSecrets<Secret> {
  const secrets = new LRUCache<string, Secret>({ max: MOST_HELD })
  return {
    keep: (id, secret) => void secrets.set(id, secret),
    of: id => secrets.get(id) ?? null,
    forget: id => void secrets.delete(id),
    get count() {
      return secrets.size
    },
  }
}
