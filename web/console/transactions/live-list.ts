// web/console/transactions/live-list.ts — the newest transactions or payments, kept up to date.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import type { ListedTransaction } from './listed-transaction.ts'
import { AT_TERMINALS, readPage, type Source } from './source.ts'

export interface LiveList<Item> {
  /** Newest first; null before the first answer. */
  readonly items: readonly Item[] | null
  readonly problem: string | null
  /** Whether changes arrive by themselves. */
  readonly isLive: boolean
  readonly hasMore: boolean
  /** Loads older ones. */
  more(): void
}

const PAGE = 25
/** Changes that come together are read together, after this time in milliseconds. */
const TOGETHER_MS = 150
/** How often a list is read whose newest event is not known, in milliseconds. */
const EVERY_MS = 2_000

/** Reads a list and keeps it up to date. @param query filters, each with `&` before it; null: wait with the reading */
export function useLiveList<Item>(gateway: Gateway, source: Source<Item>, query: string | null): LiveList<Item> {
  const [items, setItems] = useState<readonly Item[] | null>(null)
  const [next, setNext] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isLive, setLive] = useState(false)

  useEffect(() => {
    if (query === null) return
    const ended = new AbortController()
    const { signal } = ended
    let due: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      const page = await readPage(gateway, source, query, { limit: PAGE, signal })
      if (signal.aborted) return null
      setProblem('problem' in page ? page.problem : null)
      return 'problem' in page ? null : page
    }
    const again = async () => {
      const page = await load()
      if (page !== null) setItems(before => merged(page.items, before ?? [], source.idOf))
      return page !== null
    }
    const onEvent = ({ kind }: { readonly kind: string }) => {
      if (kind !== source.kind) return
      due ??= setTimeout(() => {
        due = undefined
        void again().catch(() => {})
      }, TOGETHER_MS)
    }
    const begin = async () => {
      const page = await load()
      if (signal.aborted) return
      if (page !== null) {
        setItems(page.items)
        setNext(page.next)
      }
      if (source.path !== AT_TERMINALS.path) return readAgain(again, signal, setLive)
      await gateway.follow(await newestCursor(gateway, signal), onEvent, { signal, onState: setLive })
    }
    setItems(null)
    setNext(null)
    void begin().catch(() => {})
    return () => {
      clearTimeout(due)
      ended.abort()
    }
  }, [gateway, source, query])

  const more = useCallback(() => {
    if (next === null || query === null) return
    const { signal } = new AbortController()
    void readPage(gateway, source, query, { limit: PAGE, before: next, signal }).then(page => {
      if ('problem' in page) return setProblem(page.problem)
      setItems(before => [...(before ?? []), ...page.items])
      setNext(page.next)
    })
  }, [gateway, source, next, query])
  return { items, problem, isLive, hasMore: next !== null, more }
}

/** Only events of transactions say which is the newest, so payments are read again and again. */
async function readAgain(
  read: () => Promise<boolean>,
  signal: AbortSignal,
  onState: (isLive: boolean) => void,
): Promise<void> {
  while (!signal.aborted) {
    if (!document.hidden) onState(await read())
    await new Promise(resolve => setTimeout(resolve, EVERY_MS))
  }
}

/** The newest page over what was known: changed ones in their places, new ones in front. */
export function merged<Item>(
  page: readonly Item[],
  known: readonly Item[],
  idOf: (item: Item) => string,
): readonly Item[] {
  const read = new Map(page.map(each => [idOf(each), each]))
  const isKnown = new Set(known.map(idOf))
  return [...page.filter(each => !isKnown.has(idOf(each))), ...known.map(each => read.get(idOf(each)) ?? each)]
}

/** Cursor of an event that is as new as the newest transaction: what came since is told by the stream. */
async function newestCursor(gateway: Gateway, signal: AbortSignal): Promise<number> {
  const listed = await gateway.get<{ readonly transactions: readonly ListedTransaction[] }>(
    '/api/transactions?limit=1',
    { signal },
  )
  const [newest] = listed.ok ? listed.body.transactions : []
  if (newest === undefined) return 0
  const path = `/api/transactions/${encodeURIComponent(newest.requestId)}/events`
  const events = await gateway.get<{ readonly events: readonly { readonly cursor: number }[] }>(path, { signal })
  return events.ok ? (events.body.events.at(-1)?.cursor ?? 0) : 0
}
