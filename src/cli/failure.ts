// src/cli/failure.ts — reports a failed command by a sentence and an exit code.

import { CommanderError } from 'commander'
import { maskCardNumbers } from '../domain/card-numbers.ts'
import { Fault } from '../engine/fault.ts'
import { databaseModuleProblem } from './database-module.ts'
import type { Shell } from './shell.ts'

/** Exit code of a valid command that failed. */
export const FAILED = 1
/** Exit code of an invalid command. */
export const MISUSED = 2

/** An error whose message tells the user what is wrong and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: typeof FAILED | typeof MISUSED

  constructor(sentence: string, options: { readonly exitCode?: typeof MISUSED; readonly cause?: unknown } = {}) {
    super(sentence, { cause: options.cause })
    this.exitCode = options.exitCode ?? FAILED
  }
}

/** Writes an error to stderr, card numbers in it masked. Returns its exit code. */
export function report(shell: Shell, error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED // Commander has reported it.
  if (error instanceof Failure) {
    shell.stderr.write(`tollgate: ${maskCardNumbers(error.message)}\n`)
    return error.exitCode
  }
  if (error instanceof Fault) {
    shell.stderr.write(`tollgate: ${maskCardNumbers(error.message)}\n`)
    return FAILED
  }
  const module = databaseModuleProblem(error)
  if (module !== null) {
    shell.stderr.write(`tollgate: ${module}\n`)
    return FAILED
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  shell.stderr.write(
    `tollgate: This is a bug in Tollgate. Please report it with these lines:\n${maskCardNumbers(trace)}\n`,
  )
  return FAILED
}
