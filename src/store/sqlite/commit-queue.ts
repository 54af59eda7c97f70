// src/store/sqlite/commit-queue.ts — group commit, seen from the main thread: whatever waits when the writer is free goes
// over as one message, is written with one fsync, and only then is anybody answered.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { Fault } from '../../engine/fault.ts'
import type { Work } from './group-writer.ts'
import type { Answer, Failure, FromWriter, ToWriter, Written } from './writer.ts'

/** About a second of writing on a slow disk. Whoever came later would wait longer than a till does; better refuse him. */
export const MAX_WAITING = 4_096
/** Keeps one SQL transaction to some 20 ms, so that the command line, too, gets its turn at the database. */
export const MAX_GROUP = 512

interface Entry {
  readonly work: Work
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
}

/** Owns the writer's thread, which must have said that it is ready. */
export class CommitQueue {
  readonly #worker: Worker
  readonly #file: string
  readonly #onGroup: (size: number) => void
  #waiting: Entry[] = []
  /** What the writer is writing; empty when it is free. */
  #writing: readonly Entry[] = []
  /** Effects that are done and wait with the next group, and what resolves when they are written. */
  #done: { readonly effectIds: string[]; readonly written: Promise<Written> } | null = null
  #gathering = false
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

  /** Resolves once the work is on the disk. @throws Fault `store_busy`, `store_gone`, or what the database failed with. */
  submit(work: Work): Promise<Written> {
    if (this.#refusal !== null) return Promise.reject(this.#refusal)
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(new Fault('store_busy', { detail: this.#file }))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      this.#gather()
    })
  }

  /** Marks effects as done. Those of one group are one piece of work, as each sale has at least one. */
  done(effectIds: readonly string[]): Promise<Written> {
    if (this.#done === null) {
      const gathered: string[] = []
      this.#done = { effectIds: gathered, written: this.submit({ type: 'effects_done', effectIds: gathered }) }
    }
    this.#done.effectIds.push(...effectIds)
    return this.#done.written
  }

  /** Takes nothing more; resolves when all that waited has been answered. */
  async drain(): Promise<void> {
    this.#refusal ??= new Fault('store_gone', { detail: this.#file })
    if (this.#writing.length === 0 && this.#waiting.length === 0) return
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

  /** When the writer is free, all that is asked for in the same turn of the event loop still joins the group. */
  #gather(): void {
    if (this.#gathering || this.#writing.length > 0) return
    this.#gathering = true
    setImmediate(() => {
      this.#gathering = false
      if (this.#writing.length === 0) this.#sendGroup()
    })
  }

  #sendGroup(): void {
    if (this.#waiting.length === 0) return
    this.#writing = this.#waiting.slice(0, MAX_GROUP)
    this.#waiting = this.#waiting.slice(MAX_GROUP)
    // It may still wait behind a full group, but what is added to it later would be lost once it is sent.
    this.#done = null
    this.#send({ type: 'group', works: this.#writing.map(entry => entry.work) })
  }

  #send(message: ToWriter): void {
    this.#worker.postMessage(message)
  }

  #answered(answers: readonly Answer[]): void {
    const written = this.#writing
    this.#writing = []
    // The writer first: it works on the next group while those of this one are told.
    this.#sendGroup()
    const commits = written.filter(entry => entry.work.type === 'commit').length
    if (commits > 0) this.#onGroup(commits)
    for (const [index, entry] of written.entries()) {
      const answer = answers[index]
      assert(answer !== undefined, 'the writer answers everything')
      if ('fault' in answer) entry.reject(errorOf(answer, this.#file))
      else entry.resolve(answer)
    }
    if (this.#writing.length === 0) this.#drained?.()
  }

  /** What was being written may or may not be on the disk: a fault leaves that open. */
  #died(cause: unknown): void {
    this.#refusal ??= new Fault('store_gone', { detail: this.#file, cause })
    const lost = [...this.#writing, ...this.#waiting]
    this.#writing = []
    this.#waiting = []
    for (const entry of lost) entry.reject(this.#refusal)
    this.#drained?.()
  }
}

/** The error a failure stood for before it crossed over. */
export function errorOf({ fault, message }: Failure, file: string): Error {
  const cause = new Error(message)
  return fault === null ? cause : new Fault(fault, { cause, detail: file })
}
