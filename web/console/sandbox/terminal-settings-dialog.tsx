// web/console/sandbox/terminal-settings-dialog.tsx — changes the settings of a simulated terminal.
import { useRef } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useSending } from '../parts/sending.ts'
import { changesIn, type ListedTerminal, MODES, pathOf, SPLITS, SWITCHES } from './terminal-settings.ts'

interface SettingsDialogProps {
  readonly gateway: Gateway
  readonly terminal: ListedTerminal
  readonly onSaved: () => void
  readonly onClose: () => void
}

export function SettingsDialog({ gateway, terminal, onSaved, onClose }: SettingsDialogProps) {
  const { tid, settings } = terminal
  const fields = useRef<HTMLDivElement>(null)
  const { problem, isBusy, send } = useSending(async () => {
    const form = fields.current?.closest('form')
    if (form == null) return null
    const changes = changesIn(new FormData(form), settings)
    const answered = await gateway.send('PATCH', `${pathOf(tid)}/settings`, changes)
    if (!answered.ok) return answered.sentence
    onSaved()
    onClose()
    return null
  })
  return (
    <Dialog
      title={`Settings of ${tid}`}
      doIt="Save"
      isReady={!isBusy}
      problem={problem}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <div ref={fields} class="fields">
        {Object.entries(SWITCHES).map(([name, words]) => (
          <label key={name} class="check">
            <input type="checkbox" name={name} defaultChecked={settings[name as keyof typeof SWITCHES]} />
            {words}
          </label>
        ))}
        <Choice name="mode" label="Used" choices={MODES} chosen={settings.mode} />
        <Choice name="split" label="Splits bills" choices={SPLITS} chosen={settings.split} />
        <label>
          Milliseconds per step
          <input name="paceMs" inputMode="numeric" defaultValue={settings.paceMs ?? ''} placeholder="as the gateway" />
        </label>
      </div>
      <p class="quiet fine">They count from the next transaction on.</p>
    </Dialog>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  /** Words by value. */
  readonly choices: Readonly<Record<string, string>>
  readonly chosen: string
}

function Choice({ name, label, choices, chosen }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name}>
        {Object.entries(choices).map(([value, words]) => (
          <option key={value} value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
