// src/api/socket/till-address.ts — reads area and query of a till's address.

/** Reads a query: names in lower case, values trimmed, the first of several. Empty values are left out. */
export function queryOf(url: string): ReadonlyMap<string, string> {
  const mark = url.indexOf('?')
  const query = new Map<string, string>()
  const seen = new Set<string>()
  for (const [name, value] of new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))) {
    const key = name.toLowerCase()
    if (!seen.has(key) && value.trim() !== '') query.set(key, value.trim())
    seen.add(key)
  }
  return query
}

/** `pac`: pay at counter. `pat`: pay at table, for POS table providers. */
export type TillArea = 'pac' | 'pat'

/**
 * Returns the area of an address. Null for other addresses. Upper case, repeated and trailing slashes, and an absolute
 * address are accepted.
 */
export function areaOf(url: string): TillArea | null {
  const [, area] = /^(?:(?:https?|wss?):\/\/[^/?#]*)?\/+(pac|pat)\/*(?:[?#]|$)/i.exec(url) ?? []
  return area === undefined ? null : (area.toLowerCase() as TillArea)
}

/** Flags of the query. The first is published; the second is Tollgate's own. */
export type Flag = 'final-pos-receipt-request' | 'transaction-ids'

/** Whether the till wants the bill after payment: the flag without a value, `true` or `1`. */
export function hasFlag(url: string, flag: Flag): boolean {
  const mark = url.indexOf('?')
  const values = [...new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))]
  const [, value] = values.find(([name]) => name.toLowerCase() === flag) ?? []
  return value !== undefined && ['', 'true', '1'].includes(value.trim().toLowerCase())
}
