// src/engine/activity.ts — what is under way for each account, so that a sandbox can say when one of them has come to rest.

import type { MerchantAccountId } from '../domain/ids.ts'
export interface Activity {
  begin(account: MerchantAccountId): void
  end(account: MerchantAccountId): void
  /** How much is under way. */
  of(account: MerchantAccountId): number
  /** Resolves when nothing is under way for this account; at once when nothing is. */
  rest(account: MerchantAccountId): Promise<void>
}

/** Where nobody asks, nothing is counted. */
export const UNCOUNTED: Activity = {
  begin() {},
  end() {},
  of: () => 0,
  rest: async () => {},
}

/** Counts. Each `begin` has its `end`. */
export function createActivity(): Activity {
  const counts = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()
  return {
    begin: account => void counts.set(account, (counts.get(account) ?? 0) + 1),
    end(account) {
      const left = (counts.get(account) ?? 0) - 1
      if (left > 0) {
        counts.set(account, left)
        return
      }
      counts.delete(account)
      for (const resolve of waiting.get(account) ?? []) resolve()
      waiting.delete(account)
    },
    of: account => counts.get(account) ?? 0,
    async rest(account) {
      if (!counts.has(account)) return
      await new Promise<void>(resolve => waiting.set(account, [...(waiting.get(account) ?? []), resolve]))
    },
  }
}
