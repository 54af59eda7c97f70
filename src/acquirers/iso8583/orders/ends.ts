// src/acquirers/iso8583/orders/ends.ts — the journal of orders, and who waits for the end of one. ADR 96.
import { createBoundedCache } from '../../../engine/bounded-cache.ts'
import type { Acquirer } from '../../../engine/ports/acquirer.ts'
import type { Clock } from '../../../engine/ports/clock.ts'
import type { Store } from '../../../engine/ports/store.ts'
import { nameOf } from './due-steps.ts'
import { createJournal, hasEnded, type Journal, type OrderNote } from './journal.ts'

/** Orders that are waited for. Beyond it, the oldest are only asked again after a wait. */
const MOST_WAITED_FOR = 10_000

interface Waiting {
  readonly end: Promise<void>
  readonly reached: () => void
}

export function createJournalWithEnds(
  store: Store,
  clock: Clock,
): { readonly journal: Journal } & Required<Pick<Acquirer, 'awaitEnd'>> {
  const waiting = createBoundedCache<string, Waiting>(MOST_WAITED_FOR)
  const journal = createJournal(store, clock, reach)

  function reach({ account, orderId }: Pick<OrderNote, 'account' | 'orderId'>): void {
    const name = nameOf(account, orderId)
    waiting.get(name)?.reached()
    waiting.delete(name)
  }

  function endOf(name: string): Promise<void> {
    const known = waiting.get(name)
    if (known !== undefined) return known.end
    let reached = () => {}
    const end = new Promise<void>(resolve => {
      reached = resolve
    })
    waiting.set(name, { end, reached })
    return end
  }

  return {
    journal,
    async awaitEnd({ account, orderId }) {
      // Before the note is read, so that no end is missed in between.
      const end = endOf(nameOf(account, orderId))
      // Without the store, the end is still told.
      const noted = await journal.load(account, orderId).catch(() => null)
      if (noted !== null && hasEnded(noted.note)) reach(noted.note)
      await end
    },
  }
}
