// web/console/parts/dialog.tsx — a question over the page: what will happen, what is asked for, and the button that does it.
import type { ComponentChildren } from 'preact'
import { Modal } from './modal.tsx'

export interface DialogProps {
  readonly title: string
  /** What the main button does, as its words. */
  readonly doIt: string
  /** Whether the main button may be pressed now. */
  readonly isReady: boolean
  /** Why it was refused; null when it was not. */
  readonly problem: string | null
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Dialog({ title, doIt, isReady, problem, onConfirm, onClose, children }: DialogProps) {
  const confirm = (event: Event) => {
    event.preventDefault()
    if (isReady) onConfirm()
  }
  return (
    <Modal title={title} onClose={onClose}>
      {close => (
        <form onSubmit={confirm}>
          {children}
          <p role="alert" class="bad">
            {problem}
          </p>
          <p class="choices">
            <button type="submit" class="main" disabled={!isReady}>
              {doIt}
            </button>
            <button type="button" onClick={close}>
              Leave it
            </button>
          </p>
        </form>
      )}
    </Modal>
  )
}
