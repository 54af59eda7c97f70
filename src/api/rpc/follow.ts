// src/api/rpc/follow.ts — hears of a record, change by change, as long as somebody is there to be told.
import type { Refusal } from '../../domain/refusals.ts'
import type { Executed } from '../../engine/engine.ts'
import type { Change } from '../../engine/feed.ts'
import type { Key } from '../../engine/ports/store.ts'
import type { Caller } from './method.ts'

export interface Following<Record> {
  /**
   * The record when `hear` had heard enough; null when nobody was left before, or the record has been taken away. Rejects
   * when `hear` has thrown.
   */
  readonly end: Promise<Record | null>
  /** Ends it with null. */
  stop(): void
}

/**
 * Follows a record that this gateway is about to change: nothing that is committed after this call is missed.
 * @param hear is called with the record after every change; true: that was enough
 */
export function follow<Record>(
  { api, whenGone }: Pick<Caller, 'api' | 'whenGone'>,
  key: Key,
  hear: (record: Record) => boolean,
): Following<Record> {
  let tell: (record: Record | null) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const end = new Promise<Record | null>((resolve, reject) => {
    tell = resolve
    fail = reject
  })
  let stay = (): void => {}
  const finish = (): void => {
    unfollow()
    stay()
  }
  const stop = (): void => {
    finish()
    tell(null)
  }
  const heard = ({ record }: Change): void => {
    try {
      if (!hear(record as Record)) return
      finish()
      tell(record as Record)
    } catch (error) {
      // A listener must not throw into the engine, which has nothing to do with it.
      finish()
      fail(error)
    }
  }
  const unfollow = api.feed.follow(key, heard, stop)
  stay = whenGone(stop)
  // Whoever waits for the end hears of a failure; nobody may be waiting yet, or any more.
  end.catch(() => {})
  return { end, stop }
}

/** Starts something under an id of its own, and follows it from the first change on, which is the start itself. */
export async function startAndFollow<Record>(
  caller: Pick<Caller, 'api' | 'whenGone'>,
  key: Key,
  hear: (record: Record) => boolean,
  start: () => Promise<Executed<Record, unknown>>,
): Promise<{ readonly refused: Refusal } | Pick<Following<Record>, 'end'>> {
  const following = follow(caller, key, hear)
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
