// src/api/socket/pending-requests.ts — what a till was asked on one connection, each with a time by which to answer. Terminal socket
// reference 2.2 and 6.2.
import { LRUCache } from 'lru-cache'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { TillAnswer } from '../../services/tables/pos-connections.ts'
import { type Envelope, LARGEST_ID } from './envelope.ts'
import type { Read } from './table-answers.ts'

type ReplyEnvelope = Extract<Envelope, { kind: 'reply' }>

/** Questions whose answers would still matter although they are late. A till that never answers leaves no more than that. */
const MOST_LATE = 100

/** A field of an answer that is missing or wrong. */
export interface WrongAnswer {
  readonly field: string
}

export interface Question<Value> {
  /** Sends it under this number. */
  send(id: number): void
  read(result: unknown): Read<Value>
  /** What came could not be used: the time was over, or something was missing in it. */
  unusable?(result: unknown): void
}

export interface PendingRequests {
  /** Resolves when the till has answered, or has not in time, or is gone. */
  ask<Value>(question: Question<Value>): Promise<TillAnswer<Value>>
  /** Takes a reply in. Null: all is well, or it belongs to nothing that is known. */
  reply(reply: ReplyEnvelope): WrongAnswer | null
  /** The line is gone: nobody answers any more. */
  end(): void
}

interface Open {
  /** Takes the reply; returns what is wrong with it. */
  take(reply: ReplyEnvelope['reply']): WrongAnswer | null
  giveUp(): void
}

/** `withinMs`: how long each question waits. */
export function createPendingRequests(clock: Clock, withinMs: number): PendingRequests {
  const open = new Map<number, Open>()
  const late = new LRUCache<number, (result: unknown) => void>({ max: MOST_LATE })
  let last = 0
  let ended = false

  function nextId(): number {
    do last = last === LARGEST_ID ? 1 : last + 1
    while (open.has(last) || late.has(last))
    return last
  }

  function ask<Value>(question: Question<Value>): Promise<TillAnswer<Value>> {
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
            close({ answer: 'none', says: saidIn(reply.error) })
            return null
          }
          const read = question.read(reply.result)
          if ('value' in read) {
            close({ answer: 'given', value: read.value })
            return null
          }
          close({ answer: 'none', says: null })
          question.unusable?.(reply.result)
          return { field: read.wrong }
        },
        giveUp: () => close({ answer: 'none', says: null }),
      })
      alarm = clock.alarm(clock.now() + withinMs, () => {
        if (question.unusable !== undefined) late.set(id, question.unusable)
        close({ answer: 'none', says: null })
      })
      question.send(id)
    })
  }

  return {
    ask,
    reply({ id, reply }) {
      const asked = open.get(id)
      if (asked !== undefined) return asked.take(reply)
      const wasAsked = late.get(id)
      late.delete(id)
      if (wasAsked !== undefined && 'result' in reply) wasAsked(reply.result)
      return null
    },
    end() {
      ended = true
      for (const { giveUp } of [...open.values()]) giveUp()
    },
  }
}

/** What an error of the till wants to be shown: `error.data.userMessage`. */
function saidIn(error: unknown): string | null {
  const data = memberOf(error, 'data')
  const says = memberOf(data, 'userMessage')
  return typeof says === 'string' && says !== '' ? says.slice(0, MOST_SAID) : null
}

/** A display has a few lines; more would be no message. */
const MOST_SAID = 200

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
