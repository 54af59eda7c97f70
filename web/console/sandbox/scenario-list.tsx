// web/console/sandbox/scenario-list.tsx — scenarios to find by words, and to play next.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { found, type ListedScenario } from './scenario.ts'

export interface ScenarioListProps {
  readonly scenarios: readonly ListedScenario[]
  /** Whether there is something that can play them. */
  readonly mayPlay: boolean
  readonly play: (name: string) => void
  /** What to do when no scenario has the words. */
  readonly otherwise: string
  /** What else can be done with one. */
  readonly actions?: (scenario: ListedScenario) => ComponentChildren
}

export function ScenarioList({ scenarios, mayPlay, play, otherwise, actions }: ScenarioListProps) {
  const [words, setWords] = useState('')
  const shown = found(scenarios, words)
  return (
    <>
      <form class="filters" onSubmit={event => event.preventDefault()}>
        <label>
          Find a scenario
          <input type="search" value={words} onInput={event => setWords(event.currentTarget.value)} />
        </label>
        <span role="status" class="quiet">
          {shown.length} of {scenarios.length}
        </span>
      </form>
      {shown.length === 0 && <p class="empty">No scenario has all of these words. {otherwise}</p>}
      {shown.length > 0 && (
        <ul class="rows plain" aria-label="Scenarios">
          {shown.map(scenario => (
            <li key={scenario.name}>
              <span>
                <strong>{scenario.name}</strong>
                {scenario.from === 'account' && <span class="tag">yours</span>}
                <br />
                <span class="quiet">{scenario.title}</span>
              </span>
              <span class="actions">
                <button type="button" disabled={!mayPlay} onClick={() => play(scenario.name)}>
                  Play next<span class="unseen"> {scenario.name}</span>
                </button>
                {actions?.(scenario)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
