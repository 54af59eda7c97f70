// web/console/places.ts — addresses within the console, after the number sign.

export interface Place {
  readonly page: 'counter' | 'transactions' | 'today'
  /** Of a transaction, null for the list; at the counter of a terminal, null for the usual one. */
  readonly id: string | null
}

/** The place that an address names. Any other is the counter. */
export function placeIn(hash: string): Place {
  const [, page = 'counter', id] = /^#\/(counter|transactions|today(?!\/))(?:\/([^/]+))?$/.exec(hash) ?? []
  return { page: page as Place['page'], id: id === undefined ? null : decodeURIComponent(id) }
}

/** Address of a transaction. */
export function addressOf(requestId: string): string {
  return `#/transactions/${encodeURIComponent(requestId)}`
}

/** Address of the counter with a terminal. */
export function addressOfTerminal(tid: string): string {
  return `#/counter/${encodeURIComponent(tid)}`
}
