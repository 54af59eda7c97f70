// src/engine/memoise.ts — remembers what a function made of a text, for texts that come again and again.
import { LRUCache } from 'lru-cache'

/**
 * Wraps a pure function of a string. At most `limit` results are cached, the least recently used out first, because callers
 * choose the texts (a Host or Accept header) and could choose a new one each time.
 */
export function memoise<Value>(limit: number, make: (text: string) => Value): (text: string) => Value {
  // In an object, because the cache takes a missing value for a missing entry.
  const cache = new LRUCache<string, { readonly value: Value }>({ max: limit })
  return text => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached.value
    const value = make(text)
    cache.set(text, { value })
    return value
  }
}
