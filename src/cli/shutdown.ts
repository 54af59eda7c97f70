// src/cli/shutdown.ts — the ways a running gateway ends: told to, too slow at it, or by a fault.
import type { Log } from '../engine/ports/log.ts'
import { FAILED } from './failure.ts'
import type { Shell } from './shell.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
type Signal = (typeof SIGNALS)[number]

/** What a shell reports of a process that a signal ended. */
const SIGNALLED: Readonly<Record<Signal, number>> = { SIGTERM: 143, SIGINT: 130 }

/** Resolves at the first signal to stop. A second one ends the process at once. */
export function stopSignal(): Promise<Signal> {
  return new Promise(resolve => {
    let told = false
    for (const signal of SIGNALS)
      process.on(signal, () => {
        if (told) process.exit(SIGNALLED[signal])
        told = true
        resolve(signal)
      })
  })
}

/** Ends the process when closing takes longer than `limitMs`. What was not answered is taken up at the next start. */
export function endAfter(shell: Shell, limitMs: number): void {
  setTimeout(() => {
    shell.stderr.write(
      `tollgate: Requests were still under way after ${limitMs} ms (TOLLGATE_SHUTDOWN_MS), so the gateway was ended; ` +
        'the next start takes up what it left.\n',
    )
    process.exit(FAILED)
  }, limitMs).unref()
}

/**
 * A fault that nobody expected ends the process: nobody knows any more what its memory is worth, and recovery at the
 * next start is the same as after a power cut.
 */
export function endOnFaults(log: Log): void {
  const end = (error: unknown) => {
    log.error({ err: error }, 'the gateway ends because of a fault')
    process.exit(FAILED)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}
