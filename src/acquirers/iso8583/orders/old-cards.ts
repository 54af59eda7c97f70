// src/acquirers/iso8583/orders/old-cards.ts — forgets the cards of orders that can no longer be reversed.
import type { Alarm, Clock } from '../../../engine/ports/clock.ts'
import type { Log } from '../../../engine/ports/log.ts'
import type { Vault } from '../../../engine/ports/vault.ts'

const DAY_MS = 86_400_000
/** Read at a time. */
const PAGE = 100

export interface OldCardsParts {
  readonly vault: Pick<Vault, 'entries' | 'forget'>
  readonly clock: Clock
  readonly log: Log
}

/** Forgets old cards when it is started, and once a day. @param keepDays of the dialect */
export function createOldCards(parts: OldCardsParts, keepDays: number) {
  const { clock, log } = parts
  let next: Alarm | null = null
  let isClosed = false
  function forget(): void {
    void forgetOldCards(parts, keepDays)
      .then(count => {
        if (count > 0) log.info({ count }, 'cards of old orders forgotten')
      })
      .catch((error: Error) => log.error({ why: error.message }, 'cards of old orders cannot be forgotten'))
      .finally(() => {
        if (!isClosed) next = clock.alarm(clock.now() + DAY_MS, forget)
      })
  }
  return {
    start: forget,
    close() {
      isClosed = true
      next?.cancel()
    },
  }
}

/** Erases entries of the vault that are older than the dialect's `keepDays`. Returns their number. */
async function forgetOldCards({ vault, clock }: OldCardsParts, keepDays: number): Promise<number> {
  let forgotten = 0
  for (let after = 0; ; ) {
    const page = await vault.entries('acquirer-card', after, PAGE)
    for (const { account, reference, keptAt } of page)
      if (keptAt !== null && clock.now() - keptAt >= keepDays * DAY_MS) {
        await vault.forget(account, reference)
        forgotten += 1
      }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return forgotten
    after = last.position
  }
}
