// src/simulator/memory/sqlite-memory.ts — the simulator's memory in its own SQLite file (`sandbox.db`) beside the gateway's.
import { chmodSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Collection, MemoryDocument, SimulatedMemory } from './memory.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS documents (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    shelf    TEXT NOT NULL,
    key      TEXT NOT NULL,
    parent   TEXT NOT NULL,
    body     TEXT NOT NULL,
    UNIQUE (shelf, key)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS documents_by_parent ON documents (shelf, parent, position);
`

/** Opens or creates the file at `path`. @throws SqliteError when it cannot be opened. */
export function createSqliteMemory(path: string): SimulatedMemory {
  const database = new Database(path)
  // Readable by the owner only, like the gateway's own database.
  chmodSync(path, 0o600)
  database.pragma('journal_mode = WAL')
  // A commit reaches the operating system but is not forced to disk: it survives a crash of this process, which is what the
  // sandbox simulates. A power failure may lose the last step of a simulated terminal.
  database.pragma('synchronous = NORMAL')
  database.exec(SCHEMA)

  const read = database.prepare<[string, string], string>('SELECT body FROM documents WHERE shelf = ? AND key = ?')
  const put = database.prepare<MemoryDocument>(
    `INSERT INTO documents (shelf, key, parent, body) VALUES (@collection, @key, @parent, @body)
     ON CONFLICT (shelf, key) DO UPDATE SET body = excluded.body`,
  )
  const listAll = database.prepare<[string, number], MemoryDocument>(
    'SELECT shelf AS collection, key, parent, body FROM documents WHERE shelf = ? ORDER BY position DESC LIMIT ?',
  )
  const listOf = database.prepare<[string, string, number], MemoryDocument>(
    'SELECT shelf AS collection, key, parent, body FROM documents WHERE shelf = ? AND parent = ? ORDER BY position DESC LIMIT ?',
  )
  const erase = database.prepare<[string, string]>('DELETE FROM documents WHERE shelf = ? AND key = ?')
  const clear = database.prepare<[string, string]>('DELETE FROM documents WHERE shelf = ? AND parent = ?')
  const putAll = database.transaction((documents: readonly MemoryDocument[]) => {
    for (const document of documents) put.run(document)
  })
  const replace = database.transaction(
    (parent: string, collections: readonly Collection[], documents: readonly MemoryDocument[]) => {
      for (const collection of collections) clear.run(collection, parent)
      for (const document of documents) put.run(document)
    },
  )
  read.pluck()

  return {
    read: (collection, key) => read.get(collection, key) ?? null,
    write(documents) {
      const [only, ...others] = documents
      // One statement is a transaction of its own, at a third of the calls.
      if (only !== undefined && others.length === 0) put.run(only)
      else putAll.immediate(documents)
    },
    list: (collection, { parent, limit }) =>
      parent === undefined ? listAll.all(collection, limit) : listOf.all(collection, parent, limit),
    replace: (parent, collections, documents) => replace.immediate(parent, collections, documents),
    erase: (collection, key) => void erase.run(collection, key),
    close: () => database.close(),
  }
}
