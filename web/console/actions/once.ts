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

export function useStartOnce(gateway: Gateway): StartOnce {
  const [isStarting, setStarting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // The gateway refuses a key that comes again with other contents.
  const keys = useRef(new Map<string, string>())
  const keyOf = (tid: string, body: unknown) => {
    const contents = JSON.stringify([tid, body])
    const key = keys.current.get(contents) ?? freshKey()
    keys.current.set(contents, key)
    return key
  }
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
