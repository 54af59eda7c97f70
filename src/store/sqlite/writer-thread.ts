// src/store/sqlite/writer-thread.ts — starts the writer thread from the build or, in tests and development, from the source.
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { WriterOrder } from './writer.ts'

/** Starts the thread. Its first message is `ready` or `unready`. */
export function startWriterThread(order: WriterOrder): Worker {
  const extension = extname(import.meta.url)
  const program = new URL(`./writer${extension}`, import.meta.url)
  if (extension === '.js') return new Worker(program, { workerData: order })
  // Node 20 cannot read TypeScript, and a thread does not inherit the loader of this one. Of tsx's two loaders this is the
  // faster: it needs no thread of its own.
  const loader = createRequire(import.meta.url).resolve('tsx/cjs/api')
  const start = `require(${JSON.stringify(loader)}).register(); require(${JSON.stringify(fileURLToPath(program))})`
  return new Worker(start, { eval: true, execArgv: [], workerData: order })
}
