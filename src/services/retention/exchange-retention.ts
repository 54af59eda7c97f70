// src/services/retention/exchange-retention.ts — retention of notes on what terminals and issuers were asked for. ADR 83, 88.
import type { Clock } from '../../engine/ports/clock.ts'
import type { Store } from '../../engine/ports/store.ts'
import { EXCHANGE_KINDS } from '../../engine/ports/terminal.ts'
import { AUTHENTICATION_KIND, DEVICE_DATA_KIND } from '../../engine/ports/three-d-secure.ts'
import type { RetentionJob } from './retention-jobs.ts'

const DAY_MS = 86_400_000
/** From its beginning. Cardholders may dispute a payment for more than a year, and the note has the terminal's reference of it. */
const KEPT_MS = 400 * DAY_MS
/** Records read per batch. */
const PAGE = 100

/** Erases old notes. An open one is at most two days old: after that no terminal knows the answer. */
export function oldExchanges({
  store,
  clock,
}: {
  readonly store: Store
  readonly clock: Clock
}): readonly RetentionJob[] {
  return [...EXCHANGE_KINDS, AUTHENTICATION_KIND, DEVICE_DATA_KIND].map(kind => ({
    name: `notes of connectors: ${kind}`,
    everyMs: DAY_MS,
    async portion(after) {
      const page = await store.all(kind, { after, limit: PAGE })
      const old = page.filter(({ createdAt }) => clock.now() >= createdAt + KEPT_MS)
      const gone = old.length === 0 ? 0 : await store.erase(old)
      // In order of creation: after a young one come only young ones.
      const isOver = page.length < PAGE || old.length < page.length
      return { gone, next: isOver ? null : (page.at(-1)?.position ?? null) }
    },
  }))
}
