// src/engine/follow.ts — follows the changes of a record until a condition holds or the client disconnects.
import type { Refusal } from '../domain/refusals.ts'
import type { Executed } from './engine.ts'
import type { Change, Feed } from './feed.ts'
import type { Key } from './ports/store.ts'

/** What a follower needs: the feed, and a signal that its client has disconnected. */
export interface Follower {
  readonly feed: Feed
  /** Calls back once when no client is left to be answered. The returned function cancels that. */
  whenGone(listener: () => void): () => void
}

export interface Following<Record> {
  /**
   * The record for which `look` returned true; null when the client disconnected before or the record was removed.
   * Rejects when `look` throws.
   */
  readonly end: Promise<Record | null>
  /** Stops following; `end` resolves to null. */
  stop(): void
}

/**
 * Follows a record that this gateway is about to change. It misses no commit after this call.
 * @param look called with the record after every change; returns true to stop following
 */
export function follow<Record>(
  { feed, whenGone }: Follower,
  key: Key,
  look: (record: Record) => boolean,
): Following<Record> {
  let resolve: (record: Record | null) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const end = new Promise<Record | null>((resolveEnd, rejectEnd) => {
    resolve = resolveEnd
    reject = rejectEnd
  })
  let stay = (): void => {}
  const finish = (): void => {
    unfollow()
    stay()
  }
  const stop = (): void => {
    finish()
    resolve(null)
  }
  const changed = ({ record }: Change): void => {
    try {
      if (!look(record as Record)) return
      finish()
      resolve(record as Record)
    } catch (error) {
      // A listener must not throw into the engine.
      finish()
      reject(error)
    }
  }
  const unfollow = feed.follow(key, changed, stop)
  stay = whenGone(stop)
  // A caller that awaits `end` gets the failure; without one it must not become an unhandled rejection.
  end.catch(() => {})
  return { end, stop }
}

/** Starts something under a new id and follows it from its first change, which is the start itself. */
export async function startAndFollow<Record>(
  follower: Follower,
  key: Key,
  look: (record: Record) => boolean,
  start: () => Promise<Executed<Record, unknown>>,
): Promise<{ readonly refused: Refusal } | Pick<Following<Record>, 'end'>> {
  const following = follow(follower, key, look)
  let started = false
  try {
    const executed = await start()
    if ('refused' in executed) return executed
    if ('repeated' in executed) throw new Error('a start without an idempotency key was taken for a repetition')
    started = true
    return following
  } finally {
    if (!started) following.stop()
  }
}
