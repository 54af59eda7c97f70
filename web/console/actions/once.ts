// web/console/actions/once.ts — starts a transaction at most once, also when the answer is lost and somebody presses again.
import { useRef, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { freshKey } from '../idempotency-key.ts'
import { addressOf } from '../places.ts'

export interface StartOnce {
  readonly isStarting: boolean
  /** Why the last start was refused. */
  readonly problem: string | null
  /** Key of the next start with this body; the same while the body is the same. */
  keyOf(tid: string, body: unknown): string
  /** Starts it, and shows the new transaction. */
  start(tid: string, body: unknown): Promise<void>
}

/** Keys by contents: the gateway refuses one that comes again with others. */
export function useKeys(): (contents: unknown) => string {
  const keys = useRef(new Map<string, string>())
  return contents => {
    const text = JSON.stringify(contents)
    const key = keys.current.get(text) ?? freshKey()
    keys.current.set(text, key)
    return key
  }
}

export function useStartOnce(gateway: Gateway): StartOnce {
  const [isStarting, setStarting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const keyFor = useKeys()
  const keyOf = (tid: string, body: unknown) => keyFor([tid, body])
  const start = async (tid: string, body: unknown) => {
    setStarting(true)
    setProblem(null)
    const path = `/pac/terminals/${encodeURIComponent(tid)}/transactions`
    const headers = { 'idempotency-key': keyOf(tid, body) }
    const answered = await gateway.send<{ readonly requestId: string }>('POST', path, body, { headers })
    setStarting(false)
    if (answered.ok) location.hash = addressOf(answered.body.requestId)
    else setProblem(answered.sentence)
  }
  return { isStarting, problem, keyOf, start }
}
