// src/api/read/json-depth.ts — bounds how deep JSON is nested: what reads, compares and writes it may recurse.

/** No request has more than ten levels. */
const DEEPEST = 64

export function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some(each => isTooDeep(each, levels - 1))
}
