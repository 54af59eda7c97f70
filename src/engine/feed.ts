// src/engine/feed.ts — who wants to hear of a change, hears of it once it is durable. Nothing is kept here: what a
// listener missed, it reads from the store.
import { nameOf } from './cache.ts'
import type { Key } from './ports.ts'

/** One durable change. */
export interface Change extends Key {
  readonly version: number
  readonly record: unknown
  readonly events: readonly { readonly type: string }[]
}

export type Listener = (change: Change) => void

export interface Feed {
  publish(change: Change): void
  /** Hears of every change of one record until the returned function is called. */
  follow(key: Key, listener: Listener): () => void
  /** Hears of every change. */
  followAll(listener: Listener): () => void
}

/** Listeners are called in the order in which they came, at once, and must not throw. */
export function createFeed(): Feed {
  const byRecord = new Map<string, Set<Listener>>()
  const all = new Set<Listener>()
  return {
    publish(change) {
      const listeners = byRecord.size === 0 ? undefined : byRecord.get(nameOf(change))
      if (listeners !== undefined) for (const listener of [...listeners]) listener(change)
      for (const listener of all) listener(change)
    },
    follow(key, listener) {
      const name = nameOf(key)
      const listeners = byRecord.get(name) ?? new Set()
      byRecord.set(name, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) byRecord.delete(name)
      }
    },
    followAll(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
  }
}
