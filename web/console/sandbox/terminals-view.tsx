// web/console/sandbox/terminals-view.tsx — simulated terminals of the account: added, set up, reset, removed.
import { useState } from 'preact/hooks'
import { type Gateway, mayDo } from '../gateway.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useForm } from '../parts/sending.ts'
import { useReading } from '../people/reading.ts'
import { addressOfTerminal } from '../places.ts'
import { type ListedTerminal, pathOf, settingsInWords } from './terminal-settings.ts'
import { SettingsDialog } from './terminal-settings-dialog.tsx'

type Asked = { readonly what: 'settings' | 'reset' | 'remove'; readonly terminal: ListedTerminal } | null

export function TerminalsView({ gateway }: { readonly gateway: Gateway }) {
  const { body, problem, again } = useReading<Listed>(gateway, '/sandbox/terminals')
  const [asked, setAsked] = useState<Asked>(null)
  const close = () => setAsked(null)
  const change = async (method: 'POST' | 'DELETE', path: string) => {
    const answered = await gateway.send(method, path)
    again()
    return answered.ok ? null : answered.sentence
  }
  return (
    <>
      <p role="alert" class="bad">
        {problem}
      </p>
      {body === null && problem === '' && <p class="quiet">Looking…</p>}
      {body?.terminals.length === 0 && <p class="empty">No terminal yet. Add one, and start a sale on it.</p>}
      {body !== null && body.terminals.length > 0 && (
        <ul class="rows plain" aria-label="Terminals">
          {body.terminals.map(terminal => (
            <Row key={terminal.tid} gateway={gateway} terminal={terminal} ask={what => setAsked({ what, terminal })} />
          ))}
        </ul>
      )}
      {mayDo(gateway.credentials, 'configure') && <Addition gateway={gateway} onAdded={again} />}
      {asked?.what === 'settings' && (
        <SettingsDialog gateway={gateway} terminal={asked.terminal} onSaved={again} onClose={close} />
      )}
      {asked?.what === 'reset' && (
        <Confirm
          title={`Reset ${asked.terminal.tid}?`}
          action="Reset it"
          run={() => change('POST', `${pathOf(asked.terminal.tid)}/reset`)}
          onClose={close}
        >
          <p>It loses its running transaction, its totals, its last transaction and its next scenarios.</p>
        </Confirm>
      )}
      {asked?.what === 'remove' && (
        <Confirm
          title={`Remove ${asked.terminal.tid}?`}
          action="Remove it"
          run={() => change('DELETE', pathOf(asked.terminal.tid))}
          onClose={close}
        >
          <p>
            Tills can start nothing on it any more. A running transaction is lost, and ends accordingly. Its
            transactions stay in the list.
          </p>
        </Confirm>
      )}
    </>
  )
}

interface Listed {
  readonly terminals: readonly ListedTerminal[]
}

interface RowProps {
  readonly gateway: Gateway
  readonly terminal: ListedTerminal
  readonly ask: (what: 'settings' | 'reset' | 'remove') => void
}

function Row({ gateway, terminal: { tid, connected, requestId, settings }, ask }: RowProps) {
  const { credentials, hasTill } = gateway
  return (
    <li>
      <span>
        <strong>{hasTill ? <a href={addressOfTerminal(tid)}>{tid}</a> : tid}</strong>
        <span class="tag">{connected ? (requestId === null ? 'free' : 'busy') : 'unplugged'}</span>
        <br />
        <span class="quiet">
          {settings.currency}, {settingsInWords(settings)}
        </span>
      </span>
      <span class="actions">
        {mayDo(credentials, 'operate') && (
          <>
            <button type="button" onClick={() => ask('settings')}>
              Settings…<span class="unseen"> {tid}</span>
            </button>
            <button type="button" onClick={() => ask('reset')}>
              Reset…<span class="unseen"> {tid}</span>
            </button>
          </>
        )}
        {mayDo(credentials, 'configure') && (
          <button type="button" onClick={() => ask('remove')}>
            Remove…<span class="unseen"> {tid}</span>
          </button>
        )}
      </span>
    </li>
  )
}

function Addition({ gateway, onAdded }: { readonly gateway: Gateway; readonly onAdded: () => void }) {
  const { problem, onSubmit } = useForm(async fields => {
    const answered = await gateway.send('POST', '/sandbox/terminals', { tid: String(fields.get('tid')).trim() })
    if (!answered.ok) return answered.sentence
    onAdded()
    return null
  })
  return (
    <form class="panel" aria-label="Add a terminal" onSubmit={onSubmit}>
      <p class="filters">
        <label>
          Id of a new terminal
          <input name="tid" required maxLength={20} autocomplete="off" autocapitalize="none" spellcheck={false} />
        </label>
        <button type="submit">Add the terminal</button>
      </p>
      <p class="quiet">
        Letters and digits. One that begins with <code>VCM</code> presses its own keys, and its id says how payments
        end: <a href="/docs/guides/sandbox#terminals">which ids there are</a>. All others wait for yours.
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
    </form>
  )
}
