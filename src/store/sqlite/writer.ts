// src/store/sqlite/writer.ts — the writer's thread: it owns the only connection that writes, and whatever has arrived when
// it is free is the next group. Started by writer-thread.ts, and talks to commit-queue.ts.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Fault, type FaultCode } from '../../engine/fault.ts'
import type { CommitResult } from '../../engine/ports.ts'
import { openForWriting } from './database.ts'
import { faultOf } from './faults.ts'
import { groupWriter, MAX_GROUP, type Outcome, PARCEL, type Work } from './group-writer.ts'
import { type Parcel, unpacked } from './parcel.ts'

export type ToWriter = { readonly type: 'parcel'; readonly parcel: Parcel } | { readonly type: 'close' }

export type FromWriter =
  | { readonly type: 'ready' }
  | { readonly type: 'unready'; readonly failure: Failure }
  /** One answer for each piece of work, in its order; a group is one parcel or several. */
  | { readonly type: 'group'; readonly answers: readonly Answer[] }

/** The result of a change, the rows that other work has written or removed, or why it failed. */
export type Answer = CommitResult | number | Failure
/** An error as it travels between threads. */
export interface Failure {
  readonly fault: FaultCode | null
  readonly message: string
}

/** What the thread is started with. */
export interface WriterOrder {
  readonly file: string
  /** It writes for another program than the gateway, which is to notice. */
  readonly outside: boolean
}

const { file, outside } = workerData as WriterOrder
if (parentPort !== null) serve(parentPort)

function serve(port: MessagePort): void {
  const tell = (message: FromWriter): void => port.postMessage(message)
  try {
    const database = openForWriting(file)
    const write = groupWriter(database, { outside })
    port.on('message', (first: ToWriter) => {
      const { works, closes } = arrived(first, port)
      if (works.length > 0) tell({ type: 'group', answers: answersTo(works, write) })
      if (!closes) return
      // The last connection to close folds the log into the database and removes it.
      database.close()
      port.close()
    })
    tell({ type: 'ready' })
  } catch (error) {
    tell({ type: 'unready', failure: failureOf(error) })
    port.close()
  }
}

/** What is there to write by now: parcels have come while the last group was written. */
function arrived(first: ToWriter, port: MessagePort): { readonly works: readonly Work[]; readonly closes: boolean } {
  const works: Work[] = []
  for (let message: ToWriter | undefined = first; message !== undefined; ) {
    if (message.type === 'close') return { works, closes: true }
    works.push(...unpacked(message.parcel))
    if (works.length > MAX_GROUP - PARCEL) break
    message = receiveMessageOnPort(port)?.message as ToWriter | undefined
  }
  return { works, closes: false }
}

function answersTo(works: readonly Work[], write: (works: readonly Work[]) => readonly Outcome[]): readonly Answer[] {
  try {
    return write(works).map(outcome => (isError(outcome) ? failureOf(outcome.error) : outcome))
  } catch (error) {
    const failure = failureOf(error)
    return works.map(() => failure)
  }
}

function isError(outcome: Outcome): outcome is { readonly error: unknown } {
  return typeof outcome === 'object'
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const fault = faultOf(error, file)
  return { fault: fault instanceof Fault ? fault.code : null, message }
}
