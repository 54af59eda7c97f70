// src/engine/keyed-queue.ts — runs work of the same key one after the other, first in, first out. ADR 45.

export interface KeyedQueue<Key> {
  /** Starts at once when the key has no running work. A failure does not stop the work queued behind it. */
  run<T>(key: Key, work: () => Promise<T>): Promise<T>
}

/** The last work of each key: a `Map`, or a cheaper map for such keys. */
interface Latest<Key> {
  get(key: Key): Promise<unknown> | undefined
  set(key: Key, work: Promise<unknown>): unknown
  delete(key: Key): unknown
}

/** Creates a queue. Keys without running work are removed from `latest`. */
export function createKeyedQueue<Key = string>(latest: Latest<Key> = new Map()): KeyedQueue<Key> {
  return {
    run(key, work) {
      const before = latest.get(key)
      const running = before === undefined ? work() : before.then(work, work)
      latest.set(key, running)
      const leave = (): void => {
        if (latest.get(key) === running) latest.delete(key)
      }
      running.then(leave, leave)
      return running
    },
  }
}
