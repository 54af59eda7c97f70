// web/console/parts/confirm.tsx — a dialog that says what will happen, and does it when that is confirmed.
import type { ComponentChildren } from 'preact'
import { Modal } from './modal.tsx'
import { useSending } from './sending.ts'

export interface ConfirmProps {
  readonly title: string
  /** Words of the button that does it. */
  readonly action: string
  /** Returns why it was not done; null when it was. */
  readonly run: () => Promise<string | null>
  readonly onClose: () => void
  /** What will happen, in words. */
  readonly children: ComponentChildren
}

/** Says what will happen, and does it when that is confirmed. Stays open, and says why, when it was not done. */
export function Confirm({ title, action, run, onClose, children }: ConfirmProps) {
  const { problem, isBusy, send } = useSending(run)
  return (
    <Modal title={title} onClose={onClose}>
      {close => (
        <>
          {children}
          <p role="alert" class="bad">
            {problem}
          </p>
          <p class="choices">
            {/* The first has the focus, so that a hasty Enter does nothing. */}
            <button type="button" onClick={close}>
              Cancel
            </button>
            <button
              type="button"
              class="main"
              disabled={isBusy}
              onClick={() => void send().then(isDone => isDone && close())}
            >
              {action}
            </button>
          </p>
        </>
      )}
    </Modal>
  )
}
