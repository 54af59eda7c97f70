// src/store/sqlite/commit-queue.ts — group commit, seen from the main thread: what is asked for goes over in batches, the
// writer takes whatever has arrived as one group with one fsync, and only then is anybody answered.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { atEndOfTurn } from '../../engine/end-of-turn.ts'
import { Fault } from '../../engine/fault.ts'
import type { Commit, CommitResult } from '../../engine/ports/store.ts'
import { BATCH, type Work } from './group-writer.ts'
import type { Answer, Failure, FromWriter, ToWriter } from './writer.ts'

/** About a second of writing on a slow disk. Whoever came later would wait longer than a till does; better refuse him. */
export const MAX_WAITING = 4_096
type Written = CommitResult | number
/** Somebody who waits for his work to be written. What it is he does not hold: hundreds wait, each for milliseconds. */
interface Entry {
  readonly isCommit: boolean
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
}

/** Owns the writer's thread, which must have said that it is ready. */
export class CommitQueue {
  readonly #worker: Worker
  readonly #file: string
  readonly #onGroup: (size: number) => void
  #waiting: Entry[] = []
  /** What they ask for. */
  #batch: Work[] = []
  /** What the writer has been sent and has not answered, in its order; empty when it is free. */
  #sent: Entry[] = []
  /** Effects that are done and wait with the next group, and what resolves when they are written. */
  #done: { readonly effectIds: string[]; readonly written: Promise<void> } | null = null
  #gathering = false
  /** The writer has been told that more comes in this turn, and waits for it. */
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

  /** Resolves once the change is on the disk. @throws Fault `store_busy`, `store_gone`, or what the database failed with. */
  commit(commit: Commit): Promise<CommitResult> {
    return this.#submit({ type: 'commit', commit }) as Promise<CommitResult>
  }

  /** Resolves to the number of rows once other work is on the disk. @throws as `commit` */
  perform(work: Exclude<Work, { readonly type: 'commit' }>): Promise<number> {
    return this.#submit(work) as Promise<number>
  }

  /** Marks effects as done. Those of one group are one piece of work, as each sale has at least one. */
  done(effectIds: readonly string[]): Promise<void> {
    if (this.#done !== null) {
      this.#done.effectIds.push(...effectIds)
      return this.#done.written
    }
    const gathered = [...effectIds]
    const written = this.perform({ type: 'effects_done', effectIds: gathered }).then(() => {})
    // It may have filled its batch, and be on its way.
    if (this.#waiting.length > 0) this.#done = { effectIds: gathered, written }
    return written
  }

  /** Takes nothing more; resolves when all that waited has been answered. */
  async drain(): Promise<void> {
    this.#refusal ??= new Fault('store_gone', { detail: this.#file })
    if (this.#sent.length === 0 && this.#waiting.length === 0) return
    await new Promise<void>(resolve => {
      this.#drained = resolve
    })
  }

  /** Ends the thread, which closes the database. Nothing may be waiting any more. */
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

  /** When the writer is free, all that is asked for in the same turn of the event loop still joins the group. */
  #gather(): void {
    if (this.#gathering || (this.#sent.length > 0 && !this.#promised)) return
    this.#gathering = true
    atEndOfTurn(() => {
      this.#gathering = false
      if (this.#promised || this.#sent.length === 0) this.#sendBatch(false)
    })
  }

  /** @param more whether the writer is to wait for the rest of the turn */
  #sendBatch(more: boolean): void {
    if (this.#waiting.length === 0 && !this.#promised) return
    const [entries, batch] = [this.#waiting, this.#batch]
    this.#waiting = []
    this.#batch = []
    // What is added to it later would be lost once it is sent.
    this.#done = null
    try {
      this.#send({ type: 'batch', batch, more })
      this.#sent.push(...entries)
    } catch (error) {
      // It never left: nobody in it may take the answer to another batch for his own.
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
    // The writer first: it works on what has come meanwhile while those of this group are told.
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

  /** What was being written may or may not be on the disk: a fault leaves that open. */
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

/** The error a failure stood for before it crossed over. */
export function errorOf({ fault, message }: Failure, file: string): Error {
  const cause = new Error(message)
  return fault === null ? cause : new Fault(fault, { cause, detail: file })
}
