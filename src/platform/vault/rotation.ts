// src/platform/vault/rotation.ts — re-wraps all vault entries with the current master key.
// It can be interrupted and resumed: each entry names the key that opens it.
import { Fault } from '../../engine/fault.ts'
import { pagesOfKind } from '../../engine/pages.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { ListedRecord, Store } from '../../engine/ports/store.ts'
import { entryOf, VAULT_KINDS, writeEntry } from './entries.ts'
import type { KeyRing } from './key-ring.ts'
import { rewrapEnvelope } from './sealing.ts'

export interface RotationParts {
  readonly store: Store
  readonly ring: KeyRing
  readonly random: Random
  readonly clock: Clock
}

/** Counts the entries that each key seals, by key version. */
export async function entriesByKey(store: Store): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for await (const page of pagesOf(store))
    for (const stored of page) {
      const envelope = entryOf(stored)
      if (envelope !== null) counts.set(envelope.keyVersion, (counts.get(envelope.keyVersion) ?? 0) + 1)
    }
  return counts
}

/**
 * Re-wraps the entries that are not sealed by the current key, in passes until one finds none.
 * @param progress called with the number of entries seen and re-wrapped in the current pass
 * @returns the number of entries re-wrapped
 * @throws Fault `vault_key_wrong` at an entry that no key on the ring opens
 */
export async function rewrapAll(
  parts: RotationParts,
  progress: (seen: number, rewrapped: number) => void = () => {},
): Promise<number> {
  for (let total = 0; ; ) {
    const rewrapped = await pass(parts, progress)
    total += rewrapped
    if (rewrapped === 0) return total
  }
}

async function pass(parts: RotationParts, progress: (seen: number, rewrapped: number) => void): Promise<number> {
  let seen = 0
  let rewrapped = 0
  for await (const page of pagesOf(parts.store)) {
    // Written in parallel, because the store groups waiting commits.
    const written = await Promise.all(page.map(stored => rewrap(parts, stored)))
    seen += page.length
    rewrapped += written.filter(Boolean).length
    progress(seen, rewrapped)
  }
  return rewrapped
}

/** Re-wraps an entry. False when it is current, or was changed meanwhile; the next pass handles that. */
async function rewrap({ store, ring, random, clock }: RotationParts, stored: ListedRecord): Promise<boolean> {
  const { account, kind, id, version } = stored
  const envelope = entryOf(stored)
  const { current } = ring
  if (envelope === null || envelope.keyVersion === current.version) return false
  const key = { account, kind, id }
  const from = ring.of(envelope.keyVersion)
  const fresh = from === null ? null : rewrapEnvelope(from, current, key, envelope, random)
  if (fresh === null) throw new Fault('vault_key_wrong', { detail: `key ${envelope.keyVersion}` })
  return (await writeEntry(store, key, version, { ...envelope, ...fresh }, clock.now())) === 'written'
}

async function* pagesOf(store: Store): AsyncGenerator<readonly ListedRecord[]> {
  for (const kind of VAULT_KINDS) yield* pagesOfKind(store, kind, { live: true })
}
