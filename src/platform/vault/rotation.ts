// src/platform/vault/rotation.ts — puts every entry under the key in use. It can be stopped anywhere and begun again: an
// entry under the key in use is done, and each of the others opens with the key that it names.
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

/** How many entries each key seals, by its version. */
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
 * Re-wraps what is not under the key in use, pass after pass until one finds nothing left.
 * @param progress hears how many entries have been looked at and how many of them re-wrapped, in this pass
 * @returns how many entries were re-wrapped
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
    // They are written together: the store groups what waits for its disk.
    const written = await Promise.all(page.map(stored => rewrap(parts, stored)))
    seen += page.length
    rewrapped += written.filter(Boolean).length
    progress(seen, rewrapped)
  }
  return rewrapped
}

/** False: nothing to do, or somebody changed the entry meanwhile, and the next pass sees to it. */
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
