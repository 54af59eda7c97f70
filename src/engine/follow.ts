// src/engine/follow.ts — follows a record change by change until the follower has seen enough or has gone.
import type { Refusal } from '../domain/refusals.ts'
import type { Executed } from './engine.ts'
import type { Change, Feed } from './feed.ts'
import type { Key } from './ports/store.ts'

/** Who follows: what he hears from, and how it is known that he has gone. */
export interface Follower {
  readonly feed: Feed
  /** Calls back once when nobody is left to be answered. Returns how to call that off. */
  whenGone(listener: () => void): () => void
}

export interface Following<Record> {
  /**
   * The record when `look` had seen enough; null when nobody was left before, or the record has been taken away. Rejects
   * when `look` has thrown.
   */
  readonly end: Promise<Record | null>
  /** Ends it with null. */
  stop(): void
}

/**
 * Follows a record that this gateway is about to change: nothing that is committed after this call is missed.
 * @param look is called with the record after every change; true: that was enough
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
      // A listener must not throw into the engine, which has nothing to do with it.
      finish()
      reject(error)
    }
  }
  const unfollow = feed.follow(key, changed, stop)
  stay = whenGone(stop)
  // A failure reaches the caller who awaits the end; without one it is no unhandled rejection.
  end.catch(() => {})
  return { end, stop }
}

/** Starts something under an id of its own, and follows it from the first change on, which is the start itself. */
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
