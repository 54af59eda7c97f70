// src/engine/keyed-queue.ts — runs work under one key one after the other, in the order in which it came. ADR 45.

export interface KeyedQueue<Key> {
  /** Begins at once where nothing is under way under the key. A failure does not stop what waits behind it. */
  run<T>(key: Key, work: () => Promise<T>): Promise<T>
}

/** A map by key: `Map`, or one that is cheaper for such keys. */
interface Latest<Key> {
  get(key: Key): Promise<unknown> | undefined
  set(key: Key, work: Promise<unknown>): unknown
  delete(key: Key): unknown
}

/** Keys of which nothing is under way are forgotten. */
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
