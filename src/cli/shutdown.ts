// src/cli/shutdown.ts — ends a running gateway: by a signal, by the time limit of a stop, or by a fault.
import type { Config } from '../config.ts'
import type { Log } from '../engine/ports/log.ts'
import { FAILED } from './failure.ts'
import type { Shell } from './shell.ts'

/** SIGHUP: the terminal window was closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

/** Exit codes of a process ended by a signal. */
const SIGNALLED: Readonly<Record<Signal, number>> = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }

/** Resolves at the first SIGTERM, SIGINT or SIGHUP. A second one exits the process at once. */
export function stopSignal(): Promise<Signal> {
  return new Promise(resolve => {
    let signalled = false
    for (const signal of SIGNALS)
      process.on(signal, () => {
        if (signalled) process.exit(SIGNALLED[signal])
        signalled = true
        resolve(signal)
      })
  })
}

/**
 * Exits the process when closing takes longer than its limit after the time in which requests are still served. Recovery at the
 * next start continues unfinished work.
 */
export function endAfter(
  shell: Shell,
  { shutdownLimitMs: limitMs, drainMs }: Pick<Config, 'shutdownLimitMs' | 'drainMs'>,
): void {
  setTimeout(() => {
    shell.stderr.write(
      `tollgate: Requests were still running after ${limitMs} ms (TOLLGATE_SHUTDOWN_MS), so the gateway exits; ` +
        'the next start resumes unfinished work.\n',
    )
    process.exit(FAILED)
  }, drainMs + limitMs).unref()
}

/**
 * Exits the process on an uncaught error, because its memory can no longer be trusted. Recovery at the next start is the same
 * as after a power cut.
 */
export function endOnFaults(log: Log): void {
  const end = (error: unknown) => {
    log.error({ err: error }, 'uncaught error; gateway exits')
    process.exit(FAILED)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}
