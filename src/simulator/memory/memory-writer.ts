// src/simulator/memory/memory-writer.ts — the thread that writes the simulator's memory. Started by sqlite-memory.ts; each
// message is one transaction.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openMemoryFile } from './memory-file.ts'
import type { DocumentChange } from './unwritten.ts'

/** Changes to write, all or none; null to close the file and end. */
export type ToMemoryWriter = readonly DocumentChange[] | null

/** Answer to each message: null for success, or the error. */
export type FromMemoryWriter = { readonly code: string; readonly message: string } | null

if (parentPort !== null) serve(parentPort)

function serve(port: MessagePort): void {
  const database = openMemoryFile(String(workerData))
  const erase = database.prepare<[string, string]>('DELETE FROM documents WHERE shelf = ? AND key = ?')
  const put = database.prepare<DocumentChange>(
    `INSERT INTO documents (shelf, key, parent, body, changed_at) VALUES (@collection, @key, @parent, @body, @at)
     ON CONFLICT (shelf, key) DO UPDATE SET body = excluded.body, changed_at = excluded.changed_at`,
  )
  const write = database.transaction((changes: readonly DocumentChange[]) => {
    for (const change of changes) {
      if (change.body === null || change.isNew) erase.run(change.collection, change.key)
      if (change.body !== null) put.run(change)
    }
  })
  port.on('message', (changes: ToMemoryWriter) => {
    if (changes !== null) {
      port.postMessage(resultOf(() => write.immediate(changes)))
      return
    }
    // The last connection to close writes the WAL into the file and removes it.
    database.close()
    port.close()
  })
}

function resultOf(write: () => void): FromMemoryWriter {
  try {
    write()
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { code, message: String(error) }
  }
}
