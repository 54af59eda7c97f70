// web/console/parts/sending.ts — sends something to the gateway, once at a time, and keeps why it was refused.
import type { TargetedSubmitEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'

export interface Sending<Given extends readonly unknown[]> {
  /** Why it was refused the last time; null when it was not. */
  readonly problem: string | null
  readonly isBusy: boolean
  /** Sends, unless it is being sent already. Resolves to whether it was taken. */
  send(...given: Given): Promise<boolean>
  /** Takes the problem away, because what was refused has changed. */
  forget(): void
}

/** @param run returns why it was refused; null when it was taken */
export function useSending<Given extends readonly unknown[]>(
  run: (...given: Given) => Promise<string | null>,
): Sending<Given> {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // A second press comes before the page is drawn again.
  const isSent = useRef(false)
  const send = async (...given: Given) => {
    if (isSent.current) return false
    isSent.current = true
    setBusy(true)
    const refused = await run(...given).finally(() => {
      isSent.current = false
      setBusy(false)
    })
    setProblem(refused)
    return refused === null
  }
  return { problem, isBusy, send, forget: () => setProblem(null) }
}

export interface SentForm {
  /** Why its fields were refused the last time; null when they were not. */
  readonly problem: string | null
  readonly onSubmit: (event: TargetedSubmitEvent<HTMLFormElement>) => void
}

/**
 * For a form: sends its fields, and empties it when they were taken.
 * @param run returns why they were refused; null when they were taken
 */
export function useForm(run: (fields: FormData) => Promise<string | null>): SentForm {
  const { problem, send } = useSending(run)
  return {
    problem,
    onSubmit(event) {
      event.preventDefault()
      const form = event.currentTarget
      void send(new FormData(form)).then(isTaken => {
        if (isTaken) form.reset()
      })
    },
  }
}
