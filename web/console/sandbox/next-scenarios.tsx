// web/console/sandbox/next-scenarios.tsx — what a terminal plays next: look, add and clear.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { queueInWords, type ScenarioQueue } from './scenario.ts'

export interface NextScenariosProps {
  readonly tids: readonly string[]
  /** Empty without a terminal. */
  readonly tid: string
  readonly choose: (tid: string) => void
  /** Null before the first answer. */
  readonly queue: ScenarioQueue | null
  readonly problem: string | null
  /** Adds a scenario at the end of the next ones. */
  readonly play: (name: string) => void
  readonly clear: () => void
}

/** How often the queue is read, in milliseconds: transactions use it up. */
const AGAIN_MS = 2_000

/** The terminals of the account, and what the chosen one plays next. */
export function useNextScenarios(gateway: Gateway): NextScenariosProps {
  const [tids, setTids] = useState<readonly string[]>([])
  const [chosen, choose] = useState('')
  const [queue, setQueue] = useState<ScenarioQueue | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const tid = chosen === '' ? (tids[0] ?? '') : chosen
  const path = `/sandbox/terminals/${encodeURIComponent(tid)}/scenarios`

  useEffect(() => {
    void gateway
      .get<{ readonly terminals: readonly { readonly tid: string }[] }>('/sandbox/terminals')
      .then(answered => {
        if (answered.ok) setTids(answered.body.terminals.map(each => each.tid))
        else setProblem(answered.sentence)
      })
  }, [gateway])

  useEffect(() => {
    if (tid === '') return
    const ended = new AbortController()
    const { signal } = ended
    const readAgain = async () => {
      while (!signal.aborted) {
        const answered = document.hidden ? null : await gateway.get<ScenarioQueue>(path, { signal })
        if (answered?.ok) setQueue(answered.body)
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    setQueue(null)
    void readAgain().catch(() => {})
    return () => ended.abort()
  }, [gateway, tid, path])

  const set = useCallback(
    async (changed: ScenarioQueue) => {
      const answered = await gateway.send<ScenarioQueue>('POST', path, changed)
      setProblem(answered.ok ? null : answered.sentence)
      if (answered.ok) setQueue(answered.body)
    },
    [gateway, path],
  )
  const play = (name: string) => void set({ ...queue, next: [...(queue?.next ?? []), name] })
  const clear = () => void set({ next: [] })
  return { tids, tid, choose, queue, problem, play, clear }
}

export function NextScenarios({ tids, tid, choose, queue, problem, clear }: NextScenariosProps) {
  if (tids.length === 0 && problem === null)
    return <p class="empty">This account has no terminal yet. Add one with `tollgate terminals add`.</p>
  const hasNext = queue !== null && (queue.next.length > 0 || queue.afterwards != null)
  return (
    <section class="panel" aria-label="Next scenarios of a terminal">
      <p class="filters">
        <label>
          Terminal
          <select value={tid} onChange={event => choose(event.currentTarget.value)}>
            {tids.map(each => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <button type="button" disabled={!hasNext} onClick={clear}>
          Forget the next ones
        </button>
        <a href="#/counter">Start a sale at the counter</a>
      </p>
      <p role="status" class="lead">
        {queue === null ? 'Looking…' : queueInWords(queue)}
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
    </section>
  )
}
