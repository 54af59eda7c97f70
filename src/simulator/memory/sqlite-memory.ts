// src/simulator/memory/sqlite-memory.ts — the simulator's memory in its own SQLite file (`sandbox.db`) beside the gateway's.
import { chmodSync } from 'node:fs'
import Database from 'better-sqlite3'
import { COLLECTIONS, type Collection, type MemoryDocument, type OldDocuments, type SimulatedMemory } from './memory.ts'

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

/** A row for deletion. */
interface Aged extends MemoryDocument {
  readonly position: number
  readonly changedAt: number
}

/**
 * Opens or creates the file at `path`.
 * @param now the system's clock, epoch milliseconds; only `eraseOld` needs it
 * @throws SqliteError when it cannot be opened
 */
export function createSqliteMemory(path: string, now: () => number = () => 0): SimulatedMemory {
  const database = new Database(path)
  // Readable by the owner only, like the gateway's own database.
  chmodSync(path, 0o600)
  database.pragma('journal_mode = WAL')
  // A commit reaches the operating system but is not forced to disk: it survives a crash of this process, which is what the
  // sandbox simulates. A power failure may lose the last step of a simulated terminal.
  database.pragma('synchronous = NORMAL')
  database.exec(SCHEMA)
  addChangedAt(database)

  const read = database.prepare<[string, string], string>('SELECT body FROM documents WHERE shelf = ? AND key = ?')
  const insert = database.prepare<MemoryDocument & { readonly now: number }>(
    `INSERT INTO documents (shelf, key, parent, body, changed_at) VALUES (@collection, @key, @parent, @body, @now)
     ON CONFLICT (shelf, key) DO UPDATE SET body = excluded.body, changed_at = excluded.changed_at`,
  )
  const put = { run: (document: MemoryDocument) => insert.run({ ...document, now: now() }) }
  const listAll = database.prepare<[string, number], MemoryDocument>(
    'SELECT shelf AS collection, key, parent, body FROM documents WHERE shelf = ? ORDER BY position DESC LIMIT ?',
  )
  const listOf = database.prepare<[string, string, number], MemoryDocument>(
    'SELECT shelf AS collection, key, parent, body FROM documents WHERE shelf = ? AND parent = ? ORDER BY position DESC LIMIT ?',
  )
  const erase = database.prepare<[string, string]>('DELETE FROM documents WHERE shelf = ? AND key = ?')
  const clear = database.prepare<[string, string]>('DELETE FROM documents WHERE shelf = ? AND parent = ?')
  const clearSome = database.prepare<[string, string, number]>(
    'DELETE FROM documents WHERE position IN (SELECT position FROM documents WHERE shelf = ? AND parent = ? LIMIT ?)',
  )
  const eraseOf = database.transaction((parent: string, limit: number) => {
    let gone = 0
    for (const collection of COLLECTIONS) gone += clearSome.run(collection, parent, limit - gone).changes
    return gone
  })
  const page = database.prepare<[number, number], Aged>(
    `SELECT position, shelf AS collection, key, parent, body, changed_at AS changedAt FROM documents
     WHERE position > ? ORDER BY position LIMIT ?`,
  )
  const remove = database.prepare<[number]>('DELETE FROM documents WHERE position = ?')
  const stamp = database.prepare<[number, number]>('UPDATE documents SET changed_at = ? WHERE position = ?')
  const eraseOld = database.transaction(({ collections, before, after, limit, isNeeded }: OldDocuments) => {
    const rows = page.all(after, limit)
    const candidates = rows.filter(({ collection }) => collections.includes(collection))
    const old = candidates.filter(row => row.changedAt !== 0 && row.changedAt < before && !isNeeded(row))
    for (const { position } of old) remove.run(position)
    // A row of an older version: its time begins now.
    for (const { position, changedAt } of candidates) if (changedAt === 0) stamp.run(now(), position)
    return { gone: old.length, next: rows.length < limit ? null : (rows.at(-1)?.position ?? null) }
  })
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
    eraseOf: (parent, limit) => eraseOf.immediate(parent, limit),
    eraseOld: query => eraseOld.immediate(query),
    erase: (collection, key) => void erase.run(collection, key),
    close: () => database.close(),
  }
}

/** Adds the time of the last write to a file of an older version. Older programs ignore it. */
function addChangedAt(database: Database.Database): void {
  const columns = database.prepare<[], string>("SELECT name FROM pragma_table_info('documents')").pluck().all()
  if (columns.includes('changed_at')) return
  database.exec('ALTER TABLE documents ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0')
}
