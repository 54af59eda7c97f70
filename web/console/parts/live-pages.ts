// web/console/parts/live-pages.ts — a list of the account, newest first, kept up to date by its events.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'

/** What is listed, and where. One constant for each list: a new object begins the list again. */
export interface Listing<Item> {
  /** Address of the list under `/api`. */
  readonly path: string
  /** The field of its answer that holds the items. */
  readonly field: string
  /** Kind of the events that announce a change. */
  readonly kind: string
  readonly idOf: (item: Item) => string
}

export interface LivePages<Item> {
  /** Newest first; null before the first answer. */
  readonly items: readonly Item[] | null
  readonly problem: string | null
  /** Whether changes arrive by themselves. */
  readonly isLive: boolean
  readonly hasMore: boolean
  /** Loads older ones. */
  more(): void
}

/** A page of a list. `next`: what to ask for older ones with; null when there are none. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: number | null
}

export type Known<Item> = Page<Item> | { readonly items: null; readonly next: null }

const PAGE = 25
/** Changes that come together are read together, after this time in milliseconds. */
const TOGETHER_MS = 150
/** What is known before the first answer. */
export const EMPTY: Known<never> = { items: null, next: null }

/** @param query further fields of the query, such as `&result=DECLINED`; null: wait with the reading */
export function useLivePages<Item>(gateway: Gateway, listing: Listing<Item>, query: string | null): LivePages<Item> {
  const [known, setKnown] = useState<Known<Item>>(EMPTY)
  const [problem, setProblem] = useState<string | null>(null)
  const [isLive, setLive] = useState(false)

  useEffect(() => {
    if (query === null) return
    const ended = new AbortController()
    const { signal } = ended
    let due: ReturnType<typeof setTimeout> | undefined
    let isRead = false
    const load = async () => {
      const read = await readPage(gateway, listing, query, signal)
      if (signal.aborted) return
      isRead = typeof read !== 'string'
      setProblem(typeof read === 'string' ? read : null)
      if (typeof read !== 'string') setKnown(before => merged(read, before, listing.idOf))
    }
    const onEvent = ({ kind }: { readonly kind: string }) => {
      if (kind !== listing.kind) return
      due ??= setTimeout(() => {
        due = undefined
        void load().catch(() => {})
      }, TOGETHER_MS)
    }
    const onState = (isOpen: boolean) => {
      setLive(isOpen)
      // Perhaps no event comes: what could not be read before is there now.
      if (isOpen && !isRead) void load().catch(() => {})
    }
    const begin = async () => {
      // Before the list: what happens meanwhile comes by the stream.
      const cursor = await newestCursor(gateway, signal)
      await load()
      if (!signal.aborted) await gateway.follow(cursor, onEvent, { signal, onState })
    }
    setKnown(EMPTY)
    void begin().catch(() => {})
    return () => {
      clearTimeout(due)
      ended.abort()
    }
  }, [gateway, listing, query])

  const { items, next } = known
  const more = useCallback(() => {
    if (next === null || query === null) return
    void readPage(gateway, listing, `&before=${next}${query}`).then(read => {
      setProblem(typeof read === 'string' ? read : null)
      if (typeof read === 'string') return
      // Unless the list has begun again meanwhile.
      setKnown(before =>
        before.next === next ? { items: [...(before.items ?? []), ...read.items], next: read.next } : before,
      )
    })
  }, [gateway, listing, next, query])
  return { items, problem, isLive, hasMore: next !== null, more }
}

/** The newest page over what was known: changed ones in their places, new ones in front. */
export function merged<Item>(page: Page<Item>, known: Known<Item>, idOf: (item: Item) => string): Page<Item> {
  const read = new Map(page.items.map(each => [idOf(each), each]))
  const isKnown = new Set(known.items?.map(idOf))
  // Nothing in common: others may lie between them. No next one: this is all there is.
  if (known.items === null || page.next === null || !page.items.some(each => isKnown.has(idOf(each)))) return page
  return {
    items: [
      ...page.items.filter(each => !isKnown.has(idOf(each))),
      ...known.items.map(each => read.get(idOf(each)) ?? each),
    ],
    next: known.next,
  }
}

/** Fields of a query that are not empty, each with `&` in front. */
export function queryOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('')
}

/** Returns a page, or why there is none. */
async function readPage<Item>(
  gateway: Gateway,
  { path, field }: Listing<Item>,
  query: string,
  signal?: AbortSignal,
): Promise<Page<Item> | string> {
  const answered = await gateway.get<Readonly<Record<string, unknown>>>(
    `${path}?limit=${PAGE}${query}`,
    signal === undefined ? {} : { signal },
  )
  if (!answered.ok) return answered.sentence
  return { items: answered.body[field] as readonly Item[], next: answered.body['next'] as number | null }
}

interface Newest {
  readonly transactions: readonly { readonly requestId: string }[]
}

/** Cursor of an event that is as new as the newest transaction: what came since is told by the stream. */
async function newestCursor(gateway: Gateway, signal: AbortSignal): Promise<number> {
  const listed = await gateway.get<Newest>('/api/transactions?limit=1', { signal })
  const [newest] = listed.ok ? listed.body.transactions : []
  if (newest === undefined) return 0
  const path = `/api/transactions/${encodeURIComponent(newest.requestId)}/events`
  const events = await gateway.get<{ readonly events: readonly { readonly cursor: number }[] }>(path, { signal })
  return events.ok ? (events.body.events.at(-1)?.cursor ?? 0) : 0
}
