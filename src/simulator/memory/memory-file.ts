// src/simulator/memory/memory-file.ts — the SQLite file of the simulator's memory (`sandbox.db`, beside the gateway's).
import { chmodSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { StoredDocument } from '../../engine/ports/documents.ts'

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

/**
 * Opens or creates the file at `path`.
 * @throws SqliteError when it cannot be opened
 */
export function openMemoryFile(path: string): Database.Database {
  const database = new Database(path)
  // Readable by the owner only, like the gateway's own database.
  chmodSync(path, 0o600)
  database.pragma('journal_mode = WAL')
  // A commit reaches the operating system but is not forced to disk: it survives a crash of this process, which is what the
  // sandbox simulates. A power failure may lose the last step of a simulated terminal.
  database.pragma('synchronous = NORMAL')
  database.exec(SCHEMA)
  addChangedAt(database)
  return database
}

/** Adds the time of the last write to a file of an older version. Older programs ignore it. */
function addChangedAt(database: Database.Database): void {
  const columns = database.prepare<[], string>("SELECT name FROM pragma_table_info('documents')").pluck().all()
  if (columns.includes('changed_at')) return
  database.exec('ALTER TABLE documents ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0')
}

/** Reads all documents of the file at `path`, oldest first. @throws SqliteError when it cannot be read */
export function documentsInFile(path: string): readonly StoredDocument[] {
  const database = openMemoryFile(path)
  try {
    return database
      .prepare<[], StoredDocument>(
        `SELECT parent AS account, shelf AS collection, key, position, body, changed_at AS changedAt FROM documents
         ORDER BY position`,
      )
      .all()
  } finally {
    database.close()
  }
}

/** Writes documents into a new file, those of an account oldest first. @throws SqliteError */
export function writeDocuments(path: string, documents: readonly StoredDocument[]): void {
  const database = openMemoryFile(path)
  try {
    const insert = database.prepare<StoredDocument>(
      'INSERT INTO documents (shelf, key, parent, body, changed_at) VALUES (@collection, @key, @account, @body, @changedAt)',
    )
    const write = database.transaction(() => {
      for (const document of documents) insert.run(document)
    })
    write()
  } finally {
    database.close()
  }
}
