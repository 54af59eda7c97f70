// web/console/sandbox/scenario-editor.tsx — a scenario as JSON, to be changed and saved for the account.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { CopyButton } from '../parts/copying.tsx'
import { Modal } from '../parts/modal.tsx'
import { useSending } from '../parts/sending.ts'
import { documentIn, type ScenarioDocument } from './scenario.ts'

export interface ScenarioEditorProps {
  readonly gateway: Gateway
  readonly document: ScenarioDocument
  readonly onSaved: () => void
  readonly onClose: () => void
}

export function ScenarioEditor({ gateway, document, onSaved, onClose }: ScenarioEditorProps) {
  const [text, setText] = useState(JSON.stringify(document, null, 2))
  const { problem, isBusy, send, forget } = useSending(async (close: () => void) => {
    const read = documentIn(text)
    if ('problem' in read) return read.problem
    const answered = await gateway.send('POST', '/sandbox/scenarios', read.document)
    if (!answered.ok) return answered.sentence
    onSaved()
    close()
    return null
  })
  return (
    <Modal title="A scenario of your own" onClose={onClose}>
      {close => (
        <>
          <p class="quiet">
            It is stored for this account under its name, and replaces one of yours with that name.{' '}
            <a href="/docs/guides/scenarios" target="_blank" rel="noreferrer">
              All properties
            </a>
          </p>
          <label>
            Document, JSON
            <textarea
              class="tall"
              value={text}
              spellcheck={false}
              aria-invalid={problem !== null}
              onInput={event => {
                setText(event.currentTarget.value)
                forget()
              }}
            />
          </label>
          <p role="alert" class="bad">
            {problem}
          </p>
          <p class="choices">
            <CopyButton text={() => text}>Copy</CopyButton>
            <button type="button" onClick={close}>
              Cancel
            </button>
            <button type="button" class="main" disabled={isBusy} onClick={() => void send(close)}>
              Save
            </button>
          </p>
        </>
      )}
    </Modal>
  )
}
