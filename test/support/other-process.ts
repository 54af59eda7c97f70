// test/support/other-process.ts — a store for which every event is by another process.
import type { Store } from '../../src/engine/ports/store.ts'
import { followFrom } from '../../src/store/sqlite/others-feed.ts'

/** @param allEvents reads the events; default: those of the store */
export function withAllAsOthers(store: Store, allEvents: Store['allEvents'] = store.allEvents): Store {
  return {
    ...store,
    async followOthers() {
      const last = (await store.allEvents(0, Number.MAX_SAFE_INTEGER)).at(-1)
      return followFrom(last?.cursor ?? 0, allEvents)
    },
  }
}
