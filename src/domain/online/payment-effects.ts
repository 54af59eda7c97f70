// src/domain/online/payment-effects.ts — the effects of an online payment's events.
import type { Effect } from '../machine.ts'
import { type WebhookEffect, webhookEffect } from '../webhooks/webhook.ts'
import { awaitsAcquirer, effectIdOf, type OnlinePayment } from './payment.ts'
import type { OnlinePaymentEvent } from './payment-events.ts'

export type OnlineEffectType =
  /** Ask the directory server about the card. */
  | 'payment.look_up'
  /** Reserve on the original payment. */
  | 'payment.reserve'
  /** Ask the acquirer, with an order id that never changes. */
  | 'payment.authorise'
  | 'payment.reverse'
  /** Record the outcome on the original payment. */
  | 'payment.book'
  /** Delete a card that no later payment can refer to. */
  | 'payment.forget_card'

export interface OnlineEffect {
  readonly type: OnlineEffectType
}

/** The effects of an event. `record` is the record after it. */
export function effectsOf(
  event: OnlinePaymentEvent,
  record: OnlinePayment,
): readonly Effect<OnlineEffect | WebhookEffect>[] {
  const effect = (type: OnlineEffectType): Effect<OnlineEffect> => ({
    id: effectIdOf(record, type),
    type,
    payload: { type },
  })
  switch (event.type) {
    case 'lookup_requested':
      return [effect('payment.look_up')]
    case 'reservation_requested':
      return [effect('payment.reserve')]
    case 'authorisation_requested':
      return [effect('payment.authorise')]
    case 'reversal_requested':
      return [effect('payment.reverse')]
    case 'paused':
      return webhookOf(record)
    case 'ended':
      return [
        ...(record.reservation === 'reserved' ? [effect('payment.book')] : []),
        ...(event.statusCode !== 0 && storedItsCard(record) ? [effect('payment.forget_card')] : []),
        ...webhookOf(record),
      ]
    case 'revoked':
      return storedItsCard(record) ? [effect('payment.forget_card')] : []
    case 'issued':
    case 'expired':
    case 'submitted':
    case 'not_enrolled':
    case 'challenge_requested':
    case 'authenticated':
    case 'exempted':
    case 'authentication_failed':
    case 'resumed':
    case 'reserved':
    case 'reservation_refused':
    case 'reservation_settled':
    case 'reservation_released':
    case 'authorisation_approved':
    case 'authorisation_declined':
    case 'authorisation_unanswered':
    case 'reversed':
    case 'closed_as_taken':
    case 'closed_as_not_taken':
    case 'answered_late':
    case 'link_reserved':
    case 'link_settled':
    case 'link_released':
    case 'link_refunded':
      return []
  }
}

/** Webhooks report the end and the pause, but not a revocation, which is the shop's own request. See docs/webhooks.md. */
function webhookOf(record: OnlinePayment): readonly Effect<WebhookEffect>[] {
  const { webHook, orderId, merchantTransactionId } = record.order
  if (webHook === null) return []
  const { url, vault } = webHook
  return [webhookEffect(record, { url, subject: record.id, orderId, merchantTransactionId, token: { vault } })]
}

/** Whether the payment stored its card itself. Others share the card of the payment that they refer to. */
function storedItsCard({ submission }: OnlinePayment): boolean {
  return submission !== null && submission.by !== 'cross_reference' && submission.by !== 'saved_card'
}

/** Whether an effect is still needed. */
export function isStillNeeded(type: OnlineEffectType, record: OnlinePayment): boolean {
  switch (type) {
    case 'payment.look_up':
      return record.authentication === 'looking_up'
    case 'payment.reserve':
      return record.reservation === 'requested'
    case 'payment.authorise':
      return awaitsAcquirer(record)
    case 'payment.reverse':
      return record.money === 'reversing'
    case 'payment.book':
      return record.reservation === 'reserved'
    case 'payment.forget_card':
      return true
  }
}
