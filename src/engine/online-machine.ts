// src/engine/online-machine.ts — online payments as the engine runs them.
import { apply, isAsked, type OnlinePayment, repetitionKey, timersOf } from '../domain/online/payment.ts'
import { decide, type OnlineCommand, type OnlineFacts } from '../domain/online/payment-decisions.ts'
import { effectsOf } from '../domain/online/payment-effects.ts'
import type { OnlinePaymentEvent } from '../domain/online/payment-events.ts'
import type { Machine } from './machines.ts'

export const ONLINE_PAYMENT: Machine<OnlinePayment, OnlineCommand, OnlineFacts | null, OnlinePaymentEvent> = {
  kind: 'online-payment',
  changedOutside: false,
  decide,
  apply,
  effectsOf,
  timersOf,
  placeOf: record => ({
    // Attempts at one order are found together.
    parent: record.order.orderId,
    live: isLive(record),
    // Of two that are the same only one may be at the acquirer.
    exclusive: isAsked(record) ? repetitionClaim(record) : null,
  }),
  claimsOf: (event, record) => {
    const { merchantAccount, order } = record
    switch (event.type) {
      case 'issued':
        return order.merchantTransactionId === null
          ? []
          : [merchantTransactionClaim(merchantAccount, order.merchantTransactionId)]
      case 'challenge_requested':
        return [challengeClaim(event.challenge.md)]
      case 'ended':
        return [
          ...(event.crossReference === '' ? [] : [crossReferenceClaim(merchantAccount, event.crossReference)]),
          ...(event.paymentMethodId === null ? [] : [paymentMethodClaim(merchantAccount, event.paymentMethodId)]),
        ]
      default:
        return []
    }
  },
  refusedClaim: { code: 'merchant_transaction_taken' },
}

function isLive({ progress, token, reservation, money }: OnlinePayment): boolean {
  if (progress === 'none') return token === 'issued'
  return (progress !== 'final' && progress !== 'revoked') || reservation === 'reserved' || money === 'reversing'
}

function repetitionClaim(record: OnlinePayment): string | null {
  const key = repetitionKey(record)
  return key === null ? null : `online:${record.merchantAccount}/${key}`
}

/** Taken for good when a token is made, whatever becomes of it. Online reference 3.5. */
function merchantTransactionClaim(account: string, merchantTransactionId: string): string {
  return `merchant-transaction:${account}/${merchantTransactionId}`
}

export function crossReferenceClaim(account: string, crossReference: string): string {
  return `cross-reference:${account}/${crossReference}`
}

export function paymentMethodClaim(account: string, paymentMethodId: string): string {
  return `payment-method:${account}/${paymentMethodId}`
}

/** A browser comes back from the issuer with nothing but this. */
export function challengeClaim(md: string): string {
  return `challenge:${md}`
}
