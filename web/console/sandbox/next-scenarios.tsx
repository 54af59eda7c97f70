// web/console/sandbox/next-scenarios.tsx — what a terminal or the online payments play next: look, add, choose for later, clear.
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { type ListedScenario, type Player, queueInWords, type ScenarioQueue } from './scenario.ts'

export interface NextScenarios {
  /** Null before the first answer. */
  readonly queue: ScenarioQueue | null
  readonly problem: string | null
  /** Adds a scenario at the end of the next ones. */
  readonly play: (name: string) => void
  /** Sets what is played after the next ones; null for what is usual. */
  readonly playAfterwards: (name: string | null) => void
  readonly clear: () => void
}

/** How often the queue is read, in milliseconds: transactions and payments use it up. */
const AGAIN_MS = 2_000

/**
 * The next scenarios at an address of the gateway.
 * @param path null while there is none
 * @param method by which the gateway takes others
 */
export function useNextScenarios(gateway: Gateway, path: string | null, method: 'POST' | 'PUT'): NextScenarios {
  const [queue, setQueue] = useState<ScenarioQueue | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    if (path === null) return
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
  }, [gateway, path])

  const set = useCallback(
    async (changed: ScenarioQueue) => {
      if (path === null) return
      const answered = await gateway.send<ScenarioQueue>(method, path, changed)
      setProblem(answered.ok ? null : answered.sentence)
      if (answered.ok) setQueue(answered.body)
    },
    [gateway, path, method],
  )
  const { next = [], afterwards = null } = queue ?? {}
  return {
    queue,
    problem,
    play: name => void set({ next: [...next, { scenario: name }], afterwards }),
    playAfterwards: name => void set({ next, afterwards: name }),
    clear: () => void set({ next: [] }),
  }
}

export interface NextScenariosPanelProps {
  readonly name: string
  readonly player: Player
  readonly next: NextScenarios
  /** To choose from for later. */
  readonly scenarios: readonly ListedScenario[]
  /** Before the other fields. */
  readonly before?: ComponentChildren
  /** Where to try it, after the other fields. */
  readonly children: ComponentChildren
}

export function NextScenariosPanel({ name, player, next, scenarios, before, children }: NextScenariosPanelProps) {
  const { queue, problem, playAfterwards, clear } = next
  const afterwards = queue?.afterwards ?? ''
  const names = scenarios.map(each => each.name)
  // One with faults is in no list.
  const offered = names.includes(afterwards) || afterwards === '' ? names : [afterwards, ...names]
  const hasNext = queue !== null && (queue.next.length > 0 || afterwards !== '')
  return (
    <section class="panel" aria-label={name}>
      <p class="filters">
        {before}
        <label>
          For all afterwards
          <select
            value={afterwards}
            disabled={queue === null}
            onChange={event => playAfterwards(event.currentTarget.value || null)}
          >
            <option value="">{player.otherwise}</option>
            {offered.map(each => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <button type="button" disabled={!hasNext} onClick={clear}>
          Forget the next ones
        </button>
        {children}
      </p>
      <p role="status" class="lead">
        {queue === null ? 'Looking…' : queueInWords(queue, player)}
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
    </section>
  )
}
