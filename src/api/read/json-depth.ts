// src/api/read/json-depth.ts — limits the nesting of JSON, because readers and serialisers recurse.

/** Most levels. No valid request has more than ten. */
export const DEEPEST = 64

export function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some(each => isTooDeep(each, levels - 1))
}
