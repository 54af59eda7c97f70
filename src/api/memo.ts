// src/api/memo.ts — remembers what a function made of a text, for texts that come again with every request.

/**
 * Wraps a pure function of a string. At most `limit` results are kept, oldest out first, because callers choose the
 * texts (a Host or Accept header) and could choose a new one each time.
 */
export function memo<Value>(limit: number, make: (text: string) => Value): (text: string) => Value {
  const kept = new Map<string, Value>()
  return text => {
    const found = kept.get(text)
    if (found !== undefined || kept.has(text)) return found as Value
    const made = make(text)
    if (kept.size >= limit) {
      const oldest = kept.keys().next()
      if (!oldest.done) kept.delete(oldest.value)
    }
    kept.set(text, made)
    return made
  }
}
