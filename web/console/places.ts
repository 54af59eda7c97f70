// web/console/places.ts — addresses within the console, after the number sign.

export interface Place {
  readonly page: 'counter' | 'transactions'
  /** Of a transaction; null for the list. */
  readonly id: string | null
}

/** The place that an address names. Any other is the counter. */
export function placeIn(hash: string): Place {
  const [, page, id] = /^#\/(counter|transactions)(?:\/([^/]+))?$/.exec(hash) ?? []
  if (page !== 'transactions') return { page: 'counter', id: null }
  return { page, id: id === undefined ? null : decodeURIComponent(id) }
}

/** Address of a transaction. */
export function addressOf(requestId: string): string {
  return `#/transactions/${encodeURIComponent(requestId)}`
}
