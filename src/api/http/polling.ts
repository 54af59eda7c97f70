// src/api/http/polling.ts — answers polls of a record, with conditional requests and long polling.
import type { Entry } from '../../engine/cache.ts'
import type { Key } from '../../engine/ports/store.ts'
import type { AccountRequestContext, Answer } from '../operation.ts'
import type { Refused } from '../read/json-body.ts'
import { noneMatchNames, type Representation } from './representation.ts'
import { type Wait, waitSecondsOf } from './waiting.ts'

/** The record being polled. */
export interface Polled<Record> {
  readonly key: Key
  find(): Promise<Entry<Record> | Refused>
  represent(entry: Entry<Record>): Representation
  /** True when the representation can no longer change. */
  isFinished(record: Record): boolean
}

/**
 * Answers with the record, or with 304 when it matches `If-None-Match`. With `Prefer: wait`, the answer waits for a change
 * before it is 304.
 */
export async function answerPoll<Record>(context: AccountRequestContext, polled: Polled<Record>): Promise<Answer> {
  const { headers } = context.request
  const ifNoneMatch = headers['if-none-match']
  const waitSeconds = ifNoneMatch === undefined ? 0 : waitSecondsOf(headers['prefer'])
  const until = context.api.clock.now() + waitSeconds * 1_000
  let wait: Wait | null = null
  let applied = false
  for (;;) {
    const entry = await polled.find()
    if ('refused' in entry) return entry
    const { status, bytes, etag } = polled.represent(entry)
    const answerHeaders = { etag, ...(applied ? { 'preference-applied': `wait=${waitSeconds}` } : {}) }
    const changed = !isKnown(status, etag, ifNoneMatch)
    if (changed || polled.isFinished(entry.record) || context.api.clock.now() >= until) {
      wait?.cancel()
      return changed
        ? { status, bytes, mediaType: '', headers: answerHeaders }
        : { status: 304, headers: answerHeaders }
    }
    if (wait === null) {
      wait = context.api.waiting.wait(polled.key, until, context.response)
      if (wait === null) return { status: 304, headers: answerHeaders }
      // A change between the read and `wait` is found by reading again.
      continue
    }
    applied = true
    const end = await wait.end
    if (end === 'gone') return { taken: true }
    wait = null
  }
}

/** Preconditions apply to successful answers only. RFC 9110 §13.2.1. */
function isKnown(status: number, etag: string, ifNoneMatch: string | undefined): boolean {
  return status === 200 && noneMatchNames(ifNoneMatch, etag)
}
