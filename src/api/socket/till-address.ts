// src/api/socket/till-address.ts — what the address of a connection says about the till. Terminal socket reference 1.1.

/** Names and values of a query: names in lower case, values trimmed, the first of several. Empty ones say nothing. */
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

/** What a till connects for: to pay at the counter, or to be asked about its tables. */
export type TillArea = 'pac' | 'pat'

/**
 * What an address is for, in any case of letters, with or without a slash at the end; null: for neither. Slashes may be
 * repeated, as in every address here, and the host may stand before them. Terminal reference 1.1.
 */
export function areaOf(url: string): TillArea | null {
  const [, area] = /^(?:(?:https?|wss?):\/\/[^/?#]*)?\/+(pac|pat)\/*(?:[?#]|$)/i.exec(url) ?? []
  return area === undefined ? null : (area.toLowerCase() as TillArea)
}

const FLAG = 'final-pos-receipt-request'

/** Whether the till wants the bill after payment too: the flag alone, empty, `true` or `1`. */
export function wantsFinalReceipt(url: string): boolean {
  const mark = url.indexOf('?')
  const values = [...new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))]
  const [, value] = values.find(([name]) => name.toLowerCase() === FLAG) ?? []
  return value !== undefined && ['', 'true', '1'].includes(value.trim().toLowerCase())
}
