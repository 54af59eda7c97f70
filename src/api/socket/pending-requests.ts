// src/api/socket/pending-requests.ts — requests to a till that wait for its answer or a time-out.

import { createBoundedCache } from '../../engine/bounded-cache.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { TillAnswer } from '../../services/tables/pos-connections.ts'
import type { FieldFault } from '../read/field-fault.ts'
import type { Read } from '../read/schema-reader.ts'
import { type Envelope, LARGEST_ID } from './envelope.ts'

type ReplyEnvelope = Extract<Envelope, { kind: 'reply' }>

/** Timed-out requests whose late answers still matter. Limited, because a till may never answer. */
const MOST_LATE = 100

export interface PendingRequest<Value> {
  /** Sends the request with this id. */
  send(id: number): void
  read(result: unknown): Read<Value>
  /** Called with an answer that was late or invalid. */
  unusable?(result: unknown): void
}

export interface PendingRequests {
  /** Sends a request. Resolves with the answer, or with `none` after an error, the time-out or a disconnect. */
  request<Value>(pending: PendingRequest<Value>): Promise<TillAnswer<Value>>
  /** Handles a reply. Null when it is valid, or belongs to no known request. */
  reply(reply: ReplyEnvelope): FieldFault | null
  /** Ends all requests without an answer, after a disconnect. */
  end(): void
}

interface Open {
  /** Handles the reply. Returns what is wrong with it, or null. */
  take(reply: ReplyEnvelope['reply']): FieldFault | null
  withdraw(): void
}

/** @param withinMs time-out of each request, in milliseconds */
export function createPendingRequests(clock: Clock, withinMs: number): PendingRequests {
  const open = new Map<number, Open>()
  const late = createBoundedCache<number, (result: unknown) => void>(MOST_LATE)
  let last = 0
  let ended = false

  function nextId(): number {
    do last = last === LARGEST_ID ? 1 : last + 1
    while (open.has(last) || late.has(last))
    return last
  }

  function request<Value>(pending: PendingRequest<Value>): Promise<TillAnswer<Value>> {
    if (ended) return Promise.resolve({ answer: 'none', says: null })
    const id = nextId()
    return new Promise(resolve => {
      let alarm: Alarm | null = null
      const close = (answer: TillAnswer<Value>): void => {
        alarm?.cancel()
        open.delete(id)
        resolve(answer)
      }
      open.set(id, {
        take(reply) {
          if ('error' in reply) {
            close({ answer: 'none', says: messageIn(reply.error) })
            return null
          }
          const read = pending.read(reply.result)
          if ('value' in read) {
            close({ answer: 'given', value: read.value })
            return null
          }
          close({ answer: 'none', says: null })
          pending.unusable?.(reply.result)
          return read
        },
        withdraw: () => close({ answer: 'none', says: null }),
      })
      alarm = clock.alarm(clock.now() + withinMs, () => {
        if (pending.unusable !== undefined) late.set(id, pending.unusable)
        close({ answer: 'none', says: null })
      })
      pending.send(id)
    })
  }

  return {
    request,
    reply({ id, reply }) {
      const pending = open.get(id)
      if (pending !== undefined) return pending.take(reply)
      const takeLate = late.get(id)
      late.delete(id)
      if (takeLate !== undefined && 'result' in reply) takeLate(reply.result)
      return null
    },
    end() {
      ended = true
      for (const { withdraw } of [...open.values()]) withdraw()
    },
  }
}

/** Returns the `data.userMessage` of an error, for the terminal's display. */
function messageIn(error: unknown): string | null {
  const data = memberOf(error, 'data')
  const message = memberOf(data, 'userMessage')
  return typeof message === 'string' && message !== '' ? message.slice(0, LONGEST_MESSAGE) : null
}

/** Longest message, in characters: a display has a few lines. */
const LONGEST_MESSAGE = 200

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
