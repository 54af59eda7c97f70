// src/engine/bounded-cache.ts — a map with a limit.
import { LRUCache } from 'lru-cache'

/** A map that drops the entry that was used least recently when it is full. */
export type BoundedCache<Key extends {}, Value extends {}> = LRUCache<Key, Value>

const ONE = (): number => 1

/**
 * Creates a map of at most `most` entries. The limit is set as a size of one for each entry, because the library allocates the
 * memory for a maximum of entries at once, and most caches never fill.
 */
export function createBoundedCache<Key extends {}, Value extends {}>(most: number): BoundedCache<Key, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: ONE })
}
