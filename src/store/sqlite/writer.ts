// src/store/sqlite/writer.ts — the writer's thread: it owns the only connection that writes, and whatever has arrived when
// it is free is the next group. Started by writer-thread.ts, and talks to commit-queue.ts.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Fault, type FaultCode } from '../../engine/fault.ts'
import type { CommitResult } from '../../engine/ports.ts'
import { openForWriting } from './database.ts'
import { faultOf } from './faults.ts'
import { FULL_GROUP, type GroupWriter, groupWriter, isBookkeeping, type Outcome, type Work } from './group-writer.ts'
import { type Parcel, unpacked } from './parcel.ts'

export type ToWriter =
  /** More is to come in the same turn of the event loop, or not: then it ends its group, when nothing else has arrived. */
  { readonly type: 'parcel'; readonly parcel: Parcel; readonly more: boolean } | { readonly type: 'close' }

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
    const writing = writingOf(groupWriter(database, { outside }), answers => tell({ type: 'group', answers }))
    port.on('message', (first: ToWriter) => {
      let more = false
      for (let message: ToWriter | undefined = first; message !== undefined; ) {
        if (message.type === 'close') {
          writing.end()
          // The last connection to close folds the log into the database and removes it.
          database.close()
          port.close()
          return
        }
        writing.take(message.parcel, message.more)
        more = message.more
        message = receiveMessageOnPort(port)?.message as ToWriter | undefined
      }
      if (!more) writing.end()
    })
    tell({ type: 'ready' })
  } catch (error) {
    tell({ type: 'unready', failure: failureOf(error) })
    port.close()
  }
}

/** Work as it arrives, and its answers as groups end. */
function writingOf(group: GroupWriter, tell: (answers: readonly Answer[]) => void) {
  /** Works of the group that is open. */
  let open = 0

  function answer(write: () => readonly Outcome[]): void {
    const count = open
    open = 0
    let answers: readonly Answer[]
    try {
      answers = write().map(outcome => (isError(outcome) ? failureOf(outcome.error) : outcome))
    } catch (error) {
      const failure = failureOf(error)
      answers = Array.from({ length: count }, () => failure)
    }
    if (count > 0) tell(answers)
  }

  function add(works: readonly Work[]): void {
    try {
      group.add(works)
    } catch (error) {
      answer(() => {
        throw error
      })
    }
  }

  return {
    take(parcel: Parcel, more: boolean): void {
      const works = unpacked(parcel)
      const unsynced = open === 0 && !more && works.every(isBookkeeping)
      open += works.length
      if (unsynced) answer(() => group.writeUnsynced(works))
      else add(works)
      if (open >= FULL_GROUP) answer(group.end)
    },
    end: () => answer(group.end),
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
