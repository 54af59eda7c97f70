// web/console/sandbox/scenarios-view.tsx — scenarios of terminals: the library, the next ones of a terminal, and your own.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useReading } from '../people/reading.ts'
import { NextScenariosPanel, useNextScenarios } from './next-scenarios.tsx'
import { copyOf, type ListedScenario, MODEL, type ScenarioDocument, TERMINAL } from './scenario.ts'
import { ScenarioEditor } from './scenario-editor.tsx'
import { ScenarioList } from './scenario-list.tsx'

export function ScenariosView({ gateway }: { readonly gateway: Gateway }) {
  const { body, problem: unread, again } = useReading<Listed>(gateway, '/sandbox/scenarios')
  const terminals = useReading<Terminals>(gateway, '/sandbox/terminals')
  const [problem, setProblem] = useState<string | null>(null)
  const [written, setWritten] = useState<ScenarioDocument | null>(null)
  const [doomed, setDoomed] = useState<string | null>(null)
  const [chosen, choose] = useState('')
  const tids = terminals.body?.terminals.map(each => each.tid) ?? []
  const tid = chosen === '' ? tids[0] : chosen
  const path = tid === undefined ? null : `/sandbox/terminals/${encodeURIComponent(tid)}/scenarios`
  const next = useNextScenarios(gateway, path, 'POST')

  const write = async ({ name, from }: ListedScenario) => {
    const answered = await gateway.get<ScenarioDocument>(`/sandbox/scenarios/${encodeURIComponent(name)}`)
    setProblem(answered.ok ? null : answered.sentence)
    if (answered.ok) setWritten(from === 'account' ? answered.body : copyOf(answered.body))
  }
  const remove = async () => {
    const answered = await gateway.send('DELETE', `/sandbox/scenarios/${encodeURIComponent(doomed ?? '')}`)
    if (!answered.ok) return answered.sentence
    again()
    return null
  }
  return (
    <>
      {terminals.body !== null && tid === undefined && (
        <p class="empty">
          This account has no terminal yet. <a href="#/sandbox/terminals">Add one.</a>
        </p>
      )}
      {tid !== undefined && (
        <NextScenariosPanel
          name="Next scenarios of a terminal"
          player={TERMINAL}
          next={next}
          scenarios={body?.scenarios ?? []}
          before={<TerminalField tids={tids} tid={tid} choose={choose} />}
        >
          <a href="#/counter">Start a sale at the counter</a>
        </NextScenariosPanel>
      )}
      <p class="actions">
        <button type="button" onClick={() => setWritten(MODEL)}>
          Write a scenario…
        </button>
        <a href="/docs/guides/scenarios">What a scenario can say</a>
      </p>
      <p role="alert" class="bad">
        {problem || unread || terminals.problem}
      </p>
      {body === null && unread === '' && <p class="quiet">Looking…</p>}
      {body !== null && (
        <ScenarioList
          scenarios={body.scenarios}
          mayPlay={next.queue !== null}
          play={next.play}
          otherwise="Write one of your own."
          actions={scenario => <OwnActions scenario={scenario} write={write} remove={setDoomed} />}
        />
      )}
      {written !== null && (
        <ScenarioEditor gateway={gateway} document={written} onSaved={again} onClose={() => setWritten(null)} />
      )}
      {doomed !== null && (
        <Confirm title={`Delete ${doomed}?`} action="Delete" run={remove} onClose={() => setDoomed(null)}>
          <p>Copy its document first if you want it back: this cannot be undone.</p>
        </Confirm>
      )}
    </>
  )
}

interface Listed {
  readonly scenarios: readonly ListedScenario[]
}

interface Terminals {
  readonly terminals: readonly { readonly tid: string }[]
}

interface TerminalFieldProps {
  readonly tids: readonly string[]
  readonly tid: string
  readonly choose: (tid: string) => void
}

function TerminalField({ tids, tid, choose }: TerminalFieldProps) {
  return (
    <label>
      Terminal
      <select value={tid} onChange={event => choose(event.currentTarget.value)}>
        {tids.map(each => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  )
}

interface OwnActionsProps {
  readonly scenario: ListedScenario
  readonly write: (scenario: ListedScenario) => Promise<void>
  readonly remove: (name: string) => void
}

/** Own scenarios can be changed and deleted, all others copied. */
function OwnActions({ scenario, write, remove }: OwnActionsProps) {
  const { name, from } = scenario
  return (
    <>
      <button type="button" onClick={() => void write(scenario)}>
        {from === 'account' ? 'Change…' : 'Copy…'}
        <span class="unseen"> {name}</span>
      </button>
      {from === 'account' && (
        <button type="button" onClick={() => remove(name)}>
          Delete…<span class="unseen"> {name}</span>
        </button>
      )}
    </>
  )
}
