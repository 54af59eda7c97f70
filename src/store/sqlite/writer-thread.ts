// src/store/sqlite/writer-thread.ts — starts the writer thread.
import type { Worker } from 'node:worker_threads'
import { startWorkerThread } from '../../engine/worker-thread.ts'
import type { WriterOrder } from './writer.ts'

/** Starts the thread. Its first message is `ready` or `unready`. */
export function startWriterThread(order: WriterOrder): Worker {
  return startWorkerThread('writer', import.meta.url, order)
}
