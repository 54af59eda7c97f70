// web/console/sandbox/snapshots-view.tsx — snapshots of the account: take, restore, delete; and reset.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { Confirm } from '../parts/confirm.tsx'

interface Snapshot {
  readonly name: string
  readonly takenAt: string
  /** Terminals, transactions and reports in it. */
  readonly records: number
}

type Question = { readonly ask: 'restore' | 'delete'; readonly name: string } | { readonly ask: 'reset' }

export function SnapshotsView({ gateway }: { readonly gateway: Gateway }) {
  const [snapshots, setSnapshots] = useState<readonly Snapshot[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const [question, setQuestion] = useState<Question | null>(null)
  const read = useCallback(async () => {
    const answered = await gateway.get<{ readonly snapshots: readonly Snapshot[] }>('/sandbox/snapshots')
    if (answered.ok) setSnapshots(answered.body.snapshots)
    else setProblem(answered.sentence)
  }, [gateway])
  useEffect(() => void read(), [read])

  /** Returns why it was not done; null when it was. */
  const change = async (method: 'POST' | 'DELETE', path: string, done: string, body?: unknown) => {
    const answered = await gateway.send(method, path, body)
    if (!answered.ok) return answered.sentence
    setSaid(done)
    await read()
    return null
  }
  return (
    <section class="panel" aria-labelledby="snapshots-title">
      <h2 id="snapshots-title">Snapshots</h2>
      <p class="quiet">A snapshot keeps transactions, reports, terminals and the clock as they are now.</p>
      <Take
        take={async name =>
          setProblem(await change('POST', '/sandbox/snapshots', `Snapshot ${name} is taken.`, { name }))
        }
      />
      <p role="alert" class="bad">
        {problem}
      </p>
      <p role="status" class="good">
        {said}
      </p>
      <List snapshots={snapshots} ask={setQuestion} />
      <h2 class="after">Reset</h2>
      <p class="quiet">
        An empty account, as at the beginning, with the terminals, scenarios and snapshots that it has.
      </p>
      <p class="actions">
        <button type="button" onClick={() => setQuestion({ ask: 'reset' })}>
          Reset the account…
        </button>
      </p>
      {question !== null && <Asking question={question} change={change} onClose={() => setQuestion(null)} />}
    </section>
  )
}

function Take({ take }: { readonly take: (name: string) => Promise<void> }) {
  const [name, setName] = useState('')
  const isName = /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)
  return (
    <form
      class="filters"
      onSubmit={event => {
        event.preventDefault()
        if (isName) void take(name).then(() => setName(''))
      }}
    >
      <label>
        Name
        <input
          value={name}
          placeholder="clean"
          aria-describedby="snapshot-name"
          aria-invalid={name !== '' && !isName}
          onInput={event => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={!isName}>
        Take a snapshot
      </button>
      <span id="snapshot-name" class={name !== '' && !isName ? 'bad' : 'quiet'}>
        Lower-case letters, digits, _ and -. A snapshot of the same name is replaced.
      </span>
    </form>
  )
}

interface ListProps {
  readonly snapshots: readonly Snapshot[]
  readonly ask: (question: Question) => void
}

function List({ snapshots, ask }: ListProps) {
  if (snapshots.length === 0)
    return <p class="empty">No snapshot yet. Take one, make a few sales, and restore it: they never happened.</p>
  return (
    <ul class="rows plain" aria-label="Snapshots, newest first">
      {snapshots.map(({ name, takenAt, records }) => (
        <li key={name}>
          <span>
            <strong>{name}</strong>{' '}
            <span class="quiet">
              <time dateTime={takenAt}>{new Date(takenAt).toLocaleString()}</time>, {records} records
            </span>
          </span>
          <span class="actions">
            <button type="button" onClick={() => ask({ ask: 'restore', name })}>
              Restore…<span class="unseen"> {name}</span>
            </button>
            <button type="button" onClick={() => ask({ ask: 'delete', name })}>
              Delete…<span class="unseen"> {name}</span>
            </button>
          </span>
        </li>
      ))}
    </ul>
  )
}

interface AskingProps {
  readonly question: Question
  readonly change: (method: 'POST' | 'DELETE', path: string, done: string) => Promise<string | null>
  readonly onClose: () => void
}

function Asking({ question, change, onClose }: AskingProps) {
  if (question.ask === 'reset')
    return (
      <Confirm
        title="Reset the account?"
        action="Reset the account"
        run={() => change('POST', '/sandbox/reset', 'The account is reset.')}
        onClose={onClose}
      >
        <p>
          All transactions, payments, reports and events are deleted, terminals lose their work and their settings,
          faults are disarmed, and the clock follows the system clock. Keys, terminals, scenarios and snapshots stay.
          Without a snapshot this cannot be undone.
        </p>
      </Confirm>
    )
  const { ask, name } = question
  const path = `/sandbox/snapshots/${encodeURIComponent(name)}`
  return ask === 'restore' ? (
    <Confirm
      title={`Restore ${name}?`}
      action="Restore"
      run={() => change('POST', `${path}/restore`, `Snapshot ${name} is restored.`)}
      onClose={onClose}
    >
      <p>
        Everything since it was taken is discarded, and the clock goes back. Transactions that were running then go on.
        Take a snapshot of now first if you want to come back.
      </p>
    </Confirm>
  ) : (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete"
      run={() => change('DELETE', path, `Snapshot ${name} is deleted.`)}
      onClose={onClose}
    >
      <p>The account stays as it is; the snapshot cannot be restored any more.</p>
    </Confirm>
  )
}
