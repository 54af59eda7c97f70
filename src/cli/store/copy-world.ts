// src/cli/store/copy-world.ts — copies the simulated world of a sandbox, which lies beside the records.
import { join } from 'node:path'
import type { StoredDocument } from '../../engine/ports/documents.ts'
import { systemClock } from '../../platform/clock.ts'
import { writeDocuments } from '../../simulator/memory/memory-file.ts'
import { withDatabase } from '../../store/copy/postgres-database.ts'
import { createDocuments } from '../../store/postgres/documents.ts'
import { LANES } from '../../store/postgres/lanes.ts'
import type { Place } from './places.ts'

const ALL_LANES = Array.from({ length: LANES }, (_, lane) => lane)

/**
 * Copies the world of a database, after its records. That of a directory is taken over by the first start of its gateway.
 * @returns the number of its documents
 */
export async function copyWorld(from: Place, to: Place): Promise<number> {
  if (from.type !== 'database') return 0
  const documents = await withDatabase(from.address, systemClock(), connections =>
    createDocuments(connections).ofLanes(ALL_LANES),
  )
  if (documents.length > 0) await write(to, documents)
  return documents.length
}

async function write(to: Place, documents: readonly StoredDocument[]): Promise<void> {
  if (to.type === 'directory') return writeDocuments(join(to.path, 'sandbox.db'), documents)
  await withDatabase(to.address, systemClock(), connections => createDocuments(connections).takeOver(documents))
}
