// src/services/online/payment-facts.ts — facts for decisions about online payments: time, repetitions, deleted cards.

import type { MerchantAccountId } from '../../domain/ids.ts'
import type { OnlinePayment } from '../../domain/online/payment.ts'
import { awaitsAcquirer, repetitionKey } from '../../domain/online/payment.ts'
import type { OnlineFacts } from '../../domain/online/payment-decisions.ts'
import type { Submission } from '../../domain/online/payment-events.ts'
import { isUndone, moveEntry } from '../../domain/online/payment-ledger.ts'
import { decodeRecord } from '../../engine/decoding.ts'
import type { ExecuteOptions } from '../../engine/engine.ts'
import { ONLINE_PAYMENT } from '../../engine/online-machine.ts'
import { newestPagesOf } from '../../engine/pages.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { Key, Store } from '../../engine/ports/store.ts'
import type { Vault } from '../../engine/ports/vault.ts'

/** How long after a success an identical payment is a duplicate, in milliseconds. See docs/online-payments.md. */
const REPETITION_MS = 60_000
/**
 * Age limit of attempts to read, in milliseconds. A payment succeeds at most 75 minutes after its token was issued: half an
 * hour until submission, a quarter each for the payer, the shop and the acquirer.
 */
const OLDEST_MS = 2 * 3_600_000
/** Attempts at one order that are read at a time. An order has one or two. */
const PAGE = 50

type Options = ExecuteOptions<OnlinePayment, OnlineFacts | null>

/** Options for a command on this payment. `submission`: for a payment that is about to be submitted. */
export type OnlineFactsFor = (key: Pick<Key, 'account'>, submission?: Submission) => Options

export function createOnlineFacts({
  store,
  clocks,
  vault,
}: {
  readonly store: Store
  readonly clocks: Clocks
  readonly vault: Vault
}): OnlineFactsFor {
  // Opening counts as use, so the card is not deleted before the acquirer is asked.
  async function isCardGone(account: MerchantAccountId, { by, card }: Submission): Promise<boolean> {
    const isShared = by === 'cross_reference' || by === 'saved_card'
    return isShared && (await vault.openCard(account, card.vault)) === null
  }

  /** With what has succeeded and is not in its ledger yet: the shop may have been told. */
  async function withLedger(account: MerchantAccountId, payment: OnlinePayment): Promise<OnlinePayment> {
    let { entries } = payment
    for (const { by, state } of payment.entries) {
      if (state !== 'reserved') continue
      const stored = await store.load({ account, kind: ONLINE_PAYMENT.kind, id: by })
      const linked = stored === null ? null : decodeRecord(ONLINE_PAYMENT, stored.body)
      if (linked?.statusCode === 0) entries = moveEntry(entries, by, 'link_settled')
    }
    return { ...payment, entries }
  }

  async function isRepetition(record: OnlinePayment, at: number): Promise<boolean> {
    const key = repetitionKey(record)
    if (key === null) return false
    const query = { kind: ONLINE_PAYMENT.kind, parent: record.order.orderId, limit: PAGE }
    const { merchantAccount } = record
    const isSame = async (other: OnlinePayment): Promise<boolean> =>
      other.id !== record.id &&
      repetitionKey(other) === key &&
      (awaitsAcquirer(other) || (hasSucceeded(other, at) && !isUndone(await withLedger(merchantAccount, other))))
    for await (const page of newestPagesOf(store, merchantAccount, query)) {
      const attempts = page.map(({ body }) => decodeRecord(ONLINE_PAYMENT, body))
      for (const attempt of attempts) if (await isSame(attempt)) return true
      const oldest = attempts.at(-1)
      if (oldest === undefined || at - oldest.createdAt > OLDEST_MS) return false
    }
    return false
  }
  return ({ account }, submission) => ({
    async facts(record) {
      const at = clocks.of(account).now()
      if (record === null) return { at, repetition: false, cardGone: false }
      const submitted = submission === undefined ? record : { ...record, submission }
      const repetition = mayRequestMoney(submitted) && (await isRepetition(submitted, at))
      return { at, repetition, cardGone: submission !== undefined && (await isCardGone(account, submission)) }
    },
  })
}

function hasSucceeded({ statusCode, finishedAt }: OnlinePayment, at: number): boolean {
  return statusCode === 0 && at < (finishedAt ?? 0) + REPETITION_MS
}

/**
 * Whether the payment may still request money: it has not asked the acquirer yet, or may ask again after a soft decline. Only
 * such a payment can be a repetition.
 */
function mayRequestMoney({ submission, money, progress }: OnlinePayment): boolean {
  const isFree = money === 'none' || money === 'declined'
  return submission !== null && isFree && progress !== 'final' && progress !== 'revoked'
}
