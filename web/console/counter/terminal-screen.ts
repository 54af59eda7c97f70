// web/console/counter/terminal-screen.ts — the screen of a simulated terminal, as it is now.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Caller } from '../gateway.ts'

/** How often the screen is read, in milliseconds. It has no events of its own. */
const EVERY_MS = 500

export interface Screen {
  readonly tid: string
  readonly connected: boolean
  readonly lines: readonly string[]
  /** Names of the keys that have an effect now. */
  readonly keys: readonly string[]
  readonly cardInSlot: boolean
  readonly paper: boolean
  /** The transaction or report on it. */
  readonly requestId: string | null
  /** Null when no waiter uses it. */
  readonly waiter: WaiterOnScreen | null
  readonly settings: { readonly currency: string }
}

export interface WaiterOnScreen {
  /** Names to choose from. */
  readonly tables: readonly string[]
  /** The one in use. */
  readonly table: string | null
  readonly openMinor: number
  /** Open shares, minor units; empty when the bill is not split. */
  readonly shares: readonly number[]
  readonly printed: readonly { readonly value: string }[]
}

/** A key press, as `/sandbox/terminals/{tid}/keys` takes it. */
export type Key = { readonly key: string } & Readonly<Record<string, unknown>>

export interface PressedTerminal {
  /** Null before the first answer. */
  readonly screen: Screen | null
  /** Why the last key did nothing, or the screen is not known; null when all is well. */
  readonly problem: string | null
  press(key: Key): Promise<void>
}

/** Reads the screen again and again, and presses keys. */
export function useTerminal(gateway: Caller, tid: string): PressedTerminal {
  const [screen, setScreen] = useState<Screen | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const path = `/sandbox/terminals/${encodeURIComponent(tid)}`

  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    let wasUnknown = false
    const read = async () => {
      const answered = await gateway.get<Screen>(path, { signal })
      if (signal.aborted) return
      if (answered.ok) setScreen(answered.body)
      if (!answered.ok || wasUnknown) setProblem(answered.ok ? null : answered.sentence)
      wasUnknown = !answered.ok
    }
    const readAgain = async () => {
      while (!signal.aborted) {
        if (!document.hidden) await read().catch(() => {})
        await new Promise(resolve => setTimeout(resolve, EVERY_MS))
      }
    }
    setScreen(null)
    setProblem(null)
    void readAgain()
    return () => ended.abort()
  }, [gateway, path])

  const press = useCallback(
    async (key: Key) => {
      const answered = await gateway.send<Screen>('POST', `${path}/keys`, key)
      if (answered.ok) setScreen(answered.body)
      setProblem(answered.ok ? null : answered.sentence)
    },
    [gateway, path],
  )
  return { screen, problem, press }
}
