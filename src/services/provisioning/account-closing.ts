// src/services/provisioning/account-closing.ts — closes an account for good: nothing new begins, and what runs comes to its end.
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Engine } from '../../engine/engine.ts'
import { MERCHANT_ACCOUNT, TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import { ONLINE_PAYMENT } from '../../engine/online-machine.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { Store } from '../../engine/ports/store.ts'

/** Records of one page. */
const PAGE = 100

export interface AccountClosingParts {
  readonly engine: Engine
  readonly store: Pick<Store, 'list'>
  readonly clocks: Clocks
}

/**
 * Closes an account. Its record stays, so that nobody gets the id again. The account is revoked first, so no request begins
 * anything after it; a crash before the rest is made up for by `endWhatRuns` at the next start.
 */
export async function closeAccount(
  parts: AccountClosingParts,
  id: MerchantAccountId,
): Promise<{ readonly record: MerchantAccount } | { readonly refused: Refusal }> {
  const revoked = await parts.engine.execute(MERCHANT_ACCOUNT, { account: id, id }, { type: 'revoke' })
  if ('refused' in revoked) return revoked
  if ('repeated' in revoked) throw new Error('closing has no idempotency key')
  await endWhatRuns(parts, id)
  return { record: revoked.record }
}

/**
 * Cancels the sales of an account and revokes its access tokens that were not charged. Idempotent. A sale whose card was presented cannot be
 * cancelled: it ends at its terminal or by its time limit, and is booked or reversed like any other.
 */
export async function endWhatRuns(
  { engine, store, clocks }: AccountClosingParts,
  account: MerchantAccountId,
): Promise<void> {
  for await (const id of liveIn(store, account, TERMINAL_TRANSACTION.kind)) {
    const entry = await engine.read(TERMINAL_TRANSACTION, { account, id })
    // A cancel that was refused once is refused again.
    if (entry?.record.cancel === 'none') await engine.execute(TERMINAL_TRANSACTION, { account, id }, { type: 'cancel' })
  }
  for await (const id of liveIn(store, account, ONLINE_PAYMENT.kind)) {
    const facts = { at: clocks.of(account).now(), repetition: false, cardGone: false }
    // Refused once the acquirer was asked.
    await engine.execute(ONLINE_PAYMENT, { account, id }, { type: 'revoke' }, { facts: () => facts })
  }
}

/** Whether anything of the account still runs, at a terminal or online. */
export async function stillRuns({ store }: Pick<AccountClosingParts, 'store'>, account: MerchantAccountId) {
  for (const kind of [TERMINAL_TRANSACTION.kind, ONLINE_PAYMENT.kind])
    if ((await store.list(account, { kind, live: true, limit: 1 })).length > 0) return true
  return false
}

async function* liveIn(store: Pick<Store, 'list'>, account: MerchantAccountId, kind: string): AsyncGenerator<string> {
  for (let before: number | undefined; ; ) {
    const page = await store.list(account, {
      kind,
      live: true,
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
    })
    for (const { id } of page) yield id
    before = page.at(-1)?.position
    if (page.length < PAGE || before === undefined) return
  }
}
