// src/store/sqlite/writer-thread.ts — starts the writer's thread, from what was built or, in tests and development, from
// the TypeScript source.
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { WriterOrder } from './writer.ts'

/** A thread that has begun to start; its first message says whether it is ready. */
export function startWriterThread(order: WriterOrder): Worker {
  const extension = extname(import.meta.url)
  const program = new URL(`./writer${extension}`, import.meta.url)
  if (extension === '.js') return new Worker(program, { workerData: order })
  // Node 20 cannot read TypeScript, and a thread does not inherit the loader that reads it here. This one is the faster
  // of tsx's two: it needs no thread of its own.
  const loader = createRequire(import.meta.url).resolve('tsx/cjs/api')
  const start = `require(${JSON.stringify(loader)}).register(); require(${JSON.stringify(fileURLToPath(program))})`
  return new Worker(start, { eval: true, execArgv: [], workerData: order })
}
