// src/engine/activity.ts — counts work in progress per account, so that a sandbox can report when an account is idle.

import type { MerchantAccountId } from '../domain/ids.ts'
export interface Activity {
  begin(account: MerchantAccountId): void
  end(account: MerchantAccountId): void
  /** Number of pieces of work in progress. */
  of(account: MerchantAccountId): number
  /** Resolves when the account has no work in progress; at once when it has none now. */
  rest(account: MerchantAccountId): Promise<void>
}

/** Counts nothing; for gateways without a sandbox. */
export const UNCOUNTED: Activity = {
  begin() {},
  end() {},
  of: () => 0,
  rest: async () => {},
}

/** Counts in memory. Each `begin` needs one `end`. */
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
