// web/console/parts/copying.tsx — a button that copies text, also without a secure context.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** How long a button says that it has copied, in milliseconds. */
const COPIED_MS = 2_000

/** @param text what is copied, made when the button is pressed */
export function CopyButton({ text, children }: { readonly text: () => string; readonly children: ComponentChildren }) {
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null)
  const copy = async (button: HTMLElement) => {
    setCopied((await isCopied(text(), button)) ? 'yes' : 'no')
    setTimeout(() => setCopied(null), COPIED_MS)
  }
  return (
    <span class="copying">
      <button type="button" onClick={event => void copy(event.currentTarget)}>
        {children}
      </button>
      <span role="status">
        {copied === 'yes' && ' Copied.'}
        {copied === 'no' && ' This browser does not let the page copy here; select the text instead.'}
      </span>
    </span>
  )
}

async function isCopied(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Without HTTPS a browser gives no clipboard, except on this machine.
    return isCopiedFromField(text, button)
  }
}

/** Copies from a field beside the button, as browsers allow everywhere. Beside it, because the rest may be behind a dialog. */
function isCopiedFromField(text: string, button: HTMLElement): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  button.after(field)
  try {
    field.select()
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    button.focus()
  }
}
