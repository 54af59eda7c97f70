// src/store/sqlite/writer.ts — the writer thread. It owns the only connection that writes; all work that has arrived when it
// is free is the next group. Started by writer-thread.ts, exchanges messages with commit-queue.ts.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Fault, type FaultCode } from '../../engine/fault.ts'
import type { CommitResult } from '../../engine/ports/store.ts'
import { openForWriting } from './database.ts'
import { faultOf } from './faults.ts'
import { FULL_GROUP, type GroupWriter, groupWriter, isBookkeeping, type Outcome, type Work } from './group-writer.ts'

export type ToWriter =
  /** `more`: another batch follows in the same event-loop turn. Otherwise the group ends once no message is waiting. */
  { readonly type: 'batch'; readonly batch: readonly Work[]; readonly more: boolean } | { readonly type: 'close' }

export type FromWriter =
  | { readonly type: 'ready' }
  | { readonly type: 'unready'; readonly failure: Failure }
  /** One answer for each piece of work, in order. A group is one batch or several. */
  | { readonly type: 'group'; readonly answers: readonly Answer[] }

/** The result of a commit, the number of rows that other work has written or removed, or why it failed. */
export type Answer = CommitResult | number | Failure
/** An error in the form that is sent between threads. */
export interface Failure {
  readonly fault: FaultCode | null
  readonly message: string
}

/** Start parameters of the thread. */
export interface WriterOrder {
  readonly file: string
  /** The thread writes for a program other than the gateway; the gateway must notice its changes. */
  readonly outside: boolean
  /** How long a group waits for another process, in milliseconds; five seconds when absent. */
  readonly busyMs?: number
}

const { file, outside, busyMs } = workerData as WriterOrder
if (parentPort !== null) serve(parentPort)

function serve(port: MessagePort): void {
  const reply = (message: FromWriter): void => port.postMessage(message)
  try {
    const database = openForWriting(file, busyMs)
    const writing = writingOf(groupWriter(database, { outside }), answers => reply({ type: 'group', answers }))
    port.on('message', (first: ToWriter) => {
      let more = false
      for (let message: ToWriter | undefined = first; message !== undefined; ) {
        if (message.type === 'close') {
          writing.pause(false)
          // The last connection to close checkpoints the WAL into the database and removes it.
          database.close()
          port.close()
          return
        }
        writing.take(message.batch, message.more)
        more = message.more
        message = receiveMessageOnPort(port)?.message as ToWriter | undefined
      }
      writing.pause(more)
    })
    reply({ type: 'ready' })
  } catch (error) {
    reply({ type: 'unready', failure: failureOf(error) })
    port.close()
  }
}

/** Writes work as it arrives and sends the answers when groups end. */
function writingOf(group: GroupWriter, reply: (answers: readonly Answer[]) => void) {
  /** Number of works in the open group. */
  let open = 0
  /** Another process has locked the database too long. Work that arrived meanwhile fails without waiting as long again. */
  let busy: Failure | null = null
  /** Refusals that are not sent yet. */
  let refused: Failure[] = []

  function answer(outcomes: readonly Outcome[]): void {
    open = 0
    reply(outcomes.map(outcome => (isError(outcome) ? failureOf(outcome.error) : outcome)))
  }

  function fail(failure: Failure): void {
    refused.push(...Array.from({ length: open }, () => failure))
    open = 0
    // While the database is busy, all that has arrived is refused before any of it is answered: whoever hears of it may send
    // more at once, and that is tried again.
    if (busy === null) replyRefused()
  }

  function replyRefused(): void {
    if (refused.length > 0) reply(refused)
    refused = []
  }

  function write(works: readonly Work[], isAlone: boolean): void {
    if (isAlone && works.every(isBookkeeping)) answer(group.writeUnsynced(works))
    else group.add(works)
    if (open >= FULL_GROUP) answer(group.end())
  }

  return {
    take(batch: readonly Work[], more: boolean): void {
      // An empty batch only marks the end of an event-loop turn.
      if (batch.length === 0) return
      const isAlone = open === 0 && !more
      open += batch.length
      try {
        if (busy === null) write(batch, isAlone)
        else fail(busy)
      } catch (error) {
        const failure = failureOf(error)
        if (failure.fault === 'store_busy') busy = failure
        fail(failure)
      }
    },
    /** Called when no message is waiting. @param more another batch of the same event-loop turn follows */
    pause(more: boolean): void {
      busy = null
      replyRefused()
      if (more || open === 0) return
      try {
        answer(group.end())
      } catch (error) {
        fail(failureOf(error))
      }
    },
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
