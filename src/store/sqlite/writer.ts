// src/store/sqlite/writer.ts — the writer's thread: it owns the only connection that writes and takes one group after
// another. Started by writer-thread.ts, and talks to commit-queue.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { Fault, type FaultCode } from '../../engine/fault.ts'
import type { CommitResult } from '../../engine/ports.ts'
import { openForWriting } from './database.ts'
import { faultOf } from './faults.ts'
import { groupWriter, type Outcome, type Work } from './group-writer.ts'

export type ToWriter = { readonly type: 'group'; readonly works: readonly Work[] } | { readonly type: 'close' }

export type FromWriter =
  | { readonly type: 'ready' }
  | { readonly type: 'unready'; readonly failure: Failure }
  /** One answer for each piece of work, in its order. */
  | { readonly type: 'group'; readonly answers: readonly Answer[] }

export type Answer = Written | Failure
export interface Written {
  readonly result: CommitResult
  readonly rows: number
}
/** An error as it travels between threads. */
export interface Failure {
  readonly fault: FaultCode | null
  readonly message: string
}

const { file } = workerData as { readonly file: string }
if (parentPort !== null) serve(message => parentPort?.postMessage(message))

function serve(tell: (message: FromWriter) => void): void {
  try {
    const database = openForWriting(file)
    const write = groupWriter(database)
    parentPort?.on('message', (message: ToWriter) => {
      if (message.type === 'group') {
        tell({ type: 'group', answers: answersTo(message.works, write) })
        return
      }
      // The last connection to close folds the log into the database and removes it.
      database.close()
      parentPort?.close()
    })
    tell({ type: 'ready' })
  } catch (error) {
    tell({ type: 'unready', failure: failureOf(error) })
    parentPort?.close()
  }
}

function answersTo(works: readonly Work[], write: (works: readonly Work[]) => readonly Outcome[]): readonly Answer[] {
  try {
    return write(works).map(outcome => ('error' in outcome ? failureOf(outcome.error) : outcome))
  } catch (error) {
    const failure = failureOf(error)
    return works.map(() => failure)
  }
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const fault = faultOf(error, file)
  return { fault: fault instanceof Fault ? fault.code : null, message }
}
