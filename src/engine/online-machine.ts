// src/engine/online-machine.ts — the machine of online payments as the engine runs it.
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
    const { order } = record
    switch (event.type) {
      case 'issued':
        return order.merchantTransactionId === null ? [] : [merchantTransactionKey(order.merchantTransactionId)]
      case 'challenge_requested':
        return [challengeKey(event.challenge.md)]
      case 'ended':
        return [
          ...(event.crossReference === '' ? [] : [crossReferenceKey(event.crossReference)]),
          ...(event.paymentMethodId === null ? [] : [paymentMethodKey(event.paymentMethodId)]),
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
  return key === null ? null : `online:${key}`
}

/** Taken permanently when a token is issued, even if it is never used. See docs/online-payments.md. */
export function merchantTransactionKey(merchantTransactionId: string): string {
  return `merchant-transaction:${merchantTransactionId}`
}

export function crossReferenceKey(crossReference: string): string {
  return `cross-reference:${crossReference}`
}

export function paymentMethodKey(paymentMethodId: string): string {
  return `payment-method:${paymentMethodId}`
}

/** Unique key of a challenge. `md` names the account. */
export function challengeKey(md: string): string {
  return `challenge:${md}`
}
