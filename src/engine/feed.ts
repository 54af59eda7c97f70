// src/engine/feed.ts — who wants to hear of a change, hears of it once it is durable. Nothing is kept here: what a
// listener missed, it reads from the store.
import type { MerchantAccountId } from '../domain/ids.ts'
import { KeyMap } from './key-map.ts'
import type { Key } from './ports/store.ts'

/** One durable change. */
export interface Change extends Key {
  readonly version: number
  readonly record: unknown
  readonly events: readonly { readonly type: string }[]
}

export type Listener = (change: Change) => void

export interface Feed {
  publish(change: Change): void
  /**
   * Hears of every change of one record until the returned function is called.
   * @param gone is called when the record has been taken away, and there is nothing more to hear of it
   */
  follow(key: Key, listener: Listener, gone?: () => void): () => void
  /** Those who follow records of an account now. */
  followersOf(account: MerchantAccountId): readonly Followed[]
  /** Hears of every change. */
  followAll(listener: Listener): () => void
}

/** Somebody who follows one record. */
export interface Followed {
  readonly key: Key
  /** Tells him that there is nothing more to hear of it, if he follows it still. */
  gone(): void
}

interface Follower extends Followed {
  readonly hear: Listener
}

/** Listeners are called in the order in which they came, at once. They must not throw; if one does, all others hear first. */
export function createFeed(): Feed {
  const byRecord = new KeyMap<Set<Follower>>()
  const all = new Set<Listener>()
  return {
    publish(change) {
      const followers = byRecord.size === 0 ? undefined : byRecord.get(change)
      const failures: unknown[] = []
      if (followers !== undefined) for (const { hear } of [...followers]) tell(hear, change, failures)
      for (const listener of all) tell(listener, change, failures)
      if (failures.length > 0) throw failures[0]
    },
    follow(key, hear, gone = () => {}) {
      const followers = byRecord.get(key) ?? new Set<Follower>()
      const follower: Follower = { key, hear, gone: () => followers.has(follower) && gone() }
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

function tell(listener: Listener, change: Change, failures: unknown[]): void {
  try {
    listener(change)
  } catch (error) {
    failures.push(error)
  }
}
