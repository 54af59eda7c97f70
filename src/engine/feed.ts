// src/engine/feed.ts — who wants to hear of a change, hears of it once it is durable. Nothing is kept here: what a
// listener missed, it reads from the store.
import { KeyMap } from './key-map.ts'
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

/** Listeners are called in the order in which they came, at once. They must not throw; if one does, all others hear first. */
export function createFeed(): Feed {
  const byRecord = new KeyMap<Set<Listener>>()
  const all = new Set<Listener>()
  return {
    publish(change) {
      const listeners = byRecord.size === 0 ? undefined : byRecord.get(change)
      const failures: unknown[] = []
      if (listeners !== undefined) for (const listener of [...listeners]) tell(listener, change, failures)
      for (const listener of all) tell(listener, change, failures)
      if (failures.length > 0) throw failures[0]
    },
    follow(key, listener) {
      const listeners = byRecord.get(key) ?? new Set()
      byRecord.set(key, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) byRecord.delete(key)
      }
    },
    followAll(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
  }
}

function tell(listener: Listener, change: Change, failures: unknown[]): void {
  try {
    listener(change)
  } catch (error) {
    failures.push(error)
  }
}
