// web/console/people/reading.ts — reads a list that is read again after each change of this page.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'

export interface Reading<Body> {
  /** Null before the first answer. */
  readonly body: Body | null
  readonly problem: string
  /** Reads it again. */
  again(): void
}

export function useReading<Body>(gateway: Gateway, path: string): Reading<Body> {
  const [body, setBody] = useState<Body | null>(null)
  const [problem, setProblem] = useState('')
  const [round, setRound] = useState(0)
  useEffect(() => {
    const ended = new AbortController()
    void gateway
      .get<Body>(path, { signal: ended.signal })
      .then(answered => {
        setProblem(answered.ok ? '' : answered.sentence)
        if (answered.ok) setBody(answered.body)
      })
      .catch(() => {})
    return () => ended.abort()
  }, [gateway, path, round])
  return { body, problem, again: useCallback(() => setRound(before => before + 1), []) }
}
