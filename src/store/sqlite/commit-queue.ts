// src/store/sqlite/commit-queue.ts — group commit, main-thread side. Work goes to the writer in batches. The writer takes
// all work that has arrived as one group with one fsync, and only then answers it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { atEndOfTurn } from '../../engine/end-of-turn.ts'
import { Fault } from '../../engine/fault.ts'
import type { Commit, CommitResult } from '../../engine/ports/store.ts'
import { BATCH, type Work } from './group-writer.ts'
import type { Answer, Failure, FromWriter, ToWriter } from './writer.ts'

/** Limit of waiting work: about a second on a slow disk. More would wait longer than a till does, so it is rejected. */
export const MAX_WAITING = 4_096
type Written = CommitResult | number
/** A caller that waits for its work. The work itself is not referenced, so that it can be collected while hundreds wait. */
interface Entry {
  readonly isCommit: boolean
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
}

/** Owns the writer thread, which must have sent `ready`. */
export class CommitQueue {
  readonly #worker: Worker
  readonly #file: string
  readonly #onGroup: (size: number) => void
  #waiting: Entry[] = []
  /** The work of `#waiting`. */
  #batch: Work[] = []
  /** Entries sent to the writer and not yet answered, in order; empty when the writer is free. */
  #sent: Entry[] = []
  /** Performed effects that wait for the next group, and the promise of their being written. */
  #done: { readonly effectIds: string[]; readonly written: Promise<void> } | null = null
  #gathering = false
  /** The writer expects another batch from this event-loop turn and waits for it. */
  #promised = false
  #refusal: Fault | null = null
  #drained: (() => void) | null = null

  constructor(worker: Worker, file: string, onGroup: (size: number) => void) {
    this.#worker = worker
    this.#file = file
    this.#onGroup = onGroup
    worker.on('message', (message: FromWriter) => message.type === 'group' && this.#answered(message.answers))
    worker.on('error', error => this.#died(error))
    worker.on('exit', () => this.#died(null))
  }

  /** Resolves once the change is on disk. @throws Fault `store_busy`, `store_gone`, or a fault of the database. */
  commit(commit: Commit): Promise<CommitResult> {
    return this.#submit({ type: 'commit', commit }) as Promise<CommitResult>
  }

  /** Resolves to the number of rows once the work is on disk. @throws as `commit` */
  perform(work: Exclude<Work, { readonly type: 'commit' }>): Promise<number> {
    return this.#submit(work) as Promise<number>
  }

  /** Marks effects as done. Effects of one group become one piece of work, because each sale has at least one. */
  done(effectIds: readonly string[]): Promise<void> {
    if (this.#done !== null) {
      this.#done.effectIds.push(...effectIds)
      return this.#done.written
    }
    const gathered = [...effectIds]
    const written = this.perform({ type: 'effects_done', effectIds: gathered }).then(() => {})
    // It may have filled its batch, which is then already sent.
    if (this.#waiting.length > 0) this.#done = { effectIds: gathered, written }
    return written
  }

  /** Rejects new work; resolves when all waiting work is answered. */
  async drain(): Promise<void> {
    this.#refusal ??= new Fault('store_gone', { detail: this.#file })
    if (this.#sent.length === 0 && this.#waiting.length === 0) return
    await new Promise<void>(resolve => {
      this.#drained = resolve
    })
  }

  /** Ends the thread, which closes the database. No work may be waiting. */
  async end(): Promise<void> {
    if (this.#worker.threadId === -1) return // It has died before.
    const ended = once(this.#worker, 'exit')
    this.#send({ type: 'close' })
    await ended
  }

  #submit(work: Work): Promise<Written> {
    if (this.#refusal !== null) return Promise.reject(this.#refusal)
    if (this.#waiting.length + this.#sent.length >= MAX_WAITING)
      return Promise.reject(new Fault('store_busy', { detail: this.#file }))
    return new Promise((resolve, reject) => {
      this.#batch.push(work)
      this.#waiting.push({ isCommit: work.type === 'commit', resolve, reject })
      if (this.#waiting.length >= BATCH) this.#sendBatch(true)
      this.#gather()
    })
  }

  /** When the writer is free, all work of the same event-loop turn still joins the group. */
  #gather(): void {
    if (this.#gathering || (this.#sent.length > 0 && !this.#promised)) return
    this.#gathering = true
    atEndOfTurn(() => {
      this.#gathering = false
      if (this.#promised || this.#sent.length === 0) this.#sendBatch(false)
    })
  }

  /** @param more whether the writer must wait for the rest of this event-loop turn */
  #sendBatch(more: boolean): void {
    if (this.#waiting.length === 0 && !this.#promised) return
    const [entries, batch] = [this.#waiting, this.#batch]
    this.#waiting = []
    this.#batch = []
    // Effects added after the send would be lost.
    this.#done = null
    try {
      this.#send({ type: 'batch', batch, more })
      this.#sent.push(...entries)
    } catch (error) {
      // The batch was not sent: its entries must not take the answers to another batch.
      for (const entry of entries) entry.reject(error)
      this.#restIfDone()
      if (more) return
      this.#send({ type: 'batch', batch: [], more })
    }
    this.#promised = more
  }

  #restIfDone(): void {
    if (this.#sent.length === 0 && this.#waiting.length === 0) this.#drained?.()
  }

  #send(message: ToWriter): void {
    this.#worker.postMessage(message)
  }

  #answered(answers: readonly Answer[]): void {
    const written = this.#sent.splice(0, answers.length)
    // Send first: the writer works on the next batch while the callers of this group get their answers.
    this.#sendBatch(false)
    const commits = written.filter(entry => entry.isCommit).length
    if (commits > 0) this.#onGroup(commits)
    for (const [index, entry] of written.entries()) {
      const answer = answers[index]
      assert(answer !== undefined, 'the writer answers everything')
      if (typeof answer === 'object') entry.reject(errorOf(answer, this.#file))
      else entry.resolve(answer)
    }
    this.#restIfDone()
  }

  /** The work in progress may or may not be on disk; the fault leaves that open. */
  #died(cause: unknown): void {
    this.#refusal ??= new Fault('store_gone', { detail: this.#file, cause })
    const lost = [...this.#sent, ...this.#waiting]
    this.#sent = []
    this.#waiting = []
    this.#batch = []
    for (const entry of lost) entry.reject(this.#refusal)
    this.#drained?.()
  }
}

/** Rebuilds the error from a failure of the writer thread. */
export function errorOf({ fault, message }: Failure, file: string): Error {
  const cause = new Error(message)
  return fault === null ? cause : new Fault(fault, { cause, detail: file })
}
