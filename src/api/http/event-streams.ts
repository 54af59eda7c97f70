// src/api/http/event-streams.ts — an account's events as they happen, by server-sent events: catch up, cut over, stream.
import type { ServerResponse } from 'node:http'
import type { Feed } from '../../engine/feed.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Store, StoredEvent } from '../../engine/ports/store.ts'
import type { HttpLimits } from '../limits.ts'

/** Events read at once: few enough to be written without growing the heap. */
const BATCH = 100

/** A comment line this often shows proxies and the listener that the line is alive. Milliseconds. */
const HEARTBEAT_MS = 15_000

/** What the browser waits before it comes back, in milliseconds. */
const RECONNECT_MS = 2_000

export interface EventStreams {
  readonly count: number
  /**
   * Streams an account's events after `cursor` into a response whose head is written, until either side ends it.
   * False: there is no room for another stream, and nothing was done.
   */
  open(account: string, cursor: number, response: ServerResponse, textOf: (event: StoredEvent) => string): boolean
  hasRoomFor(account: string): boolean
  /** Ends all streams, now and from now on. Listeners come back with the last cursor they have seen. */
  release(): void
}

interface Stream {
  readonly account: string
  /** Something was committed since the store was last asked. */
  stale: boolean
  wake: () => void
  ended: boolean
}

/** Keeps who listens, within the limits. */
export function createEventStreams(parts: {
  readonly store: Store
  readonly feed: Feed
  readonly clock: Clock
  readonly log: Log
  readonly limits: HttpLimits
}): EventStreams {
  const { store, feed, clock, log, limits } = parts
  const streams = new Set<Stream>()
  let released = false

  function hasRoomFor(account: string): boolean {
    const own = [...streams].filter(stream => stream.account === account).length
    return !released && streams.size < limits.streams && own < limits.streamsPerAccount
  }

  /** Waits until something may have happened, or it is time for a sign of life. */
  function quiet(stream: Stream): Promise<void> {
    return new Promise(resolve => {
      const alarm = clock.alarm(clock.now() + HEARTBEAT_MS, () => stream.wake())
      stream.wake = () => {
        alarm.cancel()
        stream.wake = () => {}
        resolve()
      }
    })
  }

  async function pump(stream: Stream, from: number, response: ServerResponse, textOf: (event: StoredEvent) => string) {
    let cursor = from
    await write(response, `retry: ${RECONNECT_MS}\n\n`)
    while (!stream.ended) {
      // Marked before the store is asked: what is committed meanwhile is asked for again and lost in no case.
      stream.stale = false
      const events = await store.eventsAfter(stream.account, cursor, BATCH)
      for (const event of events) await write(response, textOf(event))
      cursor = events.at(-1)?.cursor ?? cursor
      if (events.length === BATCH || stream.stale || stream.ended) continue
      await quiet(stream)
      if (!stream.stale && !stream.ended) await write(response, ': alive\n\n')
    }
  }

  return {
    get count() {
      return streams.size
    },
    hasRoomFor,
    open(account, cursor, response, textOf) {
      if (!hasRoomFor(account)) return false
      // Whoever went while he was being admitted has closed already, and will not do so again.
      const stream: Stream = { account, stale: false, wake: () => {}, ended: response.destroyed }
      const end = (): void => {
        stream.ended = true
        stream.wake()
      }
      streams.add(stream)
      const unfollow = feed.followAll(change => {
        if (change.account !== account) return
        stream.stale = true
        stream.wake()
      })
      response.once('close', end)
      void pump(stream, cursor, response, textOf)
        .catch(error => log.error({ account, error }, 'event stream failed'))
        .finally(() => {
          unfollow()
          streams.delete(stream)
          response.end()
        })
      return true
    },
    release() {
      released = true
      for (const stream of streams) {
        stream.ended = true
        stream.wake()
      }
    },
  }
}

/** Resolves when the listener has taken what was written before, or is gone: a slow one must not fill the memory. */
function write(response: ServerResponse, text: string): Promise<void> | void {
  if (response.destroyed || response.write(text)) return
  return new Promise(resolve => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })
}
