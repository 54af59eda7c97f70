// web/console/sandbox/scenarios-view.tsx — scenarios: the library, the next one of a terminal, and your own.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { Confirm } from '../parts/confirm.tsx'
import { NextScenarios, useNextScenarios } from './next-scenarios.tsx'
import { copyOf, found, type ListedScenario, MODEL, type ScenarioDocument } from './scenario.ts'
import { ScenarioEditor } from './scenario-editor.tsx'

export function ScenariosView({ gateway }: { readonly gateway: Gateway }) {
  const [scenarios, setScenarios] = useState<readonly ListedScenario[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [written, setWritten] = useState<ScenarioDocument | null>(null)
  const [doomed, setDoomed] = useState<string | null>(null)
  const queue = useNextScenarios(gateway)
  const read = useCallback(async () => {
    const answered = await gateway.get<{ readonly scenarios: readonly ListedScenario[] }>('/sandbox/scenarios')
    if (answered.ok) setScenarios(answered.body.scenarios)
    setProblem(answered.ok ? null : answered.sentence)
  }, [gateway])
  useEffect(() => void read(), [read])

  const write = async ({ name, from }: ListedScenario) => {
    const answered = await gateway.get<ScenarioDocument>(`/sandbox/scenarios/${encodeURIComponent(name)}`)
    setProblem(answered.ok ? null : answered.sentence)
    if (answered.ok) setWritten(from === 'account' ? answered.body : copyOf(answered.body))
  }
  const remove = async () => {
    const answered = await gateway.send('DELETE', `/sandbox/scenarios/${encodeURIComponent(doomed ?? '')}`)
    if (!answered.ok) return answered.sentence
    await read()
    return null
  }
  return (
    <>
      <NextScenarios {...queue} />
      <p class="actions">
        <button type="button" onClick={() => setWritten(MODEL)}>
          Write a scenario…
        </button>
        <a href="/docs/guides/scenarios">What a scenario can say</a>
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
      {scenarios === null && problem === null && <p class="quiet">Looking…</p>}
      {scenarios !== null && (
        <Library
          scenarios={scenarios}
          tid={queue.tid}
          play={queue.play}
          write={scenario => void write(scenario)}
          remove={setDoomed}
        />
      )}
      {written !== null && (
        <ScenarioEditor
          gateway={gateway}
          document={written}
          onSaved={() => void read()}
          onClose={() => setWritten(null)}
        />
      )}
      {doomed !== null && (
        <Confirm title={`Delete ${doomed}?`} action="Delete" run={remove} onClose={() => setDoomed(null)}>
          <p>Copy its document first if you want it back: this cannot be undone.</p>
        </Confirm>
      )}
    </>
  )
}

interface LibraryProps {
  readonly scenarios: readonly ListedScenario[]
  readonly tid: string
  readonly play: (name: string) => void
  readonly write: (scenario: ListedScenario) => void
  readonly remove: (name: string) => void
}

function Library({ scenarios, tid, play, write, remove }: LibraryProps) {
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
      {shown.length === 0 && <p class="empty">No scenario has all of these words. Write one of your own.</p>}
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
                <button type="button" disabled={tid === ''} onClick={() => play(scenario.name)}>
                  Play next<span class="unseen"> {scenario.name}</span>
                </button>
                <button type="button" onClick={() => write(scenario)}>
                  {scenario.from === 'account' ? 'Change…' : 'Copy…'}
                  <span class="unseen"> {scenario.name}</span>
                </button>
                {scenario.from === 'account' && (
                  <button type="button" onClick={() => remove(scenario.name)}>
                    Delete…<span class="unseen"> {scenario.name}</span>
                  </button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
