// src/cli/data-mode.ts — fixes the mode of a data directory, sandbox or live, at its first start.
// Otherwise a lost setting could open public test accounts among real ones.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Fault } from '../engine/fault.ts'
import { Failure } from './failure.ts'

/**
 * Records the mode of a directory at its first start. The caller holds the lock of the directory.
 * @throws Failure when it has the other mode; Fault `store_unwritable`
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

/** Mode of a directory; before its first start, that of the settings. @throws Fault `store_unwritable` */
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

/** Writes the file and renames it, so that a crash leaves either the whole file or none. */
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
