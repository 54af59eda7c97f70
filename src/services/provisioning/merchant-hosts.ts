// src/services/provisioning/merchant-hosts.ts — sets the hosts of an account's web shops.
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import { idHoldsCardNumber } from '../../domain/card-numbers.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Engine } from '../../engine/engine.ts'
import { MERCHANT_ACCOUNT } from '../../engine/machines.ts'

/** Replaces the hosts. They are in lower case. Refuses with `card_number_misplaced` or `account_unknown`. */
export async function setMerchantHosts(
  { engine }: { readonly engine: Engine },
  id: string,
  merchantHosts: readonly string[],
): Promise<{ readonly record: MerchantAccount } | { readonly refused: Refusal }> {
  if (merchantHosts.some(idHoldsCardNumber))
    return { refused: { code: 'card_number_misplaced', field: 'merchantHosts' } }
  const command = { type: 'set_merchant_hosts', merchantHosts } as const
  const executed = await engine.execute(MERCHANT_ACCOUNT, { account: id, id }, command)
  if ('repeated' in executed) throw new Error('hosts have no idempotency key')
  return 'refused' in executed ? executed : { record: executed.record }
}
