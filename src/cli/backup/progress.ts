// src/cli/backup/progress.ts — reports long work on stderr, and ends it when the process is told to stop.
import { Failure } from '../failure.ts'
import type { Shell } from '../shell.ts'
import { stopSignal } from '../shutdown.ts'

/** Time between two lines, in milliseconds. Shorter work prints none. */
const QUIET_MS = 2_000
const MEGABYTE = 1_000_000

export interface Progress {
  /** Reports what begins. @throws Failure when the process was told to stop */
  phase(name: string): void
  /** Reports how much of a file is done. @throws Failure when the process was told to stop */
  bytes(name: string, done: number, of: number): void
}

export interface ProgressParts {
  readonly shell: Pick<Shell, 'stderr'>
  /** Resolves with the name of the signal that asks for the stop. */
  readonly stopping: Promise<string>
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** What a stop leaves, as the end of a sentence. */
  readonly undone: string
}

/** Progress of a command, which the signals of a stop end. @param undone what a stop leaves, as the end of a sentence */
export function progressOf(shell: Shell, undone: string): Progress {
  return openProgress({ shell, stopping: stopSignal(), now: () => performance.now(), undone })
}

export function openProgress({ shell, stopping, now, undone }: ProgressParts): Progress {
  let stopped: string | null = null
  let printedAt = now()
  void stopping.then(signal => (stopped = signal))
  const report = (text: () => string) => {
    if (stopped !== null) throw new Failure(`Stopped by ${stopped}; ${undone}.`)
    if (now() - printedAt < QUIET_MS) return
    printedAt = now()
    shell.stderr.write(`${text()}\n`)
  }
  return {
    phase: name => report(() => name),
    bytes: (name, done, of) => report(() => `${name}: ${megabytes(done)} of ${megabytes(of)} MB`),
  }
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)
}
