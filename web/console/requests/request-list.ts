// web/console/requests/request-list.ts — the latest requests of the account, read again and again: requests are no events.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { EMPTY, type Known, type LivePages, merged, type Page, queryOf } from '../parts/live-pages.ts'
import { idOf, type RecordedRequest } from './recorded-request.ts'

/** What the list is narrowed to; empty fields narrow nothing. */
export interface RequestFilter {
  readonly refused: '' | 'true' | 'false'
  readonly status: string
  readonly operation: string
}

export interface RequestList extends LivePages<RecordedRequest> {
  /** False when the gateway is set to record nothing. */
  readonly isRecording: boolean
}

interface Answer {
  readonly recording: boolean
  readonly requests: readonly RecordedRequest[]
  readonly next: number | null
}

/** How often the list is read, in milliseconds. The gateway does not record this. */
const EVERY_MS = 2_000
const PAGE = 50

export function useRequests(gateway: Gateway, filter: RequestFilter): RequestList {
  const [known, setKnown] = useState<Known<RecordedRequest>>(EMPTY)
  const [isRecording, setRecording] = useState(true)
  const [problem, setProblem] = useState<string | null>(null)
  const [isLive, setLive] = useState(false)
  const query = queryOf({ ...filter })

  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const read = async () => {
      const answered = await gateway.get<Answer>(`/api/requests?limit=${PAGE}${query}`, { signal })
      if (signal.aborted) return
      setLive(answered.ok)
      setProblem(answered.ok ? null : answered.sentence)
      if (!answered.ok) return
      setRecording(answered.body.recording)
      setKnown(before => merged(pageIn(answered.body), before, idOf))
    }
    const readAgain = async () => {
      while (!signal.aborted) {
        if (!document.hidden) await read().catch(() => {})
        await new Promise(resolve => setTimeout(resolve, EVERY_MS))
      }
    }
    setKnown(EMPTY)
    void readAgain()
    return () => ended.abort()
  }, [gateway, query])

  const { items, next } = known
  const more = useCallback(() => {
    if (next === null) return
    void gateway.get<Answer>(`/api/requests?limit=${PAGE}&before=${next}${query}`).then(answered => {
      if (!answered.ok) return setProblem(answered.sentence)
      const page = pageIn(answered.body)
      setKnown(before =>
        before.next === next ? { items: [...(before.items ?? []), ...page.items], next: page.next } : before,
      )
    })
  }, [gateway, next, query])
  return { items, problem, isLive, hasMore: next !== null, more, isRecording }
}

function pageIn({ requests, next }: Answer): Page<RecordedRequest> {
  return { items: requests, next }
}
