// web/console/places.ts — addresses within the console, after the number sign.

export interface Place {
  readonly page:
    | 'counter'
    | 'transactions'
    | 'today'
    | 'requests'
    | 'online'
    | 'sandbox'
    | 'people'
    | 'keys'
    | 'sign-in'
  /** What is shown of the page; null for its beginning. At the counter: the terminal, null for the usual one. */
  readonly id: string | null
}

/** The place that an address names. Any other is the beginning. */
export function placeIn(hash: string, beginning: Place['page'] = 'counter'): Place {
  const [, page = beginning, id] =
    /^#\/(counter|transactions|online|sandbox|(?:today|requests|people|keys|sign-in)(?!\/))(?:\/([^/]+))?$/.exec(
      hash,
    ) ?? []
  return { page: page as Place['page'], id: id === undefined ? null : decoded(id) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that somebody typed.
    return text
  }
}

/** Address of a transaction. */
export function addressOf(requestId: string): string {
  return `#/transactions/${encodeURIComponent(requestId)}`
}

/** Address of the counter with a terminal. */
export function addressOfTerminal(tid: string): string {
  return `#/counter/${encodeURIComponent(tid)}`
}
