// src/acquirers/registry.ts — routes orders to the acquirer of their merchant account.
import type { Acquirer } from '../engine/ports/acquirer.ts'
import type { Registry } from '../engine/registry.ts'
import { NO_ACQUIRER } from './none.ts'

/**
 * Combines all acquirers into one: each order goes to the acquirer of its account.
 * @param chosenBy returns the acquirer's name in the account's record; undefined for the default
 */
export function acquirerByAccount(
  acquirers: Registry<Acquirer>,
  chosenBy: (account: string) => Promise<string | undefined>,
): Acquirer {
  const of = async ({ account }: { readonly account: string }): Promise<Acquirer> =>
    acquirers.find(await chosenBy(account)) ?? NO_ACQUIRER
  return {
    name: 'by-account',
    authorise: async (order, purpose) => (await of(order)).authorise(order, purpose),
    capture: async order => (await of(order)).capture(order),
    refund: async order => (await of(order)).refund(order),
    verify: async order => (await of(order)).verify(order),
    reverse: async reversal => (await of(reversal)).reverse(reversal),
    awaitEnd: async order => (await of(order)).awaitEnd?.(order) ?? never(),
  }
}

/** A promise of its own each time: one for all would keep whoever has ever waited for it. */
function never(): Promise<void> {
  return new Promise(() => {})
}
