// web/console/parts/dialog.tsx — a question in a window of its own, with the keyboard kept inside.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

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
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const confirm = (event: Event) => {
    event.preventDefault()
    if (isReady) onConfirm()
  }
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <form onSubmit={confirm}>
        <h2 id={titleId}>{title}</h2>
        {children}
        <p role="alert" class="bad">
          {problem}
        </p>
        <p class="choices">
          <button type="submit" class="main" disabled={!isReady}>
            {doIt}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Leave it
          </button>
        </p>
      </form>
    </dialog>
  )
}
