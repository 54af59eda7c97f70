// src/api/rpc/follow.ts — hears of a record, change by change, as long as somebody is there to be told.
import type { Key } from '../../engine/ports.ts'
import type { Caller } from './method.ts'

export interface Following<Record> {
  /** The record when `hear` had heard enough; null when nobody was left before. Rejects when `hear` has thrown. */
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
  const unfollow = api.feed.follow(key, ({ record }) => {
    try {
      if (!hear(record as Record)) return
      finish()
      tell(record as Record)
    } catch (error) {
      // A listener must not throw into the engine, which has nothing to do with it.
      finish()
      fail(error)
    }
  })
  const stop = (): void => {
    finish()
    tell(null)
  }
  stay = whenGone(stop)
  return { end, stop }
}
