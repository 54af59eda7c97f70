// src/engine/idempotency.ts — executes a request with an Idempotency-Key once and repeats its answer.

import { createHash } from 'node:crypto'
import type { MerchantAccountId } from '../domain/ids.ts'
import type { Refusal } from '../domain/refusals.ts'
import type { Clock } from './ports/clock.ts'
import type { Idempotency, Store } from './ports/store.ts'

/** How long a key is stored, in milliseconds: a till that was off over a long weekend still gets its answer. */
const IDEMPOTENCY_MS = 7 * 24 * 60 * 60 * 1000

/** Hash of a request (SHA-256, base64url). `parts` are joined unambiguously. */
export function fingerprintOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

export type Once<T> = { readonly answer: T } | { readonly refused: Refusal }

/** Result of a run: an answer, a refusal (nothing has changed, so the key stays free), or that the key was taken. */
export type OnceRun<T> = (idempotency: Idempotency) => Promise<Once<T> | { readonly repeated: true }>

/**
 * Runs `run` unless the key was used before; then returns the first answer, or the refusal `idempotency_key_reused` when
 * the fingerprint differs. The key is written in the same commit as the change, so of several simultaneous requests exactly
 * one is executed, and all get its answer.
 * @param request `answer`: the answer if this run is the first; stored as JSON
 */
export async function once<T>(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  request: {
    readonly account: MerchantAccountId
    readonly key: string
    readonly fingerprint: string
    readonly answer: T
  },
  run: OnceRun<T>,
): Promise<Once<T>> {
  const earlier = await replay<T>({ store, clock }, request)
  if (earlier !== null) return earlier
  const { key, fingerprint } = request
  const expiresAt = clock.now() + IDEMPOTENCY_MS
  const outcome = await run({ key, fingerprint, answer: JSON.stringify(request.answer), expiresAt })
  if ('answer' in outcome) return outcome
  // The cause of a refusal may be the same request, sent twice at once: then the first one's answer is right.
  const first = await replay<T>({ store, clock }, request)
  if (first !== null) return first
  if ('refused' in outcome) return outcome
  throw new Error('an idempotency key was taken but cannot be found')
}

async function replay<T>(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  {
    account,
    key,
    fingerprint,
  }: { readonly account: MerchantAccountId; readonly key: string; readonly fingerprint: string },
): Promise<Once<T> | null> {
  const stored = await store.idempotencyOf(account, key)
  if (stored === null || stored.expiresAt <= clock.now()) return null
  if (stored.fingerprint !== fingerprint) return { refused: { code: 'idempotency_key_reused' } }
  return { answer: JSON.parse(stored.answer) as T }
}
