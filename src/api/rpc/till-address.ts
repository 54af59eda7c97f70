// src/api/rpc/till-address.ts — what the address of a connection says about the till. Terminal socket reference 1.1.

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

/** Whether an address is that of the counter: in any case of letters, with or without a slash at the end. */
export function isCounter(url: string): boolean {
  return /^\/pac\/?(?:[?#]|$)/i.test(url)
}
