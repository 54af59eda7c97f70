// src/engine/outside-changes.ts — notices that another process has changed what is cached here.
import type { Clock } from './ports/clock.ts'
import type { Store } from './ports/store.ts'

/** How long the last answer of the store is believed, in milliseconds: what the command line revokes stops within it. */
const BELIEVED_MS = 1_000

export interface OutsideChanges {
  /** How many changes by other processes are known of. A copy that was read at another count is not used. */
  readonly known: number
  /** Asks the store again when its last answer is too old. Awaited before a copy of what others change is used. */
  refresh(): Promise<void> | undefined
}

/** No other process writes to the store. */
export const NO_OUTSIDE_CHANGES: OutsideChanges = { known: 0, refresh: () => undefined }

/** Counts the changes of other processes through the store, at most once in `BELIEVED_MS`. */
export function createOutsideChanges({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'outsideChanges'>
  readonly clock: Clock
}): OutsideChanges {
  let known = 0
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null

  async function ask(at: number): Promise<void> {
    known = await store.outsideChanges()
    askedAt = at
  }

  return {
    get known() {
      return known
    },
    refresh() {
      const now = clock.now()
      // A clock that was put back must not make the answer good for ever.
      if (now >= askedAt && now < askedAt + BELIEVED_MS) return undefined
      asking ??= ask(now).finally(() => (asking = null))
      return asking
    },
  }
}
