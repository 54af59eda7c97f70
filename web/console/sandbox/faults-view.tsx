// web/console/sandbox/faults-view.tsx — faults on demand: arm one for the next requests, see the armed ones, disarm them.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { Confirm } from '../parts/confirm.tsx'
import { type ArmedFault, aimIn, aimsOf, type FaultKind, type FaultOrder, orderOf, targetInWords } from './fault.ts'

interface Faults {
  readonly faults: readonly FaultKind[]
  readonly armed: readonly ArmedFault[]
}

/** How often the armed ones are read, in milliseconds: requests use them up. */
const AGAIN_MS = 2_000

export function FaultsView({ gateway }: { readonly gateway: Gateway }) {
  const [known, setKnown] = useState<Faults | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const [isAsking, setAsking] = useState(false)
  const read = useCallback(
    async (signal?: AbortSignal) => {
      const answered = await gateway.get<Faults>('/sandbox/faults', signal === undefined ? {} : { signal })
      if (answered.ok) setKnown(answered.body)
      else setProblem(answered.sentence)
    },
    [gateway],
  )
  useEffect(() => {
    const ended = new AbortController()
    const readAgain = async () => {
      while (!ended.signal.aborted) {
        if (!document.hidden) await read(ended.signal)
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    void readAgain().catch(() => {})
    return () => ended.abort()
  }, [read])

  const arm = async (order: FaultOrder) => {
    const answered = await gateway.send<ArmedFault>('POST', '/sandbox/faults', order)
    setProblem(answered.ok ? null : answered.sentence)
    setSaid(answered.ok ? `${answered.body.fault} is armed for ${targetInWords(answered.body)}.` : '')
    if (answered.ok) await read()
  }
  const disarm = async () => {
    const answered = await gateway.send('DELETE', '/sandbox/faults')
    if (!answered.ok) return answered.sentence
    setSaid('No fault is armed.')
    await read()
    return null
  }
  if (known === null) return <p class={problem === null ? 'quiet' : 'bad'}>{problem ?? 'Looking…'}</p>
  return (
    <>
      <ArmForm faults={known.faults} arm={arm} />
      <p role="alert" class="bad">
        {problem}
      </p>
      <p role="status" class="good">
        {said}
      </p>
      <h2 class="after">Armed</h2>
      <Armed armed={known.armed} ask={() => setAsking(true)} />
      {isAsking && (
        <Confirm title="Disarm all faults?" action="Disarm all" run={disarm} onClose={() => setAsking(false)}>
          <p>The next requests work as usual. What a fault has done already stays as it is.</p>
        </Confirm>
      )}
    </>
  )
}

function Armed({ armed, ask }: { readonly armed: readonly ArmedFault[]; readonly ask: () => void }) {
  if (armed.length === 0)
    return (
      <p class="empty">
        No fault is armed. Arm <code>approval_unknown</code> above, <a href="#/counter">start a sale</a>, and look at
        its verdict: nobody knows yet whether money was taken.
      </p>
    )
  return (
    <>
      <ul class="rows plain" aria-label="Armed faults">
        {armed.map((fault, index) => (
          <li key={`${index} ${fault.fault}`}>
            <span>
              <strong>{fault.fault}</strong> <span class="quiet">for {targetInWords(fault)}</span>
            </span>
          </li>
        ))}
      </ul>
      <p class="actions">
        <button type="button" onClick={ask}>
          Disarm all…
        </button>
        <a href="#/counter">Start a sale at the counter</a>
        <a href="/demo">Pay in the demo shop</a>
      </p>
    </>
  )
}

const GROUPS = [
  { at: 'terminal', name: 'The terminal' },
  { at: 'acquirer', name: 'The acquirer' },
  { at: 'request', name: 'The request itself' },
] as const

interface ArmFormProps {
  readonly faults: readonly FaultKind[]
  readonly arm: (order: FaultOrder) => Promise<void>
}

function ArmForm({ faults, arm }: ArmFormProps) {
  const [name, setName] = useState('approval_unknown')
  const [number, setNumber] = useState('')
  const [aimId, setAim] = useState('start')
  const [path, setPath] = useState('/pac/**')
  const [times, setTimes] = useState('1')
  const fault = faults.find(each => each.name === name) ?? faults[0]
  if (fault === undefined) return null
  const aim = aimIn(fault, aimId)
  const order = orderOf(fault, { number, aim, path, times })
  return (
    <form
      class="panel"
      onSubmit={event => {
        event.preventDefault()
        if (order !== null) void arm(order)
      }}
    >
      <p class="filters">
        <label>
          What goes wrong
          <select
            value={fault.name}
            onChange={event => {
              setName(event.currentTarget.value)
              setNumber('')
            }}
          >
            {GROUPS.map(({ at, name: group }) => (
              <optgroup key={at} label={group}>
                {faults
                  .filter(each => each.at === at)
                  .map(each => (
                    <option key={each.name}>{each.name}</option>
                  ))}
              </optgroup>
            ))}
          </select>
        </label>
        {fault.number !== null && (
          <label>
            Number, in {fault.number.of}
            <input
              class="short"
              inputMode="numeric"
              maxLength={7}
              placeholder={String(fault.number.usual)}
              value={number}
              onInput={event => setNumber(event.currentTarget.value)}
            />
          </label>
        )}
        <label>
          Which requests
          <select value={aim.id} onChange={event => setAim(event.currentTarget.value)}>
            {aimsOf(fault).map(each => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
        {aim.path === null && (
          <label>
            Path
            <input value={path} maxLength={300} onInput={event => setPath(event.currentTarget.value)} />
          </label>
        )}
        <label>
          Times
          <input
            class="short"
            inputMode="numeric"
            maxLength={5}
            value={times}
            onInput={event => setTimes(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main" disabled={order === null}>
          Arm
        </button>
      </p>
      <p class="lead">{fault.title}</p>
    </form>
  )
}
