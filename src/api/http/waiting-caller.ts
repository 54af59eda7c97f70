// src/api/http/waiting-caller.ts — makes an HTTP caller wait for an asynchronous outcome.
import type { Follower } from '../../engine/follow.ts'
import type { AccountRequestContext } from '../operation.ts'

/**
 * Runs something that a caller waits for. The wait counts against the limits. It ends when the caller disconnects or the
 * gateway stops, and then calls the listeners of `whenGone`.
 * @param longestMs upper bound of the wait, in milliseconds
 * @returns null when too many callers are waiting; `run` was not called
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
