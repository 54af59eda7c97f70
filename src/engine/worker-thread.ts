// src/engine/worker-thread.ts — starts worker threads from the build or, in tests and development, from the source.
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/**
 * Starts the program `name` as a thread.
 * @param name file name without extension, of a file beside the caller's; in the build, of an entry of `build.ts`
 * @param caller `import.meta.url` of the caller
 * @param workerData start parameters of the thread
 */
export function startWorkerThread(name: string, caller: string, workerData: unknown): Worker {
  const extension = extname(caller)
  const program = new URL(`./${name}${extension}`, caller)
  if (extension === '.js') return new Worker(program, { workerData })
  // Node 20 cannot read TypeScript, and a thread does not inherit the loader of this one. Of tsx's two loaders this is the
  // faster: it needs no thread of its own.
  const loader = createRequire(import.meta.url).resolve('tsx/cjs/api')
  const start = `require(${JSON.stringify(loader)}).register(); require(${JSON.stringify(fileURLToPath(program))})`
  return new Worker(start, { eval: true, execArgv: [], workerData })
}
