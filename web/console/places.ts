// web/console/places.ts — addresses within the console, after the number sign.

export interface Place {
  readonly page: 'counter' | 'transactions' | 'requests' | 'online' | 'sandbox'
  /** What is shown of the page; null for its beginning. */
  readonly id: string | null
}

/** The place that an address names. Any other is the counter. */
export function placeIn(hash: string): Place {
  const [, page, id] = /^#\/(transactions|online|sandbox)(?:\/([^/]+))?$/.exec(hash) ?? []
  if (page !== undefined) return { page: page as Place['page'], id: id === undefined ? null : decodeURIComponent(id) }
  return { page: hash === '#/requests' ? 'requests' : 'counter', id: null }
}

/** Address of a transaction. */
export function addressOf(requestId: string): string {
  return `#/transactions/${encodeURIComponent(requestId)}`
}
