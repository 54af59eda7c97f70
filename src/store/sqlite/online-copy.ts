// src/store/sqlite/online-copy.ts — copies databases as they are at one moment, beside the processes that write them.
import { closeSync, fsyncSync, openSync } from 'node:fs'
import Database, { SqliteError } from 'better-sqlite3'
import { createFile, openForReading } from './database.ts'

/** Pages that are copied at a time, 16 MiB: between them progress is reported and the copy can be stopped. */
const SLICE_PAGES = 4_096
/** How long to wait for the lock of the first database, in milliseconds: a busy writer has it nearly all the time. */
const PATIENCE_MS = 10_000
/** The same for each further one. Meanwhile the writers of those before wait, and they give up after five seconds. */
const FURTHER_MS = 250
const TRIES = 20

export interface OnlineCopy {
  readonly from: string
  /** Must not exist. */
  readonly to: string
}

export interface CopyWatch {
  /** Called at the moment whose state is copied. */
  onMoment(): void
  /** Called between the slices. What it throws ends the copy. */
  onProgress(copy: OnlineCopy, bytes: number, ofBytes: number): void
}

/**
 * Copies databases as `kill -9` of all writers would leave them at one moment: while the reads begin, the write locks of all
 * are held. They are free again after that, and the read transactions keep the moment: without them a write of another
 * process would make SQLite begin the copy anew. Each copy is one file, durable, readable by its owner only.
 * @throws SqliteError, also `SQLITE_BUSY`; errors of the file system; what `watch` throws
 */
export async function copyAtOneMoment(copies: readonly OnlineCopy[], watch: CopyWatch): Promise<void> {
  const { readers, close } = openAtOneMoment(copies.map(({ from }) => from))
  try {
    watch.onMoment()
    for (const [index, copy] of copies.entries()) {
      const reader = readers[index]
      if (reader !== undefined) await copyFrom(reader, copy, watch)
    }
  } finally {
    close()
  }
}

interface Moment {
  /** One for each file, in order. */
  readonly readers: readonly Database.Database[]
  close(): void
}

function openAtOneMoment(files: readonly string[], tries = TRIES): Moment {
  const writers: Database.Database[] = []
  const readers: Database.Database[] = []
  const close = () => {
    for (const reader of readers) reader.close()
    // Last: of several connections the last one to close removes the write-ahead log, which a reader cannot.
    for (const writer of writers) writer.close()
  }
  try {
    for (const [index, file] of files.entries()) {
      const writer = new Database(file, { timeout: index === 0 ? PATIENCE_MS : FURTHER_MS, fileMustExist: true })
      writers.push(writer)
      // One database has one moment by itself, and its writer need not wait.
      if (files.length > 1) writer.exec('BEGIN IMMEDIATE')
    }
    for (const file of files) {
      const reader = openForReading(file)
      readers.push(reader)
      reader.exec('BEGIN')
      // The first read fixes what the transaction sees.
      reader.prepare('SELECT count(*) FROM sqlite_schema').get()
    }
    for (const writer of writers) if (writer.inTransaction) writer.exec('ROLLBACK')
    return { readers, close }
  } catch (error) {
    close()
    const busy = error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY')
    if (!busy || tries === 1) throw error
  }
  return openAtOneMoment(files, tries - 1)
}

async function copyFrom(reader: Database.Database, copy: OnlineCopy, { onProgress }: CopyWatch): Promise<void> {
  const pageBytes = Number(reader.pragma('page_size', { simple: true }))
  createFile(copy.to)
  await reader.backup(copy.to, {
    progress({ totalPages, remainingPages }) {
      onProgress(copy, (totalPages - remainingPages) * pageBytes, totalPages * pageBytes)
      return SLICE_PAGES
    },
  })
  asOneFile(copy.to)
}

/** The copy is marked as one with a write-ahead log, and cannot be read then where nobody can write. */
function asOneFile(file: string): void {
  const database = new Database(file, { fileMustExist: true })
  try {
    database.pragma('journal_mode = DELETE')
  } finally {
    database.close()
  }
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
