// src/services/retention/record-retention.ts — retention jobs of sessions, and of notes on what terminals were asked for.
import { oldExchanges } from './exchange-retention.ts'
import { oldSessions, type PeopleRetentionParts } from './people-retention.ts'
import type { RetentionJob } from './retention-jobs.ts'

/** Jobs that erase records by their age alone. */
export function oldRecords(parts: PeopleRetentionParts): readonly RetentionJob[] {
  return [oldSessions(parts), ...oldExchanges(parts)]
}
