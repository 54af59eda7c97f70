// web/console/transactions/live-list.ts — the newest transactions, kept up to date by the events of the account.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'

export interface ListedTransaction {
  readonly requestId: string
  readonly tid: string
  readonly transactionType: string
  readonly amountMinor: number
  readonly currency: string
  readonly result: string | null
  readonly progress: string
  readonly verdict: Verdict
  readonly startedAt: string
}

export interface Verdict {
  readonly final: boolean
  readonly moneyTaken: 'yes' | 'no' | 'unknown'
  readonly safeToRetry: boolean
  readonly nextStep: string
}

/** What the list is narrowed to; empty fields narrow nothing. */
export interface Filter {
  readonly terminal: string
  readonly lastFour: string
  readonly result: string
}

export interface LiveList {
  /** Newest first; null before the first answer. */
  readonly transactions: readonly ListedTransaction[] | null
  readonly problem: string | null
  /** Whether changes arrive by themselves. */
  readonly isLive: boolean
  readonly hasMore: boolean
  /** Loads older ones. */
  more(): void
}

interface Page {
  readonly transactions: readonly ListedTransaction[]
  readonly next: number | null
}

const PAGE = 25
/** Changes that come together are read together, after this time in milliseconds. */
const TOGETHER_MS = 150

export function useLiveList(gateway: Gateway, filter: Filter): LiveList {
  const [transactions, setTransactions] = useState<readonly ListedTransaction[] | null>(null)
  const [next, setNext] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isLive, setLive] = useState(false)
  const query = queryOf(filter)

  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    let due: ReturnType<typeof setTimeout> | undefined
    const load = async (): Promise<Page | null> => {
      const answered = await gateway.get<Page>(`/api/transactions?limit=${PAGE}${query}`, { signal })
      if (signal.aborted) return null
      setProblem(answered.ok ? null : answered.sentence)
      return answered.ok ? answered.body : null
    }
    const begin = async () => {
      // Before the list: what happens meanwhile comes by the stream.
      const cursor = await newestCursor(gateway, signal)
      const page = await load()
      if (signal.aborted) return
      if (page !== null) {
        setTransactions(page.transactions)
        setNext(page.next)
      }
      await gateway.follow(cursor, onEvent, { signal, onState: setLive })
    }
    const onEvent = ({ kind }: { readonly kind: string }) => {
      if (kind !== 'terminal-transaction') return
      due ??= setTimeout(() => {
        due = undefined
        void load().then(page => page !== null && setTransactions(before => merged(page.transactions, before ?? [])))
      }, TOGETHER_MS)
    }
    setTransactions(null)
    void begin().catch(() => {})
    return () => {
      clearTimeout(due)
      ended.abort()
    }
  }, [gateway, query])

  const more = useCallback(() => {
    if (next === null) return
    void gateway.get<Page>(`/api/transactions?limit=${PAGE}&before=${next}${query}`).then(answered => {
      if (!answered.ok) return setProblem(answered.sentence)
      setTransactions(before => [...(before ?? []), ...answered.body.transactions])
      setNext(answered.body.next)
    })
  }, [gateway, next, query])
  return { transactions, problem, isLive, hasMore: next !== null, more }
}

/** The newest page over what was known: changed ones in their places, new ones in front. */
export function merged(
  page: readonly ListedTransaction[],
  known: readonly ListedTransaction[],
): readonly ListedTransaction[] {
  const read = new Map(page.map(each => [each.requestId, each]))
  const isKnown = new Set(known.map(({ requestId }) => requestId))
  return [
    ...page.filter(({ requestId }) => !isKnown.has(requestId)),
    ...known.map(each => read.get(each.requestId) ?? each),
  ]
}

function queryOf({ terminal, lastFour, result }: Filter): string {
  const fields = Object.entries({ terminal, lastFour, result }).filter(([, value]) => value !== '')
  return fields.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join('')
}

/** Cursor of an event that is as new as the newest transaction: what came since is told by the stream. */
async function newestCursor(gateway: Gateway, signal: AbortSignal): Promise<number> {
  const listed = await gateway.get<Page>('/api/transactions?limit=1', { signal })
  const [newest] = listed.ok ? listed.body.transactions : []
  if (newest === undefined) return 0
  const path = `/api/transactions/${encodeURIComponent(newest.requestId)}/events`
  const events = await gateway.get<{ readonly events: readonly { readonly cursor: number }[] }>(path, { signal })
  return events.ok ? (events.body.events.at(-1)?.cursor ?? 0) : 0
}
