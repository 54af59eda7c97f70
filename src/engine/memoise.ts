// src/engine/memoise.ts — memoises a function of a string.
import { createBoundedCache } from './bounded-cache.ts'

/**
 * Wraps a pure function of a string. At most `limit` results are cached (LRU), because clients choose the texts (a Host or
 * Accept header) and could send a new one each time.
 */
export function memoise<Value>(limit: number, make: (text: string) => Value): (text: string) => Value {
  // Wrapped in an object, because the cache returns undefined for a missing entry.
  const cache = createBoundedCache<string, { readonly value: Value }>(limit)
  return text => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached.value
    const value = make(text)
    cache.set(text, { value })
    return value
  }
}
