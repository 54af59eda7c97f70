// src/simulator/memory/sqlite-memory.ts — the simulator's memory in a SQLite file. A thread of its own writes it, so that no
// request waits while the file is written or checkpointed; this thread only reads.
import type { Worker } from 'node:worker_threads'
import { startWorkerThread } from '../../engine/worker-thread.ts'
import { createGroupedWriting, type GroupedWriting } from './grouped-writing.ts'
import { COLLECTIONS, type Collection, type MemoryDocument, type SimulatedMemory } from './memory.ts'
import { openMemoryFile } from './memory-file.ts'
import type { FromMemoryWriter, ToMemoryWriter } from './memory-writer.ts'
import { UnwrittenChanges } from './unwritten.ts'

/** A row for deletion. */
interface Aged extends MemoryDocument {
  readonly position: number
  readonly changedAt: number
}

/**
 * Opens or creates the file at `path`. The thread starts with the first write.
 * @param now the system's clock, epoch milliseconds; only `eraseOld` needs it
 * @throws SqliteError when it cannot be opened
 */
export function createSqliteMemory(path: string, now: () => number = () => 0): SimulatedMemory {
  const database = openMemoryFile(path)
  const find = database.prepare<[string, string], MemoryDocument>(
    'SELECT shelf AS collection, key, parent, body FROM documents WHERE shelf = ? AND key = ?',
  )
  const listAll = database.prepare<[string, number], MemoryDocument>(
    'SELECT shelf AS collection, key, parent, body FROM documents WHERE shelf = ? ORDER BY position DESC LIMIT ?',
  )
  const listOf = database.prepare<[string, string, number], MemoryDocument>(
    'SELECT shelf AS collection, key, parent, body FROM documents WHERE shelf = ? AND parent = ? ORDER BY position DESC LIMIT ?',
  )
  const page = database.prepare<[number, number], Aged>(
    `SELECT position, shelf AS collection, key, parent, body, changed_at AS changedAt FROM documents
     WHERE position > ? ORDER BY position LIMIT ?`,
  )
  const unwritten = new UnwrittenChanges()
  const writing = writingTo(path, unwritten)

  function list(collection: Collection, { parent, limit }: { readonly parent?: string; readonly limit: number }) {
    const changes = unwritten.in(collection, parent)
    const most = limit + changes.length
    const rows = parent === undefined ? listAll.all(collection, most) : listOf.all(collection, parent, most)
    const written = rows.flatMap((row): readonly MemoryDocument[] => {
      const change = unwritten.find(collection, row.key)
      if (change === undefined) return [row]
      return change.body === null || change.isNew ? [] : [{ ...row, body: change.body }]
    })
    const added = changes.flatMap(({ key, parent: owner, body, isNew }): readonly MemoryDocument[] =>
      body !== null && (isNew || find.get(collection, key) === undefined)
        ? [{ collection, key, parent: owner, body }]
        : [],
    )
    return [...added.reverse(), ...written].slice(0, limit)
  }

  function erase(documents: readonly Omit<MemoryDocument, 'body'>[]): void {
    for (const document of documents) unwritten.erase(document, now())
    writing.start()
  }

  function write(documents: readonly MemoryDocument[]): void {
    for (const document of documents) unwritten.put(document, now())
    writing.start()
  }

  return {
    read(collection, key) {
      const change = unwritten.find(collection, key)
      return change === undefined ? (find.get(collection, key)?.body ?? null) : change.body
    },
    write,
    written: () => writing.done(),
    list,
    replace(parent, collections, documents) {
      erase(collections.flatMap(collection => list(collection, { parent, limit: ALL })))
      write(documents)
    },
    eraseOf(parent, limit) {
      const some: MemoryDocument[] = []
      for (const collection of COLLECTIONS) some.push(...list(collection, { parent, limit: limit - some.length }))
      erase(some)
      return some.length
    },
    eraseOld({ collections, before, after, limit, isNeeded }) {
      const rows = page.all(after, limit)
      const candidates = rows.filter(
        ({ collection, key }) => collections.includes(collection) && unwritten.find(collection, key) === undefined,
      )
      const old = candidates.filter(row => row.changedAt !== 0 && row.changedAt < before && !isNeeded(row))
      erase(old)
      // A row of an older version: its time begins now.
      write(candidates.filter(({ changedAt }) => changedAt === 0))
      return { gone: old.length, next: rows.length < limit ? null : (rows.at(-1)?.position ?? null) }
    },
    erase(collection, key) {
      const known = unwritten.find(collection, key) ?? find.get(collection, key)
      if (known !== undefined) erase([known])
    },
    async close() {
      await writing.close()
      database.close()
    },
  }
}

/** Higher than the number of documents of a parent. */
const ALL = 1_000_000

interface Writing extends GroupedWriting {
  close(): Promise<void>
}

/** Sends the changes to the thread. */
function writingTo(path: string, unwritten: UnwrittenChanges): Writing {
  let worker: Worker | null = null

  const writing = createGroupedWriting(async () => {
    const changes = unwritten.all()
    worker ??= started()
    const failure = await answerOf(worker, changes)
    if (failure !== null) throw Object.assign(new Error(failure.message), { code: failure.code })
    unwritten.written(changes)
  })

  /** Starts the thread. One that ends, whether at work or idle, is replaced at the next message. */
  function started(): Worker {
    const thread = startWorkerThread('memory-writer', import.meta.url, path)
    // An error is reported to those who wait for the message under way, and its end follows.
    return thread
      .on('error', () => {})
      .once('exit', () => {
        if (worker === thread) worker = null
      })
  }

  /** The thread's answer to one message. @throws Error when it ends without one */
  function answerOf(thread: Worker, changes: ToMemoryWriter): Promise<FromMemoryWriter> {
    return new Promise((resolve, reject) => {
      const ended = (error?: unknown): void =>
        reject(error instanceof Error ? error : new Error('the thread that writes the simulator’s memory has ended'))
      thread.once('error', ended).once('exit', ended)
      thread.once('message', (answer: FromMemoryWriter) => {
        thread.off('error', ended).off('exit', ended)
        resolve(answer)
      })
      thread.postMessage(changes)
    })
  }

  return {
    ...writing,
    async close() {
      try {
        await writing.done()
      } finally {
        await new Promise<void>(resolve => {
          if (worker === null) resolve()
          else worker.once('exit', () => resolve()).postMessage(null satisfies ToMemoryWriter)
        })
      }
    },
  }
}
