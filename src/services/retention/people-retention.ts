// src/services/retention/people-retention.ts — retention job of sessions: a month after they are over they are erased. ADR 77.
import { LONGEST_MS } from '../../domain/people/session.ts'
import { decodeRecord } from '../../engine/decoding.ts'
import type { Engine } from '../../engine/engine.ts'
import { SESSION } from '../../engine/people-machines.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Store } from '../../engine/ports/store.ts'
import type { RetentionJob } from './retention-jobs.ts'

const DAY_MS = 86_400_000
/** From the time when a session is over at the latest. Until then it can be told which browser an entry of the audit log is about. */
const KEPT_MS = 30 * DAY_MS
/** Records read per batch. */
const PAGE = 100

export interface PeopleRetentionParts {
  readonly engine: Engine
  readonly store: Store
  /** Of the gateway, by which people go. */
  readonly clock: Clock
}

export function oldSessions({ engine, store, clock }: PeopleRetentionParts): RetentionJob {
  return {
    name: 'old sessions',
    everyMs: DAY_MS,
    async portion(after) {
      const page = await store.all(SESSION.kind, { after, limit: PAGE })
      const isOld = (startedAt: number) => clock.now() >= startedAt + LONGEST_MS + KEPT_MS
      const old = page.filter(({ body }) => isOld(decodeRecord(SESSION, body).startedAt))
      const gone = old.length === 0 ? 0 : await engine.erase(SESSION, old)
      // In order of creation: after a young one come only young ones.
      const isOver = page.length < PAGE || old.length < page.length
      return { gone, next: isOver ? null : (page.at(-1)?.position ?? null) }
    },
  }
}
