// web/console/parts/modal.tsx — a window over the page, with the keyboard kept inside.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

export interface ModalProps {
  readonly title: string
  /** Called when it is closed, by whatever way. */
  readonly onClose: () => void
  /** @param close closes it and gives the focus back */
  readonly children: (close: () => void) => ComponentChildren
}

/** Open as long as it is there. */
export function Modal({ title, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  )
}
