// src/api/http/event-streams.ts — streams the events of an account as server-sent events: catch up, cut over, stream.
import type { ServerResponse } from 'node:http'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { Change, Feed } from '../../engine/feed.ts'
import { MERCHANT_ACCOUNT } from '../../engine/machines.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Store, StoredEvent } from '../../engine/ports/store.ts'
import type { HttpLimits } from '../limits.ts'

/** Events in one read: few enough to be written without growing the heap. */
const BATCH = 100

/** Interval of comment lines that keep proxies and clients from closing an idle connection, in milliseconds. */
const HEARTBEAT_MS = 15_000

/** Delay before a browser reconnects, in milliseconds. */
const RECONNECT_MS = 2_000

export interface EventStreams {
  readonly count: number
  /**
   * Streams the events of an account after `cursor` into a response whose head is written, until either side ends it.
   * Returns false when the limit of streams is reached.
   */
  open(order: StreamOrder, response: ServerResponse): boolean
  hasRoomFor(account: string): boolean
  /** Ends all streams and accepts no new ones. Clients reconnect with their last cursor. */
  release(): void
}

export interface StreamOrder {
  readonly account: string
  readonly cursor: number
  readonly textOf: (event: StoredEvent) => string
  /** Asked before each read, and with each heartbeat: false ends the stream. Absent for callers that may until they go. */
  readonly mayGoOn?: () => Promise<boolean>
}

interface Stream {
  readonly account: string
  /** True when an event was committed since the last read. */
  stale: boolean
  wake: () => void
  ended: boolean
}

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
    const ofAccount = [...streams].filter(stream => stream.account === account).length
    return !released && streams.size < limits.streams && ofAccount < limits.streamsPerAccount
  }

  /** Waits for a commit or the next heartbeat. */
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

  async function pump(stream: Stream, { cursor: from, textOf, mayGoOn }: StreamOrder, response: ServerResponse) {
    let cursor = from
    await write(response, `retry: ${RECONNECT_MS}\n\n`)
    while (!stream.ended && (await mayGoOn?.()) !== false) {
      // Reset before the read, so that an event committed during the read causes another one.
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
    open(order, response) {
      const { account } = order
      if (!hasRoomFor(account)) return false
      // A client that disconnected during the admission emits no further `close`.
      const stream: Stream = { account, stale: false, wake: () => {}, ended: response.destroyed }
      const end = (): void => {
        stream.ended = true
        stream.wake()
      }
      streams.add(stream)
      const unfollow = feed.followAll(change => {
        if (change.account !== account) return
        stream.stale = true
        if (isClosed(change)) stream.ended = true
        stream.wake()
      })
      response.once('close', end)
      void pump(stream, order, response)
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

/** Whether this change ends its account, and with it the streams. */
function isClosed({ kind, record }: Change): boolean {
  return kind === MERCHANT_ACCOUNT.kind && (record as MerchantAccount).status === 'revoked'
}

/** Resolves when the client has read earlier writes or disconnects. A slow client must not fill the memory. */
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
