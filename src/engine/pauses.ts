// src/engine/pauses.ts — pauses of merchant accounts, during which work on them waits.
import type { MerchantAccountId } from '../domain/ids.ts'

export interface Pauses {
  /** Begins a pause. Returns the function that ends it; an account is paused until each of its pauses has ended. */
  begin(account: MerchantAccountId): () => void
  /** Resolves when a pause that is on now is over; undefined when there is none. */
  over(account: MerchantAccountId): Promise<void> | undefined
}

interface Pause {
  count: number
  readonly over: Promise<void>
  readonly end: () => void
}

export function createPauses(): Pauses {
  const pauses = new Map<MerchantAccountId, Pause>()

  function pauseOf(account: MerchantAccountId): Pause {
    const known = pauses.get(account)
    if (known !== undefined) return known
    let end = (): void => {}
    const over = new Promise<void>(resolve => (end = resolve))
    const fresh: Pause = { count: 0, over, end }
    pauses.set(account, fresh)
    return fresh
  }

  return {
    begin(account) {
      const pause = pauseOf(account)
      pause.count += 1
      let ended = false
      return () => {
        if (ended) return
        ended = true
        pause.count -= 1
        if (pause.count > 0) return
        pauses.delete(account)
        pause.end()
      }
    },
    over: account => (pauses.size === 0 ? undefined : pauses.get(account)?.over),
  }
}
