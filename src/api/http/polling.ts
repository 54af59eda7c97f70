// src/api/http/polling.ts — answers reads of a record that are repeated until it ends: at once, or at its next change.
import type { Entry } from '../../engine/cache.ts'
import type { Key } from '../../engine/ports/store.ts'
import type { AccountRequestContext, Answer } from '../operation.ts'
import type { Refused } from '../read/json-body.ts'
import { noneMatchNames, type Representation } from './representation.ts'
import { type Wait, waitSecondsOf } from './waiting.ts'

/** What is read. */
export interface Polled<Record> {
  readonly key: Key
  find(): Promise<Entry<Record> | Refused>
  represent(entry: Entry<Record>): Representation
  /** After that, nothing that the till sees can change any more. */
  isFinished(record: Record): boolean
}

/** Answers with the record as it is; 304 when the caller knows it already, after the wait that it prefers. */
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
      // Listening now; what changed just before is seen by looking once more.
      continue
    }
    applied = true
    const end = await wait.end
    if (end === 'gone') return { taken: true }
    wait = null
  }
}

/** Only what is there can be known already. RFC 9110 §13.2.1. */
function isKnown(status: number, etag: string, ifNoneMatch: string | undefined): boolean {
  return status === 200 && noneMatchNames(ifNoneMatch, etag)
}
