// src/engine/feed.ts — notifies subscribers of committed changes. Stores nothing: a subscriber reads what it missed
// from the store.
import type { MerchantAccountId } from '../domain/ids.ts'
import { KeyMap } from './key-map.ts'
import type { Key } from './ports/store.ts'

/** One durable change. */
export interface Change extends Key {
  readonly version: number
  readonly record: unknown
  readonly events: readonly { readonly type: string }[]
  /** Whether this process has committed it. Of others it is published too, for what is in memory and for whom it is shown. */
  readonly own: boolean
}

export type Listener = (change: Change) => void

export interface Feed {
  publish(change: Change): void
  /**
   * Calls the listener on every change of one record until the returned function is called.
   * @param gone called when the record has been removed and will not change any more
   */
  follow(key: Key, listener: Listener, gone?: () => void): () => void
  /** Current followers of records of an account. */
  followersOf(account: MerchantAccountId): readonly Followed[]
  /** Calls the listener on every change of any record, until the returned function is called. */
  followAll(listener: Listener): () => void
}

/** A subscription to one record. */
export interface Followed {
  readonly key: Key
  /** Notifies the follower, if it still follows, that the record has been removed. */
  gone(): void
}

interface Follower extends Followed {
  readonly listener: Listener
  /** Version of the last change that it was told of. */
  version: number
}

/** Calls listeners synchronously, in subscription order. They must not throw; if one does, the others are called first. */
export function createFeed(): Feed {
  const byRecord = new KeyMap<Set<Follower>>()
  const all = new Set<Listener>()
  return {
    publish(change) {
      const followers = byRecord.size === 0 ? undefined : byRecord.get(change)
      const failures: unknown[] = []
      if (followers !== undefined) for (const follower of [...followers]) tell(follower, change, failures)
      for (const listener of all) notify(listener, change, failures)
      if (failures.length > 0) throw failures[0]
    },
    follow(key, listener, gone = () => {}) {
      const followers = byRecord.get(key) ?? new Set<Follower>()
      const follower: Follower = { key, listener, version: 0, gone: () => followers.has(follower) && gone() }
      byRecord.set(key, followers.add(follower))
      return () => {
        followers.delete(follower)
        if (followers.size === 0 && byRecord.get(key) === followers) byRecord.delete(key)
      }
    },
    followersOf: account => [...byRecord.valuesOf(account)].flatMap(each => [...each]),
    followAll(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
  }
}

/** A change of another process may be read after a later one of this process: nobody is shown a record that goes back. */
function tell(follower: Follower, change: Change, failures: unknown[]): void {
  if (change.version < follower.version) return
  follower.version = change.version
  notify(follower.listener, change, failures)
}

function notify(listener: Listener, change: Change, failures: unknown[]): void {
  try {
    listener(change)
  } catch (error) {
    failures.push(error)
  }
}
