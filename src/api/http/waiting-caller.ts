// src/api/http/waiting-caller.ts — keeps a caller over HTTP waiting for something else than the change of one record.
import type { Follower } from '../../engine/follow.ts'
import type { AccountRequestContext } from '../operation.ts'

/**
 * Runs something that a caller waits for. The wait counts against the limits, and ends when the caller goes or the
 * gateway stops: `whenGone` tells then.
 * @param longestMs what is waited for ends by itself before
 * @returns null: too many are waiting already, and nothing was run
 */
export async function whileWaiting<Outcome>(
  { api, account, requestId: id, response }: AccountRequestContext,
  longestMs: number,
  run: (whenGone: Follower['whenGone']) => Promise<Outcome>,
): Promise<Outcome | null> {
  const wait = api.waiting.wait({ account: account.id, kind: 'call', id }, api.clock.now() + longestMs, response)
  if (wait === null) return null
  const listeners = new Set<() => void>()
  void wait.end.then(() => {
    for (const listener of [...listeners]) listener()
  })
  try {
    return await run(listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    })
  } finally {
    wait.cancel()
  }
}
