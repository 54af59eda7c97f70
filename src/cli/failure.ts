// src/cli/failure.ts — how a command ends that cannot do what was asked: one sentence and an exit code.
import { CommanderError } from 'commander'
import { Fault } from '../engine/fault.ts'
import type { Shell } from './shell.ts'

/** The command was understood and could not be carried out. */
export const FAILED = 1
/** The command was not understood. */
export const MISUSED = 2

/** Says what is wrong and what to do, in a sentence for people. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: typeof FAILED | typeof MISUSED

  constructor(sentence: string, options: { readonly exitCode?: typeof MISUSED; readonly cause?: unknown } = {}) {
    super(sentence, { cause: options.cause })
    this.exitCode = options.exitCode ?? FAILED
  }
}

/** Tells of an error on stderr and gives the exit code that it deserves. */
export function report(shell: Shell, error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED // It has spoken already.
  if (error instanceof Failure) {
    shell.stderr.write(`tollgate: ${error.message}\n`)
    return error.exitCode
  }
  if (error instanceof Fault) {
    shell.stderr.write(`tollgate: ${error.message}\n`)
    return FAILED
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  shell.stderr.write(`tollgate: This is a fault of the program. Please report it with these lines:\n${trace}\n`)
  return FAILED
}
