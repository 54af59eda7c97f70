// src/engine/online-machine.ts — the machine of online payments as the engine runs it.
import type { MerchantAccountId } from '../domain/ids.ts'
import { apply, awaitsAcquirer, type OnlinePayment, repetitionKey, timersOf } from '../domain/online/payment.ts'
import { decide, type OnlineCommand, type OnlineFacts } from '../domain/online/payment-decisions.ts'
import { effectsOf } from '../domain/online/payment-effects.ts'
import type { OnlinePaymentEvent } from '../domain/online/payment-events.ts'
import type { Machine } from './machines.ts'
import { paymentTerms } from './search-terms.ts'

export const ONLINE_PAYMENT: Machine<OnlinePayment, OnlineCommand, OnlineFacts | null, OnlinePaymentEvent> = {
  kind: 'online-payment',
  changedOutside: false,
  decide,
  apply,
  effectsOf,
  timersOf,
  indexColumnsOf: record => ({
    // Lists all attempts at one order.
    parent: record.order.orderId,
    live: isLive(record),
    // Of two identical payments only one may be at the acquirer.
    lockKey: awaitsAcquirer(record) ? repetitionUniqueKey(record) : null,
  }),
  searchTermsOf: paymentTerms,
  uniqueKeysOf: (event, record) => {
    const { merchantAccount, order } = record
    switch (event.type) {
      case 'issued':
        return order.merchantTransactionId === null
          ? []
          : [merchantTransactionKey(merchantAccount, order.merchantTransactionId)]
      case 'challenge_requested':
        return [challengeKey(event.challenge.md)]
      case 'ended':
        return [
          ...(event.crossReference === '' ? [] : [crossReferenceKey(merchantAccount, event.crossReference)]),
          ...(event.paymentMethodId === null ? [] : [paymentMethodKey(merchantAccount, event.paymentMethodId)]),
        ]
      default:
        return []
    }
  },
  refusedUniqueKey: { code: 'merchant_transaction_taken' },
}

function isLive({ progress, token, reservation, money }: OnlinePayment): boolean {
  if (progress === 'none') return token === 'issued'
  return (progress !== 'final' && progress !== 'revoked') || reservation === 'reserved' || money === 'reversing'
}

function repetitionUniqueKey(record: OnlinePayment): string | null {
  const key = repetitionKey(record)
  return key === null ? null : `online:${record.merchantAccount}/${key}`
}

/** Taken permanently when a token is issued, even if it is never used. See docs/online-payments.md. */
function merchantTransactionKey(account: MerchantAccountId, merchantTransactionId: string): string {
  return `merchant-transaction:${account}/${merchantTransactionId}`
}

export function crossReferenceKey(account: MerchantAccountId, crossReference: string): string {
  return `cross-reference:${account}/${crossReference}`
}

export function paymentMethodKey(account: MerchantAccountId, paymentMethodId: string): string {
  return `payment-method:${account}/${paymentMethodId}`
}

/** Unique key of a challenge. `md` is all that a browser brings back from the issuer. */
export function challengeKey(md: string): string {
  return `challenge:${md}`
}
