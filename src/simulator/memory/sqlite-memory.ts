// src/simulator/memory/sqlite-memory.ts — a memory in a file of its own beside the gateway's database (`sandbox.db`).
import { chmodSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { MemoryDocument, Shelf, SimulatedMemory } from './memory.ts'

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
  // As the gateway's own database: its owner's business only.
  chmodSync(path, 0o600)
  database.pragma('journal_mode = WAL')
  // A commit is handed to the operating system but not forced to the disk: it outlives this process, which is the
  // crash the sandbox plays, and a power cut of the machine may cost a simulated terminal its last step.
  database.pragma('synchronous = NORMAL')
  database.exec(SCHEMA)

  const read = database.prepare<[string, string], string>('SELECT body FROM documents WHERE shelf = ? AND key = ?')
  const put = database.prepare<MemoryDocument>(
    `INSERT INTO documents (shelf, key, parent, body) VALUES (@shelf, @key, @parent, @body)
     ON CONFLICT (shelf, key) DO UPDATE SET body = excluded.body`,
  )
  const listAll = database.prepare<[string, number], MemoryDocument>(
    'SELECT shelf, key, parent, body FROM documents WHERE shelf = ? ORDER BY position DESC LIMIT ?',
  )
  const listOf = database.prepare<[string, string, number], MemoryDocument>(
    'SELECT shelf, key, parent, body FROM documents WHERE shelf = ? AND parent = ? ORDER BY position DESC LIMIT ?',
  )
  const erase = database.prepare<[string, string]>('DELETE FROM documents WHERE shelf = ? AND key = ?')
  const clear = database.prepare<[string, string]>('DELETE FROM documents WHERE shelf = ? AND parent = ?')
  const putAll = database.transaction((documents: readonly MemoryDocument[]) => {
    for (const document of documents) put.run(document)
  })
  const replace = database.transaction(
    (parent: string, shelves: readonly Shelf[], documents: readonly MemoryDocument[]) => {
      for (const shelf of shelves) clear.run(shelf, parent)
      for (const document of documents) put.run(document)
    },
  )
  read.pluck()

  return {
    read: (shelf, key) => read.get(shelf, key) ?? null,
    write(documents) {
      const [only, ...others] = documents
      // One statement is a transaction by itself, for a third of the calls.
      if (only !== undefined && others.length === 0) put.run(only)
      else putAll.immediate(documents)
    },
    list: (shelf, { parent, limit }) =>
      parent === undefined ? listAll.all(shelf, limit) : listOf.all(shelf, parent, limit),
    replace: (parent, shelves, documents) => replace.immediate(parent, shelves, documents),
    erase: (shelf, key) => void erase.run(shelf, key),
    close: () => database.close(),
  }
}
