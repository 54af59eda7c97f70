// src/cli/world-takeover.ts — takes the simulated world of a data directory over into the database, once.
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Documents } from '../engine/ports/documents.ts'
import { documentsInFile } from '../simulator/memory/memory-file.ts'
import { faultOf } from '../store/sqlite/faults.ts'
import { Failure } from './failure.ts'

/**
 * Takes over `sandbox.db`, which is renamed to `sandbox.db.taken-over` then. A database that has a simulated world already keeps
 * it, and the file stays.
 * @throws Failure when another gateway works on the database, which has no world yet; Fault when the file cannot be read
 */
export async function takeOverWorld(dataDirectory: string, documents: Pick<Documents, 'takeOver'>): Promise<void> {
  const file = join(dataDirectory, 'sandbox.db')
  if (!existsSync(file)) return
  const taken = await documents.takeOver(read(file))
  if (taken === 'in_use')
    throw new Failure(
      `${file} holds the simulated terminals of this gateway, and another gateway works on the database; stop that one, ` +
        'start this one first, or move the file away.',
    )
  if (taken === 'written') renameSync(file, `${file}.taken-over`)
}

function read(file: string) {
  try {
    return documentsInFile(file)
  } catch (error) {
    throw faultOf(error, file)
  }
}
