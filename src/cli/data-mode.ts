// src/cli/data-mode.ts — a data directory is a sandbox's or a live gateway's from its first start on. Otherwise a lost
// setting would be enough to open public test accounts among real ones.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Fault } from '../engine/fault.ts'
import { Failure } from './failure.ts'

/**
 * Notes the mode of a directory at its first start. Called by whoever holds its lock.
 * @throws Failure when it has the other mode.
 */
export function claimDirectory({ dataDirectory, mode }: Config): void {
  const file = join(dataDirectory, 'mode')
  const noted = readNote(file)
  if (noted === null) writeNote(file, mode)
  else if (noted !== mode)
    throw new Failure(
      `${dataDirectory} belongs to a gateway in ${noted} mode; start it with TOLLGATE_MODE=${noted}, ` +
        'or name another data directory.',
    )
}

/** The mode that a directory has; before its first start, that of the settings. */
export function directoryMode({ dataDirectory, mode }: Config): Config['mode'] {
  const noted = readNote(join(dataDirectory, 'mode'))
  return noted === 'live' || noted === 'sandbox' ? noted : mode
}

function readNote(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new Fault('store_unwritable', { detail: file, cause: error })
  }
}

/** A rename shows the note whole or not at all: a start that is killed here leaves a directory that nobody has claimed. */
function writeNote(file: string, mode: Config['mode']): void {
  const draft = `${file}.draft`
  try {
    const descriptor = openSync(draft, 'w', 0o600)
    try {
      writeSync(descriptor, `${mode}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, file)
  } catch (error) {
    throw new Fault('store_unwritable', { detail: file, cause: error })
  }
}
